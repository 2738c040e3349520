"""A rewrite is right whatever other users the values have that it changes: a product whose scale is folded into its
weight, a slice that is moved, a sum that is centred. An additional output is such a user, and so is an additional
op."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

import lit_runs
from fuzz import passes
from fuzz.passes.each_pass import EQUAL, PASSES, UNCHANGED
from fuzz.passes.text import TESTS, Op, Program

_AT_ONCE = 40
FOLDERS = ("Arithmetic", "Fusion", "Join", "Layout")


def read_again(program: Program) -> Iterator[Program]:
    """Variants of `program` in which one more value is used: as an output, or by an op that scales it."""
    for op in program.ops:
        for value, type_ in zip(op.results(), op.made, strict=True):
            if (value, type_) in program.outputs or op.name in ("forge.parameter", "forge.constant"):
                continue
            yield replace(program, outputs=(*program.outputs, (value, type_)))
            if type_.endswith("f32>"):
                reader = Op("%reader", "forge.multiply", (value, value), "", (type_, type_), (type_,))
                yield replace(program, ops=(*program.ops, reader), outputs=(*program.outputs, ("%reader", type_)))


_PARTS = 2


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, _PARTS))])
@pytest.mark.parametrize("folder", FOLDERS)
def test_results_are_the_same_with_another_user(folder: str, part: int) -> None:
    """Fails if a pass of a lit file computes something else for a program of the file with one more user. Each part has
    half of the variants of each file."""
    ends: Counter[str] = Counter()
    for path in sorted((TESTS / folder).rglob("*.mlir")):
        said = " ".join(lit_runs.pipelines(path))
        names = [name for name in PASSES if name.partition("{")[0] in said]
        programs = [each for program in passes.corpus().get(path.stem, []) for each in read_again(program)][
            part::_PARTS
        ]
        for at in range(0, len(programs) if names else 0, _AT_ONCE):
            ends.update(passes.check(programs[at : at + _AT_ONCE], names))
    assert ends[EQUAL] > 15
    assert ends[UNCHANGED] > 15, "some need to be the only reader"
