"""A fixed sample of onnx's backend suite, and the data about the whole suite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, defs, helper

import onnx_support
from conformance import __main__ as main
from conformance import expected
from conformance.cases import Case
from conformance.check import MISMATCH, PASS, REFUSED, RUN_ERROR, STATUSES, Outcome, difference, run_case
from conformance.expected import Row
from conformance.random_ops import random_op, range_difference
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a separate process with the path of this one, because workers are forked, which needs a process
    without threads."""
    command = [sys.executable, "-W", "ignore", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("part", ["^test_([r-s]|image_decoder)", pytest.param("", marks=pytest.mark.slow)])
def test_the_sample_ends_as_expected_with_the_cpu(part: str) -> None:
    """`make test` runs all cases on the device alone and a part of this sample with the CPU; `make test-all` runs the
    whole sample."""
    done = python("-m", "conformance", "--subset", "--fallback", "--filter", part)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", [expected.PATH, expected.FALLBACK_PATH])
def test_no_case_is_expected_to_be_wrong(path: Path) -> None:
    rows = expected.read(path)
    assert len(rows) == 2033
    assert {row.status for row in rows.values()} <= set(STATUSES)
    assert not [row for row in rows.values() if row.status not in (PASS, "pass-bound", REFUSED, RUN_ERROR)]
    assert all(row.reason for row in rows.values() if row.status in (REFUSED, RUN_ERROR))


def test_support_table_is_up_to_date() -> None:
    text = onnx_support.render(expected.read().values())
    hint = "run: PYTHONPATH=test python tools/onnx_support.py"
    assert onnx_support.PATH.read_text(encoding="utf-8") == text, hint


# onnxruntime has these ops in the default domain, onnx does not.
ONNXRUNTIMES_OWN = {("", "LayerNormalization", 1), ("", "SimplifiedLayerNormalization", 1)}


def test_every_version_of_a_converted_op_is_converted() -> None:
    theirs = onnx_support.defined()
    known = {(schema.domain, schema.name, schema.since_version) for schema in defs.get_all_schemas_with_history()}
    for key, versions in onnx_support.converted().items():
        if key[0] == "":
            assert set(theirs.get(key, [])) <= set(versions), key
            assert {(*key, version) for version in versions} <= known | ONNXRUNTIMES_OWN, key


def test_better_and_worse_results_are_both_reported() -> None:
    rows = {
        name: Row("node", name, "Abs", "float", status, "")
        for name, status in (("a", PASS), ("b", REFUSED), ("c", PASS))
    }
    rows["e"] = Row("node", "e", "Abs", "float", REFUSED, "why")
    got = {"a": Outcome(REFUSED, "why"), "b": Outcome(PASS), "c": Outcome(PASS), "d": Outcome(PASS)}
    got["e"] = Outcome(REFUSED, "something else")
    assert expected.differences(rows, got) == [
        "a: expected pass, but got refused (why)",
        "b: expected refused, but got pass",
        "d: expected not listed, but got pass",
        "e: expected refused because of 'why', but got 'something else'",
    ]
    assert expected.worse(rows, got) == ["a"]


def test_a_worse_result_needs_its_own_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If a case that passed before is refused, --update alone writes nothing."""
    name = next(name for name, row in expected.read().items() if row.status == REFUSED)
    lines = expected.PATH.read_text().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if f",{name}," in line)
    kind, case, op, dtype, *_ = lines[at].split(",")
    lines[at] = f"{kind},{case},{op},{dtype},pass,\n"
    table = tmp_path / "expected.csv"
    table.write_text("".join(lines))
    monkeypatch.setattr(expected, "PATH", table)
    # The rows of removed cases are dropped.
    monkeypatch.setattr(main, "all_cases", lambda _: dict.fromkeys(expected.read(), a_case()))
    monkeypatch.setattr(main, "run_cases", lambda *_: [(name, Outcome(REFUSED, "no longer"), 0.0)])
    monkeypatch.setattr(sys, "argv", ["conformance", "--filter", f"^{name}$"])
    assert main.main() == 1
    assert table.read_text() == "".join(lines)

    sys.argv.append("--update")
    assert main.main() == 1
    assert f"nothing is written: {name} passed before" in capsys.readouterr().out
    assert table.read_text() == "".join(lines)

    sys.argv.append("--accept-worse")
    assert main.main() == 0
    assert (expected.read(table)[name].status, expected.read(table)[name].reason) == (REFUSED, "no longer")
    assert len(expected.read(table)) == len(lines) - 1


def a_case() -> Case:
    return case(reshape(), {}, {})


def case(model: ModelProto, inputs: dict[str, np.ndarray], outputs: dict[str, np.ndarray]) -> Case:
    return Case("node", "c", 1e-3, 1e-7, lambda: model, lambda _: iter([(inputs, outputs)]))


def reshape() -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    shape = helper.make_tensor_value_info("shape", TensorProto.INT64, [2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [3, 2])
    graph = helper.make_graph([helper.make_node("Reshape", ["x", "shape"], ["y"])], "g", [x, shape], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


def test_a_case_is_bound_if_the_compiler_requires_it() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    inputs = {"x": x, "shape": np.array([3, 2])}
    assert run_case(case(reshape(), inputs, {"y": x.reshape(3, 2)})) == Outcome("pass-bound", "", ("shape",))
    assert run_case(case(reshape(), inputs, {"y": x.reshape(3, 2) + 1})).status == MISMATCH


def test_a_sequence_is_tried() -> None:
    x = np.zeros((2, 3), np.float32)
    assert run_case(case(reshape(), {"x": x, "shape": np.array([3, 2])}, {"y": [x]})).status == MISMATCH


def one_node(op: str, **attributes: object) -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y"))
    graph = helper.make_graph([helper.make_node(op, ["x"], ["y"], **attributes)], "g", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def test_a_case_that_compiles_but_does_not_run_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ForgeError(Code.PartitionFailed, "the device is on fire")

    monkeypatch.setattr("forge_mlir.execute.run.run", fails)
    x = np.zeros((2, 3), np.float32)
    assert run_case(case(one_node("Relu"), {"x": x}, {"y": x})) == Outcome("run-error", "the device is on fire")


@pytest.mark.parametrize(
    ("op", "attributes", "good", "bad"),
    [
        ("Bernoulli", {}, [0, 1, 1], [0, 2, 1]),
        ("RandomUniformLike", {"low": 2.0, "high": 3.0}, [2, 2.5, 3], [1, 2.5, 3]),
        ("RandomNormalLike", {}, [-7, 0, 7], [0, np.nan, 0]),
        ("Multinomial", {}, [0, 2, 1], [0, 3, 1]),
    ],
)
def test_random_results_are_compared_by_range(
    op: str, attributes: dict[str, object], good: list[float], bad: list[float]
) -> None:
    x = np.full((2, 3), 0.5, np.float32)
    node = random_op(one_node(op, **attributes), {"x": x})
    assert node is not None
    expected = np.zeros(3, np.float32)
    assert range_difference(node, {"x": x}, "y", floats(good), expected) == ""
    assert "1 values outside" in range_difference(node, {"x": x}, "y", floats(bad), expected)
    assert "expected float32[3]" in range_difference(node, {"x": x}, "y", floats(good[:2]), expected)


def test_dropout_is_random_only_when_it_trains() -> None:
    x = np.ones((2, 3), np.float32)
    model = one_node("Dropout")
    assert random_op(model, {"x": x}) is None
    model.graph.node[0].input.extend(["ratio", "train"])
    given = {"x": x, "ratio": np.array(0.75, np.float32), "train": np.array(True)}
    node = random_op(model, given)
    assert node is not None
    assert random_op(model, {**given, "train": np.array(False)}) is None
    assert random_op(model, {**given, "ratio": np.array(0, np.float32)}) is None
    assert range_difference(node, given, "y", x * 4, x) == ""
    assert "outside" in range_difference(node, given, "y", x * 5, x)


def floats(values: list[float]) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.mark.parametrize(
    ("got", "want", "word"),
    [
        (floats([1]), floats([1.0005]), ""),
        (floats([1]), floats([1.01]), "9.9 times what rounding explains"),
        (floats([np.nan]), floats([np.nan]), ""),
        (floats([1]), np.array([1.0]), "dtype"),
        (floats([1]), np.array(1, np.float32), "shape"),
        (np.array([1000000]), np.array([1000001]), "1 of 1 values differ"),
        (np.array([True]), np.array([True]), ""),
        (None, np.array(1, np.float32), "missing"),
    ],
)
def test_comparison(got: np.ndarray | None, want: np.ndarray, word: str) -> None:
    text = difference(case(reshape(), {}, {}), "y", got, want)
    assert word in text
    assert bool(text) == bool(word)


_POOL = """
import os, signal, sys, time
from conformance import pool
from conformance.cases import Case

def case(name, data):
    return Case("node", name, 0, 0, lambda: None, data)

def die(model):
    os.kill(os.getpid(), signal.SIGSEGV)

def hang(model):
    time.sleep(60)

def grow(model):
    return bytearray(1 << 40)

pool.DEFAULT_SECONDS = 5.0
data = {"die": die, "hang": hang, "grow": grow, "none": lambda model: iter(())}
cases = {name: case(name, data[name]) for name in data}
for name, outcome, _ in sorted(pool.run_cases(cases, list(cases), 2)):
    print(name, outcome.status, outcome.reason.strip(": ").split(": ")[-1])
"""


def test_a_dead_or_hanging_worker_is_replaced() -> None:
    done = python("-c", _POOL)
    lines = ["die crash SIGSEGV", "grow crash MemoryError", "hang timeout took too long", "none pass "]
    assert done.stdout.splitlines() == lines, done.stdout + done.stderr
