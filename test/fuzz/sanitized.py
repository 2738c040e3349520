"""Runs broken MLIR modules through a forge-opt that was built with sanitizers: exit code 1 for any report.

python -m fuzz.sanitized FORGE_OPT [--seed 0] [--batches 20]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from fuzz.mutate_mlir import PASSES, mutate

_PER_BATCH = 100
_REPORT = ("Sanitizer", "runtime error:", "LLVM ERROR", "Stack dump")


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz.sanitized", description=__doc__)
    parser.add_argument("forge_opt", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batches", type=int, default=20)
    options = parser.parse_args()
    wrong = 0
    for batch in range(options.seed, options.seed + options.batches):
        r = Random(batch)
        modules = [mutate(r) for _ in range(_PER_BATCH)]
        passes = PASSES[batch % len(PASSES)]
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "batch.mlir"
            path.write_text("\n// -----\n".join(modules), encoding="utf-8", errors="replace")
            command = [options.forge_opt, path, "-split-input-file", f"--pass-pipeline=builtin.module({passes})"]
            done = subprocess.run([*command, "-o", "/dev/null"], capture_output=True, text=True, check=False)
        if done.returncode < 0 or any(word in done.stderr for word in _REPORT):
            wrong += 1
            at = min((done.stderr.find(word) for word in _REPORT if word in done.stderr), default=0)
            print(f"batch {batch} ({passes}):\n{done.stderr[at : at + 3000]}")
    print(f"{options.batches * _PER_BATCH} modules from seed {options.seed}: {wrong} batches with reports")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
