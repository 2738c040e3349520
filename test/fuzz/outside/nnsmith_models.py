"""Writes models of NNSmith, exported with torch's older exporter, and their results by torch in float64.

    build/nnsmith/bin/python test/fuzz/outside/nnsmith_models.py FOLDER [--count 1000] [--seed 0]

It runs in its own environment (Makefile), and imports nothing of this project. Each model is N.onnx; N.npz has its
inputs by name, and its outputs as "= name". A model that exists already is kept.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from nnsmith.abstract.dtype import DType
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.materialize.torch.symbolnet import SymbolNet

_MOST_ELEMENTS = 4096
_TYPES = ["float32", "int32", "int64", "bool"]
"""Types for which onnxruntime has kernels of most ops."""
_MOST_MEMORY = 6 << 30
"""Bytes of address space."""
_TRIES = 4
"""Seeds for each model: for some, NNSmith finds no graph in time, or torch cannot export it."""


def write(seed: int, path: Path) -> None:
    """Writes one model. Raises what NNSmith and torch raise."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    kind = Model.init("torch", backend_target="cpu")
    nodes = random.randint(3, 12)
    made = model_gen(
        kind.operators(),
        "symbolic-cinit",
        nodes,
        seed,
        timeout_ms=5000,
        max_elem_per_tensor=_MOST_ELEMENTS,
        dtype_choices=[DType.from_str(name) for name in _TYPES],
    )
    net = SymbolNet(made.make_concrete()).to(torch.device("cpu"))
    net.eval()
    # Roots, logarithms and powers of negative numbers are NaN, which leaves few results to compare.
    inputs = net.get_random_inps(margin=4, base="center" if seed % 4 == 0 else 3)
    names = [*net.output_like]
    with torch.no_grad():
        torch.onnx.export(
            net,
            tuple(inputs.values()),
            str(path.with_suffix(".part")),
            input_names=[*inputs],
            output_names=names,
            opset_version=17,
            do_constant_folding=False,
            dynamo=False,
        )
        plain = net(*inputs.values())
        wide = {name: value.double() if value.dtype == torch.float32 else value for name, value in inputs.items()}
        outputs = net.double()(*wide.values())
    arrays = {name: value.detach().numpy() for name, value in inputs.items()}
    for name, value, other in zip(names, outputs, plain, strict=True):
        arrays[f"= {name}"] = value.to(other.dtype).detach().numpy()
    np.savez(path.with_suffix(".npz"), **arrays)
    path.with_suffix(".part").rename(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    failed = 0
    # A solver that finds no graph may allocate all memory.
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    for number in range(given.seed * given.count, (given.seed + 1) * given.count):
        path = given.folder / f"{number}.onnx"
        for attempt in range(0 if path.exists() else _TRIES):
            try:
                write(number + attempt * 1_000_003, path)
            except Exception as error:  # NNSmith and torch raise many exception types of their own.
                failed += 1
                print(
                    f"{number}, attempt {attempt}: {type(error).__name__}: {str(error).splitlines()[-1:]}",
                    file=sys.stderr,
                )
                path.with_suffix(".part").unlink(missing_ok=True)
                continue
            break
    print(f"{len([*given.folder.glob('*.onnx')])} models in {given.folder}, {failed} attempts failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
