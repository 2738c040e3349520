"""Text for `generate`: the tokenizer of a model, and tokenizers that are missing, hostile or of another model."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import onnx
import pytest

from forge_mlir.cli.main import _tell
from forge_mlir.cli.tokenizer import Words
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from sample_models.generating import compiled_program, generated_tokens, run_generate, write_tokenizer
from sample_models.tiny_language_model import tiny_language_model


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> str:
    return compiled_program(tmp_path_factory.mktemp("generate"))


def test_text(artifact: str, tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    ids = generated_tokens(artifact, "--ids=1,2,3", "--tokens=5")
    told = run_generate(artifact, "--prompt=w1 w2 w3", f"--tokenizer={tmp_path}", "--tokens=5")
    assert told.exit_code == 0, told.stderr
    assert told.stdout.splitlines()[0] == " ".join(f"w{row[0]}" for row in ids)
    assert run_generate(artifact, "--prompt=w1").exit_code != 0


def test_each_text_of_a_batch(tmp_path: Path) -> None:
    """The first one is printed while it is generated, the others after it."""
    onnx.save(tiny_language_model(), tmp_path / "model.onnx")
    out = str(tmp_path / "out")
    compile(tmp_path / "model.onnx", out, generate=Generation(24, [8], batch=2))
    made = generated_tokens(out, "--ids=1,2;5,6", "--tokens=4")
    told = run_generate(out, "--ids=1,2;5,6", "--tokens=4", f"--tokenizer={write_tokenizer(tmp_path)}")
    texts = [" ".join(f"w{token}" for token in row) for row in zip(*made, strict=True)]
    assert texts[0] != texts[1]
    assert told.stdout.splitlines() == texts


def test_a_tokenizer_that_is_not_there_or_is_hostile(artifact: str, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")

    def told(words: str) -> str:
        result = run_generate(artifact, f"--prompt={words}", f"--tokenizer={tmp_path}")
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
    write_tokenizer(tmp_path, unknown=False)
    assert "WordLevel error" in told("unheard")
    assert "the prompt is empty" in told("")
    larger = {"type": "WordLevel", "vocab": {"w99": 99}, "unk_token": "w99"}
    file.write_text(json.dumps({**json.loads(file.read_text()), "model": larger}))
    assert "token 99 is none of the 31 words" in told("w99")


def test_the_package_tokenizers_is_missing(
    artifact: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    error = run_generate(artifact, "--prompt=w1", "--tokenizer=none").exception
    assert isinstance(error, ModuleNotFoundError)
    assert _tell(error) == 1
    assert "[FM9003] this needs the package tokenizers: pip install 'forge-mlir[tokenizers]'" in capsys.readouterr().err


def test_a_tokenizer_of_another_model_is_reported(artifact: str, tmp_path: Path) -> None:
    ids = [row[0] for row in generated_tokens(artifact, "--ids=1,2,3", "--tokens=5")]
    file = write_tokenizer(tmp_path) / "tokenizer.json"
    assert "tokenizer" not in run_generate(artifact, "--ids=1,2,3", f"--tokenizer={tmp_path}", "--tokens=5").stderr
    text = json.loads(file.read_text())
    text["model"]["vocab"] = {word: at for word, at in text["model"]["vocab"].items() if at != ids[1]}
    file.write_text(json.dumps(text))
    told = run_generate(artifact, "--ids=1,2,3", f"--tokenizer={tmp_path}", "--tokens=5")
    assert told.exit_code == 0
    gone = ids.count(ids[1])
    assert f"{gone} of them are no words of the tokenizer, such as {ids[1]}: it may be that of another" in told.stderr


def test_a_token_that_ends_within_a_character(tmp_path: Path) -> None:
    """Tokens of bytes, in the letters that stand for them: the text before the incomplete character is printed."""
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {"ab\u00e4": 0, "\u00b8": 1, "\u0143": 2, "c": 3}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.save(str(tmp_path / "tokenizer.json"))

    def printed(*tokens: int) -> list[str]:
        words = Words(tmp_path)
        return [words.next([[token] for token in tokens[: at + 1]]) for at in range(len(tokens))]

    assert printed(3, 0) == ["c", "ab"]
    assert printed(3, 0, 1, 2) == ["c", "ab", "", "\u4e2d"]
    assert printed(0, 3) == ["ab", "\ufffdc"]
