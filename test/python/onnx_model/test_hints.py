"""Marks of values whose declared shape is not confirmed."""

from __future__ import annotations

from onnx import TensorProto, helper

from forge_mlir.onnx_model.hints import is_hint, mark_hint, unmark_hint


def test_a_mark_is_removed_with_those_of_the_file() -> None:
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
    value.metadata_props.add(key="mine", value="kept")
    assert not is_hint(value)
    mark_hint(value)
    mark_hint(value)
    assert is_hint(value)
    unmark_hint(value)
    assert not is_hint(value)
    assert [entry.key for entry in value.metadata_props] == ["mine"]
