"""Plants one error in the source of an emitted module."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.source.calls import calls_of
from resealing import reseal

Change = Callable[[str], str | None]
"""Returns a wrong version of one line, or None if the line has nothing to change."""


@dataclass(frozen=True)
class Planted:
    """`line` of `file` is wrong. Its ONNX node is `node`; a constant has `nodes`, those that use it."""

    kind: str
    file: str
    line: int
    text: str
    nodes: tuple[str, ...]

    @property
    def node(self) -> str:
        return self.nodes[0]


def wrong_stride(line: str) -> str | None:
    found = re.search(r"forge\.op\.Index\(.*start=(-?\d+), stop=(-?\d+), stride=(\d+)", line)
    if not found:
        return None
    start, stop, stride = map(int, found.groups())
    if stop - start <= stride:  # A slice of one element has no stride.
        return None
    return line.replace(f"stride={stride}", f"stride={stride + 1}")


def wrong_epsilon(line: str) -> str | None:
    """Changes the epsilon of a norm, or a constant that looks like an epsilon in a norm of separate ops."""
    wrong, count = re.subn(r"(epsilon|constant)=(1e-05|1e-06|9\.9+\d*e-0[67]|1e-12)\b", r"\1=0.001", line)
    return wrong if count else None


def swapped_subtract(line: str) -> str | None:
    operand = r'(self\.get_\w+\("[^"]*"\)|\w+)'
    wrong, count = re.subn(rf'(forge\.op\.Subtract\(""), {operand}, {operand}', r"\1, \3, \2", line)
    return wrong if count and wrong != line else None


def shifted_padding(line: str) -> str | None:
    """Shifts a window by one element; the shape stays the same."""
    wrong, count = re.subn(r"(forge\.op\.Conv2d\(.*padding=\[)1, 1, ", r"\g<1>0, 2, ", line)
    return wrong if count else None


KINDS: dict[str, Change] = {
    "stride": wrong_stride,
    "epsilon": wrong_epsilon,
    "subtract": swapped_subtract,
    "padding": shifted_padding,
}


def modules(artifact: Artifact) -> list[Artifact]:
    """The device modules of a compiled model."""
    regions = artifact.manifest().get("partitions", [{"module": artifact.name, "kind": "device"}])
    return [Artifact(artifact.directory, region["module"]) for region in regions if region["kind"] == "device"]


def eligible(artifact: Artifact, kind: str) -> list[tuple[Artifact, int]]:
    """The lines that `kind` can change, as (module, index)."""
    return [
        (module, at)
        for module in modules(artifact)
        for at, line in enumerate(module.module_path.read_text().splitlines())
        if KINDS[kind](line) is not None
    ]


def plant(artifact: Artifact, kind: str, chance: random.Random) -> Planted:
    """Changes one of the eligible lines."""
    module, at = chance.choice(eligible(artifact, kind))
    lines = module.module_path.read_text().splitlines()
    # A constant has no node: it belongs to those that use it. A line of a layer's method belongs to all layers.
    calls = calls_of(module.module_path.read_text(), module.manifest())
    spoiled = [call for call in calls if call.line == at + 1]
    paths = {call.path for call in spoiled}
    users = [call for call in calls if not paths.isdisjoint(call.reads)]
    nodes = [call.node for call in spoiled if call.node] or [call.node for call in users if call.node]
    assert nodes
    wrong = KINDS[kind](lines[at])
    assert wrong is not None
    lines[at] = wrong
    module.module_path.write_text("\n".join(lines) + "\n")
    reseal(artifact)
    return Planted(kind, module.module_path.name, at + 1, wrong.strip(), tuple(nodes))
