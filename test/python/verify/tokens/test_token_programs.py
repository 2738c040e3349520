"""verify of artifacts that generate tokens: each program, the data of the token loop, and the logits of some steps."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import onnx
import pytest
import safetensors.torch
from click.testing import CliRunner

from forge_mlir.artifact.manifest import sealed_json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.verify.tokens.token_programs import GenerationVerification, verify_generation
from resealing import edited_copy
from sample_models.buffered_language_model import buffered_language_model
from sample_models.hybrid_language_model import hybrid_language_model
from sample_models.reading_language_model import reading_language_model
from sample_models.tiny_language_model import tiny_language_model

KINDS: Mapping[str, tuple[Callable[[], onnx.ModelProto], Generation, dict[str, Any]]] = {
    "of several prompts": (lambda: tiny_language_model(masked=False), Generation(24, [8, 12], batch=2), {}),
    "of all logits": (tiny_language_model, Generation(24, [8], all_logits=True), {}),
    "of a stated cache": (tiny_language_model, Generation(24, caches={"past_value": "present_value"}), {}),
    "in bfloat16": (tiny_language_model, Generation(24, [8]), {"float_format": "bfloat16"}),
    "with buffers": (buffered_language_model, Generation(48, [8, 16]), {}),
    "with states": (hybrid_language_model, Generation(48, [8, 16]), {}),
    "of one token at a time": (lambda: reading_language_model(tokens=1), Generation(40), {}),
}


@pytest.mark.parametrize("name", KINDS)
def test_an_artifact_as_it_was_compiled(name: str, tmp_path: Path) -> None:
    """The options of the generation are read from the artifact."""
    model, generation, options = KINDS[name]
    onnx.save(model(), tmp_path / "tiny.onnx")
    made = compile(tmp_path / "tiny.onnx", tmp_path / "out", generate=generation, **options)
    found = verify_generation(tmp_path / "tiny.onnx", made, **options)
    assert (found.verdict, found.reasons) == ("right", ())
    assert found.exact.keys() == made.manifest()["generation"]["programs"].keys()
    assert {each.state for each in found.exact.values()} == {"not covered" if options else "equal"}
    assert not any(each.edited for each in found.exact.values())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """The artifact; its model is in the parent folder."""
    folder = tmp_path_factory.mktemp("made")
    onnx.save(tiny_language_model(), folder / "tiny.onnx")
    return compile(folder / "tiny.onnx", folder / "out", generate=Generation(24, [8]))


def edited(made: Artifact, folder: Path, file: str, edit: Callable[[str], str]) -> GenerationVerification:
    """The verification of a copy with an edited file, after `reseal`."""
    out = edited_copy(made, folder / "edited", file, edit)
    return verify_generation(made.directory.parent / "tiny.onnx", out)


FACTOR = r"""        z = forge.op.Multiply("", \1, forge.op.Constant("", constant=1.00001))
        return z,"""
NEAR = {
    "a factor": (r"        return (\w+),", FACTOR, "output 'logits'"),
    "a softmax that overflows": ("stable=True", "stable=False", "have stable=False, and overflow"),
}


@pytest.mark.parametrize("program", ["prefill", "decode"])
@pytest.mark.parametrize("name", NEAR)
def test_an_edit_that_steps_do_not_show(name: str, program: str, made: Artifact, tmp_path: Path) -> None:
    """Less than the bound of the comparison with onnxruntime, or no difference on the CPU reference."""
    old, new, reason = NEAR[name]
    found = edited(made, tmp_path, f"tiny_{program}.py", lambda text: re.sub(old, new, text))
    assert found.verdict == "wrong"
    assert found.steps is not None
    assert found.steps.failure() is None
    assert found.reasons[0].startswith(f"program {program!a} is not equal to the model: ")
    assert reason in found.reasons[0]
    other = "decode" if program == "prefill" else "prefill"
    assert (found.exact[program].state, found.exact[other].state) == ("different", "equal")


def test_a_weight_with_an_error_of_a_millionth(made: Artifact, tmp_path: Path) -> None:
    out = tmp_path / "edited"
    shutil.copytree(made.directory, out)
    known = safetensors.torch.load_file(out / "tiny.safetensors")
    known["head"][3, 5] *= 1 + 1e-6
    safetensors.torch.save_file(known, out / "tiny.safetensors")
    found = verify_generation(made.directory.parent / "tiny.onnx", out)
    assert found.verdict == "wrong"
    assert "weight 'head' has 1 elements that are not the model's" in found.reasons[0]


FACTS: Mapping[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "generation.max_length 16, and that of the model has 24": ("", lambda m: m["generation"].update(max_length=16)),
    "generation.words 30, and that of the model has 31": ("", lambda m: m["generation"].update(words=30)),
    "generation.batch 2, and that of the model has 1": ("", lambda m: m["generation"].update(batch=2)),
    'generation.caches[0][0] "past_value", and that': ("", lambda m: m["generation"]["caches"].reverse()),
    'generation.states ["past_key"], and that': ("", lambda m: m["generation"]["states"].append("past_key")),
    "generation.programs.prefill.tokens 7": ("", lambda m: m["generation"]["programs"]["prefill"].update(tokens=7)),
    "decode.past_key 2, and that": ("", lambda m: m["generation"]["loopback_outputs"]["decode"].update(past_key=2)),
    'shape_sets[1].module "tiny_prefill"': ("", lambda m: m["shape_sets"][1].update(module="tiny_prefill")),
    'outputs[0].onnx_name "present_value", and that': ("_decode", lambda m: m["outputs"].reverse()),
    "onnx.inputs[1].range[1] 99": ("_decode", lambda m: m["onnx"]["inputs"][1].update(range=[0, 99])),
}


@pytest.mark.parametrize("reason", FACTS)
def test_edits_of_facts_that_the_token_loop_uses_are_found(reason: str, made: Artifact, tmp_path: Path) -> None:
    program, edit = FACTS[reason]

    def changed(text: str) -> str:
        facts = json.loads(text)
        edit(facts)
        return sealed_json(facts).decode()

    found = edited(made, tmp_path, f"tiny{program}.json", changed)
    assert found.verdict == "wrong"
    assert reason in found.reasons[0]


COUNT = "        self.count = getattr(self, 'count', 0) + 1\n"


def test_state_between_steps(made: Artifact, tmp_path: Path) -> None:
    found = edited(made, tmp_path, "tiny_decode.py", lambda text: text.replace("        x = ", COUNT + "        x = "))
    assert found.verdict == "undecided"
    assert found.reasons[0].startswith("module tiny_decode.py has Python that is not a call of forge.op (line ")
    noise = 'logits = forge.op.Multiply("", logits, forge.op.Constant("", constant=1 + 1e-5 * float(torch.rand(()))))'
    shutil.rmtree(tmp_path / "edited")
    found = edited(
        made,
        tmp_path,
        "tiny_decode.py",
        lambda text: text.replace("        return ", f"        {noise}\n        return ", 1),
    )
    assert found.verdict == "wrong"
    assert "logits differ between two runs with equal tokens: the programs keep state" in found.reasons


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ('logits = forge.op.Reshape("", logits, shape=(1, 31))\n        return ', "expected shape [1, 1, 31], but got"),
        ("release(logits)\n        return ", "was released and is read again"),
        ("del logits\n        return ", "cannot access local variable 'logits'"),
    ],
)  # fmt: skip
def test_a_program_that_does_not_run(new: str, reason: str, made: Artifact, tmp_path: Path) -> None:
    found = edited(made, tmp_path, "tiny_decode.py", lambda text: text.replace("return ", new, 1))
    assert found.verdict == "wrong"
    assert found.reasons[0].startswith("the programs cannot be run: tiny_decode.py")
    assert reason in found.reasons[0]


def test_another_loader(made: Artifact, tmp_path: Path) -> None:
    found = edited(made, tmp_path, "tiny.py", lambda text: text.replace('"tiny_decode.py"', '"tiny_prefill.py"'))
    assert found.verdict == "undecided"
    assert found.reasons[0].startswith("module tiny.py has Python that is not a call of forge.op (line ")


def test_other_options_and_other_files_are_errors(made: Artifact, tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="was compiled with no options; verify was given --float-format bfloat16"):
        verify_generation(made.directory.parent / "tiny.onnx", made, float_format="bfloat16")
    onnx.save(tiny_language_model(masked=False), tmp_path / "other.onnx")
    with pytest.raises(ForgeError, match="was compiled from another file"):
        verify_generation(tmp_path / "other.onnx", made)


def test_the_command_prints_the_verdict_of_each_program(made: Artifact, tmp_path: Path) -> None:
    words = ["verify", str(made.directory.parent / "tiny.onnx"), "--artifact"]
    told = CliRunner().invoke(app, [*words, str(made.directory)])
    assert told.exit_code == 0
    assert "program decode: equal: the emitted calls and weights compute what" in told.stdout
    edited(
        made,
        tmp_path,
        "tiny_decode.py",
        lambda text: text.replace("causal = forge.op.LessEqual(", "causal = forge.op.Less("),
    )
    told = CliRunner().invoke(app, [*words, str(tmp_path / "edited"), "--json"])
    facts = json.loads(told.stdout)
    assert (facts["verdict"], facts["passed"]) == ("wrong", False)
    assert [facts["exact"][name]["result"] for name in ("prefill", "decode")] == ["equal", "different"]
    assert facts["errors"][0]["code"] == "FM6001"
    assert len(facts["generation"]["steps"]) > 20
