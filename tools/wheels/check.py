"""Builds the wheel of one interpreter and tests it: `python -m wheels.check --python python3.12 [--lowest] [--twice]`.

Compiles, verifies and runs a model in a new virtual environment. `--lowest` repeats that with the oldest version of
each dependency that the wheel permits. `--twice` builds the wheel again, in another folder and without a compiler
cache, and compares the bytes.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from elftools.elf.elffile import ELFFile
from packaging.requirements import Requirement

from wheels.build import REPOSITORY, build_wheel, make, source_date
from wheels.sbom import metadata_of

MODEL = REPOSITORY / "models" / "gpt2_block"
TOOLS = ("forge-itd", "forge-lsp-server", "forge-opt", "forge-reduce", "forge-translate")
EXTRAS = "compile,onnxruntime,runtime"
_CANONICALIZE = """
import pathlib, sys
from forge_mlir import _native
_, reports = _native.run_pipeline(pathlib.Path(sys.argv[1]).read_bytes(), "builtin.module(canonicalize)")
assert not reports, reports
"""
_COMPARE = """
import sys
import numpy as np
from forge_mlir.verify import compare
computed, expected = map(np.load, sys.argv[1:])
assert computed.files == expected.files
found = [compare(name, computed[name], expected[name]) for name in expected.files]
assert all(each.passed for each in found), [each.explain() for each in found]
"""
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}


def needed_libraries(wheel: Path) -> dict[str, set[str]]:
    """The shared libraries that each binary of the wheel needs."""
    needed = {}
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            if content.startswith(b"\x7fELF"):
                tags = ELFFile(io.BytesIO(content)).get_section_by_name(".dynamic").iter_tags("DT_NEEDED")
                needed[name] = {tag.needed for tag in tags}
    return needed


def lowest(wheel: Path) -> list[str]:
    """The oldest version of each dependency that the wheel permits, as constraints for pip."""
    requirements = [Requirement(line) for line in metadata_of(wheel).get_all("Requires-Dist", [])]
    bounds = [(part.name, bound) for part in requirements for bound in part.specifier if bound.operator in (">=", "==")]
    return [f"{name}=={bound.version}" for name, bound in bounds]


class Installation:
    """A wheel in its own virtual environment, and commands that run there in their own folder."""

    def __init__(self, wheel: Path, python: str, folder: Path, constraints: list[str]) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.bin = folder / "venv" / "bin"
        (folder / "constraints.txt").write_text("\n".join(constraints))
        subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
        pip = [self.bin / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-c", folder / "constraints.txt", f"{wheel}[{EXTRAS}]"], check=True)

    def __call__(self, command: str, *arguments: str | Path) -> str:
        """The stdout of a command. Raises CalledProcessError, after showing stderr."""
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder)}
        done = subprocess.run(
            [self.bin / command, *arguments],
            check=True,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout


def smoke(installed: Installation, version: str) -> None:
    """Compiles, verifies and runs a model, and compiles it again with the separate tools. Raises AssertionError."""
    assert installed("forge-mlir", "--version").split()[1] == version
    for tool in TOOLS:
        assert f"{tool} {version} (MLIR " in installed(tool, "--version"), tool
    model, inputs = MODEL / "model.onnx", MODEL / "inputs.npz"
    installed("forge-mlir", "compile", model, "-o", "out", "--name", "gpt2", "--quiet")
    assert "values of nodes agree" in installed("forge-mlir", "verify", model, "--inputs", inputs)
    installed("forge-mlir", "run", "out/gpt2.py", "--inputs", inputs, "--output", "outputs.npz", "--quiet")
    installed("python", "-c", _COMPARE, "outputs.npz", MODEL / "outputs.npz")

    installed("forge-mlir", "import", model, "-o", "gpt2.mlir", "--name", "gpt2")
    installed("forge-opt", "gpt2.mlir", "--onnx-to-forge-pipeline", "-o", "call.mlir")
    installed("forge-mlir", "emit", "call.mlir", "-o", "tools")
    assert "forge.op." in installed("forge-translate", "--forge-to-python", "call.mlir")
    for name in ("gpt2.py", "gpt2.safetensors"):
        one, other = (installed.folder / folder / name for folder in ("out", "tools"))
        assert one.read_bytes() == other.read_bytes(), name
    # Tools and extension have separate copies of MLIR; in both, MLIR's own passes must handle forge constants.
    assert "forge.constant" in installed("forge-opt", "call.mlir", "--canonicalize")
    installed("python", "-c", _CANONICALIZE, "call.mlir")


def built_again(python: str) -> bytes:
    """The bytes of the wheel, rebuilt elsewhere from the same files, without a compiler cache."""
    listed = ["git", "-C", REPOSITORY, "ls-files", "-z"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "another", "place")
        for name in filter(None, names):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, copy / name)
        environment = {"SOURCE_DATE_EPOCH": source_date(REPOSITORY), "CCACHE_DISABLE": "1"}
        return build_wheel(python, copy, Path(folder, "dist"), environment).read_bytes()


def check(wheel: Path, python: str, constraints: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        smoke(Installation(wheel, python, Path(folder), constraints), metadata_of(wheel)["Version"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default="python3", help="the interpreter that the wheel is for")
    parser.add_argument("--lowest", action="store_true", help="also with the oldest dependencies")
    parser.add_argument("--twice", action="store_true", help="also build again, and compare the bytes")
    given = parser.parse_args()
    os.environ.pop("PYTHONPATH", None)
    wheel = make(given.python)
    for binary, libraries in needed_libraries(wheel).items():
        assert libraries <= SYSTEM_LIBRARIES, f"{binary} needs {sorted(libraries - SYSTEM_LIBRARIES)}"
    check(wheel, given.python, (REPOSITORY / "tools" / "constraints.txt").read_text().splitlines())
    print("it installs by itself, compiles, verifies and runs", flush=True)
    if given.lowest:
        check(wheel, given.python, lowest(wheel))
        print(f"so it does with the oldest dependencies: {', '.join(sorted(lowest(wheel)))}", flush=True)
    if given.twice:
        assert built_again(given.python) == wheel.read_bytes(), "built elsewhere, its bytes are different"
        print("built elsewhere, it has the same bytes", flush=True)


if __name__ == "__main__":
    main()
