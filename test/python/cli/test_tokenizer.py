"""Text for `generate`: the tokenizer of a model, and tokenizers that are missing, hostile or of another model."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest
from click.testing import CliRunner, Result

from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from sample_models.tiny_language_model import tiny_language_model


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("generate")
    onnx.save(tiny_language_model(), folder / "tiny_language_model.onnx")
    compile(folder / "tiny_language_model.onnx", folder / "out", generate=Generation(24, [8]))
    return str(folder / "out")


def _run(*words: str) -> Result:
    return CliRunner().invoke(app, ["generate", *words])


def _tokens(*words: str) -> list[list[int]]:
    result = _run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    tokens: list[list[int]] = json.loads(result.stdout)["tokens"]
    return tokens


def test_text(artifact: str, tmp_path: Path) -> None:
    _words(tmp_path)
    ids = _tokens(artifact, "--ids=1,2,3", "--tokens=5")
    told = _run(artifact, "--prompt=w1 w2 w3", f"--tokenizer={tmp_path}", "--tokens=5")
    assert told.exit_code == 0, told.stderr
    assert told.stdout.splitlines()[0] == " ".join(f"w{row[0]}" for row in ids)
    assert _run(artifact, "--prompt=w1").exit_code != 0


def _words(folder: Path, *, unknown: bool = True, **others: str) -> Path:
    """A tokenizer.json whose tokens are the words w0, w1, and so on; `others` replaces the text of some."""
    pytest.importorskip("tokenizers")
    words = {others.get(f"w{at}", f"w{at}"): at for at in range(31)}
    model = {"type": "WordLevel", "vocab": words, "unk_token": "w0" if unknown else "none"}
    empty = dict.fromkeys(("truncation", "padding", "normalizer", "post_processor", "decoder"))
    text = {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "model": model, **empty}
    (folder / "tokenizer.json").write_text(json.dumps(text))
    return folder


def test_a_tokenizer_that_is_not_there_or_is_hostile(artifact: str, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")

    def told(words: str) -> str:
        result = _run(artifact, f"--prompt={words}", f"--tokenizer={tmp_path}")
        assert result.exit_code != 0
        assert isinstance(result.exception, ForgeError)
        return str(result.exception)

    file = tmp_path / "tokenizer.json"
    assert "there is no such file; --tokenizer takes a tokenizer.json or its directory" in told("w1")
    for text, reason in [
        ("{}", "Model missing"),
        ("", "EOF"),
        ('{"model":' * 100_000, ""),
        ("\0\x1b[31m", "expected value"),
    ]:
        file.write_text(text)
        assert f"tokenizer.json: {reason}" in told("w1")
    with file.open("wb") as sparse:
        sparse.truncate(1 << 29)
    assert "more than 268435456 bytes" in told("w1")
    _words(tmp_path, unknown=False)
    assert "WordLevel error" in told("unheard")
    assert "the prompt is empty" in told("")
    larger = {"type": "WordLevel", "vocab": {"w99": 99}, "unk_token": "w99"}
    file.write_text(json.dumps({**json.loads(file.read_text()), "model": larger}))
    assert "token 99 is none of the 31 words" in told("w99")


def test_a_tokenizer_of_another_model_is_reported(artifact: str, tmp_path: Path) -> None:
    ids = [row[0] for row in _tokens(artifact, "--ids=1,2,3", "--tokens=5")]
    file = _words(tmp_path) / "tokenizer.json"
    assert "tokenizer" not in _run(artifact, "--ids=1,2,3", f"--tokenizer={tmp_path}", "--tokens=5").stderr
    text = json.loads(file.read_text())
    text["model"]["vocab"] = {word: at for word, at in text["model"]["vocab"].items() if at != ids[1]}
    file.write_text(json.dumps(text))
    told = _run(artifact, "--ids=1,2,3", f"--tokenizer={tmp_path}", "--tokens=5")
    assert told.exit_code == 0
    gone = ids.count(ids[1])
    assert f"{gone} of them are no words of the tokenizer, such as {ids[1]}: it may be that of another" in told.stderr
