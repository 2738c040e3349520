"""Does in the process of a test what the compiler and `verify` give to a child process.

A process of tests has loaded torch and onnxruntime, and a fork of it costs more than to compile a small model: half a
gigabyte is copied page by page, in the child and, as it writes, in the parent too. Tests of child processes, of limits
and of files that exhaust them keep the children, and so do commands; workers of the conformance suite and of the fuzzer
are children with limits themselves.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from forge_mlir.support.sandbox import Limits

_USERS = (
    ("forge_mlir.importer.onnx_import", "isolating"),
    ("forge_mlir.compiler.cpu.engines", "isolated"),
    ("forge_mlir.compiler.cpu.whole_model", "isolated"),
)
"""Modules of a compilation that start children, and what they start them by."""

_OTHERS = (
    ("forge_mlir.compiler.stages.emit_ir", "isolated"),
    ("forge_mlir.importer.generation.detect", "isolating"),
    ("forge_mlir.importer.ir_files", "isolating"),
    ("forge_mlir.verify.tokens.generation", "isolated"),
    ("forge_mlir.verify.samples.goldens", "isolated"),
)
"""Those that compute goldens, and that read IR and language models."""


def without_children(replace: Callable[[Any, str, Any], object] = setattr, others: bool = False) -> None:
    """From now on a compilation starts no child; `replace` may be that of a monkeypatch, which restores it. With
    `others` neither do goldens and readers of IR: for models of tests, on which nothing crashes."""
    for module, name in _USERS + _OTHERS * others:
        replace(import_module(module), name, {"isolating": _isolating, "isolated": _isolated}[name])


def _isolated(what: str, work: Callable[[], Any], limits: Limits) -> Any:  # noqa: ARG001 - as sandbox.isolated
    """The result as a child would send it: a copy, which has to be picklable."""
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
