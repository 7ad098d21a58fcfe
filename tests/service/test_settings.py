"""Every setting once: an option before the environment, that before the file, and wrong ones are named."""

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
from fairshoe.service.settings import Settings, rate_of, read_settings, settings
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


def test_an_option_goes_before_the_environment_and_that_before_the_file(tmp_path):
    file = tmp_path / "fairshoe.toml"
    file.write_text('host = "10.0.0.1"\nport = 1\nlimits = false\nlimit_seats = "5/h"\nwitnesses = ["a", "b"]\n')
    found = chosen("--config", str(file), "--port", "3", FAIRSHOE_PORT="2", FAIRSHOE_LIMITS="on")
    assert (found.host, found.port, found.limits) == ("10.0.0.1", 3, True)
    assert (found.limit_seats, found.witnesses) == (rate_of("5/h"), ("a", "b"))
    found = chosen(FAIRSHOE_CONFIG=str(file), FAIRSHOE_PORT="2", FAIRSHOE_WITNESSES="c d e")
    assert (found.port, found.limits, found.witnesses) == (2, False, ("c", "d", "e"))


def test_the_help_lists_every_setting_with_its_variable():
    told = serve.cli.get_help(click.Context(serve.cli, terminal_width=1000))
    for about in settings():
        assert about.option in told
        assert about.variable in told
        assert about.help.removesuffix(".") in " ".join(told.split())
    assert [about.name for about in settings()] == [each.name for each in fields(Settings)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prot = 1", "did you mean port?"),
        ("Trusted-Proxies = []", "did you mean trusted_proxies?"),
        ("zebra = 1", "serve --help"),
        ("port = 70000", "0 to 65535"),
        ("port = true", "an integer"),
        ("port = 80.5", "an integer"),
        ("port = -1", "0 to 65535"),
        ("limits = 1", "true or false"),
        ("witnesses = [1]", "a list of texts"),
        ('limit_seats = "many"', "600/m"),
        ("limit_seats = 5", "600/m"),
        ("host = ''", "at least one character"),
        ('trusted_proxies = ["10.0.0.1/8"]', "10.0.0.0/8"),
        ('cors_origins = ["play.example"]', "https://play.example"),
        ("[limits]\nx = 1", "true or false"),
        ("port = ", "not TOML"),
        ("port = 1\nport = 2", "not TOML"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path, text, told):
    file = tmp_path / "fairshoe.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_settings(file)
    assert told in str(caught.value)
    assert str(file) in caught.value.where


def test_a_file_that_is_no_text_is_explained(tmp_path):
    file = tmp_path / "fairshoe.toml"
    for data in (b"\xff\xfe", b"#" * 70_000):
        file.write_bytes(data)
        with pytest.raises(InputError):
            read_settings(file)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FAIRSHOE_PORT", "1_0"),
        ("FAIRSHOE_PORT", "٣"),
        ("FAIRSHOE_LIMITS", "perhaps"),
        ("FAIRSHOE_LIMIT_PLAYER", "0/s"),
        ("FAIRSHOE_CHAIRS_BY_ADDRESS", "65"),
    ],
)
def test_a_wrong_variable_is_named(name, value):
    with pytest.raises(click.UsageError) as caught:
        chosen(**{name: value})
    assert name in caught.value.format_message()


def test_settings_made_in_a_program_are_checked_too():
    with pytest.raises(InputError, match="port"):
        Settings(port=-1)
    with pytest.raises(InputError, match="trusted_proxies"):
        Settings(trusted_proxies=("proxy",))
    assert Settings(limit_seats="2/s").limit_seats == rate_of("2/s")


@pytest.mark.parametrize("text", ["3000/m", "1/s", "7/h", "off"])
def test_a_rate_is_written_as_it_was_read(text):
    assert str(rate_of(text)) == text


@pytest.mark.parametrize("text", ["", "0/s", "01/s", "5", "5/d", "5 /s", "-5/s", "1e3/s", "9999999999/s", "٣/s"])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(InputError, match="600/m"):
        rate_of(text)


def test_the_documented_limits_are_the_settings():
    page = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
    listed = dict(re.findall(r"^\| `(limit_\w+|chairs_\w+)` \| (\S+) \|", page, re.M))
    known = {about.name: str(about.default) for about in settings() if about.name.startswith(("limit_", "chairs_"))}
    assert listed == known


def test_the_other_commands_find_the_data_by_the_same_file(tmp_path, capsys):
    file, data = tmp_path / "fairshoe.toml", tmp_path / "house"
    file.write_text(f'data = "{data}"\nport = 1\n')
    for words in (["restore", "--check"], ["keys", "rotate", "k"], ["keys", "token"], ["backup", str(tmp_path / "b")]):
        assert main([*words, "--config", str(file)]) == 2
        assert str(data) in capsys.readouterr().err, words
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FAIRSHOE_CONFIG", str(file))
            assert main(words) == 2
            assert str(data) in capsys.readouterr().err, words
            assert main([*words, "--data", str(tmp_path / "other")]) == 2
            assert str(tmp_path / "other") in capsys.readouterr().err, words
    assert not Path("k").exists()
    file.write_text("dta = 'x'")
    assert main(["restore", "--check", "--config", str(file)]) == 2
    assert "did you mean data?" in capsys.readouterr().err
