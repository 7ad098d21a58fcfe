"""The build backend: setuptools. What the source archive holds besides the packages stands beside this file.

setuptools looks for that list at the top level only, as MANIFEST.in, and without one adds tests/test*.py and no docs.
docs/decisions/0019-source-archive.md says why it is here.
"""

from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
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
