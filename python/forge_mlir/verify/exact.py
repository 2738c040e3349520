"""The first step of a verdict: whether a program computes the same function as the converted model, for all inputs and
weights.

The IR after the conversion, the IR at the end of the pipeline and the calls of the emitted module are evaluated in a
finite field, where nothing is rounded. If they are equal, the program can only differ by rounding; otherwise it is
wrong, even if the difference is small. The conversion from ONNX is checked in float64 instead (conversion.py), and by
the comparison of nodes in the types of the model.
"""

from __future__ import annotations

import copy
import math
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from torch_mlir import ir

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.floats.float_formats import as_chosen, in_float_format
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.stages.passes_apart import passes_of, staged
from forge_mlir.dialects import forge
from forge_mlir.dialects.crossing import bytecode
from forge_mlir.equivalence import Chain, Verdict
from forge_mlir.equivalence.in_field import InField
from forge_mlir.equivalence.outcomes import ORDERS, Hidden
from forge_mlir.equivalence.program import Function, NotCovered, Op, functions_of
from forge_mlir.equivalence.read_back import Edits, module_of
from forge_mlir.equivalence.structure import outputs_of_other_calls, same_calls
from forge_mlir.errors import ForgeError
from forge_mlir.importer import ImportedModel
from forge_mlir.support.progress import phase
from forge_mlir.verify.conversion import Conversion, compared_in_float64
from forge_mlir.verify.inputs.profiles import Profile, profile_inputs

State = Literal["equal", "different", "not covered"]

_MOST_WORK, _TWICE = 5e8, 1e7
"""The largest work of a model that is evaluated, which may take a minute and 3 GB, and of one that is also
evaluated with numbers of various magnitudes."""
_PRODUCTS = 32
"""The multiplications of a matrix product that take as long as an element of another op."""
_PROFILES: tuple[Profile, ...] = ("normal", "mixed")
_HOSTED = ("cpu", "driver")
_SIXTEEN = ("bf16", "f16")
_FREE = ("fast_math", "float_format")
"""Options that permit more than rounding: with one of them, only the emitted module is compared with the compiled
graph."""


@dataclass(frozen=True)
class Exactness:
    """The result. `reason` is the location of a difference, or what is not covered: of the program, or, if the rest of
    it is equal, of this part of it."""

    state: State
    reason: str = ""
    seconds: float = 0.0
    compared: int = 0
    """How many results of nodes are what the converted graph has, in float64."""
    edited: bool = False
    """Whether a given artifact has other calls than the current compilation and could not be compared exactly."""

    def json(self) -> dict[str, Any]:
        seconds = round(self.seconds, 3)
        return {"result": self.state, "reason": self.reason, "seconds": seconds, "nodes_in_float64": self.compared}


def exactness_of(
    artifact: Artifact, imported: ImportedModel | None, options: Options, edits: Edits | None = None
) -> Exactness:
    """Checks the result of `compile_traced`, or with `edits` (of stored weights) a given artifact."""
    begin = time.monotonic()
    if imported is None:
        return Exactness("not covered", "all of the model runs on the CPU")
    with phase("exact check"):
        check = ExactCheck(imported, as_chosen(options, artifact.manifest()))
        found = check.of(artifact, edits)
    return replace(found, seconds=time.monotonic() - begin)


@dataclass(frozen=True)
class _Compiled:
    """The IR at the end of the pipeline, and the verdicts on passes: `wrong` names the pass that changes results,
    `gaps` what is not covered. `chain` is used to compare further functions with it."""

    context: ir.Context
    converted: dict[str, Function]
    functions: dict[str, Function]
    chain: Chain
    wrong: str = ""
    gaps: tuple[str, ...] = ()
    zeros: tuple[str, ...] = ()
    """Outputs that are 0 in every run, whose producers are not compared."""
    too_large: bool = False
    undecided: Mapping[str, Sequence[Hidden]] = field(default_factory=dict)


