"""Every setting once: an option before the environment, and wrong ones are named."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from fairshoe.cli import main
from fairshoe.commands import serve
from fairshoe.commands._settings import setting_options
from fairshoe.errors import InputError
from fairshoe.service.settings import Settings, rate_of, settings
from fairshoe.terminal.commands import command


def chosen(*argv, **environment):
    """The settings that a command line, an environment and its file give."""

    @command("try", help="Try.", later=setting_options)
    def cli(**given):
        return Settings(**given)

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return cli.main(list(argv), standalone_mode=False)


def test_the_defaults_are_those_of_the_class():
    assert chosen() == Settings()


def test_an_option_goes_before_the_environment():
    found = chosen("--port", "3", FAIRSHOE_PORT="2", FAIRSHOE_LIMITS="off", FAIRSHOE_WITNESSES="c d e")
    assert (found.port, found.limits, found.witnesses) == (3, False, ("c", "d", "e"))
    assert chosen(FAIRSHOE_LIMIT_PLAYER="5/h").limit_player == rate_of("5/h")


def test_the_help_lists_every_setting_with_its_variable():
    told = serve.cli.get_help(click.Context(serve.cli, terminal_width=1000))
    for about in settings():
        assert about.option in told
        assert about.variable in told
        assert about.help.removesuffix(".") in " ".join(told.split())
    assert [about.name for about in settings()] == [each.name for each in fields(Settings)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FAIRSHOE_PORT", "1_0"),
        ("FAIRSHOE_PORT", "70000"),
        ("FAIRSHOE_LIMITS", "perhaps"),
        ("FAIRSHOE_LIMIT_PLAYER", "0/s"),
        ("FAIRSHOE_CHAIRS_BY_ADDRESS", "65"),
        ("FAIRSHOE_LOG_FORMAT", "xml"),
        ("FAIRSHOE_TRUSTED_PROXIES", "10.0.0.1/8"),
        *(
            ("FAIRSHOE_CORS_ORIGINS", bad)
            for bad in ("play.example", "https://play.example/", "https://a@play.example")
        ),
    ],
)
def test_a_wrong_variable_is_named(name, value):
    with pytest.raises(click.UsageError) as caught:
        chosen(**{name: value})
    assert name in caught.value.format_message()


@pytest.mark.parametrize("text", ["3000/m", "1/s", "7/h", "off"])
def test_a_rate_is_written_as_it_was_read(text):
    assert str(rate_of(text)) == text


@pytest.mark.parametrize("text", ["", "0/s", "01/s", "5", "5/d", "5 /s", "-5/s", "1e3/s", "9999999999/s", "٣/s"])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(InputError, match="600/m"):
        rate_of(text)


def test_the_documented_limits_are_the_settings():
    page = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
    listed = dict(re.findall(r"^- `(limit_\w+|chairs_\w+)` \((\S+)\): ", page, re.M))
    known = {about.name: str(about.default) for about in settings() if about.name.startswith(("limit_", "chairs_"))}
    assert listed == known


def test_the_other_commands_find_the_data_by_the_same_variable(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FAIRSHOE_DATA", str(tmp_path / "house"))
    for words in (["restore", "--check"], ["keys", "rotate", "k"], ["keys", "token"], ["backup", str(tmp_path / "b")]):
        assert main(words) == 2
        assert str(tmp_path / "house") in capsys.readouterr().err, words
        assert main([*words, "--data", str(tmp_path / "other")]) == 2
        assert str(tmp_path / "other") in capsys.readouterr().err, words
