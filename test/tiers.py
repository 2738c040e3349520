"""Chooses the cases of a parametrised test that run in `make test`, for tests whose cases are all alike.

`@pytest.mark.alike(keep=8)` says that the cases differ only in their parameters and that the given number of them is
enough for a change; the others are marked slow and run at night. The chosen cases have every value of every parameter,
as far as their number allows, and then as many pairs of values as possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import pytest

Case = Mapping[str, str]
"""Values of parameters by name, as text."""


def kept(cases: Sequence[Case], count: int) -> set[int]:
    """Chooses `count` of the cases, greedily: the next one adds most new values and, among these, most new pairs of
    values. Among equal ones, cases that are far apart in the list are chosen, since adjacent cases are the most
    alike."""
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
"""The fractional parts of its multiples are far apart for any number of them (golden ratio)."""


def mark_alike(items: Iterable[pytest.Item]) -> None:
    """Marks the cases of `alike` tests that are not chosen as slow; cases that are slow already do not count."""
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
    """The values that differ between cases; a value that has no text is given by the id of the case."""
    values = item.callspec.params if hasattr(item, "callspec") else {}
    known = (str, int, float, bool, tuple, list, dict, type(None))
    return {name: repr(value) if isinstance(value, known) else item.name for name, value in values.items()}
