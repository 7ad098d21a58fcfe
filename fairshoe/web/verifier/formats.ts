// The format of a file that somebody gave in the place of another, by its first bytes.

/** how a file begins, in hex, and what it is */
const BEGINNINGS: [string, string][] = [
  ["1f8b", "a gzip file: unpack it with gunzip"],
  ["425a68", "a bzip2 file: unpack it with bunzip2"],
  ["28b52ffd", "a zstd file: unpack it with unzstd"],
  ["fd377a585a00", "an xz file: unpack it with unxz"],
  ["377abcaf271c", "a 7z file: unpack it with 7z x"],
  ["504b0304", "a zip file: unpack it with unzip"],
  ["89504e47", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["25504446", "a PDF"],
  ["fffe", "a text in UTF-16: save it as UTF-8"],
  ["feff", "a text in UTF-16: save it as UTF-8"],
  ["7b00", "a text in UTF-16: save it as UTF-8"],
];

/** What a file is by its first bytes, and what to do; "" where it may be a text in UTF-8. */
export function formatOf(file: Uint8Array): string {
  const hex = Array.from(file.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const text = new TextDecoder("latin1").decode(file.subarray(0, 512)).replace("\xef\xbb\xbf", "");
  const [, found = ""] = BEGINNINGS.find(([beginning]) => hex.startsWith(beginning)) ?? [];
  if (found) return found;
  if (text.startsWith("ustar", 257)) return "a tar archive: unpack it with tar xf";
  return text.trimStart().startsWith("<") ? "a web page, perhaps an error that was saved in its place" : "";
}
