"""Every pass, alone, on one program: it is refused with a reason, or computes what it did."""

from __future__ import annotations

from torch_mlir import ir

import forge_mlir
from forge_mlir import _native
from forge_mlir.equivalence import compare
from fuzz.passes.text import Program

PASSES = (
    "forge-check-integers",
    "forge-lower-integers",
    "forge-simplify-arithmetic",
    "forge-fuse-patterns",
    "forge-lower-split",
    "forge-slice-canonicalize",
    "forge-divisibility-rewrite",
    "forge-lower-strided-slice",
    "forge-join-recurrent",
    "forge-device-forms",
    "forge-merge-equal",
    "forge-join-movement",
    "forge-join-movement{chains=true}",
    "forge-fold-weights",
    "forge-join-convolutions",
    "forge-channels-last",
    "forge-centre-norms",
    "forge-kernel-forms",
    "forge-join-slices",
    "forge-separate-products",
    "forge-isolate-outputs",
)
"""Those whose results can be compared with what they were given: types stay."""


class WrongPass(Exception):
    """A pass that computes something else, or fails without a reason."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name


def check(program: Program, passes: tuple[str, ...] = PASSES) -> list[str]:
    """How each application ended: "unchanged", "equal", "refused" or "not covered"; nothing for a program that is not
    valid. Raises WrongPass."""
    whole, _ = _native.run_pipeline(program.text().encode(), "builtin.module()")
    if whole is None:
        return []
    before = _text(whole)
    return [_ended(whole, before, name) for name in passes]


def _ended(whole: bytes, before: str, name: str) -> str:
    made, reports = _native.run_pipeline(whole, f"builtin.module(func.func({name}))")
    if made is None:
        if not any(report["severity"] == "error" for report in reports):
            raise WrongPass(name, "fails without a diagnostic")
        if "verif" in str(reports) or "FM2002" not in str(reports):
            reasons = "; ".join(str(report["message"]) for report in reports)
            if "error" in reasons or "expected" in reasons or "op " in reasons:
                raise WrongPass(name, f"makes IR that is not valid: {reasons[:300]}")
        return "refused"
    if _text(made) == before:
        return "unchanged"
    verdict = compare(_parsed(whole), _parsed(made))
    if verdict.differences:
        raise WrongPass(name, verdict.explain())
    return "equal" if verdict.equal else "not covered"


def _text(module: bytes) -> str:
    text, _ = _native.text(module, [], False)
    return text or ""


def _parsed(module: bytes) -> ir.Module:
    context = ir.Context()
    forge_mlir.register(context)
    with context:
        return ir.Module.parse(module)
