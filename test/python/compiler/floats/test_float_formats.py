"""bfloat16 programs: the types that they store, the ops that they compute in float32, and their errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.compiler.stages.emit_ir import emit_file
from forge_mlir.errors import ForgeError
from sample_models.small import mlp
from sample_models.tools import run_command, run_tool

MODELS = Path(__file__).parents[4] / "models"
FORMATS = ("gpt2_block", "resnet18", "lstm", "yolov8", "resnet18_qdq")
"""One model of each family: transformer, convolutional, recurrent, detection, quantised."""


def _compile(source: Any, directory: Path, **options: Any) -> tuple[Any, dict[str, Any], int]:
    artifact = forge_mlir.compile(source, directory, **options)
    (weights,) = directory.glob("*.safetensors")
    return artifact, artifact.manifest(), weights.stat().st_size


def _error(found: Any, expected: Any) -> float:
    found, expected = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    return float(np.sqrt(np.mean((found - expected) ** 2)) / np.sqrt(np.mean(expected**2)))


@pytest.mark.parametrize("name", FORMATS)
def test_weights_take_half_the_bytes_and_results_are_close(name: str, tmp_path: Path) -> None:
    model = MODELS / name / "model.onnx"
    wide, manifest, wide_bytes = _compile(model, tmp_path / "wide")
    narrow, _, narrow_bytes = _compile(model, tmp_path / "narrow", float_format="bfloat16")
    stored = MODELS / name / "inputs.npz"
    inputs = dict(np.load(stored)) if stored.exists() else _random(manifest)
    expected, found = forge_mlir.run(wide, inputs), forge_mlir.run(narrow, inputs)
    errors = [_error(found[key], expected[key]) for key in expected]
    assert all(found[key].dtype == expected[key].dtype for key in expected)
    assert max(errors) < 0.1
    assert max(errors) > 0 or name == "resnet18_qdq"  # Its results are multiples of a quantisation step.
    # Weights of 8 bits are stored alike in both.
    assert narrow_bytes < (0.75 if name == "resnet18_qdq" else 0.62) * wide_bytes


def _random(manifest: dict[str, Any]) -> dict[str, Any]:
    from forge_mlir.execute.values.random_inputs import random_inputs

    return random_inputs(manifest)


def test_inputs_may_be_bfloat16(tmp_path: Path) -> None:
    artifact, _, _ = _compile(mlp(), tmp_path / "a", float_format="bfloat16")
    x = np.random.default_rng(1).standard_normal((8, 32)).astype(ml_dtypes.bfloat16)
    (narrow,) = forge_mlir.run(artifact, {"x": x}).values()
    (wide,) = forge_mlir.run(artifact, {"x": x.astype(np.float32)}).values()
    assert np.array_equal(narrow, wide)


def test_nodes_that_stay_in_float32_are_named_by_pattern_or_op(tmp_path: Path) -> None:
    everything = forge_mlir.compile(mlp(), tmp_path / "a", float_format="bfloat16", keep_float32=("MatMul", "/*/Tanh"))
    exact = forge_mlir.compile(mlp(), tmp_path / "b")
    x = np.random.default_rng(1).standard_normal((8, 32)).astype(np.float32)
    (found,), (expected,) = (forge_mlir.run(each, {"x": x}).values() for each in (everything, exact))
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    "options", [{"error_budget": 1e-3}, {"keep_float32": ("Tanh",)}, {"keep_float32": ("Tanh_1",)}]
)
def test_nodes_without_names_are_kept(options: dict[str, Any], tmp_path: Path) -> None:
    """They are known by the names that messages and the emitted module give them, which do not count constants."""
    model = mlp()
    for node in model.graph.node:
        node.ClearField("name")
    constant = helper.make_node("Constant", [], ["two"], value_floats=[2.0])
    model.graph.node.insert(0, constant)
    model.graph.node.append(helper.make_node("Mul", ["t2", "two"], ["y"]))
    model.graph.output[0].name = "y"
    x = np.random.default_rng(1).standard_normal((8, 32)).astype(np.float32)
    artifact = forge_mlir.compile(
        model, tmp_path / "a", name="mlp", float_format="mixed", sample_inputs={"x": x}, **options
    )
    text = artifact.module_path.read_text()
    narrow = forge_mlir.compile(model, tmp_path / "b", name="mlp", float_format="bfloat16").module_path.read_text()
    assert text != narrow
    if "error_budget" in options:
        exact = forge_mlir.compile(model, tmp_path / "c", name="mlp")
        (found,), (expected,) = (forge_mlir.run(each, {"x": x}).values() for each in (artifact, exact))
        assert _error(found, expected) <= options["error_budget"]
    else:
        wide = [line for line in text.splitlines() if "op.Tanh" in line]
        assert len(wide) == 3
        assert text.count("DataFormat.Float32") > narrow.count("DataFormat.Float32")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"keep_float32": ("MatMul",)}, "need --float-format"),
        ({"float_format": "mixed"}, "needs --error-budget or --keep-float32"),
        ({"float_format": "bfloat16", "error_budget": 0.1}, "needs --float-format=mixed"),
        ({"float_format": "bfloat16", "keep_float32": ("/nothing/*",)}, "matches no node"),
        ({"float_format": "mixed", "error_budget": float("nan")}, "expected a number"),
        ({"float_format": "mixed", "error_budget": float("inf")}, "expected a number"),
        ({"float_format": "mixed", "error_budget": -1.0}, "--error-budget: expected a number of at least 0"),
        ({"float_format": "bfp8"}, "expected float32, bfloat16, mixed"),
        ({"float_format": "mixed", "error_budget": 0.0, "keep_float32": ()}, ""),
    ],
)
def test_options_that_contradict_one_another(options: dict[str, Any], reason: str, tmp_path: Path) -> None:
    if not reason:  # With all nodes in float32, the results are exact.
        artifact = forge_mlir.compile(mlp(), tmp_path / "a", **options)
        assert artifact.manifest()["float_format"]["error"] == 0
        return
    with pytest.raises(ForgeError, match=reason):
        forge_mlir.compile(mlp(), tmp_path / "a", **options)


def test_integers_beyond_256_survive(tmp_path: Path) -> None:
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["ids"], ["f"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["f", "two"], ["g"]),
            helper.make_node("Cast", ["g"], ["y"], to=TensorProto.INT64),
        ],
        "ids",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [4])],
        [helper.make_tensor_value_info("y", TensorProto.INT64, [4])],
        [numpy_helper.from_array(np.array(2, dtype=np.float32), "two")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    artifact = forge_mlir.compile(model, tmp_path / "a", float_format="bfloat16")
    ids = np.array([257, 1001, 30001, 50257], dtype=np.int64)
    assert forge_mlir.run(artifact, {"ids": ids})["y"].tolist() == (2 * ids).tolist()


@pytest.mark.parametrize("largest", [300, 65_537, 16_777_216])
def test_hostile_integers_are_not_damaged(largest: int, tmp_path: Path) -> None:
    """Integer ids in floats: compared, counted, used as indices, as one-hot, added, and cast back."""
    make = helper.make_node
    graph = helper.make_graph(
        [
            make("Cast", ["ids"], ["f"], to=TensorProto.FLOAT),
            make("Floor", ["f"], ["floored"]),
            make("Add", ["floored", "zero"], ["same"]),
            make("Cast", ["same"], ["back"], to=TensorProto.INT64),
            make("Equal", ["f", "g"], ["equal"]),
            make("Cast", ["g_ids"], ["g"], to=TensorProto.FLOAT),
            make("Cast", ["equal"], ["hits"], to=TensorProto.FLOAT),
            make("ReduceSum", ["hits"], ["count"], keepdims=0),
            make("Cast", ["count"], ["counted"], to=TensorProto.INT64),
            make("Reshape", ["f", "flat"], ["row"]),
            make("Cast", ["row"], ["moved"], to=TensorProto.INT64),
            make("ReduceMax", ["f"], ["most"], keepdims=0),
            make("Cast", ["most"], ["largest"], to=TensorProto.INT64),
        ],
        "hostile",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [700]) for name in ("ids", "g_ids")],
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, None)
            for name in ("back", "counted", "moved", "largest")
        ],
        [
            numpy_helper.from_array(np.array(0, dtype=np.float32), "zero"),
            numpy_helper.from_array(np.array([7, 100], dtype=np.int64), "flat"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    artifact = forge_mlir.compile(model, tmp_path / "a", float_format="bfloat16")
    ids = np.random.default_rng(0).integers(0, largest, 700)
    ids[3] = largest - 1
    others = ids.copy()
    others[:100] += 1
    found = forge_mlir.run(artifact, {"ids": ids, "g_ids": others})
    assert found["back"].tolist() == ids.tolist()
    assert int(found["counted"]) == 600
    assert np.array_equal(found["moved"].ravel(), ids)
    assert int(found["largest"]) == ids.max()


def test_recurrent_layers_stay_in_float32(tmp_path: Path) -> None:
    """ONNX rounds none of the steps within a recurrent node, so that the error does not grow from step to step."""
    model, inputs = MODELS / "lstm" / "model.onnx", dict(np.load(MODELS / "lstm" / "inputs.npz"))
    expected = forge_mlir.run(forge_mlir.compile(model, tmp_path / "wide"), inputs)
    artifact = forge_mlir.compile(model, tmp_path / "narrow", float_format="bfloat16")
    found = forge_mlir.run(artifact, inputs)
    assert max(_error(found[key], expected[key]) for key in expected) < 0.004


def test_names_of_kept_nodes_are_not_read_as_patterns_or_ops(tmp_path: Path) -> None:
    """Nodes may have names that are op types, or that contain brackets and stars."""
    model = mlp()
    names = ["matmul", "tanh[0]", "tanh*", "tanh0", "tanh1", "t"]
    for node, name in zip(model.graph.node, names, strict=True):
        node.name = name

    texts = {
        entries: forge_mlir.compile(
            model, tmp_path / f"{at}", name="mlp", float_format="bfloat16", keep_float32=entries
        ).module_path.read_bytes()
        for at, entries in enumerate(
            [("matmul",), ("MatMul",), ("tanh[0]",), ("tanh0",), ("tanh*",), ("tanh?",), ("tanh[01*]",)]
        )
    }
    assert texts["matmul",] != texts["MatMul",]
    assert texts["tanh[0]",] != texts["tanh0",]
    assert texts["tanh*",] not in (texts["tanh?",], texts["tanh0",])
    assert texts["tanh?",] == texts["tanh[01*]",]  # also the node `tanh*`


@pytest.mark.parametrize("name", ["lstm", "swin"])
def test_kept_nodes_of_a_manifest_give_the_same_files(name: str, tmp_path: Path) -> None:
    folder = MODELS / name
    options: dict[str, Any] = {"name": "net", "sample_inputs": dict(np.load(folder / "inputs.npz"))}
    narrow, wide = (
        forge_mlir.compile(folder / "model.onnx", tmp_path / kind, float_format=kind, **options)
        for kind in ("bfloat16", "float32")
    )
    expected, found = (forge_mlir.run(each, options["sample_inputs"]) for each in (wide, narrow))
    budget = 0.7 * max(_error(found[key], expected[key]) for key in expected)
    mixed = forge_mlir.compile(
        folder / "model.onnx", tmp_path / "mixed", float_format="mixed", error_budget=budget, **options
    )
    kept = tuple(mixed.manifest()["float_format"]["float32_nodes"])
    again = forge_mlir.compile(
        folder / "model.onnx", tmp_path / "again", float_format="mixed", keep_float32=kept, **options
    )
    for suffix in (".py", ".safetensors"):
        assert again.module_path.with_suffix(suffix).read_bytes() == mixed.module_path.with_suffix(suffix).read_bytes()


@pytest.mark.parametrize("name", ["gpt2_block", "lstm"])
def test_the_tools_write_the_format_too(name: str, tmp_path: Path) -> None:
    """IR with a table of its weights, processed by forge-opt and forge-mlir emit, gives the files of the compiler."""
    model, ir, call = MODELS / name / "model.onnx", tmp_path / "net.mlir", tmp_path / "call.mlir"
    assert run_command("import", model, "-o", ir, "--name", "net").returncode == 0
    lowered = run_tool("forge-opt", ir, "--onnx-to-forge-pipeline=float-format=bfloat16", "-o", call)
    assert lowered.returncode == 0, lowered.stderr
    emit_file(call.read_bytes(), tmp_path / "piped", beside=tmp_path)
    forge_mlir.compile(model, tmp_path / "compiled", name="net", float_format="bfloat16")
    for file in ("net.py", "net.safetensors"):
        assert (tmp_path / "piped" / file).read_bytes() == (tmp_path / "compiled" / file).read_bytes()


@pytest.mark.parametrize("computed", [True, False])
def test_a_fully_masked_row_is_not_nan(computed: bool, tmp_path: Path) -> None:
    """The mask is (1 - keep) * -3.4e38, as in a BERT of transformers, or an input with that value."""
    lowest = np.finfo(np.float32).min
    nodes = [helper.make_node("MatMul", ["x", "w"], ["scores"], "/scores")]
    if computed:
        nodes += [
            helper.make_node("Cast", ["keep"], ["kept"], "/kept", to=TensorProto.FLOAT),
            helper.make_node("Sub", ["one", "kept"], ["left"], "/left"),
            helper.make_node("Mul", ["left", "lowest"], ["mask"], "/mask"),
        ]
    nodes += [
        helper.make_node("Add", ["scores", "mask"], ["masked"], "/masked"),
        helper.make_node("Softmax", ["masked"], ["y"], "/softmax", axis=-1),
    ]
    given, kind = ("keep", TensorProto.INT64) if computed else ("mask", TensorProto.FLOAT)
    random = np.random.default_rng(0)
    numbers = {"w": random.standard_normal((4, 4)).astype(np.float32)}
    if computed:
        numbers |= {"one": np.float32(1), "lowest": lowest}
    graph = helper.make_graph(
        nodes,
        "masked",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4]),
            helper.make_tensor_value_info(given, kind, [2, 4]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 4])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()],
    )
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), path)
    keep = np.array([[1, 0, 1, 1], [0, 0, 0, 0]])
    inputs = {"x": random.standard_normal((2, 4)).astype(np.float32)}
    inputs[given] = keep if computed else np.where(keep == 1, np.float32(0), lowest)
    (found,) = forge_mlir.run(forge_mlir.compile(path, tmp_path / "out", float_format="bfloat16"), inputs).values()
    assert np.isfinite(found).all()
    assert found[0, 1] == 0
    assert (np.abs(found[1] - 0.25) <= 2.0**-8).all()
    assert forge_mlir.verify(path, inputs, float_format="bfloat16").verdict == "right"
