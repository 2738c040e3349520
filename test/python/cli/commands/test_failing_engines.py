"""Libraries that crash, hang, or allocate memory without end: each command reports it, and leaves no files.

A plugin replaces functions of the libraries in the process of the command, and so in its children. What runs whole
models is not replaced, because it was always in a child of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import onnx
import pytest

from sample_models.tools import run_command

_FAILURES = {
    "crash": ("os.abort()", "FM5007", "crashed on it (SIGABRT)"),
    "hang": ("time.sleep(600)", "FM5005", "took more than 2 s on it (--time-limit)"),
    "memory": ("held = [bytearray(1 << 27) for _ in itertools.count()]", "FM5006", "needs more than 700 MiB on it"),
}

_PLUGIN = """\
import itertools, os, time
import onnx, onnx.reference, onnxruntime
from forge_mlir import lowering
from forge_mlir.reduce import cases
from forge_mlir.report import inspection

def fails(*arguments, **options):
    {failure}

@lowering("test", "Unused")
def unused(node, b):
    return node.input(0)

def is_part(source):
    return not isinstance(source, str) or "_cpu" in source

class Session(onnxruntime.InferenceSession):
    def run(self, *arguments, **options):
        return (fails if is_part(self._model_path or b"") else super().run)(*arguments, **options)

class Evaluator(onnx.reference.ReferenceEvaluator):
    run = fails

def planted():
    {planted}

planted()
"""

_NODES = "onnxruntime.InferenceSession, onnx.reference.ReferenceEvaluator = Session, Evaluator"
_LOADS = "onnx.load = fails"
_PARSES = "inspection._inspected = fails"
_READS = "cases.whole_model = fails"
_INFERS = "onnx.shape_inference.infer_shapes = fails"

MODEL = """<ir_version: 10, opset_import: ["": 18]>
g (float[B, 8] x) => (float[B, 8] y) { z = Softmax<axis = -1>(x) y = Mul(z, x) }"""
REFUSED = """<ir_version: 10, opset_import: ["": 18]>
g (float[B, 8] x) => (float[B, 8] y, int64[2, N] z) { a = Softmax<axis = -1>(x) z = NonZero(a) y = Mul(a, x) }"""


class Planted(NamedTuple):
    """A command, what is replaced, and the exit code."""

    words: Sequence[str]
    planted: str = _NODES
    code: int = 5


_SIZE = ("--input-shape", "x=2x8")
_CPU = ("--fallback=cpu", "--cpu-ops=Mul")
COMMANDS = {
    "verify": Planted(("verify", "m.onnx", *_SIZE, "--whole")),
    "verify a partition": Planted(("verify", "m.onnx", *_SIZE, *_CPU, "--whole")),
    "compile": Planted(("compile", "m.onnx", *_SIZE, "--verify", "-o", "out")),
    "bisect": Planted(("bisect", "m.onnx", *_SIZE, *_CPU)),
    "bisect rewrites": Planted(("bisect", "m.onnx", *_SIZE, *_CPU, "--rewrites")),
    "inspect": Planted(("inspect", "m.onnx", *_SIZE), _PARSES),
    "bug-report": Planted(("bug-report", "m.onnx", *_SIZE, "-o", "bug.tar.gz"), _LOADS),
    "reduce": Planted(("reduce", "m.onnx", *_SIZE, "-o", "out"), _READS),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    onnx.save(onnx.parser.parse_model(MODEL), tmp_path / "m.onnx")
    (tmp_path / "temporary").mkdir()
    return tmp_path


def run(folder: Path, failure: str, planted: Planted) -> tuple[int, dict[str, Any]]:
    """The exit code of a command, and its answer. No temporary files are left."""
    (folder / "plugin.py").write_text(_PLUGIN.format(failure=_FAILURES[failure][0], planted=planted.planted))
    limit = {"hang": ("--time-limit=2",), "memory": ("--memory-limit=700",)}.get(failure, ())
    words = (*planted.words, "--plugin", "plugin.py", *limit, "--json")
    ended = run_command(*words, cwd=folder, TMPDIR=str(folder / "temporary"))
    assert "Traceback" not in ended.stderr
    # onnxruntime writes a file when it is loaded, here by the processes that reduce starts.
    assert {path.name for path in (folder / "temporary").iterdir()} <= {".ses"}
    return ended.returncode, json.loads(ended.stdout)


@pytest.mark.parametrize("failure", _FAILURES)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reports_the_failure(name: str, failure: str, folder: Path) -> None:
    code, answer = run(folder, failure, COMMANDS[name])
    errors = answer["errors"]
    assert (code, [error["code"] for error in errors]) == (COMMANDS[name].code, [_FAILURES[failure][1]])
    assert _FAILURES[failure][2] in errors[0]["message"]
    assert sorted(path.name for path in folder.iterdir()) == ["m.onnx", "plugin.py", "temporary"]


@pytest.mark.parametrize("failure", _FAILURES)
def test_a_model_whose_sizes_cannot_be_read_has_all_given_ones(failure: str, folder: Path) -> None:
    """In a command for a folder. The other models are checked, too; an import that fails reports the reason."""
    code, answer = run(folder, failure, Planted(("check", ".", "--dim", "B=2"), _LOADS))
    assert (code, [model["verdict"] for model in answer["models"]]) == (0, ["supported"])


def test_a_report_says_that_results_are_not_known(folder: Path) -> None:
    words = ("report", "m.onnx", *_SIZE, "-o", "report.json")
    assert run(folder, "crash", Planted(words))[0] == 0
    accuracy = json.loads((folder / "report.json").read_text())["accuracy"]
    assert accuracy["word"] == "not known"
    assert "crashed on it (SIGABRT)" in accuracy["text"]


@pytest.mark.parametrize(("planted", "failure"), [(_NODES, "FM1201 NonZero"), (_INFERS, "FM5007 onnx crashed")])
def test_reduce_does_not_need_values_and_types(planted: str, failure: str, folder: Path) -> None:
    """The model is reduced for what the compilation says of it, without the values of its nodes, or without types."""
    onnx.save(onnx.parser.parse_model(REFUSED), folder / "m.onnx")
    code, answer = run(folder, "crash", Planted(("reduce", "m.onnx", *_SIZE, "-o", "out"), planted))
    assert (code, answer["failure"][: len("refused: ") + len(failure)]) == (0, f"refused: {failure}")
    assert (folder / "out" / "m_reduced.onnx").exists()
