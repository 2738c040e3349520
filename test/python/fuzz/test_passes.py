"""Programs for single passes: generated programs are mostly valid, and a pass that changes results is found."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from forge_mlir import _native
from fuzz import campaigns, passes
from fuzz.passes import each_pass, lit_inputs
from fuzz.passes.in_range import stays_in_range
from fuzz.passes.neighbours import CHANGES
from fuzz.passes.text import programs_of
from sample_models.repository import REPOSITORY


def test_the_corpus_has_the_functions_of_the_lit_tests() -> None:
    programs = [program for file in passes.corpus().values() for program in file]
    assert len(programs) > 300
    for program in programs[::20]:
        made, reports = _native.run_pipeline(program.text().encode(), "builtin.module()")
        assert made is not None, reports


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_valid_programs_that_differ(change: object) -> None:
    valid = 0
    for number in range(100):  # Which inputs are drawn depends on the names of all lit files.
        r = Random(number)
        program = r.choice(passes.corpus()[r.choice([*passes.corpus()])])
        changed = change(r, program)  # type: ignore[operator]
        if changed.text() != program.text():
            valid += _native.run_pipeline(changed.text().encode(), "builtin.module()")[0] is not None
        if valid > 2:
            return
    pytest.fail(f"{valid} of 100 are valid")


def test_a_program_that_a_change_made_invalid_can_be_changed_again() -> None:
    text = "func.func @f(%x: tensor<2x3xf32>) -> tensor<4x3xf32> { "
    text += "%y = forge.concatenate %x, %x axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32> "
    (program,) = programs_of(text + "return %y : tensor<4x3xf32> }", "here")
    wrong = [replace(op, attributes=op.attributes.replace("axis = 0", "axis = 2")) for op in program.ops]
    for changed in (program, program.with_ops(wrong)):
        made = [change(Random(number), changed) for change, number in product(CHANGES, range(8))]
        assert any(again.text() != changed.text() for again in made)


def test_random_programs_share_values() -> None:
    shared = 0
    for number in range(20):
        program = passes.random_program(Random(number))
        assert _native.run_pipeline(program.text().encode(), "builtin.module()")[0] is not None
        readers = Counter(operand for op in program.ops for operand in op.operands)
        shared += any(count > 1 for count in readers.values())
    assert shared > 10


def test_recurrent_layers_are_joined() -> None:
    programs = [passes.recurrent_program(Random(number)) for number in range(40)]
    assert all(map(passes.is_valid, programs))
    ends = Counter(passes.check(programs, ["forge-join-recurrent"]))
    assert ends["equal"] > 3
    assert ends.total() == 40


def test_merged_programs_use_values_of_each_other() -> None:
    joined = 0
    for seed in range(8):
        parts = [passes.random_program(Random(3 * seed + number)) for number in range(3)]
        whole = passes.grafted(Random(seed), parts)
        assert passes.is_valid(whole)
        assert len(whole.ops) == sum(len(part.ops) for part in parts)
        joined += len(whole.arguments) < sum(len(part.arguments) for part in parts)
        keys = [op.attributes for op in whole.ops if op.name == "forge.parameter"]
        assert len(keys) == len(set(keys))
    assert joined > 0


def test_each_lit_input_comes_in_a_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lit input occurs in a cycle of seeds, unchanged and with the passes that its file runs."""
    monkeypatch.setattr(lit_inputs, "_variants", lambda *_: [])
    given = dict[str, set[str]]()
    for number in range(1000, 1000 + passes.cycle()):
        programs, names = passes.neighbourhood(number)
        for program in programs:
            given.setdefault(program.text() + program.origin, set()).update(names)
    own = lit_inputs.passes_of_file()
    for file, inputs in passes.corpus(1 << 17).items():
        for program in inputs:
            assert given[program.text() + file] >= set(own[file])
    assert "forge-divisibility-rewrite{rules=sink}" in own["divisibility-rewrite-sink"]
    assert "forge-join-movement,forge-fold-weights" in own["join-movement"]
    assert "forge-check-integers" in own["check-integers"]


def test_variants_are_valid_and_one_change_away() -> None:
    program = next(each for each in passes.corpus()["merge-equal"] if len(each.outputs) > 1)
    variants = lit_inputs._variants(Random(0), program, lit_inputs.CHANGES)
    assert len({each.text() for each in variants}) > 3
    assert program.text() not in {each.text() for each in variants}
    assert all(map(passes.is_valid, variants))


