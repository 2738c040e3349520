"""The exit code of a command tells a script what happened: one case for each code, and the table in the guide."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from forge_mlir.cli.exit_codes import EXIT_CODES, Exit, exit_of_error, worst
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.explanations import explanations
from sample_models.repository import REPOSITORY
from sample_models.small import one_node
from sample_models.tools import run_command


def command(*arguments: str, cwd: Path, before: str = "") -> int:
    """Runs the command in a separate interpreter."""
    script = (
        f"import sys\n{before}\nfrom forge_mlir.cli.main import run\nsys.argv = ['forge-mlir', *sys.argv[1:]]\nrun()"
    )
    return subprocess.run([sys.executable, "-c", script, *arguments], cwd=cwd, capture_output=True).returncode


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    onnx.save(one_node("Relu", [2, 3]), folder / "relu.onnx")
    onnx.save(one_node("Det", [4, 4]), folder / "det.onnx")
    np.savez(folder / "x.npz", x=np.ones((2, 3), np.float32))
    np.savez(folder / "wrong.npz", y=np.zeros((2, 3), np.float32))
    return folder


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("compile relu.onnx -o out", Exit.DONE),
        ("check relu.onnx", Exit.DONE),
        ("compile relu.onnx --no-such-flag", Exit.USAGE),
        ("compile no-such-file.onnx", Exit.USAGE),
        ("check no-such-file.onnx", Exit.USAGE),
        ("compile relu.onnx --dim no_such_dim=1", Exit.USAGE),
        ("compile det.onnx", Exit.REFUSED),
        ("check det.onnx", Exit.REFUSED),
        ("check .", Exit.REFUSED),
        ("verify det.onnx", Exit.REFUSED),
        ("inspect det.onnx", Exit.DONE),
        ("verify relu.onnx -i x.npz --expected wrong.npz", Exit.MISMATCH),
    ],
)
def test_a_command_for_each_code(line: str, expected: Exit, folder: Path) -> None:
    assert run_command(*line.split(), cwd=folder).returncode == expected


def test_a_command_that_starts_by_itself(folder: Path) -> None:
    assert command("check", "det.onnx", cwd=folder) == Exit.REFUSED


def test_an_internal_error(folder: Path) -> None:
    broken = "import forge_mlir.report.check\nforge_mlir.report.check.check = lambda *a, **k: 1 / 0"
    assert command("check", "relu.onnx", cwd=folder, before=broken) == Exit.INTERNAL


def test_a_refused_model_counts_as_its_nodes_do() -> None:
    def refused(*codes: Code) -> Exit:
        return exit_of_error(ForgeError(Code.ModelRefused, "", tuple(Diagnostic("error", "", code=c) for c in codes)))

    assert refused(Code.NoConverter, Code.RankWrong) == Exit.REFUSED
    assert refused(Code.MemoryLimit) == Exit.LIMIT
    assert refused(Code.MemoryLimit, Code.NoConverter) == Exit.REFUSED


def test_a_full_disk_is_a_limit() -> None:
    def unwritable(number: int) -> Exit:
        error = ForgeError(Code.CannotWrite, "")
        error.__cause__ = OSError(number, "")
        return exit_of_error(error)

    assert unwritable(28) == Exit.LIMIT
    assert unwritable(13) == Exit.REFUSED


def test_the_worst_of_several_models() -> None:
    assert worst([]) == Exit.DONE
    assert worst([Exit.DONE, Exit.REFUSED]) == Exit.REFUSED
    assert worst([Exit.REFUSED, Exit.LIMIT, Exit.MISMATCH]) == Exit.MISMATCH


def test_the_guide_and_the_help_list_all_codes() -> None:
    page = (REPOSITORY / "docs/guides/command.md").read_text(encoding="utf-8")
    table = page.partition("## Exit codes")[2].partition("\n## ")[0]
    assert [int(number) for number in re.findall(r"^\| (\d) \|", table, re.MULTILINE)] == [*Exit]
    assert [int(number) for number in re.findall(r"\d", EXIT_CODES)] == [*Exit]
    assert {row.exit for row in explanations().values()} == {*Exit} - {Exit.DONE}
