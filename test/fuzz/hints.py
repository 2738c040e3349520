"""What the schemas of ONNX do not contain: which attribute values make sense for a shape."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from conformance.random_ops import RANGES
from yaml_file import read_yaml

Shape = tuple[int, ...]

_OPS = read_yaml(Path(__file__).parent / "ops.yaml")
JUMPS = frozenset(_OPS["jumps"].split())
SKIPPED = frozenset({*_OPS["skipped"].split(), *RANGES})


def _axis(r: Random, shape: Shape) -> int:
    return r.randrange(-len(shape), len(shape)) if shape else 0


def _axes(r: Random, shape: Shape) -> list[int]:
    if not shape:
        return []
    chosen = r.sample(range(len(shape)), r.randint(1, len(shape)))
    return [axis - len(shape) if r.random() < 0.3 else axis for axis in chosen]


def _window(r: Random, shape: Shape) -> list[int]:
    return [r.randint(1, min(3, max(1, size))) for size in shape[2:]]


_MODES = {
    "DepthToSpace": ["DCR", "CRD"],
    "Pad": ["constant", "reflect", "edge", "wrap"],
    "Gelu": ["none", "tanh"],
}


def attribute(r: Random, op: str, name: str, shape: Shape) -> Any:
    """A value for an attribute of a node whose first operand has `shape`; None if the attribute should be omitted."""
    spatial = len(shape) - 2
    simple: dict[str, Callable[[], Any]] = {
        "axis": lambda: _axis(r, shape),
        "axes": lambda: _axes(r, shape),
        "perm": lambda: r.sample(range(len(shape)), len(shape)),
        "keepdims": lambda: r.randint(0, 1),
        "noop_with_empty_axes": lambda: r.randint(0, 1),
        "select_last_index": lambda: r.randint(0, 1),
        "largest": lambda: r.randint(0, 1),
        "sorted": lambda: 1,
        "exclusive": lambda: r.randint(0, 1),
        "reverse": lambda: r.randint(0, 1),
        "upper": lambda: r.randint(0, 1),
        "ceil_mode": lambda: r.randint(0, 1),
        "count_include_pad": lambda: r.randint(0, 1),
        "alpha": lambda: r.choice([0.25, 0.5, 1.0, 2.0]),
        "beta": lambda: r.choice([0.25, 0.5, 1.0]),
        "gamma": lambda: r.choice([0.5, 1.0, 1.5]),
        "bias": lambda: r.choice([0.0, 0.5]),
        "lambd": lambda: r.choice([0.25, 0.5]),
        "epsilon": lambda: r.choice([1e-5, 1e-3]),
        "p": lambda: r.choice([1, 2]),
        "kernel_shape": lambda: _window(r, shape),
        "strides": lambda: [r.randint(1, 2) for _ in range(spatial)],
        "dilations": lambda: [r.randint(1, 2) for _ in range(spatial)],
        "pads": lambda: [r.randint(0, 1) for _ in range(2 * spatial)],
        "auto_pad": lambda: r.choice(["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]),
        "transA": lambda: r.randint(0, 1),
        "transB": lambda: r.randint(0, 1),
        "blocksize": lambda: 2,
        "mode": lambda: r.choice(_MODES[op]) if op in _MODES else None,
        "approximate": lambda: r.choice(["none", "tanh"]),
        "direction": lambda: r.choice(["LEFT", "RIGHT"]) if op == "BitShift" else None,
        "to": lambda: r.choice([1, 6, 7, 9]),
        "fmod": lambda: r.randint(0, 1),
        "num_outputs": lambda: r.randint(1, 3),
        "num_groups": lambda: r.choice([g for g in (1, 2, 3, 4) if shape[1] % g == 0]) if len(shape) > 1 else 1,
        "batch_dims": lambda: r.randint(0, 1),
        "start": lambda: r.randint(-2, 2),
        "end": lambda: r.randint(-2, 4),
        "allowzero": lambda: 0,
        "detect_negative": lambda: r.randint(0, 1),
        "detect_positive": lambda: r.randint(0, 1),
        "k": lambda: r.randint(-1, 1),
        "min": lambda: -0.5,
        "max": lambda: 1.0,
        "across_channels": lambda: r.randint(0, 1),
        "normalize_variance": lambda: 1,
        "reduction": lambda: r.choice(["none", "add", "mul", "max", "min"]),
    }
    make = simple.get(name)
    return make() if make is not None else None
