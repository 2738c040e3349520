"""Models with shared values, and the judge of models that other tools wrote."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import onnx
import pytest

import forge_mlir
from fuzz.graphs import Sample
from fuzz.oracles.compare import AGREES, Mismatch, compare, session
from fuzz.outside.__main__ import is_defined, read
from fuzz.outside.motifs import motifs
from fuzz.outside.shared_values import shared_values
from sample_models.probe import FLOAT, INT64, build, node


def test_models_are_valid_and_share_values() -> None:
    shared, ops = 0, Counter[str]()
    for number in range(30):
        sample = shared_values(Random(number))
        onnx.checker.check_model(sample.model, full_check=True)
        readers = Counter(name for node in sample.model.graph.node for name in node.input if not name.startswith("w"))
        shared += any(count > 1 for count in readers.values())
        ops.update(node.op_type for node in sample.model.graph.node)
    assert shared > 20
    assert len(ops) > 15


def test_torch_and_onnxruntime_agree_on_them() -> None:
    """The written ONNX model gives the results of torch, although both are defined independently."""
    near = 0
    for number in range(40):
        sample = shared_values(Random(number))
        made = session(sample.model).run([*sample.expected], sample.inputs)
        pairs = zip(made, sample.expected.values(), strict=True)
        near += all(np.allclose(ours, torch, rtol=1e-3, atol=1e-3, equal_nan=True) for ours, torch in pairs)
    assert near >= 38


def test_some_agree() -> None:
    assert Counter(compare(shared_values(Random(number))).status for number in range(6))[AGREES] >= 5


def test_motifs_are_valid_and_share_values() -> None:
    """The models have all ops of all motifs and values that two motifs use, and they compile with right results."""
    ops, shared = Counter[str](), 0
    for number in range(40):
        sample = motifs(Random(number))
        onnx.checker.check_model(sample.model, full_check=True)
        ops.update(node.op_type for node in sample.model.graph.node)
        weights = {tensor.name for tensor in sample.model.graph.initializer}
        readers = Counter(name for node in sample.model.graph.node for name in {*node.input} - weights)
        shared += max(readers.values()) > 2
    assert {"Softmax", "BatchNormalization", "Conv", "Slice", "Concat", "Transpose", "Reshape", "Sqrt"} <= ops.keys()
    assert shared >= 20
    assert Counter(compare(motifs(Random(number))).status for number in range(6))[AGREES] >= 5


def test_a_wrong_factor_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = shared_values(Random(0))
    run = forge_mlir.run
    monkeypatch.setattr(forge_mlir, "run", lambda *given: {name: v * 1.0005 for name, v in run(*given).items()})
    with pytest.raises(Mismatch):
        compare(sample)


def test_written_models_are_read(tmp_path: Path) -> None:
    sample = shared_values(Random(1))
    onnx.save(sample.model, tmp_path / "1.onnx")
    np.savez(tmp_path / "1.npz", **sample.inputs, **{f"= {name}": array for name, array in sample.expected.items()})
    known = read(tmp_path / "1.onnx")
    assert known.inputs.keys() == sample.inputs.keys()
    assert known.expected.keys() == sample.expected.keys()
    assert compare(known).status == compare(sample).status


@pytest.mark.parametrize(("x", "expected"), [(np.nan, False), (1e30, False), (-3.5, True)])
@pytest.mark.parametrize("then", ["Neg", "Identity"])
def test_integers_of_nan_are_not_judged(x: float, expected: bool, then: str) -> None:
    """Also if the integer is not an output."""
    nodes = [node("Cast", ["x"], ["whole"], "cast", to=INT64), node(then, ["whole"], ["y"], "then")]
    model = build(nodes, {"x": (FLOAT, [2])}, {"y": INT64})
    assert is_defined(Sample(model, {"x": np.array([x, 1], np.float32)}, {})) is expected
