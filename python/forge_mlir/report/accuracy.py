"""The errors of a model's results in a report, from a verification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forge_mlir.errors import counted


@dataclass(frozen=True)
class OutputError:
    """An output of the model: a short `verdict`, the relative error (None if there is no number), and the reason of a
    failure."""

    name: str
    verdict: str
    relative: float | None
    reason: str = ""


@dataclass(frozen=True)
class Accuracy:
    """`word` is right, wrong, undecided, or "not known" if the model could not be run; `text` is a sentence, `node` the
    first wrong node."""

    word: str
    text: str
    outputs: tuple[OutputError, ...] = ()
    node: str = ""

    @staticmethod
    def of(verification: dict[str, Any]) -> Accuracy:
        """Converts the JSON of a `Verification`."""
        word = verification.get("verdict") or ("right" if verification["passed"] else "wrong")
        outputs = tuple(
            OutputError(row["name"], _verdict(row, word), row["relative"], row["reason"])
            for row in verification["outputs"]
        )
        wrong = verification["first_divergence"]
        if wrong is not None:
            text = f"node {wrong['node']} ({wrong['op']}) is wrong: {wrong['reason']}"
            return Accuracy(word, text, outputs, wrong["node"])
        if word == "right":
            agree = f"{counted(len(verification['nodes']), 'value')} of nodes and {counted(len(outputs), 'output')}"
            return Accuracy(word, f"{agree} agree with ONNX", outputs)
        failed = ", ".join(row.name for row in outputs if row.verdict != "ok")
        reasons = verification.get("reasons") or [f"outputs differ from ONNX: {failed}"]
        return Accuracy(word, reasons[0], outputs)


def _verdict(row: dict[str, Any], word: str) -> str:
    if row["passed"]:
        return "ok"
    return "by node" if row.get("by_node") else "undecided" if word == "undecided" else "FAILED"
