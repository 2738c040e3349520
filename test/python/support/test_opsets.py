"""The opset of the default domain, with either name of the domain."""

from __future__ import annotations

import pytest
from onnx import ModelProto, helper

from forge_mlir.support.opsets import default_opset


@pytest.mark.parametrize(
    ("imports", "expected"),
    [([("", 17)], 17), ([("my.domain", 3), ("ai.onnx", 18)], 18), ([("my.domain", 3)], 0), ([], 0)],
)
def test_the_default_opset(imports: list[tuple[str, int]], expected: int) -> None:
    model = ModelProto(opset_import=[helper.make_opsetid(*each) for each in imports])
    assert default_opset(model) == expected
