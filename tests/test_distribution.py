"""The source archive and the wheel: what they hold, and that what is installed from them works. Needs no network."""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import fairshoe
from fairshoe.page import page

ROOT = Path(__file__).parents[1]
NAME = f"fairshoe-{fairshoe.__version__}"
TREE = (".build", "LICENSE", "README.md", "audit_cli", "docs", "fairshoe", "pyproject.toml", "tests")
GENERATED = r"PKG-INFO|setup\.cfg|fairshoe\.egg-info/.+"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.so", "node_modules")
KERNEL = "fairshoe/protocol/_kernel.abi3.so"
KEY = bytes(range(32)).hex()
SHUFFLE = f"shuffle --key {KEY} --shoe table-1/7 --deck french:1 --seed bob=00 --first 5"


def run(*words: str | Path, cwd: Path, ok: int = 0, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FAIRSHOE"))}
    done = subprocess.run([*map(str, words)], cwd=cwd, env=environment | variables, capture_output=True, text=True)
    assert done.returncode == ok, done.stdout + done.stderr
    return done.stdout


def files_of(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, as it is in a fresh clone."""
    copy = tmp_path_factory.mktemp("tree")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def files(tree: Path) -> set[str]:
    """What is in it, before building leaves more there."""
    return files_of(tree)


@pytest.fixture(scope="module")
def built(tree: Path, files: set[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with both, the wheel made from the source archive."""
    place = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", place, tree, cwd=place)
    return place


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    assert re.fullmatch(rf"{NAME}-cp311-abi3-linux_\w+\.whl", found.name), "one for every Python from 3.11 on"
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a fresh environment that holds the wheel and the dependencies that it declares, nothing else."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", place / "bin" / "python")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=place)
    (packages,) = place.glob("lib/python3*/site-packages")
    for distribution in needed_by(metadata.PathDistribution(packages / f"{NAME}.dist-info")):
        for top in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(str(distribution.locate_file(top)))
    run(*pip, "check", cwd=place)
    return place / "bin"


def needed_by(distribution: metadata.Distribution) -> Iterator[metadata.Distribution]:
    """What it requires without extras, and what that requires; what is not installed here is for other machines."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [distribution]
    while waiting:
        for requirement in waiting.pop().requires or ():
            name = re.match(r"[\w.-]+", requirement)
            if name is None or "extra ==" in requirement or name[0] in found:
                continue
            try:
                found[name[0]] = metadata.distribution(name[0])
            except metadata.PackageNotFoundError:
                continue
            waiting.append(found[name[0]])
    return iter(found.values())


def test_the_source_archive_is_the_whole_tree_and_nothing_else(built: Path, files: set[str]) -> None:
    """So that the links of the README resolve in it."""
    with tarfile.open(built / f"{NAME}.tar.gz") as archive:
        held = {member.name.removeprefix(f"{NAME}/"): member.mode for member in archive if member.isfile()}
    assert {name for name in held if not re.fullmatch(GENERATED, name)} == files
    assert held["tests/run"] & 0o100
    targets = re.findall(r"\]\(([^):]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not any(name.startswith(target) for name in held)] == []


def test_the_wheel_holds_the_two_packages_the_kernel_the_built_web_code_and_no_more(
    wheel: Path, files: set[str]
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.startswith(f"{NAME}.dist-info/")}
        assert f"{NAME}.dist-info/licenses/LICENSE" in archive.namelist()
    sources = re.compile(r"(?:audit_cli|fairshoe(?!/web/(?!built/)))/")
    documents = {f"fairshoe/{name}" for name in files if re.fullmatch(r"docs/.*\.(md|webp|schema\.json)", name)}
    assert held - documents == {name for name in files if sources.match(name) and not name.endswith(".c")} | {KERNEL}
    assert documents < held
    assert "fairshoe/web/built/verify.html" in held
    assert "fairshoe/py.typed" in held


def test_what_an_index_shows(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = email.message_from_bytes(archive.read(f"{NAME}.dist-info/METADATA"))
    plain = {re.split(r"[><=~! ]", text)[0] for text in about.get_all("Requires-Dist", []) if "extra ==" not in text}
    assert plain == {"click", "cryptography"}
    assert about["Version"] == fairshoe.__version__
    assert about["License-Expression"] == "Apache-2.0"
    assert about["Description-Content-Type"] == "text/markdown"
    assert about["Keywords"]
    assert "Typing :: Typed" in about.get_all("Classifier", [])
    assert str(about.get_payload()).strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()


def test_what_is_installed_works(installed: Path, tmp_path: Path) -> None:
    for program in ("fairshoe", "fairshoe-audit"):
        told = run(installed / program, "--version", cwd=tmp_path)
        assert told == f"{program} {fairshoe.__version__} (interpreted, kernel: C)\n"
    assert "verify" in run(installed / "fairshoe-audit", "--help", cwd=tmp_path)
    assert run(installed / "fairshoe-audit", "prove", "--page", "-", cwd=tmp_path) == page()
    check_order(installed / "fairshoe", cwd=tmp_path)


def check_order(*program: str | Path, cwd: Path, **variables: str) -> None:
    order = fairshoe.shuffle(key=bytes.fromhex(KEY), shoe="table-1/7", deck=fairshoe.french(1), seeds=[("bob", b"\0")])
    assert run(*program, *SHUFFLE.split(), cwd=cwd, **variables).split() == order[:5]


def test_without_a_compiler_the_kernel_is_left_out_without_a_word(built: Path, tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    words = (*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, built / f"{NAME}.tar.gz")
    assert run(*words, cwd=tmp_path, CC="false") == ""
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
    program = (sys.executable, "-m", "fairshoe")
    told = run(*program, "--version", cwd=tmp_path, PYTHONPATH=str(wheel))
    assert told == f"fairshoe {fairshoe.__version__} (interpreted, kernel: none, pure Python)\n"
    check_order(*program, cwd=tmp_path, PYTHONPATH=str(wheel))
