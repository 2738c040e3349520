"""Runs graphs in a child process, which keeps them open until the parent has dropped them."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.kept_sessions import sessions_are_kept
from forge_mlir.support.sandbox import ChildFailed, Helper, Limits


class EngineStopped(BaseException):
    """The child process failed with `error`. As for an interrupt, no handler on the way is meant for it: a node whose
    engine crashes or takes too long is not one that ONNX cannot run, about which something else could decide."""

    def __init__(self, error: ForgeError) -> None:
        super().__init__(error)
        self.error = error


class Graph(Protocol):
    """What the child runs; as pickled, without what it has opened."""

    label: str

    def run_here(self, inputs: Any) -> tuple[Any, Any]:
        """The outputs, and what the graph in the parent has to know."""


class _Request(NamedTuple):
    key: int
    graph: Graph
    inputs: Any
    dropped: Sequence[int]


@dataclass
class Engines:
    """The child process, and the graphs of this process that it knows, by number."""

    helper: Helper
    process: int
    _known: weakref.WeakKeyDictionary[Graph, int] = field(default_factory=weakref.WeakKeyDictionary)
    _count: int = 0
    _dropped: list[int] = field(default_factory=list)

    def run(self, graph: Graph, inputs: Any) -> tuple[Any, Any]:
        """`graph.run_here(inputs)` in the child. Raises its ForgeError, and EngineStopped."""
        with suppress(ImportError):
            import onnxruntime  # noqa: F401 - loaded here, so that the child's memory is the models' alone
            from onnx import reference  # noqa: F401
        if graph not in self._known:
            self._count += 1
            self._known[graph] = self._count
            weakref.finalize(graph, self._dropped.append, self._count)
        dropped, self._dropped[:] = tuple(self._dropped), ()
        try:
            answer, caught = self.helper.ask("onnxruntime", _Request(self._known[graph], graph, inputs, dropped))
        except ChildFailed as error:
            raise EngineStopped(error.about(graph.label)) from error
        for text in caught:
            warnings.warn(text, stacklevel=4)
        found: tuple[Any, Any] = answer
        return found


@dataclass
class _Open:
    """The graphs that the child has opened."""

    graphs: dict[int, Graph] = field(default_factory=dict)

    def answer(self, request: _Request) -> tuple[Any, list[str]]:
        """Of `run_here`, and its warnings."""
        for key in request.dropped:
            self.graphs.pop(key, None)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer = self.graphs.setdefault(request.key, request.graph).run_here(request.inputs)
        return answer, [str(each.message) for each in caught if each.category is UserWarning]


_engines: ContextVar[Engines | None] = ContextVar("engines", default=None)


def child_engines() -> Engines | None:
    """The child process that runs graphs; None in other child processes, and if there is none."""
    found = _engines.get()
    return found if found is not None and found.process == os.getpid() else None


@contextmanager
def running_in_child(limits: Limits) -> Iterator[None]:
    """Within the block, graphs run in a child process, which keeps sessions. Raises ForgeError where it fails. In
    another such block it is the child of that one."""
    if child_engines() is not None:
        yield
        return
    with sessions_are_kept(), Helper(_Open().answer, limits) as helper:
        token = _engines.set(Engines(helper, os.getpid()))
        try:
            yield
        except EngineStopped as stopped:
            raise stopped.error from stopped
        finally:
            _engines.reset(token)
