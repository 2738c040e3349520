"""Compiles each model through torch-mlir's importer and through this project's: the calls and weights must be the same,
except for listed cases."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto

from forge_mlir import _native, import_onnx
from forge_mlir.compiler.facts import bytecode_of
from forge_mlir.compiler.lower import is_known
from forge_mlir.onnx_model.errors import OnnxImportError
from stock_ir.importing import FORMS, serialised, stock_module
from stock_ir.programs import Lowered, lowered

EXCEPTIONS = Path(__file__).with_name("exceptions.csv")
SAME = "same"


@dataclass(frozen=True)
class Result:
    """The result of a model in one form: `outcome` is "same" (both are the same program, or both are refused),
    "unreadable" (LLVM 22 cannot read the IR), "refused" (only the stock importer's IR is refused), "compiled" (only
    this project's is refused) or "other" (the programs differ)."""

    case: str
    form: str
    outcome: str
    detail: str = ""


def compare(name: str, proto: ModelProto, forms: Iterable[str] = FORMS) -> Iterator[Result]:
    """One result per form; none for a model that the stock importer cannot import."""
    try:
        module = stock_module(proto)
    except Exception:
        return
    ours = _ours(proto)
    for form in forms:
        source = serialised(module, form)
        readable, reports = _native.verify(source)
        theirs = lowered(source) if readable else Lowered(errors=tuple(str(report["message"]) for report in reports))
        if not readable:
            yield Result(name, form, "unreadable", "; ".join(theirs.errors)[:300])
        elif theirs.calls == ours.calls:
            yield Result(name, form, SAME, "program" if ours.calls else "both are refused")
        elif not theirs.calls:
            yield Result(name, form, "refused", "; ".join(theirs.errors)[:300])
        elif not ours.calls:
            yield Result(name, form, "compiled", "; ".join(ours.errors)[:300])
        else:
            yield Result(name, form, "other", f"{len(theirs.calls)} lines, not {len(ours.calls)}")


def _ours(proto: ModelProto) -> Lowered:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            imported = import_onnx(proto, is_known=is_known)
        except OnnxImportError as error:
            return Lowered(errors=(str(error),))
        return lowered(bytecode_of(imported), imported.weights)


def exceptions() -> dict[tuple[str, str], tuple[str, str]]:
    """(outcome, reason) of each (case, form) whose result is not "same"."""
    with EXCEPTIONS.open(newline="") as file:
        return {(row["case"], row["form"]): (row["outcome"], row["reason"]) for row in csv.DictReader(file)}


def unexpected(results: Iterable[Result]) -> list[str]:
    """A line for each result that is not the expected one, better or worse."""
    known = exceptions()
    lines = []
    for result in results:
        wanted = known.get((result.case, result.form), (SAME, ""))[0]
        if result.outcome != wanted:
            lines.append(f"{result.case} ({result.form}): expected {wanted}, but got {result.outcome} {result.detail}")
    return lines
