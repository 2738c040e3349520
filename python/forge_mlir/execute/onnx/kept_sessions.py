"""Keeps sessions of onnxruntime open while a small model is run with several inputs.

Opening a session for a node takes longer than running it, and a verification runs the nodes of a small model 24 times.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import NodeProto

_LARGEST, _MOST = 1 << 16, 512
"""The largest model whose session is kept, in bytes, and the most sessions. Models with larger weights are not kept."""

_kept: ContextVar[dict[tuple[object, ...], Any] | None] = ContextVar("kept", default=None)


@contextmanager
def sessions_are_kept() -> Iterator[None]:
    """Within the block, opening a model again reuses its session."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def kept_session(source: str | bytes, options: object, opened: Callable[[], Any]) -> Any:
    """The session of a file or serialised model that was opened before with the same `options`, otherwise the result of
    `opened`.

    Sessions whose nodes draw random numbers are not reused, because a second run continues the random sequence.
    """
    kept = _kept.get()
    if kept is None or len(kept) >= _MOST or (isinstance(source, str) and os.path.getsize(source) > _LARGEST):
        return opened()
    model = source if isinstance(source, bytes) else Path(source).read_bytes()
    if len(model) > _LARGEST:
        return opened()
    # Files with equal bytes may have different external data, and a child process lacks the threads of a session.
    key = (source, model, options, os.getpid())
    if key not in kept:
        session = opened()
        if not _is_stateless(model):
            return session
        kept[key] = session
    return kept[key]


_DRAWING = frozenset(
    ("Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike")
)


def _is_stateless(model: bytes) -> bool:
    """Whether all nodes are standard ONNX ops that do not draw random numbers; other ops may have state."""
    from onnx import ModelProto

    proto = ModelProto.FromString(model)
    return not proto.functions and _draws_nothing(proto.graph.node)


def _draws_nothing(nodes: Iterable[NodeProto]) -> bool:
    return all(
        not node.domain
        and node.op_type not in _DRAWING
        and all(_draws_nothing(graph.node) for each in node.attribute for graph in (each.g, *each.graphs))
        for node in nodes
    )
