"""Verifies each distinct node of a model alone, with operands that the model may never give it.

A converter that is wrong for numbers beyond 1e19, for equal operands or for integers beyond 2^24 is not found in a
model that never computes such numbers. So every distinct node is compiled again as a model of its own, with the same
options, and compared with ONNX by `Lockstep`, for inputs of other profiles. What onnxruntime and onnx.reference do not
agree about is not blamed: such operands are where references are inexact.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import Arrays
from forge_mlir.importer import ImportedModel
from forge_mlir.support.progress import phase
from forge_mlir.verify.alone.one_node import LeftOut, OneNode, distinct_nodes
from forge_mlir.verify.compiled import LARGEST
from forge_mlir.verify.inputs.profiles import Profile, is_integer, profile_inputs
from forge_mlir.verify.inputs.random_inputs import IndexedInputs, random_inputs
from forge_mlir.verify.limits.op_classes import COMPARES, MOVES, ROUNDED
from forge_mlir.verify.lockstep import Lockstep
from forge_mlir.verify.module_steps import SteppedModel
from forge_mlir.verify.node_reports import NodeReport
from forge_mlir.verify.verdict import Alone, WrongAlone

_SECONDS, _SHARE = 5.0, 0.3
"""The time of a processor for the nodes of a model: so many seconds, or this share of the rest of the verification."""
_MOST_SEEDS, _ELEMENTS_OF_SEEDS = 4, 1024

_CHOOSES = frozenset(("ArgMax", "ArgMin", "TopK", "Hardmax", "ReduceMin", "MaxPool", "GlobalMaxPool", "ReduceMax"))
_ELEMENTWISE = COMPARES | ROUNDED.keys() | _CHOOSES
_ANY_SIZE: tuple[Profile, ...] = ("sizes", "neighbours", "mixed", "ties")
_ORDINARY: tuple[Profile, ...] = ("wide", "mixed", "ties")
_OF_INTEGERS: tuple[Profile, ...] = ("integers", "neighbours")

NO_TIME, REFUSED, NOT_RUN = "no time left", "refused alone", "not run by ONNX"
_OTHER_FORMAT = "computed in another format"


def nodes_alone(
    artifact: Artifact, imported: ImportedModel, spent: float, options: Options, observed: Sequence[NodeReport] = ()
) -> Alone:
    """What is found of the nodes of a model that `compile_traced` compiled to `artifact` with `options`; verifying it
    has taken `spent` seconds of a processor. `observed` are the values of a run."""
    if imported.graph is None:
        return Alone()
    began, end = time.monotonic(), processor_time() + max(_SECONDS, _SHARE * spent)
    left_out, wrong, right = Counter[str](), list[WrongAlone](), 0
    found = list(distinct_nodes(imported, SteppedModel.open(artifact).hosted(), observed))
    left_out.update(each.why for each in found if isinstance(each, LeftOut))
    nodes = sorted((each for each in found if isinstance(each, OneNode)), key=_order)
    own = _own_options(options)
    with phase("nodes alone", len(nodes)) as advance:
        for done, node in enumerate(nodes, 1):
            advance(done)
            if options.get("float_format") or options.get("quantization") == "float":
                ended: str | None = _OTHER_FORMAT
            elif processor_time() >= end:
                ended = NO_TIME
            else:
                with tempfile.TemporaryDirectory() as scratch:
                    verified = _verified(node, Path(scratch), own)
                wrong += [verified.wrong] if verified.wrong else []
                right += not verified.wrong and not verified.why
                ended = verified.why
            left_out.update([ended] if ended else [])
    return Alone(right, dict(sorted(left_out.items())), tuple(wrong), time.monotonic() - began)


def processor_time() -> float:
    """The seconds of a processor that this process has used, with its children that ended: unlike a clock, they do not
    depend on what else runs."""
    return sum(os.times()[:4])


@dataclass(frozen=True)
class _Verified:
    """Of one node: what is wrong, or why it was not compared; neither if it is right."""

    wrong: WrongAlone | None = None
    why: str = ""


def _verified(node: OneNode, folder: Path, options: Options) -> _Verified:
    path = folder / "node.onnx"
    path.write_bytes(node.model)
    try:
        artifact, imported = compile_traced(path, folder / "out", name="node", **options)
    except ForgeError:
        return _Verified(why=REFUSED)
    if imported is None or imported.graph is None:
        return _Verified(why=REFUSED)
    program = SteppedModel.open(artifact)
    compared = False
    for profile in _profiles(node):
        for seed in range(_seeds(node)):
            lockstep = _run(node, profile, seed, artifact, imported, program)
            if lockstep is None:
                break
            compared = compared or not (lockstep.stopped or lockstep.skipped)
            if element := lockstep.wrong_by_both():
                return _Verified(WrongAlone(node.name, node.op, profile, element))
    return _Verified() if compared else _Verified(why=NOT_RUN)


def _run(
    node: OneNode, profile: Profile, seed: int, artifact: Artifact, imported: ImportedModel, program: SteppedModel
) -> Lockstep | None:
    """A run with the largest integers that do not overflow; None if the model takes no such inputs."""
    manifest = artifact.manifest()
    for largest in LARGEST if profile in _OF_INTEGERS else LARGEST[-1:]:
        try:
            inputs = profile_inputs(profile, manifest, seed, imported, largest) | _ordinary(node, manifest, imported)
            lockstep = Lockstep(imported, program, inputs, units=0)
            for _ in lockstep.reports():
                pass
        except ForgeError:
            continue
        if not lockstep.stopped:
            return lockstep
    return None


def _ordinary(node: OneNode, manifest: dict[str, Any], imported: ImportedModel) -> Arrays:
    """The integers of a function of several elements that also has floats: lengths, positions and the like, of which
    most numbers are not valid."""
    if not _has_floats(node) or node.op in _ELEMENTWISE or node.op in MOVES:
        return {}
    indexed = IndexedInputs.of(imported)
    drawn = {name: value for name, value in random_inputs(manifest, 0, imported).items() if hasattr(value, "dtype")}
    return {
        name: value
        for name, value in drawn.items()
        if value.dtype.kind in "iu" and value.dtype.itemsize > 1 and indexed.most(name) is None
    }


def _has_floats(node: OneNode) -> bool:
    return any(not is_integer(dtype) and dtype.kind != "b" for dtype in node.operands)


def _profiles(node: OneNode) -> list[Profile]:
    integers = any(is_integer(dtype) for dtype in node.operands)
    floats = _has_floats(node)
    if not floats and not integers:
        return ["ties"]
    is_elementwise = node.op in _ELEMENTWISE or node.op in MOVES
    if floats and not is_elementwise:
        return list(_ORDINARY)
    found: list[Profile] = list(_ANY_SIZE if node.op in _ELEMENTWISE else ("sizes",)) if floats else ["ties"]
    if integers:
        found += _OF_INTEGERS
    return list(dict.fromkeys(found))


def _seeds(node: OneNode) -> int:
    return max(1, min(_MOST_SEEDS, _ELEMENTS_OF_SEEDS // max(node.elements, 1)))


def _order(node: OneNode) -> tuple[bool, bool, int]:
    """Nodes that choose, compare or compute integers first, then movement, and small nodes before large ones."""
    exact = node.op in COMPARES | _CHOOSES or any(map(is_integer, node.operands))
    return not exact, node.op in MOVES, node.elements


_OF_THE_MODEL = (
    *("input_shapes", "dims", "sample_inputs", "bind", "overridable", "ranges", "extract_inputs", "extract_outputs"),
    *("fallback", "cpu_ops", "device_ops", "max_partitions"),
)
"""Options that name parts of the whole model, or that let a node run on the CPU."""


def _own_options(options: Options) -> Options:
    return cast(Options, {name: value for name, value in options.items() if name not in _OF_THE_MODEL})
