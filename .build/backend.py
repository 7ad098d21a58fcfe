"""The build backend: setuptools. What the source archive holds besides the packages stands beside this file.

setuptools looks for that list at the top level only, as MANIFEST.in, and without one adds tests/test*.py and no docs.
docs/decisions/0019-source-archive.md says why it is here. With FAIRSHOE_COMPILE=1 a wheel
holds the modules of COMPILED too, made by mypyc from their sources, which lie beside them; MYPYC_OPT_LEVEL
says how hard the C compiler tries, as for mypyc itself.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python is what builds here, and is told so at once
    sys.exit(f"fairshoe needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]}")

import os
import sysconfig
import tomllib
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command import build_ext, build_py
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
COMPILED = {
    "fairshoe_engine": [
        "fairshoe/engine/*.py",
        "fairshoe/engine/rules/*.py",
        "fairshoe/log/*.py",
        "fairshoe/protocol/transcript.py",
        "fairshoe/protocol/word_stream.py",
        "fairshoe/record/*.py",
    ],
    "fairshoe_audit": [
        "audit_cli/verify/findings/report.py",
        "audit_cli/verify/kinds/*.py",
        "audit_cli/report/luck/reference.py",
        "audit_cli/verify/sharing.py",
        "audit_cli/verify/walk/*.py",
        "fairshoe/ceremony/*.py",
        "fairshoe/ceremony/acting/*.py",
        "fairshoe/simulate/*.py",
    ],
}
"""What is compiled, in two libraries, so that two cores have something to do. Of the protocol that
alone which nobody calls from outside: the rest checks the types of what it is given, and a compiled function answers a
wrong one before it could."""
LEFT = (
    "audit_cli/verify/walk/watcher.py",
    "fairshoe/ceremony/acting/forms.py",
    "fairshoe/log/tree.py",
)
"""Classes of which others are made, or that go from process to process, or whose fields the program reads: none of it
can be done with a compiled one."""


def compiling():
    return os.environ.get("FAIRSHOE_COMPILE", "0") not in ("", "0")


class BuildCompiled(build_ext.build_ext):
    """The kernel, and in a wheel for which that was asked the modules of COMPILED; an error there is the build's."""

    compiles = False

    def finalize_options(self):
        if self.compiles:
            from mypyc.build import mypycify

            groups = [([str(path) for path in modules_of(places)], name) for name, places in COMPILED.items()]
            paths = [path for group, _ in groups for path in group]
            words = ["--config-file=pyproject.toml", *paths]
            level = os.environ.get("MYPYC_OPT_LEVEL", "3")
            made = mypycify(words, separate=groups, debug_level="0", opt_level=level)
            for each in made:  # to look at 50 MB for it takes gcc a minute
                each.extra_compile_args.append("-Wno-misleading-indentation")
            self.distribution.ext_modules += made
            self.parallel = os.cpu_count()
        super().finalize_options()


build_ext.build_ext = BuildCompiled


class BuildWithDocuments(build_py.build_py):
    """The packages, and the documents that a house serves at /docs."""

    def run(self):
        super().run()
        if not self.editable_mode:
            for path in (path for kind in ("md", "webp", "schema.json") for path in Path("docs").rglob(f"*.{kind}")):
                target = Path(self.build_lib, "fairshoe", path)
                self.mkpath(str(target.parent))
                self.copy_file(str(path), str(target))


build_py.build_py = BuildWithDocuments


def modules_of(places):
    found = [path for place in places for path in sorted(Path().glob(place)) if path.name != "__init__.py"]
    return [path for path in found if path.as_posix() not in LEFT]


def get_requires_for_build_wheel(config_settings=None):
    """setuptools alone; to compile, mypyc and what the types of the sources come from."""
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if compiling():
        needed += ["mypy>=2.4", *tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]]
    return needed


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """One wheel for every Python from 3.11 on; what is compiled is for one. A free-threaded Python has no interface for
    all: the kernel is left out."""
    BuildCompiled.compiles = compiling()
    settings = dict(config_settings or {})
    if not sysconfig.get_config_var("Py_GIL_DISABLED") and not compiling():
        given = settings.get("--build-option", [])
        settings["--build-option"] = [*([given] if isinstance(given, str) else given), "--py-limited-api=cp311"]
    return build_meta.build_wheel(wheel_directory, settings, metadata_directory)