def test_most_programs_are_valid_and_many_change() -> None:
    """With 28 passes, a program is changed by five or more on average (10 to 28 % of the applications of a seed); a lit
    input is changed by most passes of its file."""
    for numbers, least, changed in (
        ((0, 5, 10), 3 * 11 * len(passes.PASSES), 0.12),
        ((1, 2, 3, 4, 6, 7, 8, 9), 8 * 60, 0.15),
    ):
        ends = Counter(end.status for number in numbers for end in campaigns.passes(number))
        assert ends.total() > least
        assert ends["equal"] > changed * ends.total()
        assert ends["not covered"] < 0.15 * ends["equal"]


def test_each_program_of_a_module_has_its_own_result() -> None:
    """The second program has a split, which a pass refuses; the first has the same result with and without it."""
    plain, split = (file[0] for name, file in passes.corpus().items() if name in ("lower-split", "merge-equal"))
    names = ("forge-legalize-types", "forge-merge-equal")
    alone = [passes.check([program], names) for program in (plain, split)]
    assert passes.check([plain, split], names) == [end for pair in zip(*alone, strict=True) for end in pair]


def test_a_wrong_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that replaces a subtraction by an addition."""
    program = next(p for p in map(passes.random_program, map(Random, range(99))) if "forge.subtract" in p.text())
    run = _native.run_pipeline

    def wrong(source: bytes, pipeline: str) -> object:
        if "forge-merge-equal" in pipeline:
            text = program.text("p1").replace('"forge.subtract"', '"forge.add"')
            return run((plain.text("p0") + text).encode(), "builtin.module()")
        return run(source, pipeline)

    plain = passes.random_program(Random(0))
    monkeypatch.setattr(each_pass._native, "run_pipeline", wrong)
    with pytest.raises(passes.WrongPass, match="forge-merge-equal") as caught:
        passes.check([plain, program])
    assert caught.value.program is program


_MIXED = """func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %a = forge.parameter "a" : tensor<2xbf16>
  %c = forge.constant dense<{}> : tensor<2xbf16>
{}
  return %1 : tensor<2xf32>
}}"""
_APART = """  %0 = forge.multiply %x, %a : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xf32>
  %1 = forge.multiply %0, %c : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xf32>"""
_TOGETHER = """  %0 = forge.multiply %a, %c : tensor<2xbf16>
  %1 = forge.multiply %x, %0 : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xf32>"""


@pytest.mark.parametrize(("number", "rounds"), [("3.0", True), ("-1.0", False)])
def test_a_pass_that_rounds_weights_is_found(monkeypatch: pytest.MonkeyPatch, number: str, rounds: bool) -> None:
    """A pass that multiplies two weights in bfloat16 that were factors in float32. A sign rounds nothing."""
    (before,), (after,) = (programs_of(_MIXED.format(number, body), "here") for body in (_APART, _TOGETHER))
    run = _native.run_pipeline

    def wrong(source: bytes, pipeline: str) -> object:
        merges = "forge-merge-equal" in pipeline
        return run(after.text("p0").encode() if merges else source, "builtin.module()" if merges else pipeline)

    monkeypatch.setattr(each_pass._native, "run_pipeline", wrong)
    if not rounds:
        assert passes.check([before], ["forge-merge-equal"]) == ["equal"]
        return
    with pytest.raises(passes.WrongPass, match="rounds a result to bf16"):
        passes.check([before], ["forge-merge-equal"])


def test_numbers_that_a_step_cannot_represent_are_out_of_range() -> None:
    for number, stays in (("1.0e+30", True), ("1.0e+38", False), ("1.0e-30", False)):
        text = f"""func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {{
          %c = forge.constant dense<{number}> : tensor<2xf32>
          %d = forge.constant dense<1.0e+2> : tensor<2xf32>
          %0 = forge.multiply %x, %c : tensor<2xf32>
          %1 = forge.multiply %0, %{"d" if "+" in number else "c"} : tensor<2xf32>
          return %1 : tensor<2xf32>
        }}"""
        (program,) = programs_of(text, "here")
        assert stays_in_range(program) == stays


def test_no_pass_crashes_on_an_input_of_another() -> None:
    """Every ninth input, because all of them take a minute and a half."""
    command = [sys.executable, "-m", "fuzz.passes.any_input", "0", "9"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY / "test", timeout=600)
    assert done.returncode == 0, f"{done.stdout[-300:]}{done.stderr[-600:]}"
    applied, registered = re.findall(r"^(\d+) applications of (\d+) passes", done.stdout, re.MULTILINE)[0]
    assert int(registered) >= 33
    assert int(applied) > 2000
