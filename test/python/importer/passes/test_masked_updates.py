"""Updates at the positions of a mask, as PyTorch exports `x.masked_scatter(mask, rows)` and `x[mask] = rows`, become a
selection."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import ModelProto, parser

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.lower import is_known
from forge_mlir.execute.run import run
from forge_mlir.importer import import_onnx

MODEL = """
<ir_version: 9, opset_import: ["" : 18]>
masked (float[2,3,4] x, {mask_type} mask, float[{rows}] rows) => (float[2,3,4] y)
<int64[1] first = {{0}}, int64[1] second = {{1}}, int64[1] last = {{-1}}, int64[1] four = {{4}},
 int64[3] full = {{2,3,4}}, int64[1] step = {{{step}}}> {{
    {mask}
    found = NonZero(spread)
    at = Transpose<perm = [{perm}]>(found)
    {updates}
    y = ScatterND<reduction = "{reduction}">(x, at, updates)
}}
"""
ROWS = "wide = Unsqueeze(mask, last) spread = Expand(wide, full)"
SCATTERED = """flat = Reshape(rows, last) sizes = Shape(at) number = Gather(sizes, first)
    updates = Slice(flat, first, number, first{step})"""
"""masked_scatter"""
ASSIGNED = """listed = Reshape(mask, last) ones = Cast<to = 7>(listed) number = ReduceSum(ones, first)
    sizes = Concat<axis = 0>(number, four) many = Expand(rows, sizes) updates = Reshape(many, last)"""
"""x[mask] = rows"""


def masked(
    updates: str,
    rows: str,
    *,
    mask: str = ROWS,
    mask_type: str = "bool[2,3]",
    perm: str = "1, 0",
    step: int = 1,
    reduction: str = "none",
) -> ModelProto:
    graph = MODEL.format(
        updates=updates, rows=rows, mask=mask, mask_type=mask_type, perm=perm, step=step, reduction=reduction
    )
    model: ModelProto = parser.parse_model(graph)
    return model


def differs(folder: Path, model: ModelProto, mask: np.ndarray) -> bool:
    given = {"x": np.arange(24, dtype=np.float32).reshape(2, 3, 4), "mask": mask}
    sizes = [dim.dim_value for dim in model.graph.input[2].type.tensor_type.shape.dim]
    given["rows"] = -1 - np.arange(np.prod(sizes, dtype=int), dtype=np.float32).reshape(sizes)
    (expected,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, given)
    (result,) = run(compile(model, folder), given).values()
    return not np.array_equal(result, expected)


@pytest.mark.parametrize("mask", [[[0, 0, 0], [0, 0, 0]], [[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [0, 1, 1]]])
@pytest.mark.parametrize("rows", ["3,4", "4,4", "1,3,4", "12"])
def test_masked_scatter(tmp_path: Path, mask: list[list[int]], rows: str) -> None:
    assert not differs(tmp_path, masked(SCATTERED.format(step=""), rows), np.array(mask, bool))


def test_mask_of_elements(tmp_path: Path) -> None:
    model = masked(SCATTERED.format(step=", step"), "7", mask="spread = Cast<to = 9>(mask)", mask_type="float[2,3,4]")
    mask = np.zeros((2, 3, 4), np.float32)
    mask[[0, 0, 1, 1], [0, 2, 1, 2], [3, 1, 0, 2]] = 2, -1, np.nan, 0.5
    assert not differs(tmp_path, model, mask)


def test_mask_of_columns(tmp_path: Path) -> None:
    """A mask that is expanded along the leading axes is not one of rows."""
    model = masked(SCATTERED.format(step=""), "12", mask="spread = Expand(mask, full)", mask_type="bool[4]")
    assert not differs(tmp_path, model, np.array([1, 0, 0, 1], bool))


@pytest.mark.parametrize("mask", [[[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [1, 0, 0]]])
@pytest.mark.parametrize("rows", ["3,4", "3,1", "1,4", "4", "1"])
def test_assignment(tmp_path: Path, mask: list[list[int]], rows: str) -> None:
    assert not differs(tmp_path, masked(ASSIGNED, rows), np.array(mask, bool))


@pytest.mark.parametrize(
    "model",
    [
        masked(SCATTERED.format(step=""), "3,4", reduction="add"),
        masked(SCATTERED.format(step=", step"), "6,4", step=2),
        masked(SCATTERED.format(step="").replace("flat, first,", "flat, second,"), "4,4"),
        masked(SCATTERED.format(step=""), "3,5"),
        masked(SCATTERED.format(step=""), "N"),
        masked(SCATTERED.format(step=""), "3,4", perm="0, 1"),
    ],
    ids=["sum", "every second", "not from the first", "part of a row", "unknown rows", "other indices"],
)
def test_other_updates(model: ModelProto) -> None:
    assert '"onnx.NonZero"' in str(import_onnx(model, is_known=is_known).module)


def test_more_positions_than_rows(tmp_path: Path) -> None:
    """Such a model does not run. The module does, so that verify with random inputs can judge the other nodes."""
    with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument):
        differs(tmp_path, masked(SCATTERED.format(step=""), "1,4"), np.ones((2, 3), bool))
    given = {"x": np.zeros((2, 3, 4), np.float32), "mask": np.ones((2, 3), bool), "rows": np.ones((1, 4), np.float32)}
    (result,) = run(compile(masked(SCATTERED.format(step=""), "1,4"), tmp_path), given).values()
    assert (result == 1).all()
