"""Programs for single passes: what is made is often valid, and a pass that computes something else is found."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from forge_mlir import _native
from fuzz import passes
from fuzz.passes import each_pass
from fuzz.passes.neighbours import CHANGES


def test_the_corpus_is_that_of_the_lit_tests() -> None:
    programs = passes.corpus()
    assert len(programs) > 300
    for program in programs[::20]:
        made, reports = _native.run_pipeline(program.text().encode(), "builtin.module()")
        assert made is not None, reports


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_valid_programs_that_differ(change: object) -> None:
    valid = 0
    for number in range(40):
        r = Random(number)
        program = r.choice(passes.corpus())
        changed = change(r, program)  # type: ignore[operator]
        if changed.text() != program.text():
            valid += _native.run_pipeline(changed.text().encode(), "builtin.module()")[0] is not None
    assert valid > 2


def test_random_programs_share_values() -> None:
    shared = 0
    for number in range(20):
        program = passes.random_program(Random(number))
        assert _native.run_pipeline(program.text().encode(), "builtin.module()")[0] is not None
        readers = Counter(operand for op in program.ops for operand in op.operands)
        shared += any(count > 1 for count in readers.values())
    assert shared > 10


def test_a_wrong_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes a difference for a sum."""
    program = next(p for p in map(passes.random_program, map(Random, range(99))) if "forge.subtract" in p.text())
    run = _native.run_pipeline

    def wrong(source: bytes, pipeline: str) -> object:
        if "forge-merge-equal" in pipeline:
            text = program.text().replace('"forge.subtract"', '"forge.add"')
            return run(text.encode(), "builtin.module()")
        return run(source, pipeline)

    monkeypatch.setattr(each_pass._native, "run_pipeline", wrong)
    with pytest.raises(passes.WrongPass, match="forge-merge-equal"):
        passes.check(program)
