"""Builds the wheel of one interpreter: `python -m wheels.build --python python3.12`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from wheels.sbom import write_sbom

REPOSITORY = Path(__file__).parents[2]

LIMIT = 80_000_000
"""Bytes of a wheel, at most."""

PLATFORM = "manylinux_2_36_x86_64"
"""Debian 12's glibc. auditwheel refuses it where a binary needs more, and writes a lower one where all need less."""


def run(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    subprocess.run(command, check=True, env={**os.environ, **(environment or {})})


def source_date(source: Path) -> str:
    """The time that all files of a wheel have: that of the commit, or $SOURCE_DATE_EPOCH."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return os.environ["SOURCE_DATE_EPOCH"]
    log = ["git", "-C", source, "log", "-1", "--format=%ct"]
    return subprocess.run(log, check=True, capture_output=True, text=True).stdout.strip()


def builder_of(source: Path, python: str) -> Path:
    """The Python of the environment in which wheels for `python` are built; it has what the build requires. Two
    interpreters may have one name, so it is called by the tag of its version."""
    asked = [python, "-c", "import sys; print(sys.implementation.cache_tag)"]
    tag = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    return source / "build-wheel" / f"environment-{tag}" / "bin" / "python"


def prepare(source: Path, python: str) -> Path:
    """Makes `builder_of` ready, and gives it."""
    builder = builder_of(source, python)
    if not builder.is_file():
        run(python, "-m", "venv", builder.parents[1])
    required = tomllib.loads((source / "pyproject.toml").read_text())["build-system"]["requires"]
    run(builder, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *required)
    return builder


def build_wheel(python: str, source: Path, output: Path, environment: Mapping[str, str]) -> Path:
    """The wheel of the tree at `source`, with MLIR in it, for the interpreter `python`; written to `output`.

    The tree's folder `build-wheel` has what is built, and the next interpreter builds on it. Raises SystemExit if the
    wheel is too large, and CalledProcessError if a step fails.
    """
    work = source / "build-wheel"
    builder = prepare(source, python)
    plain = work / "plain"
    shutil.rmtree(plain, ignore_errors=True)
    settings = (f"build-dir={work}", "cmake.define.FORGE_MLIR_BUNDLE=ON")
    run(
        *(builder, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"),
        *(f"--config-settings={setting}" for setting in settings),
        *("--wheel-dir", plain, source),
        environment=environment,
    )
    (wheel,) = plain.glob("*.whl")
    audited = work / "audited"
    shutil.rmtree(audited, ignore_errors=True)
    # Checks that the binaries need nothing that the platform does not promise, and names the platform in the wheel.
    run(
        *(sys.executable, "-m", "auditwheel", "repair", "--plat", PLATFORM, "--wheel-dir", audited, wheel),
        environment={**environment, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    (wheel,) = audited.glob("*.whl")
    if wheel.stat().st_size > LIMIT:
        raise SystemExit(f"error: {wheel.name} has {wheel.stat().st_size:,} bytes; at most {LIMIT:,} are wanted")
    output.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(wheel, output))


def make(python: str) -> Path:
    """The wheel of this checkout for the interpreter `python`, in `dist`, with its bill of materials beside it."""
    date = source_date(REPOSITORY)
    wheel = build_wheel(python, REPOSITORY, REPOSITORY / "dist", {"SOURCE_DATE_EPOCH": date})
    sbom = write_sbom(wheel, builder_of(REPOSITORY, python), date)
    print(f"dist/{wheel.name}: {wheel.stat().st_size:,} bytes; {sbom.name} says what is in it", flush=True)
    return wheel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default="python3", help="the interpreter that the wheel is for")
    make(parser.parse_args().python)


if __name__ == "__main__":
    main()
