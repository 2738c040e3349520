"""Writes docs/judge.md from the measurements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mutation.campaign import Mutant
from mutation.sound import Judged

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "judge.md"
_COLUMNS = (
    "killed", "undecided", "survived", "equivalent", "special killed", "special undecided", "special survived"
)  # fmt: skip
_LABELS = {
    "halves up": "halves rounded up",
    "largest for infinity": "largest number for infinity",
    "leaking": "another slope below zero",
    "one flipped": "one element flipped",
    "the default": "attribute at its default",
}
"""The labels in the table for rules whose names do not say what they change."""
_KILLED, _ALARMS = 0.99, 0.01
_LARGE = 1e-3

_HEAD = """\
# How good the judge is

The judge, the part of `forge-mlir verify` that decides, can make two errors: let a wrong program pass, and blame a
right one. `make mutants` measures the rates of both errors and writes this page; do not edit it.

Wrong programs are made by rules, which are defined in `test/mutation` (`lines.py`, `tensors.py`, `graphs.py`). A rule
changes a line of an emitted module, a tensor of its weights, or a node of the graph. A changed node, which is compiled
as usual, stands for the error of a converter that misreads a node. Changed modules and weights are judged by
`verify --artifact`, with its exact check. This check compares a module with its IR. In a changed graph both are wrong
in the same way, so that the check would find nothing, and is left out. `verify` uses its default random inputs.

A wrong program counts as *equivalent* if it is not found wrong, and gives the same numbers as the right program on all
eight kinds of inputs, with three seeds each. A program that does not run is not counted. A program whose results differ
only on inputs with NaN, infinities or the largest numbers is judged again with `--profile special`, which is not a
default profile. The first table has a row for each rule, and the numbers of programs that were *found* wrong, left
*undecided*, *let pass* or *equivalent*. The last three columns count the programs that are judged with
`--profile special`.

Right programs are compiled from four groups of models, which are the rows of the second table: those of the
repository (`models/`), the small models of the wrong programs, those of the folders that `--models` names, and those
of `benchmarks/architectures.py`. *Proved equal* counts the programs that the exact check finds equal to the converted
model, up to rounding.
"""


def counted(found: Sequence[Mutant]) -> list[Mutant]:
    """The mutants that a judge can find."""
    return [mutant for mutant in found if mutant.ended in ("killed", "survived", "undecided")]


def is_good(found: Sequence[Mutant], alarms: Sequence[Judged]) -> bool:
    """Whether both rates are as good as the documentation promises."""
    wrong = counted(found)
    killed = sum(mutant.ended != "survived" for mutant in wrong)
    missed = [mutant for mutant in wrong if mutant.ended == "survived" and mutant.change > _LARGE]
    right = [judged for judged in alarms if judged.verdict != "refused"]
    blamed = [judged for judged in right if judged.verdict != "right"]
    return killed >= _KILLED * len(wrong) and not missed and len(blamed) <= _ALARMS * len(right)


def render(found: Sequence[Mutant], alarms: Sequence[Judged]) -> str:
    """The document."""
    return "\n".join([_HEAD, *_kills(found), "", *_alarms(alarms)]) + "\n"


def _kills(found: Sequence[Mutant]) -> list[str]:
    wrong = counted(found)
    ends = Counter(mutant.ended for mutant in found)
    passed = [mutant for mutant in wrong if mutant.ended == "survived"]
    large = [mutant for mutant in passed if mutant.change > _LARGE]
    share = 100 * len(passed) / max(len(wrong), 1)
    lines = [
        f"**Of {len(wrong)} wrong programs, {ends['killed']} were found wrong, {ends['undecided']} left undecided, and "
        f"{len(passed)} let pass ({share:.1f} %).** Of those that were let pass, {len(large)} "
        f"change an output by more than 1e-3. Besides, {ends['equivalent']} programs were equivalent, and "
        f"{ends['stops']} did not run.",
        "",
        *_specials(ends),
        "| rule | found | undecided | let pass | equivalent | with `special`: found | undecided | let pass |",
        "|---|---|---|---|---|---|---|---|",
    ]
    by_rule: dict[str, Counter[str]] = {}
    for mutant in found:
        rule = mutant.rule.split(" of ")[0].replace("_", " ")
        by_rule.setdefault(_LABELS.get(rule, rule), Counter())[mutant.ended] += 1
    for rule, ended in sorted(by_rule.items()):
        cells = (str(ended[end]) for end in _COLUMNS)
        if ended.total() > ended["stops"]:
            lines.append(f"| {rule} | {' | '.join(cells)} |")
    if passed:
        lines += ["", "Let pass:", "", "| model | rule | largest change of an output |", "|---|---|---|"]
        lines += [f"| {mutant.model} | {mutant.rule.replace('_', ' ')} | {mutant.change:.1e} |" for mutant in passed]
    return lines


def _specials(ends: Counter[str]) -> list[str]:
    """The results of the mutants that are wrong only for special values."""
    found, undecided, passed = (ends[end] for end in _COLUMNS[4:])
    if not found + undecided + passed:
        return []
    return [
        f"{found + undecided + passed} more programs are wrong only for NaN, infinities and the largest numbers: "
        f"`--profile special` finds {found} of them wrong, leaves {undecided} undecided, and lets {passed} pass.",
        "",
    ]


def _alarms(alarms: Sequence[Judged]) -> list[str]:
    right = [judged for judged in alarms if judged.verdict != "refused"]
    blamed = [judged for judged in right if judged.verdict != "right"]
    lines = [
        f"**Of {len(right)} right programs, {len(blamed)} "
        f"({100 * len(blamed) / max(len(right), 1):.1f} %) were blamed or left undecided.**",
        "",
        "| models | judged | right | undecided | wrong | proved equal |",
        "|---|---|---|---|---|---|",
    ]
    for group in dict.fromkeys(judged.group for judged in right):
        ends = Counter(judged.verdict for judged in right if judged.group == group)
        equal = sum(judged.exact == "equal" for judged in right if judged.group == group)
        cells = (group, ends.total(), ends["right"], ends["undecided"], ends["wrong"], equal)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    if blamed:
        lines += ["", "| model | verdict | why |", "|---|---|---|"]
        lines += [f"| {each.model} | {each.verdict} | {each.reason.replace('|', '/')} |" for each in blamed]
    return lines
