"""docs/wild-models.md from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from models.wild.listing import WildModel
from models.wild.measure import NOT_JUDGED, Outcome

DOCUMENT = Path(__file__).parents[2] / "docs" / "wild-models.md"

_HEAD = """\
# Trained models of published packages

Some Python packages contain trained ONNX models. This page shows which of these models compile, and whether the results
are right. [`verify`](guides/debugging.md) runs each compiled model on the [CPU reference](glossary.md), mostly with
random inputs, and compares the outputs with those of onnxruntime. Therefore the page does not show how well a model
does its task.

`make wild` (`models/wild`) writes this page. Do not edit it.

## With `--fallback=cpu`

With `--fallback=cpu`, the compiler moves refused nodes to the CPU. The table has a row for each model:

- *package, file*: the package and the file of the model. If a model is divided over several packages, the first one is
  named.
- *kind*: the task of the model, and its exporter or another feature.
- *result*: one of the results that are listed below the columns. Numbers such as `(1 + 2)` after it mean one device
  partition and two [CPU partitions](guides/cpu-partitions.md). Without such numbers, no node was moved to the CPU. *Not
  covered* means that the [exact check](guides/debugging.md#the-program-without-rounding) did not compare the whole
  program. Without this note, the exact check found that the program is equal to the [converted graph](glossary.md) up
  to rounding.
- *largest relative error*: the largest error of an element in the outputs, divided by the root mean square of the
  element's [row](guides/debugging.md#the-bound-of-an-output). If the result is not *right*, the reason is here instead.

A result is a [verdict](guides/debugging.md#the-verdict) of `verify`, or one of these:

- *right by node*: an output exceeds its bound, and rounding
  [explains](guides/debugging.md#outputs-that-are-right-by-node) the error. It counts as *right*.
- *refused*: the model did not compile.
- *failed*: there was another error.
- *not judged*: the model took too much time or memory.

A right output may have more than 1e-3 in the last column, although 1e-3 is the tolerance of `verify`. The reason is
that the error of a large element may be 1e-3 times this element. This can be more than 1e-3 times the root mean square
of the row.

The reason *ONNX's own output moves as far by rounding* means that rounding errors change the output of onnxruntime by a
similar amount. They may even change its shape, such as the number of samples of a voice.

The next line counts the models with each result, without `--fallback=cpu` (*device alone*) and with it (*with CPU
partitions*).
"""
_ALONE = """
## Without `--fallback=cpu`

Without `--fallback=cpu`, these models have another result than in the table above. The last column has the refused ops,
each with the reason of its first refusal. If an error does not concern an op, its [code](diagnostics.md) is in place of
the op.

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
