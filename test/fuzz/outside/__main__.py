"""Compares compiled models with onnxruntime, which optimises nothing, and torch in float64: element by element.

    python -m fuzz.outside [--models FOLDER] [--shared COUNT] [--seed 0]

FOLDER has what nnsmith_models.py wrote; COUNT models of shared values are made. Exit code 1 says that a result is
neither's.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import onnx

from fuzz.graphs import Sample
from fuzz.oracles.compare import UNDECIDED, compare
from fuzz.outside.shared_values import shared_values


def read(path: Path) -> Sample:
    """A model of NNSmith, with its inputs and torch's results."""
    with np.load(path.with_suffix(".npz")) as content:
        arrays = dict(content)
    model = onnx.load(path)
    # torch leaves out inputs that nothing reads.
    inputs = {value.name: arrays[value.name] for value in model.graph.input}
    return Sample(model, inputs, {name[2:]: array for name, array in arrays.items() if name.startswith("= ")})


def is_defined(sample: Sample) -> bool:
    """Whether no output is an integer that was a NaN or an infinity: torch makes the least number of it, and ONNX does
    not say what it is."""
    integers = [array for array in sample.expected.values() if array.dtype.kind == "i" and array.size]
    return not any((array == np.iinfo(array.dtype).min).any() for array in integers)


def samples(models: Path | None, shared: int, seed: int) -> Iterator[tuple[str, Sample]]:
    for path in sorted(models.glob("*.onnx")) if models else ():
        yield str(path), read(path)
    for number in range(seed, seed + shared):
        yield f"shared values, seed {number}", shared_values(Random(number))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--shared", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    ends: Counter[str] = Counter()
    for name, sample in samples(given.models, given.shared, given.seed):
        if not is_defined(sample):
            ends[UNDECIDED] += 1
            continue
        try:
            result = compare(sample)
        except Exception as error:  # what a wrong program raises may be of any type
            ends["wrong"] += 1
            print(f"{name}: {type(error).__name__}: {str(error)[:500]}", flush=True)
            continue
        ends[result.status] += 1
        if result.reason:
            print(f"{name}: {result.status}: {result.reason[:200]}", flush=True)
    print(f"{ends.total()} models: {', '.join(f'{count} {end}' for end, count in ends.most_common()) or 'none'}")
    return 1 if ends["wrong"] or not ends["agrees"] else 0


if __name__ == "__main__":
    sys.exit(main())
