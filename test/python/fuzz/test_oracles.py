"""The rules by which the fuzzer accepts a result. A rule that is too wide finds nothing, so planted errors must be
found."""

from __future__ import annotations

from random import Random

import ml_dtypes
import numpy as np
import pytest
from onnx import NodeProto, helper

import forge_mlir
from forge_mlir.support.operand_deviations import CONDITIONS, OPERAND_DEVIATIONS
from fuzz import campaigns
from fuzz.coverage import schemas
from fuzz.graphs import Sample
from fuzz.oracles import known
from fuzz.oracles.compare import is_ill_conditioned
from fuzz.oracles.formats import UNITS, Errors, is_confirmed
from fuzz.oracles.judge import judge
from fuzz.oracles.ulps import Allowance, allowance, differs, spread_of
from fuzz.variants.seeds import all_seeds


def nodes(*ops: str) -> list[NodeProto]:
    return [helper.make_node(op, ["x"], ["y"]) for op in ops]


@pytest.mark.parametrize(
    ("got", "same"),
    [
        (np.float32(1 + 2e-7), True),
        (np.float32(1 + 2e-6), False),
        (np.float64(1 + 2e-7), True),  # The device computes it in Float32.
        (np.float16(1.002), True),
        (np.float16(1.01), False),
        (np.float32(np.nan), False),
        (np.float32(-1), False),
        (np.int64(1), True),
        (np.int64(2), False),
    ],
)
def test_units_in_the_last_place(got: np.generic, same: bool) -> None:
    assert (differs(np.asarray(got), np.ones((), got.dtype), allowance(nodes("Exp"))) == "") == same
    assert differs(np.asarray(got), np.ones(1, got.dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("op", ["Transpose", "Exp", "MatMul"])
def test_a_planted_error_is_found(op: str, dtype: type) -> None:
    """One element of many has an error that is small, but larger than rounding explains for the op."""
    allowed = allowance(nodes(op))
    right = np.linspace(0.5, 2, 64, dtype=np.float32).astype(dtype)
    unit = float(ml_dtypes.finfo(np.float32 if dtype is np.float64 else dtype).eps)
    least = {"Transpose": 2, "Exp": 12, "MatMul": 200 if right.dtype.itemsize > 2 else 16}[op]
    assert differs(right, right, allowed) == ""
    wrong = right.copy()
    wrong[5] = dtype(float(wrong[5]) + least * unit)
    assert differs(wrong, right, allowed)
    for value in (-1.0, np.nan, np.inf, 0.0):
        wrong[5] = value
        assert differs(wrong, right, allowed)


def test_an_op_that_sums_does_not_excuse_others() -> None:
    assert allowance(nodes("Transpose", "Concat")) == Allowance(0, 0, 0)
    assert allowance(nodes("Exp")) == Allowance(8, 0, 0)
    assert allowance(nodes("Exp", "MatMul")) == Allowance(16, 1, 0)
    branch = helper.make_graph(nodes("MatMul"), "b", [], [])
    assert allowance([helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)]).sums == 2


def test_a_narrow_operand_counts_where_its_op_sums() -> None:
    kinds = [np.dtype(np.float32), np.dtype(np.float16)]
    assert allowance(nodes("MatMul"), kinds).narrow == np.float16
    assert allowance(nodes("Add"), kinds).narrow is None
    right = np.ones(4, np.float32)
    assert differs(right * np.float32(1.001), right, allowance(nodes("MatMul"), kinds)) == ""
    assert differs(right * np.float32(1.02), right, allowance(nodes("MatMul"), kinds))


def test_the_sensitivity_to_rounding_widens_the_limit() -> None:
    """The norm of a sum that cancels: 0 / 0 in one order of the addends, 1 in another."""
    right = np.array([1e-3, 1, np.nan], np.float32)
    spread = spread_of(right, [np.array([2e-3, 1, 1], np.float32), np.array([0, 1, 0], np.float32)])
    allowed = allowance(nodes("LpNormalization"))
    assert differs(np.array([4e-3, 1, 1], np.float32), right, allowed, spread) == ""
    assert differs(np.array([6e-3, 1, 1], np.float32), right, allowed, spread)
    assert differs(np.array([1e-3, 1.001, 1], np.float32), right, allowed, spread)
    assert differs(right[:2], right, allowed, spread)


def test_float64_is_compared_as_float32() -> None:
    beyond, infinity = np.array([6.8e38]), np.array([np.inf])
    assert differs(infinity, beyond, allowance(nodes("Mul"))) == ""
    assert differs(-infinity, beyond, allowance(nodes("Mul")))


def test_steps_of_a_quantised_result() -> None:
    allowed = allowance(nodes("QuantizeLinear"))
    right = np.arange(4, dtype=np.int8)
    assert differs(right + np.int8(1), right, allowed) == ""
    assert differs(right + np.int8(2), right, allowed)
    assert differs(right.astype(np.int32) + 1, right.astype(np.int32), allowed)
    assert differs(right + np.int8(1), right, allowance(nodes("Add")))


def test_rows_of_known_ops_are_narrow() -> None:
    drawn = {op for _, op in schemas()}
    for row in OPERAND_DEVIATIONS:
        assert set(row.ops) <= drawn
        assert row.when in CONDITIONS
        assert row.engine in ("onnxruntime", "onnx.reference")
        assert len(row.reason) > 20
        plain = {"x": np.arange(1, 4, dtype=np.float32), "scale": np.full(1, 0.5, np.float32)}
        nodes = [helper.make_node(op, [*plain], ["y"]) for op in row.ops]
        assert not known.is_not_asked(row.engine, nodes, plain)


@pytest.mark.parametrize(
    ("op", "factor"), [("Conv", 1 + 1e-4), ("Exp", 1 + 3e-6), ("Softmax", 1 + 1e-4), ("Transpose", 1 + 3e-7)]
)
def test_a_wrong_result_of_a_variant_is_found(op: str, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime whose results are all slightly wrong."""
    variant = next(seed for seed in all_seeds()["", op] if len(seed.nodes) == 1)
    assert judge(Random(0), variant.copy()) == "agrees"
    run = forge_mlir.run
    monkeypatch.setattr(forge_mlir, "run", lambda *given: {k: v * v.dtype.type(factor) for k, v in run(*given).items()})
    with pytest.raises(AssertionError, match="in place of"):
        judge(Random(0), variant.copy())


def test_some_seeds_of_variants() -> None:
    assert len([end for seed in range(4) for end in campaigns.variants(seed)]) >= 3


def test_sensitivity_is_distinguished_from_an_error() -> None:
    """The cosine of a value near its zero changes by far more than its own unit in the last place; an error is larger
    still."""
    graph = helper.make_graph(
        [helper.make_node("Tan", ["x"], ["t"]), helper.make_node("Cos", ["t"], ["y"])],
        "near zero",
        [helper.make_tensor_value_info("x", 1, [1])],
        [helper.make_tensor_value_info("y", 1, [1])],
    )
    x = np.float32([1.0])
    expected = np.cos(np.tan(x))
    sample = Sample(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)]), {"x": x}, {"y": expected})
    allowed = allowance(graph.node)
    for off, excused in ((3e-7, True), (1e-4, False)):
        ours = expected + np.float32(off)
        assert differs(ours, expected, allowed)
        assert is_ill_conditioned(sample, "y", ours, allowed) == excused


@pytest.mark.parametrize(
    ("written", "emitted", "status"),
    [
        (0.01, 0.021, "loses digits"),
        (0.001, 0.015, "less exact"),  # Less than two units in the last place of bfloat16.
        (0.01, 0.0105, "as exact"),
        (0.01, 0.005, "more exact"),
        (0.0, 0.0, "as exact"),
    ],
)
def test_digits_that_rewrites_cost(written: float, emitted: float, status: str) -> None:
    assert Errors(written, emitted).status(UNITS["bfloat16"]) == status


@pytest.mark.parametrize(("losses", "confirmed"), [(2, False), (3, True)])
def test_a_loss_of_digits_is_measured_again(losses: int, confirmed: bool) -> None:
    others = [Errors(0.01, 0.03)] * losses + [Errors(0.01, 0.01)] * (7 - losses) + [None]
    assert is_confirmed("bfloat16", others) == confirmed
