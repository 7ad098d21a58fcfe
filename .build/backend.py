"""The build backend: setuptools. What the source archive holds besides the packages stands beside this file.

setuptools looks for that list at the top level only, as MANIFEST.in, and without one adds tests/test*.py and no docs.
docs/decisions/0019-source-archive.md says why it is here. A wheel also holds the page that checks hands, joined.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python is what builds here, and is told so at once
    sys.exit(f"fairshoe needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]}")

import sysconfig
from pathlib import Path
from types import ModuleType

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command import build_py
from setuptools.command.egg_info import manifest_maker

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

manifest_maker.template = ".build/archive.in"


class BuildWithPage(build_py.build_py):
    """The packages, and the page in one file beside the program that joins it; a checkout joins it when it is used."""

    def run(self):
        super().run()
        if not self.editable_mode:
            Path(self.build_lib, "fairshoe", "page", "verify.html").write_text(joined_page(), encoding="utf-8")


build_py.build_py = BuildWithPage


def joined_page():
    """The joiner needs nothing but Python: fairshoe itself, which needs more than a build has, is not loaded."""
    package = ModuleType("fairshoe")
    package.__path__ = [str(Path("fairshoe").resolve())]
    sys.modules["fairshoe"] = package
    try:
        from fairshoe.page.joining import joined_page as join

        return join()
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "fairshoe"]:
            del sys.modules[name]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """One wheel for every Python from 3.11 on. A free-threaded one has no such interface: the kernel is left out."""
    settings = dict(config_settings or {})
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        given = settings.get("--build-option", [])
        settings["--build-option"] = [*([given] if isinstance(given, str) else given), "--py-limited-api=cp311"]
    return build_meta.build_wheel(wheel_directory, settings, metadata_directory)
