"""Measures one model of a sweep in a child process, so that no failure stops the sweep."""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from forge_mlir.codes import Code
from forge_mlir.compiler.facts import all_versions
from forge_mlir.compiler.option_types.values import command_line
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.importer.onnx_import import files_of
from forge_mlir.support.sandbox import Limits, is_out_of_memory, limit_this_process
from forge_mlir.sweep.rows import Row
from forge_mlir.version import __version__

if TYPE_CHECKING:
    from forge_mlir.verify import Comparison

T = TypeVar("T")

INPUTS = "inputs.npz"
"""Values for the inputs of the models in a folder, if the file exists; otherwise random ones."""

_RUNS = 3
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Request:
    """A model to measure: its file, its name in the sweep, and options. `plugins` are files with lowerings."""

    file: str
    model: str
    options: Options
    plugins: Sequence[str]
    limits: Limits
    """The limits of the whole measurement."""
    versions: Mapping[str, str]
    """The versions in `forge_mlir.compiler.facts.all_versions` where the sweep runs."""

    @staticmethod
    def of(file: Path, model: str, options: Options, limits: Limits) -> Request:
        """Functions of a plugin cannot be sent; the process loads the plugin again. Paths of files become absolute."""
        plugins = tuple(dict.fromkeys(str(Path(each.file).resolve()) for each in options.get("lowerings", ())))
        own: Options = {**options}
        own.pop("lowerings", None)
        if "patterns" in own:
            own["patterns"] = [str(Path(pattern).resolve()) for pattern in own["patterns"]]
        return Request(str(file.resolve()), model, own, plugins, limits, all_versions())

    def begun(self) -> Row:
        """A row with what is measured, but no result yet. Raises OSError."""
        flags = [*command_line(self.options), *(word for plugin in self.plugins for word in ("--plugin", plugin))]
        words = " ".join(map(ascii, flags))
        return Row(self.model, _digest(self.file), words, __version__, "failed", others_sha256=self._others())

    def _others(self) -> str:
        """A hash of what results depend on besides the model's file: files of weights, inputs, plugins and patterns,
        the limits, and the versions of all packages involved."""
        patterns = [os.fspath(file) for file in self.options.get("patterns", ())]
        beside = Path(self.file).with_name(INPUTS)
        files = [
            *self.plugins,
            *patterns,
            *([str(beside)] if beside.exists() else ()),
            *map(str, files_of(self.file)[1:]),
        ]
        # A missing file of weights is an error of the model, which its measurement finds.
        hashes = [(file, _digest(file) if os.path.isfile(file) else "") for file in files]
        facts = [hashes, self.limits, dict(self.versions)]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _digest(file: str) -> str:
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


Started = Callable[["subprocess.Popen[bytes]"], None]


def measured(request: Request, started: Started | None = None) -> Row:
    """Measures a model; never raises because of the model. `started` is called with the process."""
    try:
        begun = request.begun()
    except OSError as error:
        return Row(request.model, "", "", __version__, "failed", Code.FileUnreadable, str(error.strerror))
    words = [sys.executable, "-m", "forge_mlir.sweep.measure"]
    # PyTorch computes with one thread, so that its times depend less on other processes.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, env=environment, **pipes) as child:  # type: ignore[call-overload]
        if started is not None:
            started(child)
        try:
            answer, _ = child.communicate(pickle.dumps((request, begun)), timeout=request.limits.seconds or None)
        except subprocess.TimeoutExpired:
            child.kill()
            reason = f"took more than {request.limits.seconds:g} s (--model-seconds)"
            return replace(begun, code=Code.TimeLimit, reason=reason)
    try:
        return Row(**json.loads(answer))
    except (ValueError, TypeError):
        status = child.returncode
        how = signal.Signals(-status).name if status < 0 else f"exit code {status}"
        return replace(begun, code=Code.ChildCrashed, reason=f"crashed ({how}); it may need more --model-memory")


