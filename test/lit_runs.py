"""The lit inputs, and the pipelines that their RUN lines run, for tests of what passes do."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from forge_mlir import _native
from sample_models.tools import run_tool

LIT = Path(__file__).resolve().parent
_PART = re.compile(r"^\s*// -----.*$", re.MULTILINE)
_CONTINUED = re.compile(r"\\\n// RUN:")
_OUTPUT = re.compile(r"(2?>|-o) *%t\S*")
_OPTION = re.compile(r"--?([a-z0-9-]+)(?:=(.*))?")
_LISTED = re.compile(r"^  --([a-z0-9-]+) ", re.MULTILINE)
_OWN = re.compile(r"forge-|convert-onnx-to-forge$")
_PIPELINE = "onnx-to-forge-pipeline"


class Run(NamedTuple):
    """One part of a split lit file, which is valid IR, and a pipeline to run on it."""

    path: Path
    module: bytes
    pipeline: str


@cache
def anchors() -> dict[str, str]:
    """For each pass of this project that forge-opt has registered, the op that it runs on."""
    names = [name for name in _LISTED.findall(run_tool("forge-opt", "--list-passes").stdout) if _OWN.match(name)]
    found = {}
    for name in names:
        nested = _native.expand_pipeline(f"builtin.module(func.func({name}))")[0]
        found[name] = "builtin.module" if nested is None else "func.func"
    return found


def alone(name: str, options: str = "") -> str:
    """The pipeline that runs one pass."""
    return f"builtin.module({_step(name, options)})"


def _step(name: str, options: str) -> str:
    step = f"{name}{{{options}}}" if options else name
    return step if anchors().get(name, "builtin.module") == "builtin.module" else f"func.func({step})"


def parts(path: Path) -> Iterator[bytes]:
    """The parts of a file that are text and parse as valid IR, as bytecode."""
    for part in _PART.split(path.read_text(encoding="utf-8", errors="replace")):
        whole, _ = _native.run_pipeline(part.encode(), "builtin.module()")
        if whole is not None:
            yield whole


def inputs() -> Iterator[tuple[Path, bytes]]:
    """The parts of all files."""
    for path in sorted(LIT.rglob("*.mlir")):
        for part in parts(path):
            yield path, part


def pipelines(path: Path) -> set[str]:
    """The pipelines that the RUN lines of a file run with forge-opt on the file itself."""
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if "// RUN:" in line]
    commands = _CONTINUED.sub("", "\n".join(lines)).replace("%S", str(path.parent))
    found = set[str]()
    for command in commands.split("\n"):
        for part in command.removeprefix("// RUN:").split("|"):
            part = _OUTPUT.sub("", part)
            if "forge-opt" in part and "%t" not in part:
                found.update(filter(None, [_pipeline(shlex.split(part))]))
    return found


def _pipeline(arguments: list[str]) -> str:
    """The pipeline of the passes among the arguments of forge-opt."""
    steps = []
    for match in filter(None, map(_OPTION.fullmatch, arguments)):
        if match[1] == "pass-pipeline":
            return match[2]
        if match[1] in anchors() or match[1] == _PIPELINE:
            steps.append(_step(match[1], match[2] or ""))
    return f"builtin.module({','.join(steps)})" if steps else ""


def runs(folder: str = "") -> Iterator[Run]:
    """Each part of each lit file in a folder, with each pipeline of its file."""
    for path in sorted((LIT / folder).rglob("*.mlir")):
        if wanted := sorted(pipelines(path)):
            for part in parts(path):
                yield from (Run(path, part, pipeline) for pipeline in wanted)
