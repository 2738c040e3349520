"""How far a model's results are from ONNX's, for the report: what `forge_mlir.verify` found, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OutputError:
    """An output of the model: `verdict` in a word or two, the relative error (None: no number), and why it failed."""

    name: str
    verdict: str
    relative: float | None
    reason: str = ""


@dataclass(frozen=True)
class Accuracy:
    """`word` is right, wrong, undecided, or "not known" where the model could not be run; `text` a sentence that says
    what was found, `node` the first node that is wrong."""

    word: str
    text: str
    outputs: tuple[OutputError, ...] = ()
    node: str = ""

    @staticmethod
    def of(verification: dict[str, Any]) -> Accuracy:
        """From the JSON of a `Verification`."""
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
            agree = f"{_count(len(verification['nodes']), 'value')} of nodes and {_count(len(outputs), 'output')}"
            return Accuracy(word, f"{agree} agree with ONNX", outputs)
        failed = ", ".join(row.name for row in outputs if row.verdict != "ok")
        reasons = verification.get("reasons") or [f"outputs differ from ONNX: {failed}"]
        return Accuracy(word, reasons[0], outputs)


def _verdict(row: dict[str, Any], word: str) -> str:
    if row["passed"]:
        return "ok"
    return "by node" if row.get("by_node") else "undecided" if word == "undecided" else "FAILED"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