@dataclass
class ExactCheck:
    """Checks artifacts of one model, whose IR is evaluated only once."""

    imported: ImportedModel
    options: Options
    _conversion: Conversion | None = None

    def of(self, artifact: Artifact, edits: Edits | None) -> Exactness:
        """The result for a traced artifact; `edits` as for `exactness_of`."""
        try:
            compiled = self._compiled
            if compiled.wrong:
                return Exactness("different", compiled.wrong)
            if self._conversion is None:
                self._conversion = self._converted(compiled, artifact)
            if (misconverted := self._conversion.wrong) is not None:
                return Exactness("different", f"the conversion of {misconverted.explain()}")
            found = self._emitted(compiled, artifact, edits)
        except (NotCovered, ForgeError) as error:
            found = Exactness("not covered", str(error), edited=True)
        compared = self._conversion.compared if self._conversion else 0
        return replace(found, edited=found.edited and edits is not None, compared=compared)

    def _converted(self, compiled: _Compiled, artifact: Artifact) -> Conversion:
        """What the conversion makes of each node, for inputs of two profiles. Nothing is compared of a graph that is
        partitioned or large, or whose roundings the user has changed."""
        functions, manifest = list(compiled.converted.values()), artifact.manifest()
        if (
            compiled.too_large
            or len(functions) != 1
            or functions[0].kind
            or self.options.get("quantization") == "float"
        ):
            return Conversion(0)
        names = [entry["onnx_name"] for entry in manifest["inputs"]]
        found = Conversion(0)
        for profile in _PROFILES:
            inputs = profile_inputs(profile, manifest, imported=self.imported)
            try:
                found = compared_in_float64(functions[0], self.imported, inputs, names)
            except NotCovered:
                return Conversion(0)
            if found.wrong is not None:
                break
        return found

    def _emitted(self, compiled: _Compiled, artifact: Artifact, edits: Edits | None) -> Exactness:
        gaps = compiled.gaps
        emitted = _read_back(artifact, compiled, {})
        if all(same_calls(compiled.functions[name], each) for name, each in emitted.items()):
            # Random indices may not select an edited element of a table.
            for name, where in (edits or {}).items():
                return Exactness(
                    "different", f"weight {name!a} has {int(where.sum())} elements that are not the model's"
                )
            return Exactness("not covered", gaps[0]) if gaps else Exactness("equal", _but(compiled.zeros))
        if overflowing := _overflowing(compiled.functions, emitted):
            return Exactness("different", overflowing)
        if edits:
            emitted = _read_back(artifact, compiled, edits)
        if compiled.too_large:
            return Exactness("not covered", gaps[0], edited=True)
        # A copy, because readings of constants of one artifact must not be used for another.
        chain = copy.deepcopy(compiled.chain)
        if isinstance(chain.engine, InField):
            chain.engine.of_passes = False
        found = chain.add_functions({**compiled.functions, **emitted})
        if found.differences:
            return Exactness("different", f"the emitted module is not the compiled graph: {_shown(found)}")
        # What a condition never chooses is not compared, and other calls may compute anything there.
        hidden = found.not_covered
        if edits is not None:
            more = _undecided(chain)
            undecided = {name: [*compiled.undecided.get(name, ()), *more.get(name, ())] for name in emitted}
            for name in _with_other_orders(compiled.functions, emitted):
                undecided[name] += chain.engine.untied.get(name, ()) if isinstance(chain.engine, InField) else ()
            others = {
                name: set(outputs_of_other_calls(compiled.functions[name], each)) for name, each in emitted.items()
            }
            hidden += tuple(
                each.reason for name, found in undecided.items() for each in found if each.outputs & others[name]
            )
            hidden += tuple(
                f"function {name!a} has more casts of integers to floats, which may round them"
                for name, each in emitted.items()
                if _casts_to_floats(each) > _casts_to_floats(compiled.functions[name])
            )
            hidden += tuple(
                f"function {name!a} has a {op.removeprefix('forge.')} in {element} that is not compiled: it may round"
                for name, each in emitted.items()
                for op, element in _of_16_bits(each) - _of_16_bits(compiled.functions[name])
            )
            edited = {output for outputs in others.values() for output in outputs}
            hidden += tuple(f"output {name!a} is 0 whatever is drawn" for name in compiled.zeros if name in edited)
        gaps += hidden
        if gaps:
            return Exactness("not covered", gaps[0], edited=bool(hidden))
        return Exactness("equal", _but(compiled.zeros))

    @cached_property
    def _compiled(self) -> _Compiled:
        """Raises NotCovered and ForgeError."""
        stages = self._stages()
        module = next(stages).module
        converted = functions_of(module)
        work = sum(_work(function) for function in converted.values())
        chain = self._chain(work)
        free = next((f"{name} lets passes change what is computed" for name in _FREE if self.options.get(name)), None)
        if free is None and any(_is_narrow(function) for function in converted.values()):
            free = "passes recognise functions by constants, and those of 16 bits stand for other numbers"
        gaps = [free] if free else []
        if too_large := work > _MOST_WORK:
            gaps = [f"the model has {work:.2g} steps, and {_MOST_WORK:.2g} are evaluated"]
        elif not free:
            chain.add(module)
        for stage in stages:
            module = stage.module
        functions = functions_of(module)
        wrong = _overflowing(converted, functions)
        zeros: tuple[str, ...] = ()
        if not too_large:
            passes = chain.add(module)
            gaps += [gap for gap in passes.not_covered if gap not in _rounded(chain)]
            zeros = tuple(chain.zeros(functions))
            if len(zeros) == sum(len(each.outputs) for each in functions.values() if each.kind not in _HOSTED):
                gaps += [f"output {name!a} is 0 whatever is drawn" for name in zeros]
            if (passes.differences or _rounded(chain)) and not wrong:
                wrong = self._culprit(work)
        undecided = _undecided(chain)
        return _Compiled(module.context, converted, functions, chain, wrong, tuple(gaps), zeros, too_large, undecided)

    def _chain(self, work: float) -> Chain:
        return Chain(InField(0, self.imported.weights, runs=2 if work <= _TWICE else 1))

    def _stages(self) -> Any:
        # A separate context: one that knows the keys of weights would rename them.
        context = ir.Context()
        forge.register(context)
        module = ir.Module.parse(bytecode(self.imported.module), context)
        return staged(module, passes_of(in_float_format(self.imported, self.options)))

    def _culprit(self, work: float) -> str:
        """The pass that changes results; empty if none does by itself. Compared over all passes, a constant may be too
        complex to read and become an unrelated number, which is not an error. Raises NotCovered if it is that in one
        pass, too."""
        chain = self._chain(work)
        for stage in self._stages():
            found = chain.add(stage.module)
            if found.differences:
                return f"{stage.name} changes what is computed: {_shown(found)}"
            for gap in _rounded(chain):
                raise NotCovered(f"{stage.name}: {gap}")
        return ""


