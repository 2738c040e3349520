"""The ops in which two texts of a module differ, independent of the numbering of values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_VALUE = re.compile(r"%[\w$.-]+")
_LOCATION = re.compile(r"\s+loc\(.*\)$")
_OP = re.compile(r"%|func\.return|return")


def changed_ops(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ops of `before` that `after` lacks or has with other operands, and the ops of `after` that `before` lacks.

    Both are texts of the whole module, with one op per line, which differ by one rewrite.
    """
    old, new = _ops(before), _ops(after)
    names: dict[str, str] = {}
    lines: tuple[list[str], list[str]] = ([], [])
    for tag, i, j, k, m in _differences([_shape(op) for op in old], [_shape(op) for op in new]):
        if tag != "equal":
            lines[0].extend(old[i:j])
            lines[1].extend(new[k:m])
            continue
        for one, other in zip(old[i:j], new[k:m], strict=True):
            values = list(zip(_VALUE.findall(one), _VALUE.findall(other), strict=True))
            defined = len(_VALUE.findall(one.partition(" = ")[0])) if " = " in one else 0
            if any(names.get(a, a if a.startswith("%arg") else b) != b for a, b in values[defined:]):
                lines[0].append(one)
                lines[1].append(other)
            names.update(values[:defined])
    return tuple(lines[0]), tuple(lines[1])


def _ops(text: str) -> list[str]:
    lines = (_LOCATION.sub("", line).strip() for line in text.splitlines())
    return [line for line in lines if _OP.match(line)]


def _shape(op: str) -> str:
    """An op without the names of its values."""
    return _VALUE.sub("%", op)


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """As `SequenceMatcher.get_opcodes`, which takes quadratic time for a common prefix and suffix."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    yield "equal", 0, head, 0, head
    end, last = len(old) - tail, len(new) - tail
    for tag, i, j, k, m in SequenceMatcher(None, old[head:end], new[head:last], autojunk=False).get_opcodes():
        yield tag, head + i, head + j, head + k, head + m
    yield "equal", end, len(old), last, len(new)
