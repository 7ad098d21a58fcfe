"""Every setting of the service, once: its name, default, bounds and meaning; and the kinds of values that there are.

A field `port` is the option `--port` and the variable `FAIRSHOE_PORT`."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..connection import address_of
from ..errors import InputError
from ..log.times import HOUR, SECOND
from ..protocol.text import parse_decimal

PREFIX = "FAIRSHOE_"
_ABOUT = "setting"

# Kinds of values.

WINDOWS = {"s": SECOND, "m": 60 * SECOND, "h": HOUR}
UNLIMITED = "off"
EXPECTED = "off, or a number of requests for each second, minute or hour, such as 600/m"
_RATE = re.compile(r"([1-9][0-9]{0,8})/([smh])", re.ASCII)


class RateLimit(NamedTuple):
    """A bucket of `many` requests that refills evenly in `window` microseconds; 0 counts nothing."""

    many: int
    window: int

    def __str__(self) -> str:
        unit = next((name for name, window in WINDOWS.items() if window == self.window), "s")
        return f"{self.many}/{unit}" if self.many else UNLIMITED

    def take(self, free_at: int, now: int) -> tuple[int, int]:
        """Take a request from a bucket that is full at `free_at`: when it is full then, and how many microseconds too
        early it comes, 0 if it may (generic cell rate algorithm)."""
        full = min(max(free_at, now), now + self.window) + self.window // self.many
        return full, max(0, full - now - self.window)


def network_of(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """A network, or one address as a network of its own. Raises InputError."""
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise InputError(
            f"{text[:60]!r} is neither an address nor a network", expected="such as 10.0.0.5 or 10.0.0.0/8"
        ) from None


def rate_of(text: str) -> RateLimit:
    """Raises InputError."""
    if text == UNLIMITED:
        return RateLimit(0, SECOND)
    found = _RATE.fullmatch(text)
    if found is None:
        raise InputError(f"{text[:40]!r} is no rate", expected=EXPECTED)
    return RateLimit(int(found[1]), WINDOWS[found[2]])


EVERY_PAGE = "*"
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)


def origin_of(text: str) -> str:
    """An origin, or `*` for all. Raises InputError."""
    if text != EVERY_PAGE and not _ORIGIN.fullmatch(text.lower()):
        raise InputError(f"{text[:60]!r} is no origin", expected="such as https://play.example, or *")
    return text.lower()


class SettingKind(NamedTuple):
    """How a setting's text is read; `read` raises InputError. `form` makes an option that takes no text."""

    metavar: str
    read: Callable[[str], Any] = str
    form: Literal["", "flag", "flag or not", "several", "folder"] = ""


FLAG = SettingKind("", form="flag")
FLAG_OR_NOT = SettingKind("", form="flag or not")
RATE = SettingKind("N/m", rate_of)


POSTGRESQL = "postgresql+psycopg://"


def database_of(text: str) -> str:
    """The address of a PostgreSQL database, or nothing. Raises InputError."""
    scheme, slashes, rest = text.partition("://")
    if text and (scheme not in ("postgresql", "postgresql+psycopg") or not slashes):
        raise InputError(f"{scheme[:40]!r} is no database that a house can have", expected=f"{POSTGRESQL}HOST/NAME")
    return text and POSTGRESQL + rest


def text_list(metavar: str, check: Callable[[str], object] = str) -> SettingKind:
    """Any number of texts without spaces in them; an option is repeated for it. `check` raises InputError."""

    def read(text: str) -> str:
        check(text)
        return text

    return SettingKind(metavar, read, "several")


def check_source(text: str) -> None:
    """Check a source of beacons: the address of a relay, or a file. Raises InputError."""
    if "://" in text:
        address_of(text)


def choice(*choices: str) -> SettingKind:
    def read(text: str) -> str:
        if text not in choices:
            raise InputError(f"{text[:40]!r} is not possible", expected=" or ".join(choices))
        return text

    return SettingKind("|".join(choices), read)


def integer_range(low: int, high: int) -> SettingKind:
    return SettingKind("N", lambda text: parse_decimal(text, "", low=low, high=high))


