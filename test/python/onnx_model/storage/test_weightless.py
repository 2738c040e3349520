"""A model is copied without its weights, whose data is not read."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.importer import OnnxImportError
from forge_mlir.onnx_model.storage.external_data import ExternalData
from forge_mlir.onnx_model.storage.weightless import SCALARS, scan
from forge_mlir.onnx_model.storage.wire import fields, varint
from sample_models.importing import model


def trees(count: int) -> onnx.NodeProto:
    """A node with the long list attributes of tree ensembles."""
    numbers = [3 ** (at % 39) - (1 << 40) * (at % 2) for at in range(count)]
    modes = ["LEAF", "BRANCH_LEQ", "BRANCH_MEMBER", "a mode of more than fifteen letters", ""] * (count // 5)
    return helper.make_node("Trees", ["x"], ["y"], ids=numbers, values=[n / 7 for n in numbers], modes=modes)


def test_lists_of_scalars_are_copied_and_not_read() -> None:
    """As in luscinia: 194 MB of trees, each number of which is a separate field."""
    node = trees(500)
    weight = numpy_helper.from_array(np.arange(3000, dtype=np.float32), "w")
    node.attribute.append(helper.make_attribute("value", weight))
    node.attribute[-1].ints[:] = [5, 0x40, -1]  # A list in the same attribute does not hide the tensor.
    proto = model([node], [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])], [])
    found = scan(proto.SerializeToString(), ExternalData(()))
    (copied,) = ModelProto.FromString(found.proto).graph.node
    assert copied.attribute[:-1] == node.attribute[:-1]
    assert copied.attribute[-1].ints == node.attribute[-1].ints
    assert (found.spans[0].nbytes, copied.attribute[-1].t.raw_data) == (12000, b"")
    for attribute in node.attribute[:3]:
        data = attribute.SerializeToString()
        assert {item.number for item in fields(data, 0, len(data))} == {1, 20} | {
            "ids": {8}, "values": {7}, "modes": {9}
        }[attribute.name]  # fmt: skip
        met = [item.number for item in fields(data, 0, len(data), SCALARS["attribute"])]
        assert met == [1, *[9] * (100 if attribute.name == "modes" else 0), 20]


@pytest.mark.parametrize(
    "end", [b"\x40" + b"\xff" * 11, b"\x3d\x00\x00", b"\x4a\x05abc"], ids=["int", "float", "string"]
)
def test_damage_after_a_list_of_scalars_is_found(end: bytes) -> None:
    lists = onnx.AttributeProto(ints=range(2000)).SerializeToString() + end
    for number in (5, 1, 7):  # An attribute of a node of the graph of a model.
        lists = varint(number << 3 | 2) + varint(len(lists)) + lists
    with pytest.raises(OnnxImportError, match="not a readable ONNX file"):
        scan(lists, ExternalData(()))
