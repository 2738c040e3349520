"""Runs the command on hostile models, and checks what must hold whether they compile or not."""

from __future__ import annotations

import contextlib
import io
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from forge_mlir.artifact.reader import Artifact
from forge_mlir.cli import main as cli
from forge_mlir.execute.run import run
from forge_mlir.verify import golden_outputs, random_inputs
from sample_models.goldens import assert_same

MAX_SECONDS = 120.0
MAX_GROWTH = 1 << 30
"""The number of bytes by which a refusal may increase the memory of this process or of its children."""


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


def command(*arguments: object) -> Result:
    """`forge-mlir` with `arguments`, in this process."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.object(sys, "argv", ["forge-mlir", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Result(code, out.getvalue(), err.getvalue())


def text(body: str, opset: int = 18, ir_version: int = 10) -> ModelProto:
    """A model in ONNX's own syntax: `g (float[2] x) => (float[2] y) { y = Relu(x) }`."""
    return onnx.parser.parse_model(f'<ir_version: {ir_version}, opset_import: ["": {opset}]> {body}')


def value(name: str, shape: Sequence[int | str | None] | None, dtype: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    constants: Mapping[str, np.ndarray] | None = None,
    opset: int = 18,
    name: str = "g",
) -> ModelProto:
    tensors = [onnx.numpy_helper.from_array(array, key) for key, array in (constants or {}).items()]
    graph = helper.make_graph(list(nodes), name, list(inputs), list(outputs), tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def saved(source: ModelProto | bytes | Path, folder: Path) -> Path:
    if isinstance(source, Path):
        return source
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.onnx"
    path.write_bytes(source if isinstance(source, bytes) else source.SerializeToString())
    return path


def clean(text: str) -> None:
    """Asserts that `text` cannot move a cursor, reorder a line, or show an internal error."""
    assert all(line.isascii() and line.isprintable() for line in text.split("\n")), ascii(text[:2000])
    assert "Traceback" not in text
    assert "a bug" not in text, text


def refused(source: ModelProto | bytes | Path, folder: Path, *words: str, options: Sequence[str] = ()) -> str:
    """The output of `forge-mlir compile` for a model that it must refuse.

    The exit code is 3, or 5 if a limit of time or memory was exceeded, or 2 if `options` may be wrong. The output has
    `error:` with a code, the name of the file and all of `words`, and no traceback; nothing is written; time and memory
    are bounded.
    """
    path, out = saved(source, folder), folder / "out"
    before, start = _memory(), time.monotonic()
    result = command("compile", path, "-o", out, *options)
    assert time.monotonic() - start < MAX_SECONDS
    assert all(after - earlier < MAX_GROWTH for after, earlier in zip(_memory(), before, strict=True))
    assert result.code in ((2, 3, 5) if options else (3, 5)), (result.code, result.out, result.err)
    assert result.out == ""
    clean(result.err)
    assert len(result.err) < 20_000
    errors = [line for line in result.err.split("\n") if line.startswith("error: ")]
    assert errors, result.err
    assert all(line.startswith("error: [FM") for line in errors), result.err
    assert all(str(path) in line for line in errors), result.err
    for word in words:
        assert word in result.err, (word, result.err)
    assert not out.exists() or not list(out.iterdir())
    return result.err


def _memory() -> tuple[int, int]:
    return tuple(resource.getrusage(who).ru_maxrss << 10 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))  # type: ignore[return-value]


def compiled(source: ModelProto | Path, folder: Path, *options: str) -> Artifact:
    path = saved(source, folder)
    result = command("compile", path, "-o", folder / "out", *options)
    assert result.code == 0, result.err
    clean(result.err)
    return Artifact.open(Path(result.out.strip()))


def agrees(
    source: ModelProto, folder: Path, *options: str, inputs: Mapping[str, np.ndarray] | None = None, exact: bool = False
) -> Artifact:
    """Compiles, runs, and compares every output with ONNX."""
    artifact = compiled(source, folder, *options)
    given = dict(inputs) if inputs is not None else random_inputs(artifact.manifest())
    got = run(artifact, given)
    try:
        evaluator = ReferenceEvaluator(source)
        expected = dict(zip(evaluator.output_names, evaluator.run(None, given), strict=True))
    except Exception:
        expected = golden_outputs(str(folder / "model.onnx"), given)
    assert list(got) == list(dict.fromkeys(expected))
    for name, array in got.items():
        golden = np.asarray(expected[name])
        assert (array.shape, array.dtype) == (golden.shape, golden.dtype), name
        if exact or golden.dtype.kind in "biu":
            np.testing.assert_array_equal(array, golden)
        else:
            assert_same(array, golden)
    return artifact


def source_of(artifact: Artifact) -> str:
    return artifact.module_path.read_text(encoding="ascii")


def constants(**arrays: object) -> str:
    shown = []
    for name, array in arrays.items():
        array = np.asarray(array)
        kind = {"i": "int64", "f": "float"}[array.dtype.kind]
        shape = f"[{','.join(map(str, array.shape))}]" if array.ndim else ""
        shown.append(f"{kind}{shape} {name} = {{{', '.join(map(str, array.ravel()))}}}")
    return f"<{', '.join(shown)}>"
