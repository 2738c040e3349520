"""An option that would have no effect is an error, which names the option that it needs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner

from forge_mlir.cli.app import app
from forge_mlir.cli.exit_codes import Exit, exit_of_error
from forge_mlir.compiler.driver import compile_to
from forge_mlir.errors import ForgeError
from sample_models.repository import REPOSITORY
from sample_models.small import one_node

BLOCK = REPOSITORY / "models" / "gpt2_block" / "model.onnx"


@pytest.fixture
def model(tmp_path: Path) -> str:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    return str(tmp_path / "m.onnx")


@pytest.mark.parametrize(
    ("command", "options", "reason"),
    [
        ("compile", "--cache-limit=3", "--cache-limit needs --cache"),
        ("compile", "--cache-limit=0", "--cache-limit needs --cache"),
        ("compile", "--max-weight-growth=2", "--max-weight-growth needs --tiles"),
        ("compile", "--device-format=bf16", "--device-format needs --tiles or --fill-tile-padding"),
        (
            "compile",
            "--device-format=bf16 --fill-tile-padding=none",
            "--device-format needs --tiles or --fill-tile-padding",
        ),
        ("compile", "--batch=2 --max-length=8", "--max-length, --batch need --generate"),
        ("compile", "--cpu-ops=Relu", "--cpu-ops needs --fallback=cpu"),
        ("compile", "--cpu-ops=Relu --fallback=error", "--cpu-ops needs --fallback=cpu"),
        ("check", "--device=blackhole-p150", "--device needs --cost"),
        ("run", "--iterations=3 --warm-up=1", "--iterations, --warm-up need --benchmark"),
        ("run", "--warm-up=0", "--warm-up needs --benchmark"),
        ("generate", "--seed=1", "--seed needs --temperature"),
        ("generate", "--seed=0", "--seed needs --temperature"),
        ("compile", "--to=import --flat --tiles", "--to=import writes IR and takes no --flat, --tiles"),
        ("compile", "--to=import --allow-rounding", "--to=import writes IR and takes no --allow-rounding"),
        ("compile", "--to=forge --optimize=none", "--to=forge writes IR and takes no --optimize"),
        ("compile", "--to=forge --verify --watch", "--to=forge writes IR and takes no --verify"),
        ("verify", "--artifact=m --name=n", "--name is for a new compilation"),
        ("verify", "--seeds=3 --inputs=x.npz", "--seeds: only for random inputs"),
        ("verify", "--seed=1 --seeds=3 --against=x.npz", "--seed, --seeds: only for random inputs"),
        ("verify", "--seed=1 --inputs=x.npz", "--seed: only for random inputs"),
        ("run", "--seed=1 --inputs=x.npz", "--seed: only for random inputs"),
        ("bisect", "--seed=1 --inputs=x.npz", "--seed: only for random inputs"),
        ("reduce", "--seed=1 --inputs=x.npz", "--seed: only for random inputs"),
        ("reduce", "--kind=wrong --command=", "--kind and --command exclude each other"),
        (
            "reduce",
            "--command=true --optimize=none --fallback=cpu",
            "--optimize, --fallback: without effect with --command",
        ),
        ("inspect", "--no-refusals --tiles", "--tiles: without effect with --no-refusals"),
        ("run", "--output=y.npz --save=./y.npz", "--output and --save are the same file"),
        ("sweep", "--jobs=2 --scheduler=tcp://localhost:1", "--jobs is for this machine"),
        ("sweep", "--scheduler=", "'--scheduler': expected a text, but got ''"),
        ("compile", "--name=", "'--name': expected a text, but got ''"),
        ("emit", "--name=", "'--name': expected a text, but got ''"),
        ("compile", "--output=", "'-o': expected a path, but got ''"),
        ("verify", "--inputs=", "'-i': expected a text, but got ''"),
        ("check", "--summary=", "'--summary': expected a path, but got ''"),
        ("compile", "--patterns=", "'--patterns': expected a path, but got ''"),
        ("compile", "--fallback=", "'--fallback': expected error, cpu, but got ''"),
        ("compile", "--optimize=", "'--optimize': expected none, exact, default, but got ''"),
        ("run", "--time-limit=nan", "'--time-limit': expected a number, but got nan"),
        ("sweep", "--model-seconds=nan", "'--model-seconds': expected a number, but got nan"),
    ],
)
def test_an_option_without_effect(command: str, options: str, reason: str, model: str, tmp_path: Path) -> None:
    found = CliRunner().invoke(app, [command, model, *options.split()])
    assert found.exit_code == 2
    assert reason in " ".join(found.stderr.split())
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


@pytest.mark.parametrize(
    "options",
    [
        "--batch=1",
        "--to=forge --allow-rounding",
        "--tiles --max-weight-growth=2",
        "--fallback=cpu --cpu-ops=Relu",
        "--fill-tile-padding=ttnn-conservative --device-format=bfp8",
    ],
)
def test_an_option_with_an_effect_or_its_default(options: str, model: str, tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["compile", model, *options.split(), "-o", str(tmp_path / "o")]).exit_code == 0


def test_an_empty_path_is_not_the_current_directory(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["check", model]).exit_code == 0
    done = CliRunner().invoke(app, ["check", ""])
    assert done.exit_code == 2
    assert "'MODEL': expected a path, but got ''" in done.stderr


def test_a_cache_that_is_not_used_is_noted(model: str, tmp_path: Path) -> None:
    words = ["compile", model, "-o", str(tmp_path / "o"), "--cache", str(tmp_path / "c")]
    assert "--cache" not in CliRunner().invoke(app, words).stderr
    done = CliRunner().invoke(app, [*words, "--dump-dir", str(tmp_path / "d")])
    assert done.exit_code == 0
    assert "note: --cache is not used with --dump-dir" in done.stderr


def test_options_of_later_stages_do_not_change_the_forge_stage(tmp_path: Path) -> None:
    """This is why --to=forge refuses them."""

    def text(**options: object) -> str:
        return compile_to(BLOCK, tmp_path, "forge", force=True, **options).read_text()  # type: ignore[arg-type]

    expected = text()
    assert text(flat=True, optimize="none", integers="proven") == expected
    assert text(layout="tiles") == expected
    assert text(float_format="bfloat16", fast_math=["all"], fill_tile_padding="ttnn-conservative") == expected


def test_a_directory_with_a_module_and_its_stages_is_run(model: str, tmp_path: Path) -> None:
    """The table of weights that is written beside the IR is not taken for a second manifest."""
    folder = str(tmp_path / "o")
    runner = CliRunner()
    assert runner.invoke(app, ["compile", model, "-o", folder]).exit_code == 0
    assert runner.invoke(app, ["compile", model, "--to=call", "-o", folder]).exit_code == 0
    assert runner.invoke(app, ["run", folder]).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["run", "nosuch"],
        ["run", "nosuch.py"],
        ["reseal", "nosuch"],
        ["bug-report", "nosuch.onnx"],
        ["inspect", "nosuch.onnx"],
    ],
)
def test_a_file_that_does_not_exist_is_wrong_usage(words: list[str]) -> None:
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, ForgeError)
    assert exit_of_error(error) == Exit.USAGE
    assert "nosuch" in error.message


@pytest.mark.parametrize(
    ("words", "stray"),
    [
        (["--to=forge", "--shapes", "a: x=1"], "--shapes"),
        (["--to=call", "--cache", "c"], "--cache"),
        (["--to=import", "--weights=reference"], "--weights"),
        (["--to=forge", "--verify"], "--verify"),
        (["--to=forge", "-o", "a", "--dump-dir", "b"], "--output"),
    ],
)
def test_options_without_meaning_for_a_stage_are_errors(words: list[str], stray: str) -> None:
    done = CliRunner().invoke(app, ["compile", "m.onnx", *words])
    assert done.exit_code == 2
    assert f"takes no {stray}" in done.output


@pytest.mark.parametrize("words", [["--bind", "x=x.npy"], ["--range", "x=0:3"], ["--sample-inputs", "x.npz"]])
def test_options_of_one_model_are_no_options_of_a_sweep(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.zeros(1))
    np.savez("x.npz", x=np.zeros(1))
    done = CliRunner().invoke(app, ["sweep", ".", *words])
    assert done.exit_code == 2
    assert f"{words[0]} is for one model" in done.output
    assert words[0] not in CliRunner().invoke(app, ["sweep", "--help-all"]).output
