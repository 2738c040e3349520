"""Sessions of onnxruntime that stay open while a small model is run with several inputs.

To open the session of a node takes longer than to run it, and a verification runs the nodes of a small model 24 times.
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
"""Bytes of a model whose session stays, and how many stay: those of models with weights of any size do not."""

_kept: ContextVar[dict[tuple[object, ...], Any] | None] = ContextVar("kept", default=None)


@contextmanager
def sessions_are_kept() -> Iterator[None]:
    """While the block runs, a model that is opened again has the session of before."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def kept_session(source: str | bytes, options: object, opened: Callable[[], Any]) -> Any:
    """The session of a file, or of a serialised model, that was opened with the same `options` before, or else what
    `opened` gives.

    A session whose nodes draw random numbers is none of these: in its second run it draws the next ones.
    """
    kept = _kept.get()
    if kept is None or len(kept) >= _MOST or (isinstance(source, str) and os.path.getsize(source) > _LARGEST):
        return opened()
    model = source if isinstance(source, bytes) else Path(source).read_bytes()
    if len(model) > _LARGEST:
        return opened()
    # Two files of the same bytes may have other data beside them, and a child has not the threads of a session.
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
    """Whether all nodes are ONNX's own, and none of them draws random numbers: what others keep is not known."""
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
