"""Writes docs/judge.md from the measurements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from mutants.campaign import Ended, Mutant
from mutants.sound import Judged

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "judge.md"
_COLUMNS: Mapping[Ended, str] = {"killed": "found", "undecided": "undecided", "survived": "let pass"}
_SPECIAL_COLUMNS: Mapping[Ended, str] = {
    "special killed": "found", "special undecided": "undecided", "special survived": "let pass"
}  # fmt: skip
"""The ends of mutants that the two tables count, and the titles of their columns."""
_LABELS = {
    "another op": "another op of a node",
    "axes of transpose": "another axis of a transpose, or no transpose",
    "comparison for maximum": "comparison and selection instead of a maximum, minimum or ReLU",
    "dropped bias": "no bias of a call",
    "epsilon dropped": "1e-30 instead of an epsilon",
    "fmod": "remainder with the sign of the dividend",
    "halves up": "halves rounded up instead of to even",
    "largest for infinity": "largest number instead of infinity",
    "last summand missing": "sum or mean without the last element",
    "leaking": "another slope of a leaky ReLU",
    "mask of ten thousand": "-10,000 instead of -infinity in a mask",
    "missing clip": "no ReLU, or a clip without one bound",
    "missing median": "element of median magnitude of a weight set to 0",
    "missing summand": "largest element of a weight set to 0",
    "negated half": "half of the elements of a weight negated",
    "neighbouring op": "another op of a call",
    "no bias": "no bias of a node",
    "no negative wrap": "negative indices that do not count from the end",
    "no upper bound": "a Clip node without its upper bound",
    "offset": "0.001 added to a result",
    "one flipped": "one element of a mask or of indices changed",
    "one percent": "result times 1.01",
    "other axes": "another permutation of a transpose",
    "other axis": "another axis of a call",
    "other constant": "another constant",
    "other sign": "subtraction instead of addition, or a negated constant",
    "other window": "count_include_pad, ceil_mode or align_corners of a call inverted",
    "overflowing": "softmax without subtraction of the maximum",
    "pads at the other end": "begin and end of attribute `pads` swapped",
    "repeated operand": "the first operand in place of the second",
    "rolled": "elements of a weight moved by one position",
    "rounded to 16 bits": "weight rounded to bfloat16",
    "scaled bias": "bias times 1.0005",
    "scaled scores": "operand of a softmax times 1.01",
    "scores times zero": "operand of a softmax times 0",
    "shifted padding": "padding of a call moved to another side",
    "shifted slice": "slice of other elements",
    "tanh for erf": "the other approximation of a GELU",
    "the default": "attribute set to its default value",
    "the other rotary sign": "rotary embedding in the other direction",
    "transposed": "weight transposed",
    "transposed scores": "operand of a softmax transposed",
    "wrong head": "slice of the previous head",
    "zero for nan": "zero instead of NaN",
}
"""The labels in the table for rules whose names do not say what they change."""
_KILLED, _ALARMS = 0.99, 0.01
_LARGE = 1e-3

_HEAD = """\
# How often `verify` is wrong

