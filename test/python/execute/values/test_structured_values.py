"""Strings, sequences and maps as inputs and outputs of a model, in every command, in files and in the manifest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import ModelProto

import forge_mlir
from forge_mlir import ForgeError, InferenceSession
from forge_mlir.execute.values.random_inputs import random_inputs
from forge_mlir.execute.values.structured_values import as_declared, flattened, numpy_type, storable
from forge_mlir.verify import compare_values
from sample_models import structured
from sample_models.tools import run_command

MODELS: dict[str, Callable[[], ModelProto]] = {
    "text": structured.text_to_product,
    "columns": structured.category_columns,
    "numbers": lambda: structured.classifier(words=False),
    "words": lambda: structured.classifier(words=True),
    "labels": structured.labels,
    "map": structured.from_map,
    "sequences": structured.sequences,
}
# The types in the manifest.
TYPES = {
    "text": (["string"], ["float32"]),
    "columns": (["string"], ["float32"]),
    "numbers": (["float32"], ["int64", "sequence(map(int64,float32))"]),
    "words": (["float32"], ["string", "sequence(map(string,float32))"]),
    "labels": (["float32"], ["string", "float32"]),
    "map": (["map(string,float32)"], ["float32"]),
    "sequences": (["sequence(float32)"], ["float32", "sequence(float32)"]),
}


@pytest.mark.alike(keep=2)
@pytest.mark.parametrize("name", ["columns", "words", "map", "sequences"])
def test_every_command(name: str, tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    onnx.save(MODELS[name](), file)
    done = run_command("compile", file, "-o", tmp_path / "out", "--fallback=cpu", "--verify")
    assert done.returncode == 0, done.stderr
    done = run_command("report", file, "--fallback=cpu", "-o", tmp_path / "page.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "page.json").read_text())["nodes"]

    done = run_command("run", tmp_path / "out", "--output", tmp_path / "results.npz", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["outputs"]
    assert [each["dtype"] for each in told.values()] == TYPES[name][1]

    # The written outputs are the goldens of verify, and inputs are read from a file, too.
    inputs = storable(_inputs(name))
    np.savez(tmp_path / "inputs.npz", allow_pickle=False, **inputs)
    where = ("--inputs", tmp_path / "inputs.npz")
    assert run_command("run", tmp_path / "out", *where, "--output", tmp_path / "goldens.npz").returncode == 0
    done = run_command("verify", file, "--fallback=cpu", *where, "--expected", tmp_path / "goldens.npz")
    assert done.returncode == 0, done.stderr


def test_text_that_a_file_would_change_is_an_error() -> None:
    assert storable({"y": ["a\0b", ""]})["y.0"].item() == "a\0b"
    with pytest.raises(ForgeError, match=r"output 'y\.1' has text that ends in a character 0"):
        storable({"y": ["a", "b\0"]})


def _inputs(name: str) -> dict[str, Any]:
    tensor = np.arange(8, dtype=np.float32).reshape(2, 4)
    return {
        "text": {"s": np.array([["up", "down"] * 2] * 2)},
        "columns": {"s": np.array([["red", "small"], ["blue", "small"], ["red", "large"]])},
        "numbers": {"x": tensor[:, :3]},
        "words": {"x": tensor[:, :3]},
        "labels": {"x": tensor},
        "map": {"d": {"a": 1.0, "c": -2.0}},
        "sequences": {"q": [tensor, tensor + 1]},
    }[name]


def test_results_are_those_of_onnxruntime(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    for name, make in MODELS.items():
        model, inputs = make(), _inputs(name)
        artifact = forge_mlir.compile(model, tmp_path / name, name="model", fallback="cpu")
        expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, inputs)
        found = forge_mlir.run(artifact, inputs)
        goldens = dict(zip(found, expected, strict=True))
        assert all(row.passed for row in compare_values(found, goldens)), name
        facts = artifact.manifest()["onnx"]
        assert ([i["dtype"] for i in facts["inputs"]], [o["dtype"] for o in facts["outputs"]]) == TYPES[name]
        session = InferenceSession(model)
        again = dict(zip(found, session.run(None, inputs), strict=True))
        assert all(row.passed for row in compare_values(again, goldens)), name
        ours, theirs = (
            [(arg.name, arg.type) for arg in each.get_inputs()]
            for each in (session, onnxruntime.InferenceSession(model.SerializeToString()))
        )
        assert ours == theirs


@pytest.mark.parametrize("kind", ["initializer", "value", "value_strings"])
def test_only_nodes_that_use_strings_run_on_the_cpu(kind: str, tmp_path: Path) -> None:
    model = structured.labels()
    if kind != "initializer":
        names = model.graph.initializer.pop()
        given = {"value": names} if kind == "value" else {"value_strings": list(names.string_data)}
        model.graph.node.insert(0, onnx.helper.make_node("Constant", [], ["names"], **given))
    artifact = forge_mlir.compile(model, tmp_path / "out", name="model", fallback="cpu")
    kinds = [
        [node["op"] for node in part["nodes"]] for part in artifact.manifest()["partitions"] if part["kind"] == "cpu"
    ]
    assert kinds == [["Gather"]]
    inputs = _inputs("labels")
    found = forge_mlir.run(artifact, inputs)
    best = found["scores"].argmax(axis=1)
    assert found["name"].tolist() == [["cat", "dog", "cow"][at] for at in best]
    with pytest.raises(ForgeError, match="the device cannot hold strings"):
        forge_mlir.compile(model, tmp_path / "alone", name="model")


def test_text_that_does_not_fit_its_shape_is_refused(tmp_path: Path) -> None:
    model = structured.labels()
    model.graph.initializer[-1].string_data.pop()
    with pytest.raises(ForgeError, match="'names': it has 2 strings, but its shape needs 3"):
        forge_mlir.compile(model, tmp_path / "out", name="model", fallback="cpu")


def test_wrong_parts_are_found() -> None:
    golden = {"p": [{"no": 0.25, "yes": 0.75}, {"no": 0.5, "yes": 0.5}], "q": [np.zeros(2)]}
    assert all(row.passed for row in compare_values(golden, golden))
    changed: list[dict[str, Any]] = [
        {**golden, "p": [{"no": 0.25, "yes": 0.75}, {"no": 0.5, "yes": 0.6}]},
        {**golden, "p": [{"no": 0.25, "yes": 0.75}, {"no": 0.5, "maybe": 0.5}]},
        {**golden, "p": golden["p"][:1]},
        {**golden, "q": np.zeros(2)},
        {**golden, "q": [np.ones(2)]},
    ]
    for values in changed:
        assert sum(not row.passed for row in compare_values(values, golden)) == 1, values


def test_stored_parts_are_restored() -> None:
    values = {
        "p": [{1: 0.5, 2: 0.25}, {1: 1.0, 2: 2.0}],
        "q": [np.array(float(at)) for at in range(12)],
        "m": {"a": 1.0},
    }
    kinds = {"p": "sequence(map(int64,float32))", "q": "sequence(float32)", "m": "map(string,float32)"}
    flat = flattened(values)
    assert list(flat)[:3] == ["p.0.keys", "p.0.values", "p.1.keys"]
    assert as_declared(flat, [{"name": name, "dtype": kind} for name, kind in kinds.items()]) == values
    listed = as_declared({"x": [[1, 2]]}, [{"name": "x", "dtype": "float32"}])["x"]
    assert listed.dtype == np.float32


@pytest.mark.parametrize(
    ("dtype", "values", "reason"),
    [
        ("int64", [1.0, 2.5], "'x': 2.5 is no number of type int64"),
        ("int64", [1, float("nan")], "nan is no number of type int64"),
        ("int64", 2**63, "9223372036854775808 is no number of type int64"),
        ("int64", [2**70], "expected numbers of int64"),
        ("uint8", [255, 256], "256 is no number of type uint8"),
        ("uint8", [-1], "-1 is no number of type uint8"),
        ("int4", [8], "8 is no number of type int4"),
        ("bool", [True, 2], "2 is no number of type bool"),
        ("float32", [-1e39], "-1e.39 is no number of type float32"),
        ("bfloat16", [1e39], "1e.39 is no number of type bfloat16"),
        ("float32", ["1.5"], "expected numbers of float32"),
        ("float32", [None], "expected numbers of float32"),
        ("float32", [[1], [1, 2]], "'x': no tensor"),
    ],
)
def test_lists_of_other_numbers_are_refused(dtype: str, values: Any, reason: str) -> None:
    """Fractions were cut off, and numbers that are too large wrapped around or ended with an error of numpy."""
    with pytest.raises(ForgeError, match=reason):
        as_declared({"x": values}, [{"name": "x", "dtype": dtype}])


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        ("int64", [1.0, True, -(2**63)]),
        ("uint64", [2**64 - 1]),
        ("bool", [0, 1, True]),
        ("float32", [float("inf"), float("nan"), 2**24]),
        ("bfloat16", [[1, 2.5], [float("-inf"), 0]]),
        ("int4", [-8, 7]),
        ("complex64", [1j, 2]),
        ("string", [["a", "b"]]),
        ("float32", []),
        ("int64", 3),
    ],
)
def test_lists_of_numbers_become_tensors(dtype: str, values: Any) -> None:
    found = as_declared({"x": values}, [{"name": "x", "dtype": dtype}])["x"]
    assert found.dtype == numpy_type(dtype)
    np.testing.assert_array_equal(found.astype(np.asarray(values).dtype), np.asarray(values))


def test_open_sizes_are_named(tmp_path: Path) -> None:
    model = structured.classifier(words=True)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "rows"
    artifact = forge_mlir.compile(model, tmp_path, name="model", fallback="cpu")
    found = forge_mlir.run(artifact, {"x": np.ones((5, 3), np.float32)})
    assert len(found["probabilities"]) == 5
    with pytest.raises(ForgeError, match="no random values for 'x', whose type or sizes the model leaves open"):
        random_inputs(artifact.manifest())


def test_an_input_whose_name_begins_with_that_of_a_sequence() -> None:
    """It is no part of the sequence."""
    infos = [{"name": "q", "dtype": "sequence(float32)"}, {"name": "q.mask", "dtype": "float32"}]
    part, mask = np.ones(2, np.float32), np.zeros(3, np.float32)
    found = as_declared({"q.0": part, "q.mask": mask}, infos)
    assert found.keys() == {"q", "q.mask"}
    assert (len(found["q"]), found["q.mask"] is mask) == (1, True)


def test_a_type_that_numpy_lacks() -> None:
    """Arrays are passed on as they are; lists cannot be converted."""
    infos = [{"name": "x", "dtype": "float5e2m2", "shape": [2]}]
    given = np.zeros(2, np.uint8)
    assert as_declared({"x": given}, infos)["x"] is given
    with pytest.raises(ForgeError, match="numpy has no type of the name 'float5e2m2'") as raised:
        as_declared({"x": [0, 1]}, infos)
    assert str(raised.value.code) == "FM5002"


def test_tensors_of_torch() -> None:
    info = [{"name": "x", "dtype": "float32"}]
    ones = torch.ones(2, requires_grad=True)
    np.testing.assert_array_equal(as_declared({"x": ones}, info)["x"], [1, 1])
    assert as_declared({"x": ones.to(torch.bfloat16)}, info)["x"].dtype.name == "bfloat16"
    for value in (torch.ones(2, device="meta"), torch.ones(2).to_sparse()):
        with pytest.raises(ForgeError, match="input 'x': no array"):
            as_declared({"x": value}, info)
    with pytest.raises(TypeError, match="expected inputs by name"):
        as_declared([ones], info)  # type: ignore[arg-type]
