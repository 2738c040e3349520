"""Runs models and broken MLIR through tools that were built with sanitizers. The exit code is 1 if there is a report.

python -m fuzz.sanitized TOOLS [--seed 0] [--batches 20] [--models 100]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import onnx

from forge_mlir import ForgeError, import_onnx
from forge_mlir.compiler.facts import bytecode_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from fuzz.mutate.mlir import PASSES, mutate
from fuzz.variants.seeds import all_seeds
from sample_models.repository import MODELS

_PER_BATCH = 100
_GPT2 = MODELS / "gpt2_block" / "model.onnx"
# The tools read their input in a child process first, whose reports are not printed; this message says that it crashed.
_REPORT = ("Sanitizer", "runtime error:", "LLVM ERROR", "Stack dump", "cannot be read: it crashes")
_PIPELINES: tuple[Options, ...] = (
    {},
    {"layout": "tiles", "fill_tile_padding": "ttnn-conservative"},
    {"fallback": "cpu"},
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz.sanitized", description=__doc__)
    parser.add_argument("tools", type=Path, help="the directory with forge-opt/forge-opt and the others")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--models", type=int, default=100, help="most cases of onnx's own tests")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        found = _broken(options.tools, Path(scratch), range(options.seed, options.seed + options.batches))
        found += _models(options.tools, Path(scratch), options.models)
    return 1 if found else 0


def _broken(tools: Path, scratch: Path, batches: range) -> int:
    """The number of batches of broken modules that end with a report."""
    found = 0
    path = scratch / "batch.mlir"
    for batch in batches:
        r = Random(batch)
        modules = [mutate(r) for _ in range(_PER_BATCH)]
        path.write_text("\n// -----\n".join(modules), encoding="utf-8", errors="replace")
        passes = f"--pass-pipeline=builtin.module({PASSES[batch % len(PASSES)]})"
        found += reports(f"batch {batch} ({passes})", tools, "forge-opt", path, "-split-input-file", passes)
    print(f"{len(batches) * _PER_BATCH} modules from seed {batches.start}: {found} batches with reports", flush=True)
    return found


def _models(tools: Path, scratch: Path, most: int) -> int:
    """The number of runs over valid models, through each pipeline and the emitter, that end with a report."""
    every = [seed.model().SerializeToString() for seeds in all_seeds().values() for seed in seeds]
    chosen = [*every[:: max(1, len(every) // most)], _GPT2.read_bytes()]
    runs = found = 0
    source, lowered = scratch / "model.mlirbc", scratch / "lowered.mlirbc"
    for number, data in enumerate(chosen):
        try:
            source.write_bytes(bytecode_of(import_onnx(onnx.load_from_string(data))))
        except ForgeError:
            continue
        for given in _PIPELINES:
            lowered.unlink(missing_ok=True)
            passes = f"--pass-pipeline={pipeline(given)}"
            found += reports(f"model {number}", tools, "forge-opt", source, passes, "-emit-bytecode", output=lowered)
            runs += 1
            if lowered.exists() and "fallback" not in given:
                for target in ("--forge-to-python", "--forge-to-manifest"):
                    found += reports(f"model {number}", tools, "forge-translate", lowered, target)
                    runs += 1
    print(f"{len(chosen)} models, {runs} runs: {found} with reports", flush=True)
    return found


def reports(label: str, tools: Path, tool: str, source: Path, *options: str, output: Path | None = None) -> bool:
    """Whether a run of `tool` ends with a report, which is printed."""
    command = [tools / tool / tool, source, *options, "-o", output or "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    if done.returncode >= 0 and not any(word in done.stderr for word in _REPORT):
        return False
    at = min((done.stderr.find(word) for word in _REPORT if word in done.stderr), default=0)
    print(f"{label}: exit code {done.returncode}\n{done.stderr[at : at + 3000]}")
    return True


if __name__ == "__main__":
    sys.exit(main())
