"""Compares the time of `forge-mlir compile` as a process with that of the imports that it needs, alternating.

    python benchmarks/start_bench.py [--repeat 15] [--model MODEL]

The default model is light_resnet50 (415 nodes, few weights). Both sides are processes of this interpreter, and the
ratio is the median of those of consecutive runs, so that changes of the machine's speed affect both. Processor time
includes the child process that checks the model.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import onnx.backend.test
from rich.console import Console
from rich.table import Table

RESNET = Path(onnx.backend.test.__file__).parent / "data" / "light" / "light_resnet50.onnx"
IMPORTS = "import onnx, torch_mlir.ir"


@dataclass(frozen=True)
class Run:
    """Resources of a process: seconds, processor seconds, MiB at its peak."""

    wall: float
    processor: float
    memory: float


def run(arguments: Sequence[str]) -> Run:
    """Runs one process of this interpreter. Raises RuntimeError if it fails."""
    silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    began = time.perf_counter()
    child = os.posix_spawn(sys.executable, [sys.executable, *arguments], os.environ, file_actions=silent)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - began
    if status:
        raise RuntimeError(f"{arguments} ended with {os.waitstatus_to_exitcode(status)}")
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    """Prints the medians of both sides and of their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--model", type=Path, default=RESNET)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        compile_it = ["-m", "forge_mlir.cli.main", "compile", str(options.model), "-q", "-o", scratch]
        sides = {IMPORTS: ["-c", IMPORTS], "forge-mlir compile": compile_it}
        for arguments in sides.values():
            run(arguments)  # warm-up: fills the file cache
        pairs = [[run(arguments) for arguments in sides.values()] for _ in range(options.repeat)]
    table = Table(options.model.stem, "ms", "ms of processors", "MiB")
    for name, runs in zip(sides, zip(*pairs, strict=True), strict=True):
        wall, processor, memory = (statistics.median(getattr(each, of) for each in runs) for of in Run.__annotations__)
        table.add_row(name, f"{wall * 1e3:.0f}", f"{processor * 1e3:.0f}", f"{memory:.0f}")
    ratios = (
        statistics.median(getattr(ours, of) / getattr(theirs, of) for theirs, ours in pairs)
        for of in Run.__annotations__
    )
    table.add_row("ratio", *(f"{ratio:.2f}" for ratio in ratios))
    Console().print(table)


if __name__ == "__main__":
    main()
