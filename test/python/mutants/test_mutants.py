"""Each plant that the judge must find is reported by `verify` on a model that contains it, and a judge that passes
everything is noticed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import ml_dtypes
import numpy as np
import pytest
import safetensors.torch

from mutants import campaign, graphs, lines, models, page, tensors

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
    ("halves", "offset"),
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
    folder.mkdir(exist_ok=True)
    return campaign.Compiled.of(name, models.small()[name], folder)


@pytest.mark.alike(keep=6)
@pytest.mark.parametrize("name", sorted({name for name, _ in (*PLANTS, *WRONG_TENSORS)}))
def test_the_right_program_is_right(name: str, tmp_path: Path) -> None:
    made = compiled(name, tmp_path)
    # Models with bfloat16 are not evaluated, and an output that is always 0 proves nothing.
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


def test_nan_of_bfloat16_are_equal() -> None:
    """A right program with one counted as wrong for special values only."""
    values = np.array([1, np.nan, np.inf], ml_dtypes.bfloat16)
    assert campaign._same(values.copy(), values)
    assert not campaign._same(np.array([1, 1, np.inf], ml_dtypes.bfloat16), values)
    assert not campaign._same(values.astype(np.float32), values)


def rules_of(name: str, folder: Path) -> set[str]:
    """The rules that change the module, the weights or the graph of a small model."""
    made = compiled(name, folder)
    found = {rule for rule, change in lines.RULES.items() for line in made.artifact.module_path.read_text().splitlines()
             for _ in change(line)}  # fmt: skip
    weights = safetensors.torch.load_file(made.artifact.weights_path)
    found |= {rule for rule, change in tensors.RULES.items() for value in weights.values() for _ in change(value)}
    return found | {rule.split(" of ")[0] for rule, _ in graphs.wrong_graphs(models.small()[name])}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("the default", ("pool", "batch norm", "elu")),
        ("the other rotary sign", ("rotary", "rotary scores")),
        ("negated_half", ("rotary", "rotary scores")),
        ("wrong_head", ("fused heads", "attention")),
        ("shifted_padding", ("conv", "max pool")),
        ("shifted_slice", ("slices", "fused heads")),
        ("last summand missing", ("long sum", "rms norm")),
        ("missing_median", ("long dot", "gelu")),
        ("halves up", ("round", "scaled round")),
        ("mask_of_ten_thousand", ("attention", "tied attention")),
        ("another select_last_index", ("argmax", "argmin of a column")),
    ],
)
def test_each_plant_is_in_several_models(rule: str, names: tuple[str, ...], tmp_path: Path) -> None:
    for name in names:
        assert any(found.startswith(rule) for found in rules_of(name, tmp_path / name.replace(" ", "_"))), name


@pytest.mark.parametrize("name", ["rotary", "rotary scores", "long sum"])
def test_a_graph_that_is_read_wrongly(name: str) -> None:
    """A rotary embedding with the rotation reversed; a sum of 300,000 elements without the last one."""
    found = list(campaign.mutants_of_graphs(name, models.small()[name], Random(0), 1, of_each_rule=True))
    plants = [mutant for mutant in found if mutant.rule.startswith(("the other rotary", "last summand"))]
    assert plants
    assert {mutant.ended for mutant in plants} == {"killed"}, found


@pytest.mark.parametrize("name", ["relu6", "zeros", "gelu"])
def test_a_program_that_is_wrong_for_special_values(name: str, tmp_path: Path) -> None:
    found = list(campaign.mutants_of_special_lines(compiled(name, tmp_path), Random(0), 2))
    assert "special killed" in {mutant.ended for mutant in found}, found
    assert {mutant.ended for mutant in found} <= {"special killed", "equivalent", "stops"}, found


def test_wrong_graphs_are_wrong() -> None:
    model = models.small()["pool"]
    names = {name for name, wrong in graphs.wrong_graphs(model) if wrong != model}
    assert {"pads at the other end of AveragePool", "the default of count_include_pad of AveragePool"} <= names


def test_a_judge_that_lets_everything_pass_is_noticed() -> None:
    wrong = [campaign.Mutant("m", "scaled_bias", "w", "survived", 0.1), campaign.Mutant("m", "rolled", "w", "killed")]
    assert not page.is_good(wrong, [])
    assert page.is_good(wrong[1:], [])
    assert "1 let pass (50.0 %)" in page.render(wrong, [])
