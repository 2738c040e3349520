"""The command generate with a tiny language model."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest
from click.testing import CliRunner, Result

from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from sample_models.tiny_language_model import tiny_language_model


def compiled_program(folder: Path) -> str:
    """The directory of a program of this model that generates up to 24 tokens, in `folder`."""
    onnx.save(tiny_language_model(), folder / "tiny_language_model.onnx")
    compile(folder / "tiny_language_model.onnx", folder / "out", generate=Generation(24, [8]))
    return str(folder / "out")


def run_generate(*words: str) -> Result:
    """The command generate, in this process."""
    return CliRunner().invoke(app, ["generate", *words])


def generated_tokens(*words: str) -> list[list[int]]:
    result = run_generate(*words, "--json")
    assert result.exit_code == 0, result.stderr
    tokens: list[list[int]] = json.loads(result.stdout)["tokens"]
    return tokens


def write_tokenizer(folder: Path, *, unknown: bool = True, **others: str) -> Path:
    """Writes a tokenizer.json whose tokens are the words w0, w1, and so on; `others` replaces the text of some."""
    pytest.importorskip("tokenizers")
    words = {others.get(f"w{at}", f"w{at}"): at for at in range(31)}
    model = {"type": "WordLevel", "vocab": words, "unk_token": "w0" if unknown else "none"}
    empty = dict.fromkeys(("truncation", "padding", "normalizer", "post_processor", "decoder"))
    text = {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "model": model, **empty}
    (folder / "tokenizer.json").write_text(json.dumps(text))
    return folder
