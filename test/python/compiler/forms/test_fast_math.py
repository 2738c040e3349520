"""`--fast-math`: the rewrites of each kind, that none of them is applied without it, and the effect on results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError
from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.options import option_table
from forge_mlir.execute.run import run
from forge_mlir.verify import verify_model
from sample_models.goldens import assert_same
from sample_models.repository import data_of, stored
from sample_models.tools import run_command

INF, NAN = np.float32(np.inf), np.float32(np.nan)


def model(text: str, **constants: np.ndarray) -> ModelProto:
    """A model from text with an assignment per line, such as `y = Where(m, zero, x)`; x and y are [2, 4]."""
    nodes = []
    for line in filter(None, map(str.strip, text.splitlines())):
        result, call = line.split(" = ")
        op, operands = call.rstrip(")").split("(")
        nodes.append(helper.make_node(op, operands.split(", "), [result], f"node_{result}"))
    tensors = [numpy_helper.from_array(np.float32(value), name) for name, value in constants.items()]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 4]) for name in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def guarded_softmax() -> ModelProto:
    return model(
        """s = Softmax(x)
        nan = IsNaN(s)
        y = Where(nan, zero, s)""",
        zero=0,
    )


def nan_to_num() -> ModelProto:
    """A model whose result is 0 where x is NaN, and 9 where x is infinite and positive."""
    return model(
        """nan = IsNaN(x)
        number = Where(nan, zero, x)
        infinite = IsInf(number)
        positive = Greater(number, zero)
        both = And(infinite, positive)
        y = Where(both, nine, number)""",
        zero=0,
        nine=9,
    )


def ops(artifact: Artifact) -> set[str]:
    text = artifact.module_path.read_text()
    return {name for name in ("NotEqual", "Equal", "Where", "Divide", "Multiply") if f"forge.op.{name}(" in text}


def result(artifact: Artifact, x: np.ndarray) -> np.ndarray:
    return np.asarray(run(artifact, {"x": np.float32(x)})["y"])


def test_the_guard_of_a_masked_softmax(tmp_path: Path) -> None:
    x = np.float32([[1, 2, 3, 4], [0, -1, 5, 2]])
    exact = compile(guarded_softmax(), tmp_path / "exact")
    fast = compile(guarded_softmax(), tmp_path / "fast", fast_math=["no-nans"])
    assert ops(exact) == {"NotEqual", "Where"}
    assert ops(fast) == set()
    np.testing.assert_array_equal(result(fast, x), result(exact, x))
    # A row of infinities only, for which the guard exists.
    x[1] = -INF
    np.testing.assert_array_equal(result(exact, x)[1], np.zeros(4))
    assert np.isnan(result(fast, x)[1]).all()


@pytest.mark.parametrize("kinds", [(), ("reciprocal",), ("reassociate",)], ids=str)
def test_nan_and_infinity_are_kept_without(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    x = np.float32([[NAN, INF, -INF, 1], [2, NAN, INF, -3]])
    artifact = compile(nan_to_num(), tmp_path, fast_math=kinds)
    np.testing.assert_array_equal(result(artifact, x), np.float32([[0, 9, -INF, 1], [2, 0, 9, -3]]))
    scaled = model("h = Div(x, three)\ny = Mul(h, half)", three=3, half=0.5)
    y = result(compile(scaled, tmp_path / "scaled", fast_math=kinds), x)
    np.testing.assert_array_equal(np.isnan(y), np.isnan(x))
    np.testing.assert_array_equal(np.isinf(y), np.isinf(x))


def test_a_nan_test_that_is_an_output(tmp_path: Path) -> None:
    source = model("nan = IsNaN(x)\ny = Where(nan, one, zero)", one=1, zero=0)
    x = np.float32([[1, NAN, 3, 4], [0, -1, 5, NAN]])
    np.testing.assert_array_equal(result(compile(source, tmp_path / "exact"), x), np.isnan(x))
    fast = compile(source, tmp_path / "fast", fast_math=["no-nans"])
    np.testing.assert_array_equal(result(fast, x), np.zeros((2, 4)))


def test_each_kind_works_without_the_others(tmp_path: Path) -> None:
    kinds = [(), ("no-nans",), ("no-infs",), ("no-nans", "no-infs")]
    neither, nans, infs, both = (
        compile(nan_to_num(), tmp_path / str(at), fast_math=kind).calls() for at, kind in enumerate(kinds)
    )
    assert neither > nans > both
    assert neither > infs > both


def test_scalar_factors_are_merged(tmp_path: Path) -> None:
    source = model("a = Mul(x, tenth)\nb = Add(a, shift)\ny = Div(b, deviation)", tenth=0.1, shift=[0.5, 1, 2, 3],
                   deviation=[3, 7, 9, 11])  # fmt: skip
    x = np.float32([[1, 2, 3, 4], [-5, 60, 700, 1e5]])
    calls = []
    for at, kinds in enumerate([(), ("reciprocal",), ("all",)]):
        artifact = compile(source, tmp_path / str(at), fast_math=kinds)
        calls.append(artifact.calls())
        expected = (x * np.float64(0.1) + [0.5, 1, 2, 3]) / [3, 7, 9, 11]
        assert_same(result(artifact, x), expected.astype(np.float32), 2e-6)
    assert calls[0] == calls[1] > calls[2]


@pytest.mark.parametrize("name", ["gpt2_block", "resnet18_qdq"])
def test_results_stay_within_the_limits_of_verify(name: str) -> None:
    (folder,) = stored(name)
    found = verify_model(folder / "model.onnx", data_of(folder)[0], fast_math=["all"])
    assert found.passed


def test_the_command_and_the_manifest(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(guarded_softmax().SerializeToString())
    flags = ["--fast-math=no-nans,no-infs", "--fast-math", "reciprocal"]
    done = run_command("compile", path, "-o", tmp_path / "out", *flags)
    assert done.returncode == 0, done.stderr
    facts = json.loads((tmp_path / "out" / "m.json").read_text())
    assert facts["compiled"]["flags"] == ["--fast-math", "no-nans,no-infs,reciprocal"]


def test_an_unknown_kind_is_named(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(guarded_softmax().SerializeToString())
    done = run_command("compile", path, "-o", tmp_path / "out", "--fast-math=no-nans,faster")
    assert done.returncode == 2
    assert "reassociate, zero-products, all, but got 'faster'" in done.stderr
    assert not (tmp_path / "out").exists()
    with pytest.raises(ForgeError, match=r"--fast-math: expected no-nans, .*, but got 'faster'"):
        compile(guarded_softmax(), tmp_path / "out", fast_math=["faster"])
    with pytest.raises(ForgeError, match="--fast-math: expected a list of no-nans"):
        compile(guarded_softmax(), tmp_path / "out", fast_math="all")


def test_the_pass_accepts_every_kind(tmp_path: Path) -> None:
    choices = option_table()["fast_math"].choices
    assert choices is not None
    for kind in choices():
        compile(guarded_softmax(), tmp_path / kind, fast_math=[kind])
