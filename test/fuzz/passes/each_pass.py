"""Runs every pass alone on programs: it refuses each program with a reason, or preserves what it computes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from torch_mlir import ir

import forge_mlir
from forge_mlir import _native
from forge_mlir.equivalence import Engine, engine_of, functions_of, verdict_of
from forge_mlir.equivalence.program import Function
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
    "forge-legalize-types",
    "forge-merge-equal",
    "forge-join-movement",
    "forge-join-movement{chains=true}",
    "forge-fold-weights",
    "forge-fold-weights{fast-math=reassociate}",
    "forge-join-convolutions",
    "forge-join-convolutions{fast-math=zero-products}",
    "forge-channels-last",
    "forge-centre-norms",
    "forge-kernel-forms",
    "forge-pixel-rows",
    "forge-head-rows",
    "forge-column-products{fast-math=zero-products}",
    "forge-join-projections",
    "forge-join-slices",
    "forge-separate-products",
    "forge-convolution-pads",
    "forge-isolate-outputs",
)
"""Passes whose results can be compared with their inputs. Missing are `no-nans` and `no-infs`, whose assumption drawn
numbers do not fulfil, and float formats, which round."""

_FUNCTION = re.compile(r"^  func\.func @(\w+)\(.*?^  }$", re.DOTALL | re.MULTILINE)
_ADDS_ZERO_TERMS = re.compile("zero-products|fast-math=(all|fast)|divisibility-rewrite")
"""Passes and options with rewrites that add a product with 0 to a sum (docs/numerics.md)."""
_NARROW = re.compile(r"[x<](u?i(8|16|64)|ui32)>")
_ROUNDS = {
    *(f"forge.{name}" for name in ("add", "subtract", "multiply", "divide", "power", "sqrt", "reciprocal", "cast")),
    *(f"forge.{name}" for name in ("matmul", "conv2d", "conv2d_transpose", "reduce_avg", "reduce_sum", "cum_sum")),
    *(f"forge.{name}" for name in ("exp", "log", "tanh", "sigmoid", "gelu", "erf", "softmax", "log_softmax")),
    *(f"forge.{name}" for name in ("layernorm", "batchnorm")),
}
UNCHANGED, EQUAL, REFUSED, NOT_COVERED = "unchanged", "equal", "refused", "not covered"


class WrongPass(Exception):
    """A pass that changes the result or fails without a reason, and the program that shows it."""

    def __init__(self, name: str, reason: str, program: Program) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.program = name, program


def check(programs: Sequence[Program], passes: Sequence[str] = PASSES, engines: Sequence[Engine] = ()) -> list[str]:
    """The result of each application of a pass to a program; programs that are not valid are skipped. Raises WrongPass.
    Without `engines`, numbers are computed in float64, once with finite arguments and once with infinities and NaN."""
    named = {f"p{at}": program for at, program in enumerate(programs)}
    if _whole(named) is None:
        named = {name: program for name, program in named.items() if is_valid(program)}
    if not named:
        return []
    context = ir.Context()
    forge_mlir.register(context)
    batch = _Batch(named, engines or [engine_of("float64"), engine_of("infinities")], context)
    return [end for name in passes for end in batch.ends(name)]


def _whole(programs: Mapping[str, Program]) -> bytes | None:
    """All programs as one module; None if one of them is not valid."""
    texts = [program.text(name) for name, program in programs.items()]
    return _run("".join(texts).encode(), "builtin.module()")[0]


def is_valid(program: Program) -> bool:
    return _run(program.text().encode(), "builtin.module()")[0] is not None


def _run(source: bytes, pipeline: str) -> tuple[bytes | None, list[_native.Report]]:
    return _native.run_pipeline(source, pipeline)


class _Batch:
    """Valid programs as functions of one module, by name. The name determines the numbers that are drawn."""

    def __init__(self, programs: Mapping[str, Program], engines: Sequence[Engine], context: ir.Context) -> None:
        self.programs, self.engines, self._context = programs, engines, context
        whole = _whole(programs)
        assert whole is not None, "each program is valid"
        self._whole, module = whole, self._parsed(whole)
        self._texts = _texts(module)
        functions = functions_of(module)
        self._functions = functions
        self._before = [engine.outputs(functions) for engine in engines]

    def ends(self, name: str) -> list[str]:
        """The result of the pass for each program."""
        made, reports = _run(self._whole, f"builtin.module(func.func({name}))")
        if made is not None:
            return list(self._compared(name, made))
        if len(self.programs) > 1:
            return self._apart(name)
        if reason := _not_a_refusal(reports):
            raise WrongPass(name, reason, *self.programs.values())
        return [REFUSED]

    def _apart(self, name: str) -> list[str]:
        """The same for a pass that fails on the module: finds the programs that it refuses, and runs it on all others
        at once."""
        pipeline = f"builtin.module(func.func({name}))"
        made = {each: _run(program.text(each).encode(), pipeline)[0] for each, program in self.programs.items()}
        alone = [each for each in made if made[each] is None or None not in made.values()]
        groups = [[each] for each in alone] + [[each for each in made if each not in alone]]
        ends = dict[str, str]()
        for group in filter(None, groups):
            batch = _Batch({each: self.programs[each] for each in group}, self.engines, self._context)
            ends.update(zip(group, batch.ends(name), strict=True))
        return [ends[each] for each in self.programs]

    def _compared(self, name: str, made: bytes) -> Iterator[str]:
        if made == self._whole:
            yield from [UNCHANGED] * len(self.programs)
            return
        module = self._parsed(made)
        texts = _texts(module)
        for op in module.body.operations:
            if texts[_name(op)] == self._texts[_name(op)]:
                op.operation.erase()
        changed = functions_of(module)
        for each, function in changed.items():
            if formats := _rounded_to(function) - _rounded_to(self._functions[each]):
                raise WrongPass(name, f"rounds a result to {', '.join(sorted(formats))}", self.programs[each])
        uncovered = set[str]()
        for engine, known in zip(self.engines, self._before, strict=True):
            if engine.layer == "infinities" and _ADDS_ZERO_TERMS.search(name):
                continue
            after = engine.outputs(changed)
            for each, function in changed.items():
                verdict = verdict_of(engine, {each: function}, {each: known[each]}, {each: after[each]})
                if verdict.differences and not _may_wrap(name, self.programs[each]):
                    raise WrongPass(name, verdict.explain(), self.programs[each])
                uncovered.update([] if verdict.equal else [each])
        for each in self._texts:
            yield UNCHANGED if each not in changed else NOT_COVERED if each in uncovered else EQUAL

    def _parsed(self, module: bytes) -> ir.Module:
        with self._context:
            return ir.Module.parse(module)


def _rounded_to(function: Function) -> set[str]:
    """The 16-bit types of results of arithmetic, except of products with 1 and -1. The engines do not round, so that
    they do not see it if a pass computes in such a type what was computed in float32."""
    signs = {
        op.results[0]
        for op in function.ops
        if op.name in ("forge.constant", "forge.scalar_constant")
        and np.all(np.abs(op.attributes.get("value", op.attributes.get("constant", 0))) == 1)
    }
    return {
        op.type.element
        for op in function.ops
        if op.name in _ROUNDS and op.type.element in ("f16", "bf16")
        if op.name != "forge.multiply" or not signs.intersection(op.operands)
    }


def _may_wrap(name: str, program: Program) -> bool:
    """Whether the pass gives integers of the program another width, in which they overflow differently; programs do not
    rely on it."""
    return "forge-legalize-types" in name and _NARROW.search(program.text()) is not None


def _not_a_refusal(reports: Sequence[Mapping[str, object]]) -> str:
    """Why the reports of a failing pass are not a refusal of the program; "" if they are."""
    if not any(report["severity"] == "error" for report in reports):
        return "fails without a diagnostic"
    reasons = "; ".join(str(report["message"]) for report in reports)
    if "FM2002" in str(reports) or "'forge." in reasons or "failed to verify" in reasons:
        return f"makes IR that is not valid: {reasons[:300]}"
    return ""


def _name(function: ir.OpView) -> str:
    return str(ir.StringAttr(function.operation.attributes["sym_name"]).value)


def _texts(module: ir.Module) -> dict[str, str]:
    """The text of each function, by name, without locations and aliases. Printing the module once is faster, since each
    print numbers the values of all functions."""
    return {found[1]: found[0] for found in _FUNCTION.finditer(module.operation.get_asm(use_local_scope=True))}
