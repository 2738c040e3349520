"""Which outputs depend on a decision that took one side only, and at which cost that is found."""

from __future__ import annotations

import time

import pytest

from forge_mlir.equivalence.outcomes import Outcomes
from forge_mlir.equivalence.program import Function, Op, Type

_TYPE = Type("f32", (1,))


def relu(operand: int, result: int) -> Op:
    return Op("forge.relu", (operand,), (_TYPE,), (result,), (_TYPE,), {}, f"node {result}")


def function(ops: list[Op], returned: dict[str, int]) -> Function:
    return Function("f", "", (_TYPE,), tuple(ops), tuple(returned.values()), tuple(returned))


def test_the_outputs_that_depend_on_an_op() -> None:
    ops = [relu(0, 1), relu(1, 2), relu(0, 3), relu(3, 4)]
    hidden = Outcomes(function(ops, {"a": 1, "b": 2, "c": 4, "b again": 2})).hidden()
    assert [each.outputs for each in hidden] == [{"a", "b", "b again"}, {"b", "b again"}, {"c"}, {"c"}]


@pytest.mark.parametrize("outputs", [1, 8])
def test_the_time_grows_with_the_length(outputs: int) -> None:
    taken = []
    for count in (1_000, 8_000):
        ops = [relu(at, at + 1) for at in range(count)]
        outcomes = Outcomes(function(ops, {f"y{at}": count - at for at in range(outputs)}))
        begin = time.process_time()
        assert len(outcomes.hidden()) == count
        taken.append(time.process_time() - begin)
    assert taken[1] < 24 * max(taken[0], 0.02), "eight times as many ops"