def _measure(request: Request, begun: Row) -> Row:
    try:
        return _of_model(request, begun)
    except ForgeError as error:
        first = next((found for found in error.details if found.severity == "error"), None)
        if first is None:
            return replace(begun, verdict=_of_code(error.code), code=error.code, reason=error.message)
        return replace(begun, verdict="refused", code=first.code, reason=first.reason or first.message)
    except Exception as error:  # every error becomes a row
        if is_out_of_memory(error):
            reason = f"needs more than {request.limits.memory >> 20} MiB (--model-memory)"
            return replace(begun, code=Code.MemoryLimit, reason=reason)
        return replace(begun, code=Code.InternalError, reason=f"{type(error).__name__}: {error}"[:500])


def _of_code(code: str) -> Any:
    """The outcome for an error code: an unreadable model is refused; exhausted limits and errors of the environment are
    failures."""
    return "refused" if code.startswith(("FM01", "FM02", "FM03", "FM1", "FM2", "FM3")) else "failed"


def _of_model(request: Request, begun: Row) -> Row:
    from forge_mlir.compiler.driver import compile_traced
    from forge_mlir.execute.loaded_model import LoadedModel
    from forge_mlir.execute.values.array_files import load_npz
    from forge_mlir.integration.folder import sizes_of
    from forge_mlir.lowerings.plugins import load_plugin
    from forge_mlir.verify import Runs, verify_traced
    from forge_mlir.verify.inputs.random_inputs import random_inputs

    for name in ("normalise", "torch_nodes"):  # Import the code beforehand, so that it does not count for the model.
        import_module(f"forge_mlir.importer.{name}")
    limit_this_process(request.limits)
    file = Path(request.file)
    options: Options = {**request.options, **sizes_of(file, request.options)}
    options["lowerings"] = [lowering for plugin in request.plugins for lowering in load_plugin(Path(plugin))]
    given = load_npz(file.with_name(INPUTS)) if file.with_name(INPUTS).exists() else None
    if given is not None:
        options["sample_inputs"] = given
    with tempfile.TemporaryDirectory() as scratch:
        (artifact, imported), seconds = _timed(lambda: compile_traced(file, scratch, **options))
        manifest = artifact.manifest()
        kinds = [partition["kind"] for partition in manifest.get("partitions", [{"kind": "device"}])]
        row = replace(
            begun,
            nodes=manifest["onnx"]["nodes"],
            calls=artifact.calls(),
            device_partitions=kinds.count("device"),
            cpu_partitions=kinds.count("cpu"),
            weight_bytes=artifact.weights_path.stat().st_size,
            compile_seconds=seconds,
        )
        inputs = given if given is not None else random_inputs(manifest, 0, imported)
        found, seconds = _timed(lambda: verify_traced(file, artifact, imported, Runs(given), **options))
        row = replace(row, verify_seconds=seconds, relative=_worst(found.outputs))
        model = LoadedModel.open(artifact)
        row = replace(row, run_seconds=min(_timed(lambda: model.run(inputs))[1] for _ in range(_RUNS)))
    if found.passed:
        return replace(row, verdict="verified")
    if found.verdict == "undecided":
        return replace(row, verdict="undecided", code=Code.ResultsUndecided, reason=found.reasons[0])
    if found.divergence is not None:
        reason = f"{found.divergence.node.op_type} {found.divergence.node.name}: {found.divergence.reason}"
    else:
        reason = found.reasons[0]
    return replace(row, verdict="wrong", code=Code.ResultsDiffer, reason=reason)


def _worst(outputs: Sequence[Comparison]) -> float | None:
    """The largest error; JSON has only finite numbers."""
    return max((output.relative for output in outputs if math.isfinite(output.relative)), default=None)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    result = work()
    return result, round(time.perf_counter() - began, 6)


def main() -> None:
    """Reads a request from stdin and writes its row to the original stdout; output of native code is redirected."""
    answers = os.dup(1)
    os.dup2(2, 1)
    # If the sweep is killed, so are its processes.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    request, begun = pickle.load(sys.stdin.buffer)  # written by our own parent process
    row = _measure(request, begun)
    with os.fdopen(answers, "w", encoding="ascii") as file:
        file.write(json.dumps(asdict(row), allow_nan=False))


if __name__ == "__main__":
    main()
