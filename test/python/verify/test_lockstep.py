"""The cost of finding which nodes are compared together."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

from forge_mlir.importer import import_onnx
from forge_mlir.verify.lockstep import Lockstep
from sample_models.probe import chain


def seconds_of(count: int) -> float:
    """The processor time of finding the origins of each node, in a module that has every value."""
    imported = import_onnx(chain(count), keep_graph=True)
    program: Any = SimpleNamespace(
        traced=lambda: {f"v{at}": None for at in range(count + 1)}, hosted=set, scaled=set, run=lambda _: iter(())
    )
    compared = Lockstep(imported, program, {})
    begin = time.process_time()
    assert not any(map(compared._origins, compared.nodes.nodes))
    return time.process_time() - begin


def test_the_time_grows_with_the_model() -> None:
    short, long = seconds_of(1_000), seconds_of(8_000)
    assert long < 24 * max(short, 0.02), "eight times as many nodes"
