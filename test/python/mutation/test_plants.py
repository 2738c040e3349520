"""Each plant that a judge must find is reported by `verify` on a model that holds it; one that passes all is seen."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from mutation import campaign, graphs, lines, models, page, tensors

PLANTS = [
    ("layer norm", "epsilon_dropped"),
    ("gelu", "tanh_for_erf"),
    ("attention", "shifted_slice"),
    ("slices", "shifted_slice"),
    ("conv", "shifted_padding"),
    ("rotary", "other_sign"),
    ("relu6", "missing_clip"),
    ("gather", "no_negative_wrap"),
    ("mod", "other_constant"),
    ("round", "neighbouring_op"),
    ("leaky", "leaking"),
    ("attention", "transposed_scores"),
    ("attention", "scaled_scores"),
    ("attention", "other_axis"),
    ("gelu", "dropped_bias"),
    ("layer norm", "offset"),
    ("halves", "one_percent"),
    ("zeros", "offset"),
    ("mod", "fmod"),
    ("attention", "overflowing"),
]
WRONG_TENSORS = [
    ("gelu", "scaled_bias"),
    ("conv", "missing_summand"),
    ("attention", "rolled"),
    ("attention", "mask_of_ten_thousand"),
]


def compiled(name: str, folder: Path) -> campaign.Compiled:
    return campaign.Compiled.of(name, models.small()[name], folder)


@pytest.mark.alike(keep=6)
@pytest.mark.parametrize("name", sorted({name for name, _ in (*PLANTS, *WRONG_TENSORS)}))
def test_the_right_program_is_right(name: str, tmp_path: Path) -> None:
    made = compiled(name, tmp_path)
    # Halves are not evaluated; an output that is always 0 proves nothing.
    uncovered = name in ("halves", "zeros")
    assert made.check.of(made.artifact, {}).state == ("not covered" if uncovered else "equal")
    assert made.verified(made.artifact) == "right"


@pytest.mark.parametrize(("name", "rule"), PLANTS)
def test_a_line_that_is_wrong(name: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "RULES", {rule: lines.RULES[rule]})
    found = list(campaign.mutants_of_lines(compiled(name, tmp_path), Random(0), 2))
    ends = {mutant.ended for mutant in found}
    assert "killed" in ends, found
    assert ends <= {"killed", "equivalent", "stops"}, found


@pytest.mark.parametrize(("name", "rule"), WRONG_TENSORS)
def test_a_tensor_that_is_wrong(name: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors, "RULES", {rule: tensors.RULES[rule]})
    found = list(campaign.mutants_of_tensors(compiled(name, tmp_path), Random(0), 2))
    assert found
    assert {mutant.ended for mutant in found} == {"killed"}, found


@pytest.mark.parametrize("name", ["argmax", "last argmax", "pool", "batch norm", "elu"])
def test_an_attribute_that_is_read_wrongly(name: str) -> None:
    found = list(campaign.mutants_of_graphs(name, models.small()[name], Random(0), 4))
    assert "killed" in {mutant.ended for mutant in found}
    assert {mutant.ended for mutant in found} <= {"killed", "equivalent", "stops"}, found


def test_wrong_graphs_are_wrong() -> None:
    model = models.small()["pool"]
    names = {name for name, wrong in graphs.wrong_graphs(model) if wrong != model}
    assert {"pads at the other end of AveragePool", "the default of count_include_pad of AveragePool"} <= names


def test_a_judge_that_lets_everything_pass_is_noticed() -> None:
    wrong = [campaign.Mutant("m", "scaled_bias", "w", "survived", 0.1), campaign.Mutant("m", "rolled", "w", "killed")]
    assert not page.is_good(wrong, [])
    assert page.is_good(wrong[1:], [])
    assert "1 let pass: 50.0 %" in page.render(wrong, [])
