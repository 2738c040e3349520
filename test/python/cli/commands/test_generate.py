"""The command generate: sampling, text, invalid values, streaming, and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import onnx
import pytest
from click.testing import CliRunner

from forge_mlir.cli.app import app
from forge_mlir.codes import Code
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.token_loop import TokenLoop
from sample_models.generating import compiled_program, generated_tokens, run_generate, write_tokenizer
from sample_models.tiny_language_model import tiny_language_model


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> str:
    return compiled_program(tmp_path_factory.mktemp("generate"))


def test_samples_depend_on_the_seed(artifact: str) -> None:
    drawn = [artifact, "--ids=1,2,3", "--tokens=12", "--temperature=3"]
    assert generated_tokens(*drawn, "--seed=5") == generated_tokens(*drawn, "--seed=5")
    assert len({str(generated_tokens(*drawn, f"--seed={seed}")) for seed in range(4)}) > 1
    greedy = generated_tokens(artifact, "--ids=1,2,3", "--tokens=12")
    assert generated_tokens(*drawn, "--top-k=1") == greedy == generated_tokens(*drawn, "--top-p=0.0001")
    assert run_generate(artifact, "--ids=1", "--greedy", "--temperature=1").exit_code != 0
    assert run_generate(artifact, "--ids=1", "--temperature=1", "--top-p=0").exit_code != 0


def test_the_reason_for_the_end_is_reported(artifact: str) -> None:
    full = run_generate(artifact, "--ids=1,2,3", "--tokens=500")
    assert full.exit_code == 0
    assert re.search(r"22 tokens, .* a second, and the caches are full\n", full.stderr)
    assert "full" not in run_generate(artifact, "--ids=1,2,3", "--tokens=22").stderr
    one = str(next(Path(artifact).glob("*_decode.py")))
    for words in (["generate", one, "--ids=1"], ["verify", one, "--artifact", one]):
        told = CliRunner().invoke(app, words)
        assert isinstance(told.exception, ForgeError), told.output
        assert "is one of the programs that generate" in str(told.exception)


def test_an_end_token_ends_the_text(artifact: str, tmp_path: Path) -> None:
    every = generated_tokens(artifact, "--ids=1,2,3", "--tokens=8")
    at = next(at for at in range(1, 8) if every[at] not in every[:at])
    (end,) = every[at]
    told = run_generate(artifact, "--ids=1,2,3", "--tokens=8", f"--end-token={end}", "--end-token=0")
    assert told.exit_code == 0
    assert told.stdout.strip() == ",".join(str(row[0]) for row in every[: at + 1])
    assert "the text has ended" in told.stderr
    compared = run_generate(
        artifact, "--ids=1,2,3", f"--end-token={end}", f"--compare={Path(artifact).parent / 'tiny_language_model.onnx'}"
    )
    assert "every greedy token is onnxruntime's" in compared.stderr + compared.stdout
    assert isinstance(run_generate(artifact, "--ids=1", "--end-token=31").exception, ForgeError)
    tokenizer = f"--tokenizer={write_tokenizer(tmp_path)}"
    for file, written, count in [
        ("config.json", {"eos_token_id": [end, 0]}, at + 1),
        ("generation_config.json", {}, at + 1),
        ("generation_config.json", {"eos_token_id": every[0][0]}, 1),
    ]:
        (tmp_path / file).write_text(json.dumps(written))
        assert len(generated_tokens(artifact, "--ids=1,2,3", "--tokens=8", tokenizer)) == count
    assert generated_tokens(artifact, "--ids=1,2,3", "--tokens=8", tokenizer, "--ignore-eos") == every
    assert run_generate(artifact, "--ids=1", tokenizer, "--ignore-eos", "--end-token=1").exit_code == 2


@pytest.mark.parametrize("written", ["[]", "{", '{"eos_token_id": "</s>"}', '{"eos_token_id": [true]}', "[" * 100_000])
def test_a_damaged_configuration_of_a_model_is_an_error(artifact: str, tmp_path: Path, written: str) -> None:
    (tmp_path / "config.json").write_text(written)
    told = run_generate(artifact, "--ids=1", f"--tokenizer={write_tokenizer(tmp_path)}")
    assert isinstance(told.exception, ForgeError)
    assert "config.json: " in str(told.exception)


def test_words_that_would_control_a_terminal_are_escaped(artifact: str, tmp_path: Path) -> None:
    ids = generated_tokens(artifact, "--ids=1,2,3", "--tokens=5")
    hostile = {f"w{row[0]}": f"\x1b]0;{row[0]}\x07\u202e" for row in ids}
    told = run_generate(artifact, "--ids=1,2,3", f"--tokenizer={write_tokenizer(tmp_path, **hostile)}", "--tokens=5")
    assert told.exit_code == 0, told.stderr
    assert told.stdout.splitlines()[0] == " ".join(rf"\x1b]0;{row[0]}\x07\u202e" for row in ids)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--ids=1,31"], "token 31 is none of the 31 words, 0 to 30"),
        (["--ids=1,-1"], "token -1 is none of the 31 words, 0 to 30"),
        (["--ids=1", f"--end-token={10**30}"], f"token {10**30} is none of the 31 words"),
        (["--ids=1;2"], "expected a prompt of shape [1, tokens], but got [2, 1]"),
        (["--ids=" + "1," * 24 + "1"], "a prompt of 25 tokens does not fit into 24 positions"),
        (["--ids=1", "--temperature=1", "--top-p=1.5"], "top_p in (0, 1], but got 1.0, 0 and 1.5"),
        (["--ids=1", "--temperature=inf"], "a temperature above 0"),
    ],
)
def test_values_out_of_range_are_errors(artifact: str, words: list[str], reason: str) -> None:
    result = run_generate(artifact, *words)
    assert isinstance(result.exception, ForgeError)
    assert reason in str(result.exception)
    assert not result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["--ids="],
        ["--ids=1,x"],
        ["--ids=1_0"],
        ["--ids=99999999999999999999"],
        ["--ids=1;2,3"],
        ["--ids=1", "--temperature=-1"],
        ["--ids=1", "--temperature=1", "--seed=-1"],
        ["--ids=1", "--tokens=0"],
    ],
)
def test_an_invalid_value_of_an_option_is_a_usage_error(artifact: str, words: list[str]) -> None:
    assert run_generate(artifact, *words).exit_code == 2


def test_a_model_of_another_artifact_is_reported(artifact: str, tmp_path: Path) -> None:
    """It is reported before the first token if the names differ, otherwise when onnxruntime cannot run the model.
    `verify` compares the hash of the file."""
    other, swapped = str(tmp_path / "other.onnx"), str(tmp_path / "swapped.onnx")
    renamed = tiny_language_model()
    renamed.graph.input[0].name = renamed.graph.node[0].input[1] = "tokens"
    for node in renamed.graph.node:
        node.input[:] = ["tokens" if name == "input_ids" else name for name in node.input]
    onnx.save(renamed, other)
    onnx.save(tiny_language_model(cache_axis=3), swapped)
    for model, code, reason in [
        (str(tmp_path / "none.onnx"), Code.FileUnreadable, "none.onnx: cannot be opened: No such file"),
        (str(next(Path(artifact).glob("*_decode.py"))), Code.OtherFormat, "_decode.py: is a text file"),
        (other, Code.ArtifactOfAnother, "other.onnx: it has no input 'input_ids', which the model of the artifact has"),
        (swapped, Code.PartitionFailed, "the model cannot be run on what the artifact reads: onnxruntime: "),
    ]:
        made = run_generate(artifact, "--ids=1,2", "--tokens=4", f"--compare={model}")
        verified = CliRunner().invoke(app, ["verify", model, "--artifact", artifact])
        for told in (made, verified):
            assert isinstance(told.exception, ForgeError), told.output
            is_another = told is verified and model in (other, swapped)
            assert told.exception.code == (Code.ArtifactOfAnother if is_another else code)
            assert ("was compiled from another file" if is_another else reason) in told.exception.message
        assert bool(made.stdout) == (model == swapped)


def test_caches_that_exceed_the_memory_name_the_option(tmp_path: Path) -> None:
    """Under the limits of a child process, because only there memory is limited."""
    onnx.save(tiny_language_model(), tmp_path / "tiny.onnx")
    words = ["compile", str(tmp_path / "tiny.onnx"), "-o", str(tmp_path / "out"), "--memory-limit=2048"]
    told = CliRunner().invoke(app, [*words, "--generate", f"--max-length={2**31 - 1}"])
    assert isinstance(told.exception, ForgeError), told.output
    assert told.exception.code == Code.MemoryLimit
    assert "tiny.onnx: " in told.exception.message
    assert "the caches have 2147483647 positions (--max-length) of 1 rows (--batch)" in told.exception.message
    assert not (tmp_path / "out").exists()


def test_tokens_a_second_are_those_after_the_first(artifact: str) -> None:
    facts = json.loads(run_generate(artifact, "--ids=1", "--tokens=4", "--json").stdout)
    assert facts["tokens_per_second"] > 0
    assert json.loads(run_generate(artifact, "--ids=1", "--tokens=1", "--json").stdout)["tokens_per_second"] is None
    told = run_generate(artifact, "--ids=1", "--tokens=4").stderr
    assert re.search(r"4 tokens, the first after [\d.]+ s with loading, then [\d.]+ a second", told)


def test_tokens_are_written_immediately_and_kept_after_an_interrupt(tmp_path: Path) -> None:
    """The command in a separate process, whose output is a pipe, is ended by a signal after the third token."""
    compile(tiny_language_model(), tmp_path / "out", generate=Generation(20_000, [8]))
    words = ["generate", str(tmp_path / "out"), "--ids=1,2", "--tokens=19000"]
    command = [sys.executable, "-m", "forge_mlir.cli.main", *words]

    def heeded() -> None:
        """Restores the handler, because tests in the background inherit that interrupts are ignored."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeded)
    assert child.stdout is not None
    seen = b""
    while seen.count(b",") < 3:
        read = os.read(child.stdout.fileno(), 4096)
        assert read, child.communicate()
        seen += read
    child.send_signal(signal.SIGINT)
    rest, told = child.communicate(timeout=120)
    assert child.returncode == 0, told
    tokens = (seen + rest).decode().split(",")
    assert 3 < len(tokens) < 19_000
    assert f"{len(tokens)} tokens, ".encode() in told
    assert b", interrupted" in told


