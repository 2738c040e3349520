"""Reads JSON of files that anybody may have written."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Pairs = list[tuple[str, Any]]


def json_object(text: str | bytes, as_object: Callable[[Pairs], dict[str, Any]] | None = None) -> dict[str, Any]:
    """The JSON object that `text` describes, with each object made of its pairs by `as_object`, or a dict. Raises
    ValueError for any other text, such as one with a nesting that exceeds Python's limit."""
    try:
        found = json.loads(text, object_pairs_hook=as_object)
    except RecursionError as error:
        raise ValueError("its values are nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    return found
