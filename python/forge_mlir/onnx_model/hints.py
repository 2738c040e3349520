"""Marks values whose declared shape is not confirmed by inference."""

from __future__ import annotations

from onnx import ValueInfoProto

_KEY = "forge.hint"


def mark_hint(value: ValueInfoProto) -> None:
    """Marks the shape of `value` as a hint: the computed shape takes precedence."""
    value.metadata_props.add(key=_KEY, value="")


def unmark_hint(value: ValueInfoProto) -> None:
    """Removes the mark, including one in the input file."""
    for at in reversed(range(len(value.metadata_props))):
        if value.metadata_props[at].key == _KEY:
            del value.metadata_props[at]


def is_hint(value: ValueInfoProto) -> bool:
    """Whether the value is marked."""
    return any(entry.key == _KEY for entry in value.metadata_props)
