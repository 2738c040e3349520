"""docs/wild-models.md from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from models.wild.listing import WildModel
from models.wild.measure import NOT_JUDGED, Outcome

DOCUMENT = Path(__file__).parents[2] / "docs" / "wild-models.md"

_HEAD = """\
# Trained models of published packages

The models in this table are part of published Python packages. Each model was compiled, run on the CPU reference and
compared with onnxruntime. Most of the inputs are random. Therefore the table does not show how well a model does its
task.

`make wild` writes this page; do not edit it. `models/wild/models.toml` has the versions of the packages, the hashes of
the files, and the sizes of the inputs.

The columns are:

- *package, file*: the package, its version, and the file of the model. One model is divided over four packages; the
  table names the first of them.
- *kind*: the task of the model, and its framework or another property.
- *device*: the verdict of `forge-mlir verify`. All nodes have to run on the device.
- *with CPU*: the verdict of `forge-mlir verify --fallback=cpu`. Nodes may run on the CPU. `(1 + 2)` means one device
  partition and two [CPU partitions](guides/cpu-partitions.md).
- *equal*: the result of the [exact check](guides/debugging.md#the-program-without-rounding), for *with CPU*. *yes*: the
  emitted program and the converted model differ at most by rounding. *not covered*: the check could not decide, for
  example because the model is too large.
- *largest relative error*: for *with CPU*. The error of an element of an output is its difference from onnxruntime's
  element. The relative error is the error divided by the root mean square of the row of the element. A row is the
  trailing axis; if it has fewer than 16 elements, it is merged with the axes before it. If the verdict is neither
  *right* nor *right by node*, the cell has the reason of the verdict.
- *what the device refuses*: the refused ops, each with the first reason. If no node was refused, but the whole model,
  the cell has the [code](diagnostics.md) of the error.

`verify` gives the first four of these verdicts ([criteria](guides/debugging.md#the-verdict)):

- *right*: every node agrees with ONNX, and the error of each element is within its bound. The bound is 1e-3 times the
  element or the root mean square of its row, whichever is larger. If the element is larger, the relative error in the
  table can be above 1e-3.
- *right by node*: every node agrees with ONNX. Errors of an output are larger, but rounding errors of the nodes explain
  them.
- *undecided*: the program is neither known to be right nor known to be wrong.
- *wrong*: a node does not agree with ONNX, rounding errors do not explain the errors of an output, or the exact check
  finds a difference.
- *refused*: the model is not compiled.
- *failed*: the command ended with another error.
- *not judged*: the model took more time or memory than `make wild` permits.

The reason *ONNX's own output moves as far by rounding* means that rounding errors of ONNX's nodes change its output by
a similar amount. They can also change the shape of an output, if a length is computed.

In the next sentences, *right* includes *right by node*.
"""
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
        "| package, file | kind | device | with CPU | equal | largest relative error | what the device refuses |",
        "|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *map(_line, rows)]) + "\n"


def _counts(what: str, outcomes: Sequence[Outcome]) -> str:
    right = sum(outcome.right for outcome in outcomes)
    named = [f"{right} right"]
    for verdict in ("undecided", "refused", "wrong", "failed", NOT_JUDGED):
        count = sum(outcome.verdict == verdict for outcome in outcomes)
        if count or verdict != NOT_JUDGED:
            named.append(f"{count} {verdict}")
    return f"{what}: {', '.join(named)}."


def _line(row: tuple[WildModel, Outcome, Outcome]) -> str:
    model, alone, partitioned = row
    placed = f" ({partitioned.partitions[0]} + {partitioned.partitions[1]})" if partitioned.partitions != (1, 0) else ""
    reason = "" if alone.right else _cell(alone.reason)
    error = f"{partitioned.relative:.1e}" if partitioned.right else _cell(partitioned.reason)
    package = model.parts[0]
    name = f"{package.package} {package.version}, `{Path(package.file).name}`"
    equal = "yes" if partitioned.exact == "equal" else partitioned.exact
    verdicts = f"{alone.verdict} | {partitioned.verdict}{placed} | {equal}"
    return f"| {name} | {model.kind} | {verdicts} | {error} | {reason} |"


def _cell(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return text if len(text) <= _REASON_LENGTH else text[: _REASON_LENGTH - 3] + "..."
