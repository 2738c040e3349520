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
"""The largest wheel, in bytes."""

PLATFORM = "manylinux_2_36_x86_64"
"""The glibc of Debian 12. auditwheel rejects it if a binary needs a newer one, and selects an older one if all need
less."""


def run(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    subprocess.run(command, check=True, env={**os.environ, **(environment or {})})


def source_date(source: Path) -> str:
    """The timestamp of all files in a wheel: that of the commit, or $SOURCE_DATE_EPOCH."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return os.environ["SOURCE_DATE_EPOCH"]
    log = ["git", "-C", source, "log", "-1", "--format=%ct"]
    return subprocess.run(log, check=True, capture_output=True, text=True).stdout.strip()


def builder_of(source: Path, python: str) -> Path:
    """The Python of the environment that builds wheels for `python`, with the build requirements. Its name contains the
    version tag, because two interpreters may have the same name."""
    asked = [python, "-c", "import sys; print(sys.implementation.cache_tag)"]
    tag = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    return source / "build-wheel" / f"environment-{tag}" / "bin" / "python"


def prepare(source: Path, python: str) -> Path:
    """Creates the environment of `builder_of`; returns its Python."""
    builder = builder_of(source, python)
    if not builder.is_file():
        run(python, "-m", "venv", builder.parents[1])
    required = tomllib.loads((source / "pyproject.toml").read_text())["build-system"]["requires"]
    run(builder, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *required)
    return builder


def build_wheel(python: str, source: Path, output: Path, environment: Mapping[str, str]) -> Path:
    """Builds the wheel of the tree at `source`, including MLIR, for the interpreter `python`; writes it to `output`.

    The build folder `build-wheel` in the tree is reused for the next interpreter. Raises SystemExit if the wheel is too
    large, and CalledProcessError if a step fails.
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
    # Checks that the binaries only need libraries that the platform guarantees, and adds the platform to the wheel's
    # name.
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
    """Builds the wheel of this checkout for the interpreter `python` in `dist`, with its bill of materials."""
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
