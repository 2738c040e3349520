"""The ops that a rewrite changed, found in two texts of a module."""

from __future__ import annotations

import pytest

from forge_mlir.bisect.changed_ops import changed_ops

BEFORE = """
func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = forge.exp %arg0 : tensor<2xf32> loc(#loc1)
  %1 = forge.add %0, %arg0 : tensor<2xf32> loc("a (b)")
  %2 = forge.relu %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
"""


@pytest.mark.parametrize(
    ("after", "gone", "new"),
    [
        (BEFORE, [], []),
        (BEFORE.replace("%1 = ", "%8 = ").replace("relu %1", "relu %8"), [], []),
        (BEFORE.replace("relu", "tanh"), ["%2 = forge.relu %1 : {}"], ["%2 = forge.tanh %1 : {}"]),
        (
            BEFORE.replace("%0, %arg0", "%arg0, %0"),
            ["%1 = forge.add %0, %arg0 : {}"],
            ["%1 = forge.add %arg0, %0 : {}"],
        ),
        (BEFORE.replace("return %2", "return %1"), ["return %2 : {}"], ["return %1 : {}"]),
    ],
)
def test_changed_ops(after: str, gone: list[str], new: list[str]) -> None:
    gone, new = ([op.format("tensor<2xf32>") for op in ops] for ops in (gone, new))
    assert changed_ops(BEFORE, after) == (tuple(gone), tuple(new))


def test_an_op_that_is_added_renumbers_the_others() -> None:
    after = BEFORE.replace("%2", "%3").replace("%1", "%2")
    after = after.replace("  %2 = forge.add", "  %1 = forge.sin %0 : tensor<2xf32>\n  %2 = forge.add")
    assert changed_ops(BEFORE, after) == ((), ("%1 = forge.sin %0 : tensor<2xf32>",))
