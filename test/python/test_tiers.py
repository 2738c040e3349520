"""Which cases of similar tests are kept in `make test`."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from tiers import kept

pytest_plugins = ["pytester"]


def test_every_value_is_kept_and_as_many_pairs_as_possible() -> None:
    cases = [{"kind": kind, "size": size, "turned": turned} for kind, size, turned in product("abc", "123456", "yn")]
    for count in (6, 7, 12, 18):
        chosen = [cases[at] for at in sorted(kept(cases, count))]
        assert len(chosen) == count
        for name in cases[0]:
            assert {case[name] for case in chosen} == {case[name] for case in cases}
    chosen = [cases[at] for at in kept(cases, 18)]
    assert len({(case["kind"], case["size"]) for case in chosen}) == 18


def test_cases_of_one_parameter_are_spread_evenly() -> None:
    chosen = sorted(kept([{"seed": str(seed)} for seed in range(100)], 10))
    assert max(after - before for before, after in pairwise(chosen)) < 25
    assert chosen == sorted(kept([{"seed": str(seed)} for seed in range(100)], 10))


def test_all_cases_are_kept_if_there_are_few() -> None:
    assert kept([{"a": "1"}, {"a": "2"}], 5) == {0, 1}


@pytest.mark.parametrize(("which", "count"), [("not slow", 4), ("slow", 7), ("slow or not slow", 11)])
def test_the_others_are_slow(which: str, count: int, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers =\n slow: s\n alike(keep): a\n")
    pytester.makeconftest("import tiers\ndef pytest_collection_modifyitems(items):\n    tiers.mark_alike(items)\n")
    pytester.makepyfile(
        "import pytest\n"
        "@pytest.mark.alike(keep=3)\n"
        "@pytest.mark.parametrize('a', [pytest.param(0, marks=pytest.mark.slow), *range(1, 10)])\n"
        "@pytest.mark.parametrize('b', [object()])\n"
        "def test_a(a, b): pass\n"
        "def test_b(): pass\n"
    )
    pytester.runpytest_inprocess("-m", which).assert_outcomes(passed=count, deselected=11 - count)