def test_an_interrupt_keeps_the_tokens_so_far(artifact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = generated_tokens(artifact, "--ids=1,2,3", "--tokens=5")
    generated = TokenLoop.generate

    def interrupted(loop: TokenLoop, *rest: object) -> Iterator[object]:
        for at, row in enumerate(generated(loop, *rest)):  # type: ignore[arg-type]
            if at == 3:
                raise KeyboardInterrupt
            yield row

    monkeypatch.setattr(TokenLoop, "generate", interrupted)
    result = run_generate(artifact, "--ids=1,2,3", "--tokens=5", "--json")
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    assert (facts["tokens"], facts["interrupted"]) == (ids[:3], True)


def test_caches_that_are_cut_off(tmp_path: Path) -> None:
    """The model reads one token at a time, and the extracted part has no caches."""
    model = tiny_language_model()
    tokens = model.graph.input[0].type.tensor_type.shape.dim[1]
    tokens.Clear()
    tokens.dim_value = 1
    onnx.save(model, tmp_path / "one.onnx")
    words = ["compile", str(tmp_path / "one.onnx"), "--generate", "--max-length=24", "--extract-outputs=logits"]
    assert "FM1508" in str(CliRunner().invoke(app, words).exception)


def test_cache_pairs_are_independent_of_the_cache_of_compilations(tmp_path: Path) -> None:
    model = str(tmp_path / "tiny.onnx")
    onnx.save(tiny_language_model(), model)
    words = ["compile", model, "-o", str(tmp_path / "out"), "--generate", "--max-length=24", "--prompt-length=8"]
    pairs = ["--cache-pair=past_key=present_key", "--cache-pair=past_value=present_value"]
    result = CliRunner().invoke(app, [*words, *pairs, "--cache", str(tmp_path / "kept")])
    assert result.exit_code == 0, result.stderr
    assert "2 caches of 24 positions" in result.stderr
    for stated, reason in [
        ("nope=present_key", "there is no input 'nope' to be a cache"),
        ("past_key=nope", "there is no output 'nope' to be a cache"),
        ("past_key=present_value", "the output 'present_value' of --cache-pair is what 'past_value' becomes"),
        ("past_key=logits", "a size is open, and the output 'logits' does not append new positions to it"),
    ]:
        told = CliRunner().invoke(app, [*words[:2], "-o", str(tmp_path / "none"), *words[4:], f"--cache-pair={stated}"])
        assert isinstance(told.exception, ForgeError), told.output
        assert "tiny.onnx: " in told.exception.message
        assert reason in told.exception.message
        assert not (tmp_path / "none").exists()
    twice = CliRunner().invoke(app, [*words, "--force", pairs[0], "--cache-pair=past_value=present_key"])
    assert twice.exit_code == 2
    assert "each past and each present is of one pair" in " ".join(twice.stderr.split())
    mistaken = CliRunner().invoke(app, [*words, "--force", "--cache=past_key=present_key"])
    assert mistaken.exit_code == 2
    assert "a pair of input and output is --cache-pair past_key=present_key" in mistaken.stderr
    alone = CliRunner().invoke(app, ["compile", model, "--cache-pair=past_key=present_key"])
    assert "--cache-pair needs --generate" in " ".join(alone.stderr.split())


def test_tokens_are_compared_with_the_model(tmp_path: Path) -> None:
    model, out = tmp_path / "tiny.onnx", str(tmp_path / "out")
    onnx.save(tiny_language_model(), model)

    def run(*words: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, list(words))
        return result.exit_code, result.stdout, result.stderr

    code, _, told = run("compile", str(model), "-o", out, "--generate", "--max-length=24", "--prompt-length=8")
    assert code == 0
    assert "2 caches of 24 positions" in told
    code, told, _ = run("generate", out, "--ids", "1,2,3", "--tokens", "4", "--compare", str(model))
    assert code == 0
    assert len(told.splitlines()[0].split(",")) == 4
    assert "every greedy token is onnxruntime's" in told
    assert run("generate", out)[0] != 0


def test_no_option_of_a_verification_is_ignored(artifact: str) -> None:
    done = CliRunner().invoke(app, ["verify", "m.onnx", "--artifact", artifact, "--tolerance=0"])
    assert done.exit_code == 2
    assert "an artifact that generates tokens is verified by --seed alone" in " ".join(done.stderr.split())
