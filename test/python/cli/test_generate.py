"""The command generate: draws, text, and Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner, Result

from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.runtime.token_loop import TokenLoop, sampler
from sample_models.tiny_language_model import tiny_language_model


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("generate") / "out"
    compile(tiny_language_model(), out, generate=Generation(24, [8]))
    return str(out)


def _run(*words: str) -> Result:
    return CliRunner().invoke(app, ["generate", *words])


def _tokens(*words: str) -> list[list[int]]:
    result = _run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    tokens: list[list[int]] = json.loads(result.stdout)["tokens"]
    return tokens


def test_draws_are_those_of_the_seed(artifact: str) -> None:
    drawn = [artifact, "--ids=1,2,3", "--tokens=12", "--temperature=3"]
    assert _tokens(*drawn, "--seed=5") == _tokens(*drawn, "--seed=5")
    assert len({str(_tokens(*drawn, f"--seed={seed}")) for seed in range(4)}) > 1
    greedy = _tokens(artifact, "--ids=1,2,3", "--tokens=12")
    assert _tokens(*drawn, "--top-k=1") == greedy == _tokens(*drawn, "--top-p=0.0001")
    assert _run(artifact, "--ids=1", "--greedy", "--temperature=1").exit_code != 0
    assert _run(artifact, "--ids=1", "--temperature=1", "--top-p=0").exit_code != 0


def test_draws_follow_the_probabilities() -> None:
    logits = np.log(np.array([[0.5, 0.3, 0.15, 0.05]] * 4000))
    for options, expected in [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_k": 2}, [0.625, 0.375, 0, 0]),
        ({"top_p": 0.9}, [0.5263, 0.3158, 0.1579, 0]),
        ({"temperature": 0.5}, [0.6849, 0.2466, 0.0616, 0.0068]),
    ]:
        drawn = sampler(**options, seed=1)(logits)  # type: ignore[arg-type]
        np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 4000, expected, atol=0.03)


def test_text(artifact: str, tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    words = {f"w{at}": at for at in range(31)}
    model = tokenizers.models.WordLevel(words, unk_token="w0")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    ids = _tokens(artifact, "--ids=1,2,3", "--tokens=5")
    told = _run(artifact, "--prompt=w1 w2 w3", f"--tokenizer={tmp_path}", "--tokens=5")
    assert told.exit_code == 0, told.stderr
    assert told.stdout.splitlines()[0] == " ".join(f"w{row[0]}" for row in ids)
    assert _run(artifact, "--prompt=w1").exit_code != 0
    (tmp_path / "tokenizer.json").write_text("{}")
    damaged = _run(artifact, "--prompt=w1", f"--tokenizer={tmp_path}")
    assert damaged.exit_code != 0
    assert "tokenizer.json: Model missing" in str(damaged.exception)


def test_an_interrupt_keeps_what_there_is(artifact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = _tokens(artifact, "--ids=1,2,3", "--tokens=5")
    generated = TokenLoop.generate

    def interrupted(loop: TokenLoop, *rest: object) -> Iterator[object]:
        for at, row in enumerate(generated(loop, *rest)):  # type: ignore[arg-type]
            if at == 3:
                raise KeyboardInterrupt
            yield row

    monkeypatch.setattr(TokenLoop, "generate", interrupted)
    result = _run(artifact, "--ids=1,2,3", "--tokens=5", "--json")
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    assert (facts["tokens"], facts["interrupted"]) == (ids[:3], True)


def test_a_pair_of_past_and_present_is_no_folder_for_what_was_compiled(tmp_path: Path) -> None:
    model = str(tmp_path / "tiny.onnx")
    onnx.save(tiny_language_model(), model)
    words = ["compile", model, "-o", str(tmp_path / "out"), "--generate", "--max-length=24", "--prompt-length=8"]
    pairs = ["--cache-pair=past_key=present_key", "--cache-pair=past_value=present_value"]
    result = CliRunner().invoke(app, [*words, *pairs, "--cache", str(tmp_path / "kept")])
    assert result.exit_code == 0, result.stderr
    assert "2 caches of 24 positions" in result.stderr
    mistaken = CliRunner().invoke(app, [*words, "--force", "--cache=past_key=present_key"])
    assert mistaken.exit_code == 2
    assert "a pair of input and output is --cache-pair past_key=present_key" in mistaken.stderr
    alone = CliRunner().invoke(app, ["compile", model, "--cache-pair=past_key=present_key"])
    assert "--cache-pair and --all-logits need --generate" in " ".join(alone.stderr.split())
