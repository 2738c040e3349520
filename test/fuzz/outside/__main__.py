"""Compares compiled models element by element with onnxruntime without optimisation and with torch in float64.

    python -m fuzz.outside [--models FOLDER] [--shared COUNT] [--motifs COUNT] [--seed 0]

FOLDER contains the models of nnsmith_models.py; COUNT models of shared values, and of motifs, are made. The exit code
is 1 if a result agrees with neither.
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

from forge_mlir.verify.limits.undefined import undefined_elements
from fuzz.graphs import Sample
from fuzz.oracles.compare import UNDECIDED, compare, session
from fuzz.outside.motifs import motifs
from fuzz.outside.shared_values import shared_values


def read(path: Path) -> Sample:
    """A model of NNSmith, with its inputs and torch's results."""
    with np.load(path.with_suffix(".npz")) as content:
        arrays = dict(content)
    model = onnx.load(path)
    # torch omits inputs that no node reads.
    inputs = {value.name: arrays[value.name] for value in model.graph.input}
    return Sample(model, inputs, {name[2:]: array for name, array in arrays.items() if name.startswith("= ")})


def is_defined(sample: Sample) -> bool:
    """Whether each float that is cast to an integer is in range: ONNX does not define the cast of NaN or 1e30."""
    casts = [node for node in sample.model.graph.node if node.op_type == "Cast"]
    watched = onnx.ModelProto.FromString(sample.model.SerializeToString())
    known = {value.name for value in (*watched.graph.output, *watched.graph.input)}
    known.update(tensor.name for tensor in watched.graph.initializer)
    names = dict.fromkeys(name for node in casts for name in (node.input[0], node.output[0]) if name not in known)
    watched.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    try:
        running = session(watched)
    except Exception:  # onnxruntime does not have some kernels; `compare` reports it.
        return True
    outputs = [value.name for value in running.get_outputs()]
    values = {**sample.inputs, **dict(zip(outputs, running.run(None, sample.inputs), strict=True))}
    return all(
        node.output[0] not in values or undefined_elements(node, values, values[node.output[0]]) is None
        for node in casts
    )


def samples(models: Path | None, shared: int, parts: int, seed: int) -> Iterator[tuple[str, Sample]]:
    for path in sorted(models.glob("*.onnx")) if models else ():
        yield str(path), read(path)
    for number in range(seed * shared, (seed + 1) * shared):
        yield f"shared values, seed {number}", shared_values(Random(number))
    for number in range(seed * parts, (seed + 1) * parts):
        yield f"motifs, seed {number}", motifs(Random(number))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--shared", type=int, default=0)
    parser.add_argument("--motifs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    ends: Counter[str] = Counter()
    for name, sample in samples(given.models, given.shared, given.motifs, given.seed):
        if not is_defined(sample):
            ends[UNDECIDED] += 1
            continue
        try:
            result = compare(sample)
        except Exception as error:  # A wrong program may raise any exception.
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
