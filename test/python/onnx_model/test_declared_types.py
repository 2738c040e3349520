"""Whether two declarations of one value agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from onnx import TensorProto, TypeProto, helper, numpy_helper

from forge_mlir.onnx_model.declared_types import check_kind, check_tensor_type, check_types, shapes_agree
from forge_mlir.onnx_model.errors import OnnxImportError

FLOAT = TensorProto.FLOAT


def tensor(shape: Sequence[int | str | None] | None, kind: int = FLOAT) -> TypeProto:
    return helper.make_tensor_type_proto(kind, shape)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ([1, 2], [1, 2], True),
        ([1, "n"], [1, 2], True),
        ([1, None], ["n", 2], True),
        (None, [1, 2], True),
        ([1, 2], [1, 3], False),
        ([1, 2], [1, 2, 1], False),
        ([], [1], False),
    ],
)
def test_shapes(one: list[int] | None, other: list[int] | None, agree: bool) -> None:
    assert shapes_agree(tensor(one), tensor(other)) == shapes_agree(tensor(other), tensor(one)) == agree
    if agree:
        check_types("x", tensor(one), tensor(other))
    else:
        with pytest.raises(OnnxImportError, match="two different types are declared"):
            check_types("x", tensor(one), tensor(other))


def test_kinds_and_element_types() -> None:
    check_kind("x", tensor([1]), tensor([2]))
    for other in (tensor([1], TensorProto.INT64), helper.make_sequence_type_proto(tensor([1]))):
        with pytest.raises(OnnxImportError, match="two different types are declared"):
            check_kind("x", tensor([1]), other)


def test_an_initializer_has_its_declared_type() -> None:
    value = numpy_helper.from_array(np.ones((2, 3), np.float32), "w")
    for declared in (tensor([2, 3]), tensor(["n", 3]), tensor(None)):
        check_tensor_type(value, declared)
    for declared in (tensor([2, 4]), tensor([2]), tensor([2, 3], TensorProto.INT64)):
        with pytest.raises(OnnxImportError, match="two different types are declared"):
            check_tensor_type(value, declared)
