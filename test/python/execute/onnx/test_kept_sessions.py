"""Sessions that stay open: one session while a block runs, none if a second run would not repeat the first."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from forge_mlir.execute.onnx.engines import OnnxRuntime
from forge_mlir.execute.onnx.kept_sessions import sessions_are_kept
from sample_models.small import one_node


def drawing(inside: bool) -> bytes:
    """A model with a random node with a seed, in the graph or in a branch."""
    made = helper.make_node("RandomNormal", [], ["y"], shape=[4], seed=3.0)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])
    nodes = [made]
    if inside:
        branches = {name: helper.make_graph([made], name, [], [y]) for name in ("then_branch", "else_branch")}
        always = helper.make_tensor("go", TensorProto.BOOL, [], [True])
        nodes = [
            helper.make_node("Constant", [], ["go"], value=always),
            helper.make_node("If", ["go"], ["y"], **branches),
        ]
    graph = helper.make_graph(nodes, "g", [], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def opened(source: str | bytes, exact: bool = True) -> object:
    return OnnxRuntime(source, exact, 1).session


def test_a_session_stays_while_the_block_runs(tmp_path: Path) -> None:
    model = one_node("Relu", [2])
    paths = [str(tmp_path / name) for name in ("a.onnx", "b.onnx")]
    for path in paths:
        onnx.save(model, path)
    source = model.SerializeToString()
    with sessions_are_kept():
        assert opened(source) is opened(source)
        assert opened(source) is not opened(source, exact=False)
        assert opened(paths[0]) is opened(paths[0])
        # The external data in their directories may differ.
        assert opened(paths[0]) is not opened(paths[1])
        inside = opened(source)
    assert opened(source) is not inside
    with sessions_are_kept():
        assert opened(source) is not inside


def test_a_file_that_is_written_again_is_another_model(tmp_path: Path) -> None:
    path = str(tmp_path / "m.onnx")
    x = np.array([-1.0, 4.0], np.float32)
    results = []
    with sessions_are_kept():
        for op in ("Relu", "Neg"):
            onnx.save(one_node(op, [2]), path)
            results.append(OnnxRuntime(path, True, 1)({"x": x})[0].tolist())
    assert results == [[0.0, 4.0], [1.0, -4.0]]


@pytest.mark.parametrize("inside", [False, True])
def test_random_numbers_are_repeated(inside: bool) -> None:
    source = drawing(inside)
    runner = OnnxRuntime(source, True, 1)
    first, second = runner({})[0], runner({})[0]
    assert (first != second).any()
    with sessions_are_kept():
        for _ in range(2):
            np.testing.assert_array_equal(OnnxRuntime(source, True, 1)({})[0], first)


def test_a_child_opens_its_own() -> None:
    source = one_node("Relu", [2]).SerializeToString()
    with sessions_are_kept():
        before = opened(source)
        child = os.fork()
        if not child:
            os._exit(0 if opened(source) is not before else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
