"""JSON of files that anybody may have written."""

from __future__ import annotations

import pytest

from forge_mlir.support.json_text import json_object


def test_objects_are_read() -> None:
    assert json_object('{"a": [1, {"b": null}]}') == {"a": [1, {"b": None}]}
    assert json_object(b"{}") == {}
    assert json_object('{"a": 1, "a": 2}', lambda pairs: {"pairs": pairs}) == {"pairs": [("a", 1), ("a", 2)]}


@pytest.mark.parametrize("text", ["", "[]", "null", "5", '"a"', "{", "[" * 100_000, '{"a":' * 100_000, b"\xff"])
def test_other_text_is_an_error(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (each has another message)
        json_object(text)
