"""Runs within the process of a test what the compiler and `verify` run in a child process.

The process of the tests has loaded torch and onnxruntime, so that a fork of it takes longer than compiling a small
model: half a gigabyte of pages is copied in the child and, as it writes, in the parent. Tests of child processes, of
limits and of files that exhaust these keep the children. So do commands; the workers of the conformance suite and of
the fuzzer are themselves children with limits.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

from forge_mlir.support.sandbox import Limits

_USERS = (
    ("forge_mlir.importer.onnx_import", "isolating"),
    ("forge_mlir.compiler.cpu.engines", "isolated"),
    ("forge_mlir.compiler.cpu.whole_model", "isolated"),
    ("forge_mlir.execute.onnx.child_process", "Helper"),
)
"""Modules that start child processes in a compilation, or for nodes in a verification, and what each uses for it."""

_OTHERS = (
    ("forge_mlir.compiler.stages.emit_ir", "isolated"),
    ("forge_mlir.importer.generation.detect", "isolating"),
    ("forge_mlir.importer.ir_files", "isolating"),
    ("forge_mlir.verify.tokens.generation", "isolated"),
    ("forge_mlir.verify.inputs.goldens", "isolated"),
)
"""The same for modules that compute goldens, and that read IR and language models."""


def without_children(replace: Callable[[Any, str, Any], object] = setattr, others: bool = False) -> None:
    """From now on a compilation starts no child process. `replace` may be that of a monkeypatch, which restores the
    functions. With `others`, goldens and readers of IR start none either: for models of tests that cannot crash
    them."""
    for module, name in _USERS + _OTHERS * others:
        replace(import_module(module), name, _REPLACED[name])


def _isolated(what: str, work: Callable[[], Any], limits: Limits, about: str = "") -> Any:  # noqa: ARG001 - as sandbox.isolated
    """The result as a child process would send it: a copy, made by pickle."""
    return pickle.loads(pickle.dumps(work()))


@contextmanager
def _isolating(
    what: str, work: Callable[[], Any], limits: Limits, load: Callable[[], object] | None = None
) -> Iterator[Callable[[], Any]]:
    def result() -> Any:
        if load:
            load()
        return _isolated(what, work, limits)

    yield result


@dataclass
class _Helper:
    """Answers as a `sandbox.Helper` does."""

    answer: Callable[[Any], Any]
    limits: Limits

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def ask(self, what: str, request: object) -> Any:
        return _isolated(what, lambda: self.answer(pickle.loads(pickle.dumps(request))), self.limits)


_REPLACED = {"isolating": _isolating, "isolated": _isolated, "Helper": _Helper}