This page shows how often a [verdict](guides/debugging.md#the-verdict) of `forge-mlir verify` is wrong. `make mutants`
runs `verify` on two kinds of programs: programs that are wrong, because they were changed, and unchanged programs,
which are assumed to be right. `make mutants` also writes this page; do not edit it.

## Wrong programs

Each wrong program has one change. It is made from a model in `models/`, a small model, or a test case of
`onnx.backend.test`, in one of two ways:

- **Change of the compiler's output.** A line of the emitted module, or a tensor of its weights, is changed. `verify
  --artifact` judges the module.
- **Change of the compiler's input.** A node or attribute of the ONNX graph is changed before the compilation. `verify`
  compares the program with the original graph. Here it omits the [exact
  check](guides/debugging.md#the-program-without-rounding), which compares the program with the changed graph, and
  therefore cannot find the change.

The table has a row for each kind of change. The columns have numbers of programs:

- *found*: the verdict is *wrong*, or `verify` ends with another error.
- *undecided*: the verdict is *undecided*.
- *let pass*: the verdict is *right*.
"""

_SPECIAL_HEAD = """\
### Wrong only for special values

Some changes affect the results only if inputs are NaN, infinite or nearly the largest number. `verify --profile
special`, without the exact check, judges the programs with such changes. The numbers above do not include them.
"""

_RIGHT = """\
## Right programs

These programs are unchanged outputs of the compiler with default options. A verdict *wrong* would be an error of
`verify` or of the compiler. `verify` judges each program with [random inputs](guides/debugging.md#random-inputs). If
inputs are stored with a model, it also uses these.

Each row of the table is a set of models:

- *repository*: the models in `models/`
- *small*: the small models from which wrong programs are made
- *models*: models that are not in this repository (option `--models` of `python -m mutants`)
- *architectures*: exported models, such as those of `benchmarks/architectures.py`, that the project had not compiled
  before

The columns have numbers of programs. *Found equal* means that the exact check found the program equal to the
[converted graph](glossary.md), up to rounding.
"""

_REASONS = """\
If *onnxruntime and onnx.reference differ*, the module agrees with one of them
([case 1](guides/debugging.md#the-verdict)). *ONNX's own output moves as far by rounding* means that rounding errors
explain the difference, but that it is large ([condition 2](guides/debugging.md#outputs-that-are-right-by-node))."""


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
    return "\n".join([_HEAD, *_kills(found), "", _RIGHT, *_alarms(alarms)]) + "\n"


def _kills(found: Sequence[Mutant]) -> list[str]:
    wrong = counted(found)
    ends = Counter(mutant.ended for mutant in found)
    passed = [mutant for mutant in wrong if mutant.ended == "survived"]
    large = [mutant for mutant in passed if mutant.change > _LARGE]
    share = 100 * len(passed) / max(len(wrong), 1)
    changes = f" Of those that were let pass, {len(large)} change an output by more than 1e-3." if passed else ""
    lines = [
        f"**Of {len(wrong)} wrong programs, {ends['killed']} were found wrong, {ends['undecided']} left undecided, and "
        f"{len(passed)} let pass ({share:.1f} %).**{changes} Some changed programs are not counted: "
        f"{ends['equivalent']} have the same results as the unchanged programs, for three seeds of each "
        f"[profile](guides/debugging.md#random-inputs), and {ends['stops']} stop with an error in a first run on "
        "normal inputs.",
        "",
        *_table(found, _COLUMNS),
    ]
    if passed:
        lines += ["", "Let pass:", "", "| model | change | largest change of an output |", "|---|---|---|"]
        lines += [f"| {mutant.model} | {mutant.rule.replace('_', ' ')} | {mutant.change:.1e} |" for mutant in passed]
    return [*lines, *_specials(found)]


def _table(found: Sequence[Mutant], columns: Mapping[Ended, str]) -> list[str]:
    """One row per rule with results in the `columns`, which are ends and their titles."""
    lines = [f"| change | {' | '.join(columns.values())} |", "|---" * (1 + len(columns)) + "|"]
    by_rule: dict[str, Counter[str]] = {}
    for mutant in found:
        if mutant.ended in columns:
            by_rule.setdefault(_label(mutant.rule.split(" of ")[0]), Counter())[mutant.ended] += 1
    for rule, ended in sorted(by_rule.items()):
        lines.append(f"| {rule} | {' | '.join(str(ended[end]) for end in columns)} |")
    return lines


def _label(rule: str) -> str:
    """What a rule does. Rules that change an attribute have its name in theirs; all attributes have one label."""
    words = rule.replace("_", " ")
    if words in _LABELS:
        return _LABELS[words]
    if rule.startswith("another "):
        return "another value of an attribute"
    return "attribute times 1.0005" if rule.endswith(" times 1.0005") else words


def _specials(found: Sequence[Mutant]) -> list[str]:
    """The results of the mutants that are wrong only for special values."""
    ends = Counter(mutant.ended for mutant in found if mutant.ended in _SPECIAL_COLUMNS)
    if not ends:
        return []
    killed, undecided, passed = (ends[end] for end in _SPECIAL_COLUMNS)
    return [
        "",
        _SPECIAL_HEAD,
        f"**Of {ends.total()} such programs, {killed} were found wrong, {undecided} left undecided, and {passed} let "
        "pass.**",
        "",
        *_table(found, _SPECIAL_COLUMNS),
    ]


def _alarms(alarms: Sequence[Judged]) -> list[str]:
    right = [judged for judged in alarms if judged.verdict != "refused"]
    blamed = [judged for judged in right if judged.verdict != "right"]
    lines = [
        f"**Of {len(right)} right programs, {len(blamed)} "
        f"({100 * len(blamed) / max(len(right), 1):.1f} %) were found wrong or left undecided.**",
        "",
        "| models | judged | right | undecided | wrong | found equal |",
        "|---|---|---|---|---|---|",
    ]
    for group in dict.fromkeys(judged.group for judged in right):
        ends = Counter(judged.verdict for judged in right if judged.group == group)
        equal = sum(judged.exact == "equal" for judged in right if judged.group == group)
        cells = (group, ends.total(), ends["right"], ends["undecided"], ends["wrong"], equal)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    if blamed:
        lines += ["", "| model | verdict | end of the reason that `verify` prints |", "|---|---|---|"]
        lines += [f"| {each.model} | {each.verdict} | {_end(each.reason)} |" for each in blamed]
        lines += ["", _REASONS]
    return lines


def _end(reason: str) -> str:
    """The last clause, without the numbers of the element with the largest error."""
    return reason.rpartition("; ")[2].replace("|", "/")
