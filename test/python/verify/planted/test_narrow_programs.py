"""Programs in another float format than their models: errors that rounding explains are accepted, others are not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from planting import plant

import forge_mlir
from forge_mlir.cli.commands.report import with_accuracy
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.floats.error_budget import relative_error
from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import to_html
from forge_mlir.verify import random_inputs, verify_artifact, verify_model
from forge_mlir.verify.exact import exactness_of
from forge_mlir.verify.limits.sensitivity import written_outputs
from sample_models.detection import detector
from sample_models.probe import mixed
from sample_models.repository import stored
from sample_models.residual import residual_network
from sample_models.sixteen_bits import FORMATS
from sample_models.sixteen_bits import in_format as as_exported

SMALL = {
    "residual": (residual_network, "image", (1, 8, 8, 8)),
    "quantised": (lambda: residual_network(quantised=True), "image", (1, 8, 8, 8)),
    "detector": (detector, "image", (1, 3, 8, 8)),
}
FAMILIES = ["gpt2_block", "lstm", *SMALL]
LARGE = ["resnet18", "resnet18_qdq", "yolov8"]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def _inputs(name: str) -> dict[str, Any]:
    if name in SMALL:
        _, image, shape = SMALL[name]
        return {image: np.random.default_rng(3).standard_normal(shape).astype(np.float32)}
    with np.load(stored(name)[0] / "inputs.npz") as arrays:
        return dict(arrays)


def _follow(name: str, tmp_path: Path, **options: Any) -> None:
    """Compiles, runs, verifies and reports."""
    if name in SMALL:
        path = tmp_path / "model.onnx"
        onnx.save(SMALL[name][0](), path)
    else:
        path = stored(name)[0] / "model.onnx"
    inputs = _inputs(name)
    artifact = forge_mlir.compile(path, tmp_path / "out", **options)
    assert ("Float16_b" in artifact.module_path.read_text()) == (options["float_format"] != "float32")
    outputs = forge_mlir.run(artifact, inputs)
    assert all(np.isfinite(output).all() for output in outputs.values())
    found = forge_mlir.verify(path, inputs, **options)
    assert found.verdict == "right", found.reasons
    assert {row.name for row in found.outputs} == set(outputs)
    page = with_accuracy(model_report(path, **options), path, {**options, "sample_inputs": inputs})
    assert page.accuracy is not None
    assert page.accuracy.word == "right"
    assert "Error along the depth" in to_html(page)
    if name not in ("quantised", "resnet18_qdq") and options["float_format"] != "float32":
        entered = found.most_rounded()
        assert 0 < len(entered) <= 10
        # A node adds a few rounding errors; an output has the sum of many.
        assert 1e-4 < entered[0].local.rms < 0.02


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_all_commands_for_each_family_and_format(name: str, kind: str, tmp_path: Path) -> None:
    _follow(name, tmp_path, float_format=kind)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_all_commands_for_models_in_bfloat16(name: str, tmp_path: Path) -> None:
    _follow(name, tmp_path, float_format="bfloat16")


def test_a_convolution_reads_the_integers_of_a_quantiser(tmp_path: Path) -> None:
    path, inputs = tmp_path / "model.onnx", _inputs("quantised")
    onnx.save(SMALL["quantised"][0](), path)
    wide, imported = compile_traced(path, tmp_path / "wide")
    narrow = forge_mlir.compile(path, tmp_path / "narrow", float_format="bfloat16")
    assert imported is not None
    exact = forge_mlir.run(wide, inputs)
    written = written_outputs(OnnxNodes.of(imported), inputs, list(exact), BFLOAT16)
    products = [each.module_path.read_text().count("forge.op.Multiply(") for each in (wide, narrow)]
    assert products[1] < products[0]
    assert relative_error(forge_mlir.run(narrow, inputs), exact) < relative_error(written, exact)


_KEPT = {
    "gpt2_block": "Softmax",
    "residual": "MatMul",
    "lstm": "LSTM",
    "quantised": "MatMul",
    "detector": "Softmax",
}


@pytest.mark.alike(keep=1)
@pytest.mark.parametrize(("name", "kept"), _KEPT.items())
def test_all_commands_for_each_family_with_nodes_in_float32(name: str, kept: str, tmp_path: Path) -> None:
    _follow(name, tmp_path, float_format="mixed", keep_float32=(kept,))


def test_a_budget_is_judged_as_the_program_that_it_chose(tmp_path: Path) -> None:
    path = stored("gpt2_block")[0] / "model.onnx"
    inputs = _inputs("gpt2_block")
    options: dict[str, Any] = {"float_format": "mixed", "error_budget": 2e-3, "sample_inputs": inputs}
    artifact, imported = compile_traced(path, tmp_path, **options)
    assert artifact.manifest()["float_format"]["float32_nodes"]
    found = exactness_of(artifact, imported, options)
    assert found.state != "different", found.reason
    assert forge_mlir.verify(path, inputs, **options).verdict == "right"


@pytest.mark.parametrize(("kind", "seed"), [("stride", 0), ("subtract", 1), ("subtract", 2)])
def test_an_error_is_found_in_bfloat16(kind: str, seed: int, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(mixed(), path)
    options: Any = {"float_format": "bfloat16"}
    artifact, imported = compile_traced(path, tmp_path / "out", **options)
    inputs = random_inputs(artifact.manifest(), 0, imported)
    assert verify_artifact(path, artifact, imported, inputs, **options).verdict == "right"
    planted = plant(artifact, kind, random.Random(seed))
    found = verify_artifact(path, artifact, imported, inputs, **options)
    assert found.verdict == "wrong"
    assert found.divergence is not None
    assert not found.divergence.names.isdisjoint(planted.nodes)


def test_errors_of_bfloat16_are_not_accepted_without_a_format(tmp_path: Path) -> None:
    path = stored("gpt2_block")[0] / "model.onnx"
    inputs, options = _inputs("gpt2_block"), {"float_format": "bfloat16"}
    artifact, imported = compile_traced(path, tmp_path / "out", **options)  # type: ignore[arg-type]
    assert verify_artifact(path, artifact, imported, inputs).verdict == "wrong"


def test_errors_of_twice_the_rounding_error_are_wrong(tmp_path: Path) -> None:
    path, inputs = stored("gpt2_block")[0] / "model.onnx", _inputs("gpt2_block")
    (expected,) = forge_mlir.run(forge_mlir.compile(path, tmp_path / "exact"), inputs).values()
    shifted = {"hidden_states_out": expected + np.float32(0.2) * np.abs(expected).max()}
    found = forge_mlir.verify(path, inputs, shifted, float_format="bfloat16")
    assert found.verdict == "wrong"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_model_of_16_bits_is_right_without_a_flag(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(as_exported(onnx.load(stored("gpt2_block")[0] / "model.onnx"), kind), path)
    inputs = {name: value.astype(FORMATS[kind]) for name, value in _inputs("gpt2_block").items()}
    found = forge_mlir.verify(path, inputs)
    assert found.verdict == "right", found.reasons
    (narrow,) = forge_mlir.run(forge_mlir.compile(path, tmp_path / "narrow"), inputs).values()
    wide_artifact = forge_mlir.compile(path, tmp_path / "wide", float_format="float32")
    (wide,) = forge_mlir.run(wide_artifact, inputs).values()
    assert narrow.dtype == wide.dtype == FORMATS[kind]
    exact_artifact = forge_mlir.compile(stored("gpt2_block")[0] / "model.onnx", tmp_path / "exact")
    (exact,) = forge_mlir.run(exact_artifact, _inputs("gpt2_block")).values()
    errors = [float(np.abs(each.astype(np.float64) - exact).mean()) for each in (narrow, wide)]
    assert errors[1] < errors[0]
    assert forge_mlir.verify(path, inputs, float_format="float32").verdict == "right"


def test_the_model_as_written_is_rounded_at_every_node() -> None:
    model = onnx.helper.make_model(
        onnx.helper.make_graph(
            [onnx.helper.make_node("Add", ["x", "w"], ["s"]), onnx.helper.make_node("Sub", ["s", "w"], ["y"])],
            "sums",
            [onnx.helper.make_tensor_value_info("x", 1, [1])],
            [onnx.helper.make_tensor_value_info("y", 1, [1])],
            [onnx.numpy_helper.from_array(np.array([256.0], np.float32), "w")],
        ),
        opset_imports=[onnx.helper.make_opsetid("", 17)],
    )
    found = written_outputs(OnnxNodes(model, {}), {"x": np.array([1.0], np.float32)}, ["y"], BFLOAT16)
    assert found["y"].dtype == np.float32
    assert found["y"].tolist() == [0.0]  # 257 is not exact in bfloat16.


@pytest.mark.parametrize(
    "node",
    [f"{op}<hidden_size = 4>" for op in ("GRU", "LSTM", "RNN")] + ["GRU<hidden_size = 4, linear_before_reset = 1>"],
)
def test_small_recurrent_layers_lose_less_than_as_written(tmp_path: Path, node: str) -> None:
    """Weights of a few elements are constants of the program; inputs are as large as 1e4 and as small as 1e-4."""
    gates = {"GRU": 3, "LSTM": 4, "RNN": 1}[node.split("<")[0]]
    model = onnx.parser.parse_model(f"""<ir_version: 9, opset_import: ["" : 20]>
      g (float[6,2,5] x, float[1,2,4] h) => (float[6,1,2,4] y) {{ y = {node}(x, W, R, B, , h) }}""")
    random_numbers = np.random.default_rng(7)
    for name, shape in (("W", (1, gates * 4, 5)), ("R", (1, gates * 4, 4)), ("B", (1, gates * 8))):
        numbers = (random_numbers.standard_normal(shape) * 0.3).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(numbers, name))
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    inputs = {"x": random_numbers.standard_normal((6, 2, 5)).astype(np.float32),
              "h": random_numbers.standard_normal((1, 2, 4)).astype(np.float32)}  # fmt: skip
    exact = forge_mlir.run(forge_mlir.compile(path, tmp_path / "wide"), inputs)
    found = forge_mlir.run(forge_mlir.compile(path, tmp_path / "narrow", float_format="bfloat16"), inputs)
    written = written_outputs(OnnxNodes(model, {}), inputs, ["y"], BFLOAT16)
    assert relative_error(found, exact) < relative_error(written, exact)
    verification = verify_model(path, float_format="bfloat16", seeds=3)
    assert verification.passed


def test_a_recurrent_node_without_used_last_state_is_judged_with_its_users(tmp_path: Path) -> None:
    """Layers as torch exports them: a GRU, and the movement up to the next one, are one step of the module."""
    model = onnx.parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
      g (float[7,2,16] x) => (float[2,7,24] y) {
        a, a_last = GRU<hidden_size = 12, direction = "bidirectional", linear_before_reset = 1>(x, W, R, B)
        b = Transpose<perm = [0, 2, 1, 3]>(a)
        c = Reshape(b, shape)
        d, d_last = GRU<hidden_size = 12, direction = "bidirectional", linear_before_reset = 1>(c, W2, R, B)
        e = Transpose<perm = [0, 2, 1, 3]>(d)
        f = Reshape(e, shape)
        y = Transpose<perm = [1, 0, 2]>(f)
      }""")
    random_numbers = np.random.default_rng(8)
    shapes = {"W": (2, 36, 16), "W2": (2, 36, 24), "R": (2, 36, 12), "B": (2, 72)}
    for name, shape in shapes.items():
        numbers = (random_numbers.standard_normal(shape) * 0.3).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(numbers, name))
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([7, 2, 24]), "shape"))
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    assert verify_model(path, float_format="bfloat16").passed