# The settings.


class SettingSpec(NamedTuple):
    """The description of a setting; `option` is its name on the command line if that is another."""

    name: str
    default: Any
    kind: SettingKind
    help: str
    option: str

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()


def setting(default: Any, kind: SettingKind, help: str, *, option: str = "") -> Any:
    """A field of `Settings`; `help` is a sentence, and needs no word about the default."""
    return field(default=default, metadata={_ABOUT: (kind, help, option)})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The operator's choices."""

    data: Path = setting(Path("fairshoe-data"), SettingKind("DIR", form="folder"), "The data directory.")
    database: str = setting(
        "",
        SettingKind("URL", database_of),
        f"A PostgreSQL database ({POSTGRESQL}USER@HOST/NAME) in place of SQLite in DIR.",
    )
    host: str = setting("127.0.0.1", SettingKind("ADDRESS"), "The address to listen on.")
    port: int = setting(8000, integer_range(0, 65_535), "The port to listen on, 0 for any.")
    clock_is_right: bool = setting(
        False, FLAG, "Start although the machine's clock is more than an hour off the log's last entry."
    )
    witnesses: tuple[str, ...] = setting(
        (),
        text_list("URL=VKEY"),
        "A witness (C2SP tlog-witness) to have cosign each new checkpoint, with its verifier key; repeatable.",
        option="--witness",
    )
    placers: tuple[str, ...] = setting(
        (),
        text_list("URL=VKEY"),
        "A placer (docs/placers.md) that tables may name by its verifier key, and where it answers; repeatable.",
        option="--placer",
    )

    beacons: tuple[str, ...] = setting(
        (),
        text_list("URL|FILE", check_source),
        "Where signatures of drand's quicknet come from (docs/games.md): a relay, or a file of yours; repeatable.",
        option="--beacon",
    )

    trusted_proxies: tuple[str, ...] = setting(
        (),
        text_list("ADDRESS", network_of),
        "A proxy (an address, or a network such as 10.0.0.0/8) whose X-Forwarded-For is believed; repeatable.",
        option="--trusted-proxy",
    )
    cors_origins: tuple[str, ...] = setting(
        (),
        text_list("ORIGIN", origin_of),
        "A web origin (https://play.example) whose pages may use the API, or * for all; repeatable.",
        option="--cors-origin",
    )

    limits: bool = setting(True, FLAG_OR_NOT, "Whether what one player and one address may ask for is limited.")
    limit_player: RateLimit = setting(rate_of("3600/h"), RATE, "Changing requests of one token, or off.")
    limit_address: RateLimit = setting(rate_of("18000/h"), RATE, "Changing requests of one address, or off.")
    chairs_by_address: int = setting(
        3,
        integer_range(0, 64),
        "Chairs of one table that one address may hold, 0 for any number; this machine may hold all.",
    )
    followers_by_address: int = setting(
        100, integer_range(0, 100_000), "How often one address may follow, 0 for any number; this machine always may."
    )

    stop_seconds: int = setting(
        20, integer_range(0, 600), "For accepted requests to be finished once the service must stop."
    )
    queue: int = setting(
        256, integer_range(1, 10_000), "Commands that may wait for their turn; beyond that the answer is 503."
    )
    followers: int = setting(
        500, integer_range(0, 100_000), "Who may follow tables, by events or by waiting; beyond that the answer is 503."
    )

    metrics_public: bool = setting(False, FLAG_OR_NOT, "Whether /metrics needs no token.")
    log_format: str = setting(
        "auto", choice("auto", "json", "text"), "How lines on standard error look; auto is text on a terminal."
    )
    log_requests: bool = setting(False, FLAG_OR_NOT, "Whether each request is a line there; failures always are.")


def settings() -> list[SettingSpec]:
    """Every setting, in the order of the class."""
    return [_about(each) for each in fields(Settings)]


def _about(each: Field[Any]) -> SettingSpec:
    kind, help, option = each.metadata[_ABOUT]
    return SettingSpec(each.name, each.default, kind, help, option or f"--{each.name.replace('_', '-')}")
