"""Marks values whose shape a model declares and nothing confirms."""

from __future__ import annotations

from onnx import ValueInfoProto

_KEY = "forge.hint"


def mark_hint(value: ValueInfoProto) -> None:
    """Says of `value` that its shape is a hint: what is computed for it counts."""
    value.metadata_props.add(key=_KEY, value="")


def unmark_hint(value: ValueInfoProto) -> None:
    """Takes the mark away, also one that a file brings along."""
    for at in reversed(range(len(value.metadata_props))):
        if value.metadata_props[at].key == _KEY:
            del value.metadata_props[at]


def is_hint(value: ValueInfoProto) -> bool:
    """Whether `mark_hint` was said of it."""
    return any(entry.key == _KEY for entry in value.metadata_props)
