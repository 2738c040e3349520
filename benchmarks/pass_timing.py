"""The times of passes, from forge-opt's own timing of a pipeline."""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from onnx import ModelProto

from forge_mlir.compiler.facts import bytecode_of
from forge_mlir.importer import import_onnx

_PASS = re.compile(r"^\s*(?P<seconds>[\d.]+) \(.*\)\s+(?P<name>\w+)$", re.MULTILINE)
_USER_TIME = re.compile(r"^\s*[\d.]+ \(\s*[\d.]+%\)(?=\s+[\d.]+ \()", re.MULTILINE)


def arguments(description: str) -> argparse.Namespace:
    """The command line of a benchmark of passes: `forge_opt`, `repeat`, and `nodes`, the model sizes."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--forge-opt", type=Path, default=Path("build/tools/forge-opt/forge-opt"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--nodes", type=lambda text: [int(size) for size in text.split(",")],
                        default=[5000, 10000, 20000, 40000])  # fmt: skip
    return parser.parse_args()


def pass_seconds(options: argparse.Namespace, model: ModelProto, passes: str) -> dict[str, float]:
    """The median time of each pass of a pipeline, summed over its runs."""
    runs: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "model.mlirbc"
        source.write_bytes(bytecode_of(import_onnx(model)))
        command = [options.forge_opt, source, f"--pass-pipeline={passes}", "-mlir-timing", "-emit-bytecode"]
        for _ in range(options.repeat):
            done = subprocess.run([*command, "-o", "/dev/null"], capture_output=True, text=True, check=True)
            seconds: dict[str, float] = {}
            for found in _PASS.finditer(_USER_TIME.sub("", done.stderr)):
                seconds[found["name"]] = seconds.get(found["name"], 0) + float(found["seconds"])
            runs.append(seconds)
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def conversion(seconds: dict[str, float], without: Iterable[str]) -> float:
    """The time of all passes except those in `without`; reading, writing and verification are excluded."""
    passes = {name for name in seconds if name.startswith(("Forge", "Convert"))}
    return sum(seconds[name] for name in passes.difference(without))
