"""docs/wild-models.md from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from models.wild.listing import WildModel
from models.wild.measure import NOT_JUDGED, Outcome

DOCUMENT = Path(__file__).parents[2] / "docs" / "wild-models.md"

_HEAD = """\
# Trained models of published packages

This page shows which trained models of published Python packages compile, and whether the results are right.
[`verify`](guides/debugging.md) compares the outputs on the [CPU reference](glossary.md) with those of onnxruntime. Most
inputs are random. Therefore the table does not show how well a model does its task.

`make wild` (`models/wild`) writes this page. Do not edit it.

The columns of the first table are:

- *package, file*: if a model is divided over several packages, the first one is named.
- *kind*: the task, and the exporter or another feature.
- *result*: the result with `--fallback=cpu`, which moves refused nodes to the CPU. `(1 + 2)` means one device partition
  and two [CPU partitions](guides/cpu-partitions.md). Without such numbers, no node was moved. *Not covered* means that
  the [exact check](guides/debugging.md#the-program-without-rounding) was not possible, or is incomplete. Otherwise, the
  program is equal to the [converted graph](glossary.md) up to rounding.
- *largest relative error*: the largest error of an element in the outputs, divided by the root mean square of the
  element's [row](guides/debugging.md#the-bound-of-an-output). A right output may exceed 1e-3, the tolerance of
  `verify`, because the bound of a large element is relative to this element. If the result is not *right*, the cell has
  the reason.

A result is a [verdict](guides/debugging.md#the-verdict) of `verify`, or one of these:

- *right by node*: an output exceeds its bound, and rounding
  [explains](guides/debugging.md#outputs-that-are-right-by-node) it. It counts as *right*.
- *refused*: the model did not compile.
- *failed*: there was another error.
- *not judged*: the model took too much time or memory.

The reason *ONNX's own output moves as far by rounding* means that rounding errors change onnxruntime's output by a
similar amount, or change its shape, such as the number of samples of a voice.
"""
_ALONE = """
Without `--fallback=cpu`, these models have another result. The last column has each refused op with its first reason.
If the error does not concern a single op, its [code](diagnostics.md) is in place of the op.

| package, file | result | reasons |
|---|---|---|"""
_REASON_LENGTH = 160
NOT_MEASURED = Outcome(NOT_JUDGED, "not measured")


def render(rows: Sequence[tuple[WildModel, Outcome, Outcome]]) -> str:
    """The document."""
    alone = [outcome for _, outcome, _ in rows]
    partitioned = [outcome for _, _, outcome in rows]
    packages = {part.package for model, _, _ in rows for part in model.parts}
    lines = [
        _HEAD,
        f"{len(rows)} models from {len(packages)} packages. {_counts('Device alone', alone)} "
        f"{_counts('With CPU partitions', partitioned)}",
        "",
        "| package, file | kind | result | largest relative error |",
        "|---|---|---|---|",
        *map(_line, rows),
    ]
    differing = [
        f"| {_name(model)} | {device.verdict} | {_cell(device.reason)} |"
        for model, device, with_cpu in rows
        if device.verdict != with_cpu.verdict
    ]
    return "\n".join([*lines, *([_ALONE, *differing] if differing else [])]) + "\n"


def _counts(what: str, outcomes: Sequence[Outcome]) -> str:
    right = sum(outcome.right for outcome in outcomes)
    named = [f"{right} right"]
    for verdict in ("undecided", "refused", "wrong", "failed", NOT_JUDGED):
        count = sum(outcome.verdict == verdict for outcome in outcomes)
        if count or verdict != NOT_JUDGED:
            named.append(f"{count} {verdict}")
    return f"{what}: {', '.join(named)}."


def _line(row: tuple[WildModel, Outcome, Outcome]) -> str:
    model, _, partitioned = row
    placed = f" ({partitioned.partitions[0]} + {partitioned.partitions[1]})" if partitioned.partitions != (1, 0) else ""
    error = f"{partitioned.relative:.1e}" if partitioned.right else _cell(partitioned.reason)
    equal = f", {partitioned.exact}" if partitioned.exact not in ("", "equal") else ""
    return f"| {_name(model)} | {model.kind} | {partitioned.verdict}{placed}{equal} | {error} |"


def _name(model: WildModel) -> str:
    package = model.parts[0]
    return f"{package.package} {package.version}, `{Path(package.file).name}`"


def _cell(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return text if len(text) <= _REASON_LENGTH else text[: _REASON_LENGTH - 3] + "..."
