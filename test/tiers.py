"""Which cases of a parametrised test stay in `make test`, where all of them are alike.

`@pytest.mark.alike(keep=8)` says that the cases differ in their parameters only, and that as many as given are enough
for a change; the others are slow, and run at night. Those that stay are chosen so that they have every value of every
parameter, as far as their number allows, and then as many pairs of values as possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import pytest

Case = Mapping[str, str]
"""Values of parameters by name, as texts."""


def kept(cases: Sequence[Case], count: int) -> set[int]:
    """Which `count` of the cases stay: one after the other what adds most values, and of these, most pairs of values;
    of equal ones those that are far apart, since neighbours are the most alike."""
    seen_values, seen_pairs = set[object](), set[object]()
    chosen = set[int]()
    while len(chosen) < min(count, len(cases)):

        def added(at: int) -> tuple[int, int, float]:
            values = set(cases[at].items())
            pairs = set(combinations(sorted(values), 2))
            return len(values - seen_values), len(pairs - seen_pairs), -(at * _SPREAD % 1)

        best = max((at for at in range(len(cases)) if at not in chosen), key=added)
        chosen.add(best)
        seen_values.update(cases[best].items())
        seen_pairs.update(combinations(sorted(cases[best].items()), 2))
    return chosen


_SPREAD = 0.6180339887
"""Multiples of it, without what is before the point, are far apart for any number of them."""


def mark_alike(items: Iterable[pytest.Item]) -> None:
    """Marks as slow the cases of tests that are `alike` and do not stay; those that are slow anyway do not count."""
    functions = defaultdict[tuple[object, str], list[pytest.Function]](list)
    for item in items:
        if (
            isinstance(item, pytest.Function)
            and item.get_closest_marker("alike")
            and not item.get_closest_marker("slow")
        ):
            functions[item.path, item.nodeid.partition("[")[0]].append(item)
    for cases in functions.values():
        marker = cases[0].get_closest_marker("alike")
        assert marker is not None
        staying = kept([_parameters(case) for case in cases], marker.kwargs["keep"])
        for at, case in enumerate(cases):
            if at not in staying:
                case.add_marker("slow")


def _parameters(item: pytest.Function) -> Case:
    """The values that differ between cases; those without a text of their own by the id of the case."""
    values = item.callspec.params if hasattr(item, "callspec") else {}
    known = (str, int, float, bool, tuple, list, dict, type(None))
    return {name: repr(value) if isinstance(value, known) else item.name for name, value in values.items()}
