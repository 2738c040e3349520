"""Generated tokens are compared with those of onnxruntime, step by step."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from click.testing import CliRunner
from onnx import ModelProto, helper, numpy_helper

from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.execute.generation import generate
from sample_models.tiny_language_model import tiny_language_model


def _saved(model: ModelProto, folder: Path) -> Path:
    file = folder / "tiny.onnx"
    onnx.save(model, file)
    return file


def test_compare_names_the_first_step_that_differs(tmp_path: Path) -> None:
    """A planted error in the emitted decoding step: a token does not attend to itself."""
    model = _saved(tiny_language_model(), tmp_path)
    right = compile(model, tmp_path / "right", generate=Generation(24, [8]))
    planted = compile(model, tmp_path / "planted", generate=Generation(24, [8]))
    module = planted.shape_set("decode").module_path
    text = module.read_text()
    assert text.count("forge.op.LessEqual(") == 1
    module.write_text(text.replace("forge.op.LessEqual(", "forge.op.Less("))
    runner = CliRunner()
    assert runner.invoke(app, ["reseal", str(tmp_path / "planted")]).exit_code == 0
    words = ["generate", str(tmp_path / "planted"), "--ids=1,2,3", "--tokens=12", "--json", "--compare", str(model)]
    told = runner.invoke(app, words)
    assert told.exit_code != 0
    facts = json.loads(told.stdout)
    made, found = [row[0] for row in facts["tokens"]], facts["comparison"]
    # The same error is found by the correct artifact, each step of which gets the tokens of the other.
    step = next(
        at for at in range(12) if made[at] != next(iter(generate(right, [1, 2, 3, *made[:at]], tokens=1))).item()
    )
    expected = next(iter(generate(right, [1, 2, 3, *made[:step]], tokens=1))).item()
    assert step > 0
    assert (found["differs"], found["tokens"]) == (step, [made[step], expected])
    (ours, theirs), shown = found["probabilities"], facts["errors"][0]["message"]
    assert 0 < ours < 1
    assert 0 < theirs < 1
    assert f"step {step}: token {made[step]} of probability {ours:.6f}" in shown
    assert f"onnxruntime has {expected} of {theirs:.6f}" in shown
    verified = runner.invoke(app, ["verify", str(model), "--artifact", str(tmp_path / "planted")])
    assert verified.exit_code != 0


def test_verify_compares_prompts_and_32_steps(tmp_path: Path) -> None:
    model = _saved(tiny_language_model(), tmp_path)
    out = str(tmp_path / "out")
    compile(model, out, generate=Generation(48, [8]))
    words = ["verify", str(model), "--artifact", out]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 0, found.output
    assert "compared 36 steps with onnxruntime" in found.stdout
    assert CliRunner().invoke(app, [*words, "--nodes"]).exit_code == 2
    other = onnx.load(model)
    weight = next(each for each in other.graph.initializer if each.name == "wq")
    changed = onnx.numpy_helper.to_array(weight).copy()
    changed[0, 0] += 1
    weight.CopyFrom(onnx.numpy_helper.from_array(changed, "wq"))
    onnx.save(other, model)
    assert CliRunner().invoke(app, words).exit_code != 0


def test_dequantised_weights_of_4_bits_are_multiplied_as_floats(tmp_path: Path) -> None:
    """onnxruntime would round the other operand to 8 bits."""
    model = tiny_language_model()
    model.opset_import[0].version = 21
    for weight in [each for each in model.graph.initializer if each.name in ("wq", "wk", "wv", "wo")]:
        name = weight.name
        scaled = numpy_helper.to_array(weight) / np.float32(0.2)
        weight.CopyFrom(numpy_helper.from_array(scaled.clip(-8, 7).astype(ml_dtypes.int4), f"{name}_packed"))
        scales = np.full((1, scaled.shape[1]), 0.2, np.float32)
        model.graph.initializer.append(numpy_helper.from_array(scales, f"{name}_scales"))
        node = helper.make_node("DequantizeLinear", [weight.name, f"{name}_scales"], [name], axis=0, block_size=16)
        model.graph.node.insert(0, node)
    file = _saved(model, tmp_path)
    compile(file, tmp_path / "out", generate=Generation(24, [8]))
    found = CliRunner().invoke(app, ["verify", str(file), "--artifact", str(tmp_path / "out")])
    assert found.exit_code == 0, found.output
