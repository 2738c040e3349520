"""onnxruntime's contrib ops compared with onnxruntime: every case runs with equal results, or is refused with a
reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from onnx import ValueInfoProto, helper

import forge_mlir
from forge_mlir.errors import ForgeError
from sample_models.goldens import assert_same
from sample_models.microsoft import attention, layers, quantised
from sample_models.microsoft.case import MICROSOFT, Array, Case, f, feed_of, model_of, run_onnxruntime, typed

CASES = [*attention.families(), *layers.families()]


def check(got: dict[str, Array], names: list[str], expected: list[Array]) -> None:
    for name, value in zip(names, expected, strict=True):
        assert_same(got[name], value)


@pytest.mark.parametrize("case", [case for case in CASES if not case.refused], ids=Case.name)
def test_agrees_with_onnxruntime(case: Case, tmp_path: Path) -> None:
    names = [name for name in case.outputs if name]
    if case.reference is None:
        untyped = [ValueInfoProto(name=name) for name in names]
        expected = run_onnxruntime(model_of(case, untyped), feed_of(case))
    else:
        expected = case.reference(*case.inputs, **case.attributes)
    artifact = forge_mlir.compile(model_of(case, typed(names, expected)), tmp_path)
    check(forge_mlir.run(artifact, feed_of(case)), names, expected)


@pytest.mark.parametrize("case", [case for case in CASES if case.refused], ids=Case.name)
def test_is_refused(case: Case, tmp_path: Path) -> None:
    names = [name for name in case.outputs if name]
    outputs = [helper.make_tensor_value_info(name, 1, None) for name in names]
    with pytest.raises(ForgeError) as caught:
        forge_mlir.compile(model_of(case, outputs), tmp_path)
    messages = [diagnostic.message for diagnostic in caught.value.diagnostics]
    assert any(case.refused in message for message in messages), messages


def test_types_after_a_node_that_onnx_does_not_know(tmp_path: Path) -> None:
    """onnx's shape inference stops at contrib ops; the nodes after them are converted nevertheless, also those of the
    default domain."""
    tail = [
        helper.make_node("Shape", ["y"], ["shape"]),
        helper.make_node("Reshape", ["z", "shape"], ["r"]),
        helper.make_node("SimplifiedLayerNormalization", ["r", "x2"], ["n"]),
        helper.make_node("Softmax", ["n"], ["s"]),
        helper.make_node("Transpose", ["y"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["s", "t"], ["out"]),
    ]
    flat = helper.make_node("Flatten", ["y"], ["z"])
    case = Case("SkipSimplifiedLayerNormalization", "tail", (f(2, 3, 4), f(2, 3, 4), f(4)))
    for opset in (12, 17):
        case = replace(case, opset=opset)
        expected = run_onnxruntime(model_of(case, [ValueInfoProto(name="out")], [flat, *tail]), feed_of(case))
        artifact = forge_mlir.compile(model_of(case, typed(["out"], expected), [flat, *tail]), tmp_path / str(opset))
        check(forge_mlir.run(artifact, feed_of(case)), ["out"], expected)


def test_every_converter_has_a_case() -> None:
    from forge_mlir import _native

    known = {op for domain, op, _ in _native.registered_ops() if domain == MICROSOFT}
    # The cases of quantised ops are in the module of the ops that run on the CPU.
    others = {name.split()[0] for name in quantised.CONVERTED}
    assert known == {case.op for case in CASES if case.domain == MICROSOFT} | others
