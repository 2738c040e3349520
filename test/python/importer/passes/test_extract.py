"""A part of a graph between chosen tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forge_mlir
from forge_mlir import ForgeError
from sample_models.importing import model, node, value
from sample_models.partition import odd_head, transformer


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"extract_outputs": ["scald"]}, "there is no tensor 'scald' to extract at; close to it: 'scaled'"),
        ({"extract_inputs": ["constant_0"]}, "there is no tensor 'constant_0'"),
        ({"extract_inputs": ["y"], "extract_outputs": ["scaled"]}, "the outputs do not need it"),
        ({"extract_inputs": ["scaled"], "input_shapes": {"scaled": [4, 4]}}, "contradicts the model"),
    ],
)
def test_impossible_cuts(options: dict[str, list[str]], reason: str, tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=reason):
        forge_mlir.compile(odd_head(), tmp_path, **options)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_cut_keeps_inputs_of_the_model_that_are_still_used(tmp_path: Path) -> None:
    proto = transformer(2, "")
    middle = [node for node in proto.graph.node if node.op_type == "Add"][2].output[0]
    artifact = forge_mlir.compile(proto, tmp_path, extract_inputs=[middle])
    assert [info["name"] for info in artifact.manifest()["onnx"]["inputs"]] == [middle, "mask"]


def test_a_cut_at_one_of_several_results(tmp_path: Path) -> None:
    nodes = [node("Split", "x", "a b", num_outputs=2), node("Add", "a b", "y")]
    proto = model(nodes, [value("x", 4)], [value("y", 2)], opsets={"": 18})
    artifact = forge_mlir.compile(proto, tmp_path, extract_inputs=["a"])
    given = {"a": np.array([10, 20], np.float32), "x": np.arange(4, dtype=np.float32)}
    np.testing.assert_array_equal(forge_mlir.run(artifact, given)["y"], [12, 23])
