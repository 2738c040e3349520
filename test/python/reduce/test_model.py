"""A failing model is reduced to the nodes that fail."""

from __future__ import annotations

from pathlib import Path

import onnx

from forge_mlir.reduce import reduce_model
from sample_models.probe import chain, node


def refused_in_the_middle() -> onnx.ModelProto:
    """A chain of 60 nodes; the device does not support a Det of such a size."""
    model = chain(60)
    model.graph.node[37].CopyFrom(node("Det", ["v37"], ["det"], "the det"))
    model.graph.node.insert(38, node("Add", ["v37", "det"], ["v38"], "joined"))
    return model


def test_a_refused_node(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(refused_in_the_middle(), path)
    found = reduce_model(path, options={})
    assert found.failure.kind == "refused"
    assert "is too much to unroll" in found.failure.signature
    assert [n.op_type for n in found.case.nodes] == ["Det"]
    files = found.save(tmp_path / "out", "small")
    assert [file.suffix for file in files] == [".onnx", ".npz", ".mlir"]
    onnx.checker.check_model(onnx.load(files[0]))
    assert '"onnx.Det"' in files[2].read_text()
    again = reduce_model(path, kind="refused", options={}).save(tmp_path / "again", "small")
    assert files[0].read_bytes() == again[0].read_bytes()
