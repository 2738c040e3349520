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
compared with onnxruntime. The inputs are random, except for some inputs such as masks and sample rates. The table
therefore does not show how well a model does its task.

`make wild` writes this page; do not edit it. The versions, hashes and input sizes of the models are in
`models/wild/models.toml`.

The columns are:

- *package, file*: where the model is. One model is divided over four packages; the table names the first of them.
- *kind*: the task, and the framework or another property of the model.
- *device*: the verdict of `forge-mlir verify` if all nodes have to run on the device.
- *with CPU*: the verdict of `forge-mlir verify --fallback=cpu`, which permits nodes to run on the CPU. `(1 + 2)` means
  one device partition and two CPU partitions ([CPU partitions](guides/cpu-partitions.md)).
- *equal*: the result of the exact check of `verify` for *with CPU*: *yes* if the emitted calls and weights are equal to
  the converted model, up to rounding ([debugging](guides/debugging.md#the-program-without-rounding)); *not covered* if
  the check could not decide, for example because the model is too large.
- *largest relative error*: the largest difference between an output element and onnxruntime's, divided by the root mean
  square of the row of the element, for *with CPU*. A row is the trailing axis, merged with the axes before it until it
  has at least 16 elements. If *with CPU* is neither *right* nor *right by node*, the cell has the reason.
- *what the device refuses*: each refused op with the first reason. If no op is named, the cell has the code of the
  error ([diagnostics](diagnostics.md)).

The first four of these verdicts are those of `verify` ([criteria](guides/debugging.md#the-verdict)):

- *right*: every node agrees with ONNX. The error of every output element is at most 1e-3 of the element or of the root
  mean square of its row, whichever is larger. Therefore the largest relative error may be above 1e-3.
- *right by node*: every node agrees with ONNX. An output has larger errors, and rounding errors of the nodes explain
  them.
- *undecided*: the program is neither known to be right nor known to be wrong.
- *wrong*: a node does not agree with ONNX, or rounding errors do not explain the errors of an output, or the exact
  check finds a difference.
- *refused*: the model is not compiled.
- *failed*: the command ended with another error.
- *not judged*: the model took more time or memory than `make wild` permits.

*ONNX's own output moves as far by rounding* means that rounding errors in its nodes change ONNX's output by a similar
amount. Rounding errors can also change the shape of an output whose length is computed.

In the following sums, *right* includes *right by node*.
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
