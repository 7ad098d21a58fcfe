"""The reviewer's desk: one report of several logs, beside the last one, with exceptions, a cover and a signature."""