def _read_back(artifact: Artifact, compiled: _Compiled, edits: Edits) -> dict[str, Function]:
    """The functions of the device modules, named as those of the IR."""
    device = {name: each for name, each in compiled.functions.items() if each.kind not in _HOSTED}
    parts = artifact.manifest().get("partitions")
    if parts is None:
        (function,) = device.values()
        return functions_of(module_of(artifact, function, compiled.context, edits))
    # Functions are named after the graph and modules after the artifact, with equal suffixes.
    modules = {_end(part["module"]): part["module"] for part in parts if part["kind"] == "device"}
    found: dict[str, Function] = {}
    for name, function in device.items():
        part = Artifact(artifact.directory, modules[_end(name)])
        found |= functions_of(module_of(part, function, compiled.context, edits))
    return found


def _but(zeros: Sequence[str]) -> str:
    """What is left out of an equality."""
    return f"output {zeros[0]!a}, which is 0 whatever is drawn" if zeros else ""


def _overflowing(compiled: Mapping[str, Function], emitted: Mapping[str, Function]) -> str:
    """Names a softmax of a module that lost the subtraction that prevents overflow. Such a softmax is the same
    function, and inputs without large numbers do not show it."""
    for name, function in emitted.items():
        before, now = (
            Counter(op.name for op in each.ops if op.attributes.get("stable") is False)
            for each in (compiled[name], function)
        )
        for op, count in (now - before).items():
            called = op.removeprefix("forge.")
            return f"{count} {called} of {name!a} have stable=False, and overflow where a number of a row is beyond 88"
    return ""


def _with_other_orders(compiled: Mapping[str, Function], emitted: Mapping[str, Function]) -> list[str]:
    """The functions that compare by other orders than are compiled: a `>` that is a `>=` differs for equal numbers."""

    def orders(function: Function) -> Counter[str]:
        return Counter(op.name for op in function.ops if op.name in ORDERS)

    return [name for name, function in emitted.items() if orders(function) != orders(compiled[name])]


def _casts_to_floats(function: Function) -> int:
    """The number of casts of integers, which the field does not round."""
    casts = [op for op in function.ops if op.name == "forge.cast"]
    return sum(op.operand_types[0].is_integer and op.type.is_float for op in casts)


def _of_16_bits(function: Function) -> Counter[tuple[str, str]]:
    """The ops with results in 16-bit floats, to which the field does not round."""
    return Counter((op.name, type_.element) for op in function.ops for type_ in op.types if type_.element in _SIXTEEN)


def _undecided(chain: Chain) -> Mapping[str, Sequence[Hidden]]:
    """The conditions of what was added last that have one outcome in every run, by function."""
    return chain.engine.undecided if isinstance(chain.engine, InField) else {}


def _rounded(chain: Chain) -> Collection[str]:
    """The gaps of what was added last that are roundings of constants."""
    return chain.engine.rounded.values() if isinstance(chain.engine, InField) else ()


def _end(name: str) -> str:
    return name.rpartition("_")[2]


def _is_narrow(function: Function) -> bool:
    """Whether the function computes in a 16-bit float format."""
    return bool(_of_16_bits(function))


def _shown(verdict: Verdict) -> str:
    return verdict.differences[0].explain()


def _work(function: Function) -> float:
    """A measure of the work: elements of results, and each 32 multiplications of products and convolutions."""
    return float(sum(_work_of(op) for op in function.ops))


def _work_of(op: Op) -> float:
    elements = sum(math.prod(type_.shape) for type_ in op.types)
    match op.name:
        case "forge.matmul":
            return elements * (1 + op.operand_types[0].shape[-1] / _PRODUCTS)
        case "forge.conv2d" | "forge.conv2d_transpose":
            weight = op.operand_types[1].shape
            return elements * (1 + math.prod(weight[1:]) / _PRODUCTS)
    return float(elements)
