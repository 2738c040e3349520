"""The flags of --generate."""

from __future__ import annotations

import click
import pytest

from forge_mlir.cli.generation import generation_of_flags


def test_the_flags_of_a_language_model() -> None:
    assert generation_of_flags(False, None, None, 1) is None
    found = generation_of_flags(True, 64, [16, 32], 2, ["past.0=present.0"])
    assert found is not None
    assert (found.max_length, found.prompt_lengths, found.batch) == (64, (16, 32), 2)
    assert found.caches == {"past.0": "present.0"}


@pytest.mark.parametrize(
    ("length", "pairs", "said"),
    [
        (None, None, "--generate needs --max-length"),
        (8, ["past"], "expected PAST=PRESENT"),
        (8, ["a=b", "a=c"], "of one pair"),
        (8, ["a=c", "b=c"], "of one pair"),
    ],
)
def test_flags_that_contradict_each_other(length: int | None, pairs: list[str] | None, said: str) -> None:
    with pytest.raises(click.BadParameter, match=said):
        generation_of_flags(True, length, None, 1, pairs)
