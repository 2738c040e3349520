"""Compares the IR before and after every pass, in float64 and exactly, for each model of a folder.

    python benchmarks/architectures.py FOLDER
    python benchmarks/pass_equivalence.py FOLDER [--only PATTERN]

For a nightly run: prints a line for each model in which a pass changes something or is not covered, and the counts.
Exit code 1 if a pass changes something. Models that cannot be compiled are only counted.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from forge_mlir import ForgeError
from forge_mlir.bisect import bisect_exact


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="*.onnx in it and below")
    parser.add_argument("--only", default="", help="a regular expression of paths")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    models = compared = wrong = gaps = refused = 0
    for path in sorted(given.folder.rglob("*.onnx")):
        if not re.search(given.only, str(path)):
            continue
        models += 1
        try:
            found = bisect_exact(path, seed=given.seed)
        except ForgeError as error:
            refused += 1
            print(f"{path}: refused: {error.code}", flush=True)
            continue
        compared += len(found.passes)
        wrong += found.culprit is not None
        printed = set[str]()
        for each in found.passes:
            gaps += not each.covered
            for verdict in each.verdicts:
                # What is not covered after one pass is usually not covered after the next, and is reported once.
                if not verdict.equal and (verdict.differences or verdict.explain() not in printed):
                    printed.add(verdict.explain())
                    print(f"{path}: {each.name}: {verdict.layer}: {verdict.explain()}", flush=True)
    print(
        f"{models} models, {refused} refused; {compared} passes compared, {wrong} change something, {gaps} not covered"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
