"""The overview of a report: whether the model compiles and is right, what it costs, and next steps."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from forge_mlir.errors import counted
from forge_mlir.report.cost import CallCost
from forge_mlir.report.model_report import ModelReport

State = Literal["good", "bad", "plain", "unknown"]

_MOST_NAMED = 10
_MOST_REFUSED = 3
_SHORTEST = 0.005
"""The shortest phase that is listed, in seconds."""
_UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True)
class Answer:
    """A question with a one-word answer and a comment."""

    question: str
    state: State
    word: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A next step: the reason, and the command."""

    text: str
    command: str


@dataclass(frozen=True)
class Heavy:
    """One of the costliest calls: `share` is its fraction of the program's time in the cost model (docs/cost.md)."""

    node: str
    callee: str
    share: float


@dataclass(frozen=True)
class Overview:
    answers: tuple[Answer, ...]
    steps: tuple[Step, ...]
    heaviest: tuple[Heavy, ...]
    times: str

    @staticmethod
    def of(report: ModelReport) -> Overview:
        answers = (_compiles(report), _is_right(report), _costs(report))
        times = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in report.phases.items() if seconds >= _SHORTEST)
        return Overview(answers, tuple(_steps(report)), heaviest(report.costs), times)


def heaviest(costs: tuple[CallCost, ...], most: int = _MOST_NAMED) -> tuple[Heavy, ...]:
    """The costliest calls, in descending order."""
    total = sum(call.cost.picoseconds for call in costs)
    found = sorted(costs, key=lambda call: -call.cost.picoseconds)[:most]
    return tuple(Heavy(call.node, call.callee, call.cost.picoseconds / total) for call in found if total)


def amount(number: float, unit: str = "") -> str:
    """A number with three digits and an SI prefix: 1.23 G."""
    for factor, prefix in _UNITS:
        if abs(number) >= factor:
            return f"{number / factor:.3g} {prefix}{unit}"
    return f"{number:,.0f} {unit}".rstrip()


def _compiles(report: ModelReport) -> Answer:
    verdict = report.verdict
    calls = sum(report.calls.values())
    if not verdict.supported:
        lines = [f"{len(verdict.refused):,} of {len(report.nodes):,} nodes are refused"] if verdict.refused else []
        lines += [f"{row.name} ({row.op}): {row.reason}" for row in verdict.refused[:_MOST_REFUSED]]
        lines += [f"{problem.code}: {problem.message}" for problem in verdict.errors[:_MOST_REFUSED]]
        return Answer("Does it compile?", "bad", "no", tuple(lines))
    lines = [f"{counted(len(report.nodes), 'node')} became {counted(calls, 'call')}"]
    if verdict.partitions:
        kinds = [part.kind for part in verdict.partitions]
        on_cpu = sum(row.side == "cpu" for row in report.nodes)
        lines.append(
            f"{kinds.count('device')} device and {kinds.count('cpu')} CPU partitions; {on_cpu:,} nodes on the CPU"
        )
    lines.append(counted(len(verdict.warnings), "warning"))
    return Answer("Does it compile?", "good", "yes", tuple(lines))


def _is_right(report: ModelReport) -> Answer:
    found = report.accuracy
    question = "Is it right?"
    if not report.verdict.supported:
        return Answer(question, "unknown", "not run", ("a refused model has no results",))
    if found is None:
        return Answer(question, "unknown", "not known", ("the model was not run",))
    lines = [found.text]
    measured = [row for row in report.nodes if row.relative is not None]
    if found.word == "right" and measured:
        worst = max(measured, key=lambda row: row.relative or 0.0)
        lines.append(f"the largest error of one node alone is {worst.relative:.3g}, of {worst.name} ({worst.op})")
    state: dict[str, State] = {"right": "good", "wrong": "bad"}
    word = {"right": "yes", "wrong": "no"}.get(found.word, found.word)
    return Answer(question, state.get(found.word, "unknown"), word, tuple(lines))


def _costs(report: ModelReport) -> Answer:
    summary = report.verdict.cost
    if summary is None:
        return Answer("What does it cost?", "unknown", "not known", ("only a program has a cost",))
    now, before = summary.after, summary.before
    lines = [
        f"{now.picoseconds / 1e6:,.0f} microseconds on a {summary.device.name} by the cost model, "
        f"{before.picoseconds / 1e6:,.0f} before the passes",
        f"{now.kernels:,} kernels, {before.kernels:,} before",
        f"{amount(now.bytes, 'B')} read and written, {amount(before.bytes, 'B')} before",
    ]
    return Answer("What does it cost?", "plain", amount(2 * now.multiply_adds, "FLOP"), tuple(lines))


def _steps(report: ModelReport) -> Iterator[Step]:
    verdict, found = report.verdict, report.accuracy

    def line(name: str, *more: str) -> str:
        return shlex.join(["forge-mlir", name, report.model, *report.command, *more])

    if not verdict.supported:
        bind = sorted({name for row in verdict.refused for name in row.bind})
        if bind:
            yield Step(
                "give the inputs that the refused nodes need", line("compile", *(f"--bind={n}=FILE.npy" for n in bind))
            )
        if verdict.refused:
            yield Step("run refused nodes on the CPU", line("compile", "--fallback=cpu"))
            yield Step("see where to cut the model", line("check", "--suggest-cuts"))
        codes = dict.fromkeys([row.code for row in verdict.refused] + [problem.code for problem in verdict.errors])
        yield from (Step("read about the reason", f"forge-mlir explain {code}") for code in list(codes)[:3] if code)
    elif found is None or found.word == "not known":
        yield Step("compare it with ONNX", line("verify"))
        yield Step("compile it", line("compile"))
    elif found.word != "right":
        yield Step("find the pass that is wrong", line("bisect"))
        yield Step("make the model smaller that shows it", line("reduce"))
        yield Step("tell us", line("bug-report"))
    else:
        yield Step("compile it", line("compile", "-o", "out"))
        yield Step("run it, and time it", "forge-mlir run out --benchmark")
        if any(row.side == "cpu" for row in report.nodes):
            yield Step("see where to cut, so that less moves between CPU and device", line("check", "--suggest-cuts"))
