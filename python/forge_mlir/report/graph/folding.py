"""Folds the nodes of a graph into a tree of boxes that can be opened: scopes from names, and repetitions."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Json = dict[str, Any]
Kind = Literal["scope", "repeat", "unit", "part", "device", "cpu"]

_FEWEST_NODES = 6
"""The fewest nodes of a repetition: shorter ones are readable without a box."""
_LONGEST_PERIOD = 600
_DEEPEST = 24
"""The most scopes of a node; the names of inner ones are in one box. Boxes are nested as deep as the names of nodes."""
_MOST_CHILDREN = 60
"""The most children that a box shows when it is opened."""
_NUMBER = re.compile(r"\d+")
_NAMED_OPS = 4


@dataclass(frozen=True)
class Group:
    """A box: `children` are node numbers and boxes, in execution order.

    A "scope" contains nodes with a common name prefix; a "repeat" contains boxes or nodes that are equal except for
    their names; a "unit" is one repetition; a "part" is a slice of a level with too many children for display; "device"
    and "cpu" are partitions.
    """

    label: str
    kind: Kind
    children: tuple[Group | int, ...]

    def json(self) -> Json:
        children = [child if isinstance(child, int) else child.json() for child in self.children]
        return {"label": self.label, "kind": self.kind, "children": children}


@dataclass(frozen=True)
class FoldedNode:
    """The data of a node that folding needs: its path of scopes, its op, and a key that equal nodes share."""

    scope: tuple[str, ...]
    op: str
    shape: Hashable


def folded(nodes: Sequence[FoldedNode], members: Iterable[int] | None = None) -> tuple[Group | int, ...]:
    """The top level for `members` (default: all) of `nodes`. Each occurs exactly once; the nodes of a box need not be
    consecutive."""
    return _Folder(nodes).level(range(len(nodes)) if members is None else members, 0)


def scope_of(name: str, metadata: Mapping[str, str]) -> tuple[str, ...]:
    """The scopes of a node: from its name, `/layers.0/attn/MatMul`, or from metadata of torch.export."""
    if "/" in name:
        return _bounded([part for part in name.split("/") if part][:-1])
    # In "a: Class/a.b: Class/node_name: op" each component has the whole path.
    parts = [part.partition(": ")[0] for part in metadata.get("namespace", "").split("/")][:-1]
    scopes = []
    before = ""
    for part in filter(None, parts):
        scopes.append(part.removeprefix(f"{before}.") if before else part)
        before = part
    return _bounded(scopes)


def _bounded(scopes: Sequence[str]) -> tuple[str, ...]:
    """`scopes`, of which those that are too deep are one."""
    inner = scopes[_DEEPEST - 1 :]
    return (*scopes[: _DEEPEST - 1], "/".join(inner)) if len(inner) > 1 else tuple(scopes)


class _Folder:
    def __init__(self, nodes: Sequence[FoldedNode]) -> None:
        self._nodes = nodes
        self._numbers: dict[Hashable, int] = {}

    def level(self, members: Iterable[int], depth: int) -> tuple[Group | int, ...]:
        """The boxes for the nodes `members`, which share their scopes up to `depth`."""
        scopes: dict[str, list[int]] = {}
        order: list[str | int] = []
        for node in members:
            path = self._nodes[node].scope
            if len(path) <= depth:
                order.append(node)
                continue
            if path[depth] not in scopes:
                order.append(path[depth])
            scopes.setdefault(path[depth], []).append(node)
        children = [each if isinstance(each, int) else self._scope(each, scopes[each], depth) for each in order]
        return self._cut(self._without_repeats(children))

    def _scope(self, label: str, members: list[int], depth: int) -> Group | int:
        children = self.level(members, depth + 1)
        if len(children) > 1:
            return Group(label, "scope", children)
        (only,) = children
        if isinstance(only, int):
            return only
        if only.kind == "scope":
            return Group(f"{label}/{only.label}", "scope", only.children)
        return Group(label, "scope", children)

    def _without_repeats(self, children: Sequence[Group | int]) -> list[Group | int]:
        """`children` with boxes for repetitions; the longest one that starts at a position is preferred."""
        keys = np.array([self._number(child) for child in children], np.int64)
        runs = _runs(keys)
        found: list[Group | int] = []
        at = 0
        while at < len(children):
            period, count = runs[at]
            units = [children[at + step * period : at + (step + 1) * period] for step in range(count)]
            if count > 1 and sum(map(_size, children[at : at + period * count])) >= _FEWEST_NODES:
                found.append(self._repeat(units))
                at += period * count
            else:
                found.append(children[at])
                at += 1
        return found

    def _repeat(self, units: Sequence[Sequence[Group | int]]) -> Group:
        if len(units[0]) == 1:
            boxes = tuple(unit[0] for unit in units)
        else:
            ops = self._ops(units[0])
            boxes = tuple(Group(f"{number}: {ops}", "unit", tuple(unit)) for number, unit in enumerate(units, 1))
        return Group(self._label(boxes), "repeat", self._cut(boxes))

    def _label(self, boxes: Sequence[Group | int]) -> str:
        labels = [box.label for box in boxes if isinstance(box, Group) and box.kind == "scope"]
        if len(labels) == len(boxes) and len({_NUMBER.sub("#", label) for label in labels}) == 1:
            return f"{labels[0]} \N{HORIZONTAL ELLIPSIS} {labels[-1]}"
        first = boxes[0]
        return self._ops(first.children if isinstance(first, Group) else (first,))

    def _ops(self, children: Sequence[Group | int]) -> str:
        names = list(dict.fromkeys(name for child in children for name in self._names(child)))
        more = "" if len(names) <= _NAMED_OPS else ", \N{HORIZONTAL ELLIPSIS}"
        return ", ".join(names[:_NAMED_OPS]) + more

    def _names(self, child: Group | int) -> Iterator[str]:
        if isinstance(child, int):
            yield self._nodes[child].op
        elif child.kind == "scope":
            yield child.label
        else:
            for inner in child.children:
                yield from self._names(inner)

    def _cut(self, children: Sequence[Group | int]) -> tuple[Group | int, ...]:
        """`children`, split into parts of equal size if there are too many."""
        while len(children) > _MOST_CHILDREN:
            count = -(-len(children) // _MOST_CHILDREN)
            size = -(-len(children) // count)
            parts = [tuple(children[at : at + size]) for at in range(0, len(children), size)]
            children = [Group(self._ops(part), "part", part) for part in parts]
        return tuple(children)

    def _number(self, child: Group | int) -> int:
        """A number that is equal for children that are equal except for names."""
        if isinstance(child, int):
            key: Hashable = (self._nodes[child].op, self._nodes[child].shape)
        else:
            key = tuple(self._number(each) for each in child.children)
        return self._numbers.setdefault(key, len(self._numbers))


def _size(child: Group | int) -> int:
    return 1 if isinstance(child, int) else sum(map(_size, child.children))


def _runs(keys: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """For each position, (period, count) of the repetition with the largest extent that starts there, with the shortest
    period. A count of 1 means that there is none."""
    periods, counts = np.ones(len(keys), np.int64), np.ones(len(keys), np.int64)
    for period in range(1, min(_LONGEST_PERIOD, len(keys) // 2) + 1):
        # The number of consecutive keys from each position on that are equal to the key one period later.
        equal = keys[:-period] == keys[period:]
        ends = np.where(equal, len(equal), np.arange(len(equal)))
        reach = np.minimum.accumulate(ends[::-1])[::-1] - np.arange(len(equal))
        count = np.append(1 + reach // period, np.ones(period, np.int64))
        better = (count > 1) & ((counts == 1) | (count * period > counts * periods))
        periods[better], counts[better] = period, count[better]
    return list(zip(periods.tolist(), counts.tolist(), strict=True))
