"""verify of artifacts that generate tokens, with an error planted in an emitted program of each kind of language
model."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest

from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import Comparison, verify_steps
from sample_models.buffered_language_model import buffered_language_model
from sample_models.hybrid_language_model import hybrid_language_model
from sample_models.reading_language_model import reading_language_model
from sample_models.repository import MODELS

_MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "llama": lambda: onnx.load(MODELS / "llama_with_past" / "model.onnx"),
    "buffered": buffered_language_model,
    "hybrid": hybrid_language_model,
    "reading": reading_language_model,
}

_ONE = r'forge.op.Constant("", constant=1.0, dtype=forge.DataFormat.Int32)'
_NEXT = rf'forge.op.Add("", \g<at>, {_ONE})'

# Edits of a module, as (pattern, replacement). Each pattern must match.
_POSITION = [(r"(?P<write>forge\.op\.UpdateCache\(\"\", \w+, \w+, )(?P<at>\w+)", rf"\g<write>{_NEXT}")]
# Comparisons of a position with the length: one more position is allowed, which no token has written.
_STALE = [
    (r"forge\.op\.Less(?P<equal>Equal|)\(\"\", (?P<column>self\.get_constant\(\"[^\"]*\"\)), (?P<at>\w+)\)",
     rf'forge.op.Less\g<equal>("", \g<column>, {_NEXT})'),
]  # fmt: skip
_HALVES = [
    (r"(?P<write>forge\.op\.Concatenate\(\"\", )(?P<first>\w*[Ii]ndex_\d|generate_slice_\d), (?P<second>\w+), axis=-1",
     r"\g<write>\g<second>, \g<first>, axis=-1"),
]  # fmt: skip
_OTHER_LAYER = [(r"(self\.layer\(1,.*)past_key_values_1_key", r"\1past_key_values_0_key")]
_OTHER_VALUES = [(r"(self\.layer\(1,.*)past_key_values_1_value", r"\1past_key_values_0_value")]
_LAST = [(r"(FillCache\(\"\", \w+, )(\w+)", r'\1forge.op.Multiply("", \2, \2)')]


def _compiled(model: str, folder: Path, **options: object) -> tuple[Path, Artifact]:
    file = folder / f"{model}.onnx"
    onnx.save(_MODELS[model](), file)
    return file, compile(file, folder / model, generate=Generation(48, [8, 16]), **options)  # type: ignore[arg-type]


def _verified(artifact: Artifact, model: Path) -> Comparison:
    return verify_steps(artifact, model, 0, Limits())


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Artifact]]:
    made: dict[str, tuple[Path, Artifact]] = {}
    folder = tmp_path_factory.mktemp("right")

    def of(model: str) -> tuple[Path, Artifact]:
        if model not in made:
            made[model] = _compiled(model, folder)
        return made[model]

    return of


@pytest.mark.parametrize("model", _MODELS)
def test_a_right_artifact(model: str, right: Callable[[str], tuple[Path, Artifact]]) -> None:
    """A prompt and 32 steps, a prompt for the other program, and a prompt longer than both."""
    file, artifact = right(model)
    found = _verified(artifact, file)
    assert found.failure() is None, found.lines()
    assert found.differs is None
    names = [row.name for row in found.rows]
    assert names[:33] == [f"step {at}" for at in range(33)]
    assert names[33:] == [f"prompt of {count}, step {at}" for count in (12, 17) for at in range(3)]


@pytest.mark.alike(keep=12)
@pytest.mark.parametrize(
    ("model", "program", "edits"),
    [
        ("llama", "decode", _POSITION),
        ("llama", "decode", _STALE),
        ("llama", "decode", _HALVES),
        ("llama", "decode", _OTHER_LAYER),
        ("llama", "decode", _OTHER_VALUES),
        ("llama", "prefill_8", _LAST),
        ("llama", "prefill_16", _LAST),
        ("buffered", "decode", _POSITION),
        ("buffered", "decode", _STALE),
        ("buffered", "decode", _HALVES),
        ("buffered", "prefill_16", _LAST),
        ("hybrid", "decode", [(r"past_conv, columns", "columns, past_conv")]),
        ("hybrid", "decode", [(r"start=1, stop=4", "start=0, stop=3")]),
        ("hybrid", "decode", [(r"forge\.op\.Exp\(\"\", attended", 'forge.op.Sigmoid("", attended')]),
        ("hybrid", "prefill_16", [(r"forge\.op\.Exp\(\"\"", 'forge.op.Sigmoid(""')]),
        ("reading", "decode", _POSITION),
        ("reading", "decode", _STALE),
        ("reading", "decode", [(r"read_softmax, cross_value", "read_softmax, cross_key")]),
        ("reading", "decode", [(r"Embedding\(\"\", (?P<at>generate_mul)", rf'Embedding("", {_NEXT}')]),
        ("reading", "prefill_8", _LAST),
    ],
)
def test_a_planted_error_is_found(
    model: str,
    program: str,
    edits: list[tuple[str, str]],
    right: Callable[[str], tuple[Path, Artifact]],
    tmp_path: Path,
) -> None:
    file, artifact = right(model)
    assert _planted(artifact, program, edits, tmp_path, file).failure() is not None


def _planted(artifact: Artifact, program: str, edits: list[tuple[str, str]], folder: Path, model: Path) -> Comparison:
    shutil.copytree(artifact.directory, folder / "planted")
    planted = Artifact(folder / "planted", artifact.name)
    module = planted.shape_set(program).module_path
    text = module.read_text()
    for pattern, wrong in edits:
        text, count = re.subn(pattern, wrong, text)
        assert count, pattern
    module.write_text(text)
    reseal(planted.manifest_path)
    return _verified(planted, model)


def test_a_program_in_bfloat16(tmp_path: Path) -> None:
    """Rounding to the format is accepted and reported; an error is still an error."""
    file, artifact = _compiled("llama", tmp_path, float_format="bfloat16")
    found = _verified(artifact, file)
    assert found.failure() is None, found.lines()
    assert "with onnxruntime, up to what bfloat16 rounds: " in found.lines()[0]
    assert max(row.relative for row in found.rows) > 1e-3
    assert _planted(artifact, "decode", _STALE, tmp_path, file).failure() is not None
