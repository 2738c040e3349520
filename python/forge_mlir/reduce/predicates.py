"""Determines how a model fails, and whether a smaller model fails in the same way."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from forge_mlir.codes import Code
from forge_mlir.compiler.lower import lower
from forge_mlir.compiler.option_types.values import command_line, without
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.importer import OnnxImportError
from forge_mlir.reduce.cases import Case

Kind = Literal["refused", "wrong", "crash", "command"]

Predicate = Callable[[Case], bool]
"""Whether a case still fails."""

_TIMEOUT = 600
"""The time of a process, in seconds."""
_TIMED_OUT = 124
"""The exit code of a process that takes longer."""


@dataclass(frozen=True)
class Failure:
    """`signature` distinguishes failures of one kind: the reason of a refusal, the op that diverges, or how a process
    ended."""

    kind: Kind
    signature: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.signature}" if self.signature else self.kind


def failure_of(case: Case, options: Options, kind: Kind | None = None) -> Failure:
    """The failure of `case`. Without `kind`, or for a crash, it is tried in a child process. Raises ForgeError if
    nothing fails, or not as `kind` requires."""
    found = _failure(case, options) if kind in (None, "crash") else _failure_here(case, options)
    if found is None:
        raise ForgeError(Code.NothingToReduce, "the model compiles, and nothing is wrong: there is nothing to reduce")
    if kind is not None and found.kind != kind:
        raise ForgeError(Code.NothingToReduce, f"expected the model to fail as {kind}, but it is {found}")
    return found


def predicate_for(failure: Failure, options: Options) -> Predicate:
    """A predicate for cases that fail as `failure` does. Only crashes need a child process each time."""
    if failure.kind == "crash":
        return lambda case: _failure(case, options) == failure
    if failure.kind == "refused":
        return lambda case: failure.signature in _refusals(case, options)
    if failure.kind == "wrong":
        return lambda case: _divergence(case, options) == failure.signature
    return lambda case: _status(case, failure.signature) == 0


def command_failure(case: Case, command: str) -> Failure:
    """A failure defined by `command`, in which {model} and {inputs} are replaced by files: the case is interesting if
    it exits with 0. Raises ForgeError if it does not, and for text that is no command."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ForgeError(Code.CommandFailed, f"cannot run {command!a}: {error}") from error
    if not words:
        raise ForgeError(Code.CommandFailed, "expected a command, but got only spaces")
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
        return subprocess.CompletedProcess(list(words), _TIMED_OUT, "", "timed out")
    except OSError as error:
        raise ForgeError(Code.CommandFailed, f"cannot run {words[0]!a}: {error.strerror}") from error


def options_for(case: Case, options: Options) -> Options:
    """The options that still apply to a reduced model, whose shapes are fixed and whose inputs may be removed."""
    kept = without(options, "inputs")
    names = {value.name for value in case.model.graph.input}
    if ranges := {name: ends for name, ends in (options.get("ranges") or {}).items() if name in names}:
        kept["ranges"] = ranges
    return kept


def _failure(case: Case, options: Options) -> Failure | None:
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
                *command_line(options_for(case, options)),
            ]
        )
    if ended.returncode == 0:
        return None
    if ended.returncode == _TIMED_OUT:
        return Failure("crash", f"takes more than {_TIMEOUT} s")
    # Exit codes above those in docs/guides/command.md are signals, which Python gives as negative numbers.
    if not 0 < ended.returncode < 128:
        return Failure("crash", f"exit status {ended.returncode}")
    answer = json.loads(ended.stdout) if ended.stdout else {}
    for error in answer.get("errors", ()):
        if error["code"] == Code.InternalError:
            return Failure("crash", error.get("exception", "internal error"))
    if answer.get("verdict") == "undecided":
        return None
    if "first_divergence" in answer:
        return Failure("wrong", _wrong_op(answer))
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
        lowered = lower(case.model, **options_for(case, options))
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
    """As `_wrong_op`; None if nothing is known to be wrong, or nothing runs."""
    from forge_mlir.verify import verify_model

    with tempfile.TemporaryDirectory() as scratch:
        model, inputs = Path(scratch, "model.onnx"), Path(scratch, "inputs.npz")
        case.save(model, inputs)
        try:
            result = verify_model(model, case.inputs, **options_for(case, options))
        except ForgeError:
            return None
    return _wrong_op(result.json()) if result.verdict == "wrong" else None


def _wrong_op(verification: Mapping[str, Any]) -> str:
    """The op that is wrong, by the JSON of a `Verification`: of the first node that is wrong alone, or of the first one
    that diverges in the model; "" if only outputs are wrong."""
    alone = verification["alone"]
    wrong = [*(alone["wrong"] if alone else ()), verification["first_divergence"]]
    return str(wrong[0]["op"]) if wrong[0] else ""
