"""Determines how a model fails, and whether a smaller model fails in the same way."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from forge_mlir.codes import Code
from forge_mlir.compiler.lower import lower
from forge_mlir.compiler.option_types.values import without
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.importer import OnnxImportError
from forge_mlir.reduce.cases import Case

Kind = Literal["refused", "wrong", "crash", "command"]

Predicate = Callable[[Case], bool]
"""Whether a case still fails."""

_TIMEOUT = 600


@dataclass(frozen=True)
class Failure:
    """`signature` distinguishes failures of one kind: the reason of a refusal, the op that diverges, or how a process
    ended."""

    kind: Kind
    signature: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.signature}" if self.signature else self.kind


def failure_of(case: Case, options: Options, arguments: Sequence[str], kind: Kind | None = None) -> Failure:
    """The failure of `case`. Without `kind`, or for a crash, it is tried in a child process. `arguments` are `options`
    on the command line. Raises ForgeError if nothing fails, or not as `kind` requires."""
    found = _failure(case, options, arguments) if kind in (None, "crash") else _failure_here(case, options)
    if found is None:
        raise ForgeError(
            Code.NothingToReduce, "the model compiles and computes what ONNX does: there is nothing to reduce"
        )
    if kind is not None and found.kind != kind:
        raise ForgeError(Code.NothingToReduce, f"expected the model to fail as {kind}, but it is {found}")
    return found


def predicate_for(failure: Failure, options: Options, arguments: Sequence[str]) -> Predicate:
    """A predicate for cases that fail as `failure` does. Only crashes need a child process each time."""
    if failure.kind == "crash":
        return lambda case: _failure(case, options, arguments) == failure
    if failure.kind == "refused":
        return lambda case: failure.signature in _refusals(case, options)
    if failure.kind == "wrong":
        return lambda case: _divergence(case, options) == failure.signature
    return lambda case: _status(case, failure.signature) == 0


def command_failure(case: Case, command: str) -> Failure:
    """A failure defined by `command`, in which {model} and {inputs} are replaced by files: the case is interesting if
    it exits with 0. Raises ForgeError if it does not."""
    status = _status(case, command)
    if status:
        raise ForgeError(
            Code.NothingToReduce,
            f"the command exits with {status} on the model; it must exit with 0 as long as a model is interesting",
        )
    return Failure("command", command)


def _status(case: Case, command: str) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        model, inputs = Path(scratch, "model.onnx"), Path(scratch, "inputs.npz")
        case.save(model, inputs)
        words = [word.replace("{model}", str(model)).replace("{inputs}", str(inputs)) for word in shlex.split(command)]
        return _process(words).returncode


def _process(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(list(words), 124, "", "timed out")
    except OSError as error:
        raise ForgeError(Code.CommandFailed, f"cannot run {words[0]!a}: {error.strerror}") from error


def _kept(options: Options) -> Options:
    """The options that still apply to a reduced model, whose shapes are fixed and whose inputs may be removed."""
    return without(options, "inputs")


def _failure(case: Case, options: Options, arguments: Sequence[str]) -> Failure | None:
    with tempfile.TemporaryDirectory() as scratch:
        model, inputs = Path(scratch, "model.onnx"), Path(scratch, "inputs.npz")
        case.save(model, inputs)
        ended = _process(
            [
                sys.executable,
                "-m",
                "forge_mlir.cli.main",
                "verify",
                str(model),
                "--inputs",
                str(inputs),
                "--json",
                *arguments,
            ]
        )
    if ended.returncode == 0:
        return None
    # Exit codes above those in docs/guides/command.md are signals, which Python gives as negative numbers.
    if not 0 < ended.returncode < 128:
        return Failure("crash", f"exit status {ended.returncode}")
    answer = json.loads(ended.stdout) if ended.stdout else {}
    for error in answer.get("errors", ()):
        if error["code"] == Code.InternalError:
            return Failure("crash", error["exception"])
    if "first_divergence" in answer:
        found = answer["first_divergence"]
        return Failure("wrong", found["op"] if found else "")
    signatures = _refusals(case, options)
    return (
        Failure("refused", signatures[0])
        if signatures
        else Failure("crash", "an error that is not one when compiled again")
    )


def _failure_here(case: Case, options: Options) -> Failure | None:
    if signatures := _refusals(case, options):
        return Failure("refused", signatures[0])
    signature = _divergence(case, options)
    return None if signature is None else Failure("wrong", signature)


def _refusals(case: Case, options: Options) -> list[str]:
    """The refusals of a case: codes and reasons, without node names, which may be absent."""
    try:
        lowered = lower(case.model, **_kept(options))
    except ForgeError as error:
        return [f"{error.code} {error.reason if isinstance(error, OnnxImportError) else error.message}"]
    if lowered.emitted is not None:
        return []
    return [
        " ".join(filter(None, (found.code, found.op, found.reason)))
        for found in lowered.diagnostics
        if found.severity == "error"
    ]


def _divergence(case: Case, options: Options) -> str | None:
    """The op that is wrong, in the model or alone; "" if only outputs are; None if nothing is, or nothing runs."""
    from forge_mlir.verify import verify_model

    with tempfile.TemporaryDirectory() as scratch:
        model, inputs = Path(scratch, "model.onnx"), Path(scratch, "inputs.npz")
        case.save(model, inputs)
        try:
            result = verify_model(model, case.inputs, **_kept(options))
        except ForgeError:
            return None
    if result.passed:
        return None
    if result.alone is not None and result.alone.wrong:
        return result.alone.wrong[0].op
    return result.json()["first_divergence"]["op"] if result.divergence else ""
