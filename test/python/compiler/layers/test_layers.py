"""Equal layers become one method; every tool that reads a module gives the same results with and without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.artifact.source.parsed_calls import EmittedCall, parsed_calls
from forge_mlir.bisect import bisect_model
from forge_mlir.errors import ForgeError
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.tile_emulator import TileEmulator
from forge_mlir.report.graph.export import to_model_explorer, to_onnx
from forge_mlir.report.model_report import model_report
from forge_mlir.sweep.run import sweep
from forge_mlir.verify import verify_model
from sample_models.goldens import assert_same
from sample_models.layers import WIDTH, growing, hosted, numbered, stack
from sample_models.probe import FLOAT
from sample_models.transformer import TOKENS, WORDS, transformer

Build = Callable[[], ModelProto]

# The model, the name of its method, the number of layers, and the number of lines in `forward` that call the method:
# one if that is a loop.
EQUAL: dict[str, tuple[Build, str, int, int]] = {
    "plain": (lambda: stack(numbered(4)), "h_layer", 4, 1),
    "path": (lambda: stack([f"decoder.layers.{at}" for at in range(2, 5)]), "layer", 3, 1),
    "gaps in the numbers": (lambda: stack([f"block.{at}" for at in (0, 1, 5)]), "block", 3, 1),
    "names without numbers": (lambda: stack(["left", "middle", "right"]), "layer", 3, 3),
    "braces in names": (lambda: stack([f"{{n}}.blocks.{at}" for at in range(3)]), "block", 3, 1),
    "hostile names": (lambda: stack([f'a"\n\\{{n}}\u202e.{at}' for at in range(3)]), "a_n_layer", 3, 1),
    "computed by the first": (lambda: stack(numbered(4), mask=True), "h_layer", 4, 1),
    "read outside": (lambda: stack(numbered(4), ["y", "h.1.curved", "v3"]), "h_layer", 4, 4),
    "two equal parts": (lambda: stack([f"h.{at}/{part}" for at in range(3) for part in "ab"]), "layer", 6, 6),
}


def inputs_of(model: ModelProto) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(0)
    if any(value.name == "ids" for value in model.graph.input):
        return {"ids": chance.integers(0, WORDS, (1, TOKENS))}
    inputs: dict[str, np.ndarray] = {"x": chance.standard_normal((4, WIDTH)).astype(np.float32)}
    if any(value.name == "allowed" for value in model.graph.input):
        inputs["allowed"] = chance.integers(0, 2, (4, 32)).astype(bool)
    return inputs


def told(calls: list[EmittedCall]) -> list[tuple[str, str]]:
    return sorted((call.callee, call.node) for call in calls)


def emitted(artifact: Artifact) -> str:
    return artifact.module_path.read_text()


@pytest.mark.parametrize("name", EQUAL)
def test_a_module_with_methods_gives_the_same_results(name: str, tmp_path: Path) -> None:
    build, method, layers, lines = EQUAL[name]
    model = build()
    short, flat = (forge_mlir.compile(model, tmp_path / str(flat), name="m", flat=flat) for flat in (False, True))
    text, line = emitted(short), emitted(flat)
    assert text.count(f"    def {method}(self, ") == 1
    assert text.count(f" = self.{method}(") == lines
    assert text.count("forge.op.Tanh(") == 1
    assert sum(call.callee == "forge.op.Tanh" for call in parsed_calls(text)) == layers
    assert line.count("    def ") == text.count("    def ") - 1
    assert text.count("\n") < line.count("\n")
    assert told(parsed_calls(text)) == told(parsed_calls(line))
    assert short.calls() == flat.calls() == line.count(" = forge.op.")
    assert short.manifest()["weights"] == flat.manifest()["weights"]
    inputs = inputs_of(model)
    expected = forge_mlir.run(flat, inputs)
    for output, value in forge_mlir.run(short, inputs).items():
        np.testing.assert_array_equal(value, expected[output])


@pytest.mark.alike(keep=6)
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", EQUAL)
def test_each_node_is_verified(name: str, flat: bool, tmp_path: Path) -> None:
    model = EQUAL[name][0]()
    onnx.save(model, tmp_path / "model.onnx")
    result = verify_model(tmp_path / "model.onnx", inputs_of(model), flat=flat)
    assert result.passed
    # Every layer has a value of each of its nodes, except those that are fused.
    compared = [report.node.name for report in result.nodes]
    assert sum(node.endswith("/tanh") for node in compared) == EQUAL[name][2]


def test_a_method_is_called_in_each_partition(tmp_path: Path) -> None:
    onnx.save(hosted(), tmp_path / "model.onnx")
    inputs = {"x": np.random.default_rng(1).standard_normal((4, WIDTH)).astype(np.float32)}
    short, flat = (
        forge_mlir.compile(tmp_path / "model.onnx", tmp_path / str(flat), fallback="cpu", flat=flat)
        for flat in (False, True)
    )
    names = [part["module"] for part in short.manifest()["partitions"] if part["kind"] == "device"]
    for name in names:
        text = emitted(Artifact(short.directory, name))
        assert text.count("forge.op.Tanh(") == 1
        assert told(parsed_calls(text)) == told(parsed_calls(emitted(Artifact(flat.directory, name))))
    assert len(names) == 2
    np.testing.assert_array_equal(forge_mlir.run(short, inputs)["v6"], forge_mlir.run(flat, inputs)["v6"])
    assert verify_model(tmp_path / "model.onnx", inputs, fallback="cpu").passed


def test_each_shape_set_and_a_session_have_methods(tmp_path: Path) -> None:
    model = stack(numbered(4))
    rows, width = model.graph.input[0].type.tensor_type.shape.dim
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("x", FLOAT, ["batch", rows.dim_value, width.dim_value]))
    sets = {"many": {"x": (8, 4, WIDTH)}, "one": {"x": (1, 4, WIDTH)}}
    artifact = forge_mlir.compile(model, tmp_path, shapes=sets)
    for name in sets:
        assert emitted(artifact.shape_set(name)).count("    def h_layer(") == 1
    session = forge_mlir.InferenceSession(artifact.directory)
    for count in (8, 1):
        x = np.random.default_rng(count).standard_normal((count, 4, WIDTH)).astype(np.float32)
        (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
        assert_same(session.run(None, {"x": x})[0], expected)


def test_a_sweep_verifies_methods(tmp_path: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    onnx.save(stack(numbered(4)), models / "stack.onnx")
    (row,) = sweep(models, tmp_path / "results").rows
    assert (row.verdict, row.calls) == ("verified", forge_mlir.compile(stack(numbered(4)), tmp_path / "m").calls())


def test_two_short_parts_are_not_a_method(tmp_path: Path) -> None:
    model = stack(numbered(1))
    assert emitted(forge_mlir.compile(model, tmp_path / "short", name="m")) == emitted(
        forge_mlir.compile(model, tmp_path / "flat", name="m", flat=True)
    )


def test_weights_that_stay_in_the_model_are_read(tmp_path: Path) -> None:
    model = stack(numbered(2))
    onnx.save(model, tmp_path / "model.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    stay = forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "stay", weights="reference")
    here = forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "here")
    assert [emitted(each).count("def read_weight(weight):") for each in (stay, here)] == [1, 0]
    np.testing.assert_array_equal(*(forge_mlir.run(each, inputs_of(model))["y"] for each in (stay, here)))


@pytest.mark.alike(keep=2)
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("build", [lambda: stack(numbered(3)), lambda: transformer(3, True)], ids=["stack", "counters"])
def test_passes_are_bisected(build: Build, flat: bool, tmp_path: Path) -> None:
    model = build()
    onnx.save(model, tmp_path / "model.onnx")
    found = bisect_model(tmp_path / "model.onnx", inputs_of(model), flat=flat)
    assert found.culprit is None
    assert ("forge-write-flat" in [stage.name for stage in found.stages]) == flat


def test_reports_are_the_same() -> None:
    model = stack(numbered(3))
    short, flat = model_report(model), model_report(model, flat=True)
    assert short.calls == flat.calls
    assert [len(row.emitted) for row in short.nodes] == [len(row.emitted) for row in flat.nodes]
    row = next(row for row in short.nodes if row.name == "/h.2/tanh")
    assert [text.split(" = ")[1].split(".set")[0] for text in row.emitted] == ['forge.op.Tanh("", add)']
    assert to_model_explorer(model) == to_model_explorer(model, flat=True)
    assert to_onnx(model).graph == to_onnx(model, flat=True).graph


def test_an_error_names_the_node_of_its_layer(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(growing(6), tmp_path / "out")
    assert "for n in range(1, 6):" in emitted(artifact)
    with pytest.raises(ForgeError, match=r"node '/h\.3/mul_4'.*Int32"):
        forge_mlir.run(artifact, {"v0.0": np.array([1, 1, 1, 1])})


def test_an_edit_of_a_method_changes_every_layer(tmp_path: Path) -> None:
    model = stack(numbered(4))
    artifact = forge_mlir.compile(model, tmp_path / "out", name="m")
    before = forge_mlir.run(artifact, inputs_of(model))["y"]
    text = emitted(artifact)
    assert text.count("forge.op.Tanh(") == 1
    artifact.module_path.write_text(text.replace("forge.op.Tanh(", "forge.op.Sigmoid("))
    reseal(artifact.directory)
    assert not np.array_equal(forge_mlir.run(artifact, inputs_of(model))["y"], before)


def test_tiles_are_emulated_in_methods(tmp_path: Path) -> None:
    model = stack(numbered(3))
    seen: dict[bool, list[str]] = {False: [], True: []}
    results = {}
    for flat, calls in seen.items():
        artifact = forge_mlir.compile(model, tmp_path / str(flat), flat=flat)
        emulator = TileEmulator(0.0, on_call=lambda op, _, calls=calls: calls.append(op))
        results[flat] = LoadedModel.open(artifact).run(inputs_of(model), emulator)["y"]
    assert len(seen[True]) == 30
    assert sorted(seen[False]) == sorted(seen[True])
    np.testing.assert_array_equal(results[False], results[True])
