"""Reports cycles of #include between the folders of include/forge and lib, which have the same structure.

A folder and its subfolders count as one: they may include each other.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

_INCLUDE = re.compile(r'^\s*#?include "([^"]+)"', re.MULTILINE)
_SUFFIXES = (".h", ".cpp", ".td", ".inc")

Edges = dict[str, dict[str, str]]
"""For each folder, the folders that its files include, each with one such line."""


def edges_of(root: Path) -> Edges:
    """The folders that each folder of a source tree includes."""
    roots = (root / "include/forge", root / "lib")
    files = {path for tree in roots for path in tree.rglob("*") if path.suffix in _SUFFIXES}
    folder_of = {path: str(path.parent.relative_to(tree)) for tree in roots for path in files if tree in path.parents}
    edges: Edges = defaultdict(dict)
    for path in sorted(files):
        for included in _INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = next((each for each in _candidates(root, path, included) if each in files), None)
            if target is None:
                continue
            here, there = folder_of[path], folder_of[target]
            if not _is_inside(here, there) and not _is_inside(there, here):
                edges[here].setdefault(there, f'{path.relative_to(root)} includes "{included}"')
    return edges


def cycle_in(edges: Edges) -> list[str]:
    """The folders of a cycle, with the first one repeated at the end; empty if there is no cycle."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def _candidates(root: Path, path: Path, included: str) -> list[Path]:
    """The files that an include may refer to: in include/, or relative to a parent folder."""
    return [root / "include" / included, *(parent / included for parent in path.parents if root in parent.parents)]


def _is_inside(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}/")


def main(root: Path) -> int:
    edges = edges_of(root)
    cycle = cycle_in(edges)
    for here, there in pairwise(cycle):
        print(f"{here} -> {there}: {edges[here][there]}")
    if cycle:
        print("error: folders include each other in a cycle")
    return 1 if cycle else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parents[1]))
