"""Compares all node models, or the files that are given as arguments, and prints the results."""

from __future__ import annotations

import collections
import sys
from pathlib import Path

import onnx

from stock_ir.compare import compare, unexpected
from stock_ir.importing import node_models


def main(paths: list[str]) -> int:
    models = ((Path(path).parent.name, onnx.load(path)) for path in paths) if paths else node_models()
    results = [result for name, proto in models for result in compare(name, proto)]
    counts = collections.Counter((r.form, r.outcome, r.detail if r.outcome == "same" else "") for r in results)
    for key, count in sorted(counts.items()):
        print(*key, count)
    for result in results:
        if result.outcome != "same":
            print(result.case, result.form, result.outcome, result.detail, sep=",")
    wrong = unexpected(results)
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
