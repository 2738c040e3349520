"""The words that a model knows for its text inputs, so that valid values can be generated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import onnx.numpy_helper
from onnx import GraphProto, NodeProto

_PASSING = {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Concat", "StringNormalizer", "FeatureVectorizer"}
_SELECTING = {"ArrayFeatureExtractor", "Gather"}
_MOST_WORDS = 16


def words_of(graph: GraphProto, name: str) -> list[list[str]]:
    """The first few words in attributes of users of input `name`: a list per column if columns are processed
    separately, otherwise a single list; empty if the model has no words."""
    columns: dict[int, dict[str, None]] = {}
    for column, words in _words_by_column(graph, name, None, set()):
        columns.setdefault(-1 if column is None else column, {}).update(dict.fromkeys(words))
    shared = columns.pop(-1, {})
    lists = [{**shared, **columns[at]} for at in sorted(columns)] or [shared]
    return [list(islice(words, _MOST_WORDS)) for words in lists] if any(lists) else []


def _words_by_column(
    graph: GraphProto, name: str, column: int | None, seen: set[str]
) -> Iterator[tuple[int | None, Sequence[str]]]:
    if name in seen:
        return
    seen.add(name)
    for node in graph.node:
        if name not in node.input:
            continue
        words = [word.decode("utf-8", "replace") for attribute in node.attribute for word in attribute.strings]
        if node.op_type in _SELECTING and node.input[0] == name:
            indices = _integers(graph, node)
            part = indices[0] if len(indices) == 1 and column is None else column
            yield from _words_by_column(graph, node.output[0], part, seen)
        elif words:
            yield column, words
        if node.op_type in _PASSING:
            yield from _words_by_column(graph, node.output[0], column, seen)


def _integers(graph: GraphProto, node: NodeProto) -> list[int]:
    """The constant that selects the columns that `node` reads."""
    for tensor in graph.initializer:
        if tensor.name == node.input[1]:
            return [int(value) for value in onnx.numpy_helper.to_array(tensor).ravel()]
    return []
