"""Nodes that the device cannot run are found before anything is compiled."""

from __future__ import annotations

import numpy as np
from onnx import helper

from forge_mlir.codes import Code
from forge_mlir.report.check import check
from sample_models.small import with_shape_input

HOSTILE = "a\x1b[31m' (b\\é): [c]"


def test_every_refused_node_is_reported() -> None:
    custom = helper.make_node("Odd", ["x"], ["y"], "d", domain="my.own")
    proto = with_shape_input(helper.make_node("Reshape", ["x", "shape"], ["r"], HOSTILE), custom)
    proto.opset_import.add(domain="my.own", version=3)
    verdict = check(proto)
    assert not verdict.supported
    first, second = verdict.refused
    assert (first.name, first.op, first.domain, first.opset) == (HOSTILE, "Reshape", "", 13)
    assert first.operands == ("tensor<2x3xf32>", "tensor<2xi64>")
    assert first.code == Code.OperandUnknown
    assert second.code == Code.NoConverter
    assert first.reason == "shape (input 1) must be known at compile time"
    assert first.bind == ("shape",)
    assert (second.name, second.op, second.domain, second.opset, second.bind) == ("d", "Odd", "my.own", 3, ())


def test_the_same_arguments_as_compile() -> None:
    proto = with_shape_input(helper.make_node("Reshape", ["x", "shape"], ["y"], "r"))
    assert not check(proto).supported
    assert check(proto, bind={"shape": np.array([3, 2])}).supported


def test_refusals_within_a_function_body() -> None:
    # Bernoulli is defined by random numbers, which the device does not have.
    verdict = check(with_shape_input(helper.make_node("Bernoulli", ["x"], ["y"], "b", dtype=1), opset=15))
    assert verdict.refused
    assert all(row.name.startswith("b/") for row in verdict.refused)
    (line,) = check(
        with_shape_input(helper.make_node("Bernoulli", ["x"], ["y"], "b", dtype=1), opset=15), max_expansion=1
    ).errors
    assert line.code == Code.ExpansionTooLarge
    assert "--max-expansion" in line.message


def test_files_that_are_not_models() -> None:
    verdict = check(with_shape_input(helper.make_node("Abs", ["nothing"], ["y"], "a")))
    assert not verdict.supported
    assert verdict.errors[0].code == Code.ValueUndefined
    assert "'nothing' is produced by nothing" in verdict.errors[0].message
