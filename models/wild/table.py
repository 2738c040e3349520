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
compared with onnxruntime. The inputs are random, except for some such as masks and sample rates, so that the table does
not show how well a model does its task.

`make wild` writes this page from `models/wild/models.toml`, which has versions, hashes and input sizes. Do not edit
this page.

The columns are:

- *kind*: the task, and the framework or another property of the model.
- *device*: the verdict of `forge-mlir verify` if all nodes have to run on the device.
- *with CPU*: the verdict of `forge-mlir verify --fallback=cpu`, which permits nodes to run on the CPU. If the program
  has CPU partitions, the numbers of its device partitions and of its CPU partitions are in parentheses.
- *equal*: *yes* if the exact check of `verify` finds the emitted calls and weights equal to the converted model, up to
  rounding ([debugging](guides/debugging.md#the-program-without-rounding)); *not covered* if this could not be checked,
  for example because the model is too large.
- *largest relative error*: the largest difference of an output element from onnxruntime's, divided by the root mean
  square of the row of the element, for the program *with CPU*. If the verdict *with CPU* is neither *right* nor *right
  by node*, the column has the reason instead.
- *what the device refuses*: each refused op or, if no op is named, the code of the error
  ([diagnostics](diagnostics.md)), with the first reason.

A row of an output is its trailing axis, merged with the axes before it until it has at least 16 elements.

The verdicts are:

- *right*: every node agrees with ONNX. Every element of an output differs from onnxruntime's by at most 1e-3 of the
  element, or of the root mean square of its row, whichever is larger. (Therefore the relative error of a large element
  may be above 1e-3.) The correlation of each output with onnxruntime's is at least 0.9999.
- *right by node*: every node agrees with ONNX, but an output differs from onnxruntime's by more than that. Rounding
  errors of the nodes explain the difference ([criterion](guides/debugging.md#the-verdict)).
- *undecided*: no reference is known to be right, or rounding errors explain the difference of an output, but the
  difference is larger than the [criterion](guides/debugging.md#the-verdict) of *right by node* permits.
- *wrong*: a node does not agree with ONNX, or rounding errors do not explain the difference of an output, or the exact
  check finds a difference.
- *refused*: the model is not compiled.
- *failed*: the command ended with another error.
- *not judged*: the model took more time or memory than `make wild` permits.

*ONNX's own output moves as far by rounding* means that ONNX's output changes by a similar amount if the results of its
nodes are changed by rounding errors. The output may even change its shape, if its length is computed.

In the following sums, models that are *right by node* count as right.
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
