"""Every pass, alone, on programs: each is refused with a reason, or computes what it did.

The programs of one call are functions of one module: a pass then costs one run for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from torch_mlir import ir

import forge_mlir
from forge_mlir import _native
from forge_mlir.equivalence import Engine, engine_of, functions_of, verdict_of
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
    "forge-join-slices",
    "forge-separate-products",
    "forge-convolution-pads",
    "forge-isolate-outputs",
)
"""Those whose results can be compared with what they were given. `no-nans` and `no-infs` take for granted what drawn
numbers do not keep, and a float format rounds."""

_FUNCTION = re.compile(r"^  func\.func @(\w+)\(.*?^  }$", re.DOTALL | re.MULTILINE)
_NARROW = re.compile(r"[x<](u?i(8|16|64)|ui32)>")
UNCHANGED, EQUAL, REFUSED, NOT_COVERED = "unchanged", "equal", "refused", "not covered"


class WrongPass(Exception):
    """A pass that computes something else, or fails without a reason, and the program that shows it."""

    def __init__(self, name: str, reason: str, program: Program) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.program = name, program


def check(programs: Sequence[Program], passes: Sequence[str] = PASSES, engines: Sequence[Engine] = ()) -> list[str]:
    """How each application of a pass to a program ended; there is none of a program that is not valid. Raises
    WrongPass. Without `engines` numbers are computed in float64."""
    named = {f"p{at}": program for at, program in enumerate(programs)}
    if _whole(named) is None:
        named = {name: program for name, program in named.items() if is_valid(program)}
    if not named:
        return []
    context = ir.Context()
    forge_mlir.register(context)
    batch = _Batch(named, engines or [engine_of("float64")], context)
    return [end for name in passes for end in batch.ends(name)]


def _whole(programs: Mapping[str, Program]) -> bytes | None:
    """All of them as one module; None where one is not valid."""
    texts = [program.text(name) for name, program in programs.items()]
    return _run("".join(texts).encode(), "builtin.module()")[0]


def is_valid(program: Program) -> bool:
    return _run(program.text().encode(), "builtin.module()")[0] is not None


def _run(source: bytes, pipeline: str) -> tuple[bytes | None, list[_native.Report]]:
    return _native.run_pipeline(source, pipeline)


class _Batch:
    """Valid programs as functions of one module, by their names, which decide the numbers that are drawn."""

    def __init__(self, programs: Mapping[str, Program], engines: Sequence[Engine], context: ir.Context) -> None:
        self.programs, self.engines, self._context = programs, engines, context
        whole = _whole(programs)
        assert whole is not None, "each program is valid"
        self._whole, module = whole, self._parsed(whole)
        self._texts = _texts(module)
        functions = functions_of(module)
        self._before = [engine.outputs(functions) for engine in engines]

    def ends(self, name: str) -> list[str]:
        """How each program ended with the pass."""
        made, reports = _run(self._whole, f"builtin.module(func.func({name}))")
        if made is not None:
            return list(self._compared(name, made))
        if len(self.programs) > 1:
            return self._apart(name)
        if reason := _not_a_refusal(reports):
            raise WrongPass(name, reason, *self.programs.values())
        return [REFUSED]

    def _apart(self, name: str) -> list[str]:
        """The same where the pass fails: those that it refuses by themselves, and the others at once."""
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
        uncovered = set[str]()
        for engine, known in zip(self.engines, self._before, strict=True):
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


def _may_wrap(name: str, program: Program) -> bool:
    """Whether integers of the program get a width in which they wrap otherwise, which no program relies on."""
    return "forge-legalize-types" in name and _NARROW.search(program.text()) is not None


def _not_a_refusal(reports: Sequence[Mapping[str, object]]) -> str:
    """Why what a failing pass said is no refusal of a program; "" for one."""
    if not any(report["severity"] == "error" for report in reports):
        return "fails without a diagnostic"
    reasons = "; ".join(str(report["message"]) for report in reports)
    if "FM2002" in str(reports) or "'forge." in reasons or "failed to verify" in reasons:
        return f"makes IR that is not valid: {reasons[:300]}"
    return ""


def _name(function: ir.OpView) -> str:
    return str(ir.StringAttr(function.operation.attributes["sym_name"]).value)


def _texts(module: ir.Module) -> dict[str, str]:
    """The text of each function, by name, without locations and aliases. To print each by itself is to number the
    values of all of them each time."""
    return {found[1]: found[0] for found in _FUNCTION.finditer(module.operation.get_asm(use_local_scope=True))}
