"""Numbers of a model that its values are compared with: inputs that are never near them see one outcome only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.importer import ImportedModel

_COMPARES = frozenset(
    ("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Clip", "Max", "Min", "Mod", "ThresholdedRelu")
)
_MOST_ELEMENTS = 16
_STEPS = (1e-3, -1e-3, 0.5, -0.5)
"""How far from a threshold some numbers are, relative to it."""


@dataclass(frozen=True)
class Thresholds:
    """Each number once, in order."""

    floats: tuple[float, ...] = ()
    integers: tuple[int, ...] = ()

    @staticmethod
    def of(imported: ImportedModel | None) -> Thresholds:
        """The constants of few elements that comparisons, bounds and maxima of a model read, and their attributes."""
        if imported is None or imported.graph is None:
            return Thresholds()
        floats, integers = set[float](), set[int]()
        constants = OnnxNodes.of(imported).constants
        for node in imported.graph.graph.node:
            if node.domain or node.op_type not in _COMPARES:
                continue
            floats.update(attribute.f for attribute in node.attribute if attribute.name in ("min", "max", "alpha"))
            for name in node.input:
                value = np.asarray(constants.get(name, ()))
                if 0 < value.size <= _MOST_ELEMENTS and value.dtype.kind in "iu":
                    integers.update(int(number) for number in value.flat)
                elif 0 < value.size <= _MOST_ELEMENTS and value.dtype.kind == "f":
                    floats.update(float(number) for number in value.flat if np.isfinite(number))
        return Thresholds(tuple(sorted(floats - {0.0})), tuple(sorted(integers - {0})))

    def floats_near(self, generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
        """A threshold, its neighbours in float32, or a number a little or far beside it, for each element. All are
        finite in float32, even next to its largest number."""
        largest = np.finfo(np.float32).max
        chosen = generator.choice(np.array(self.floats), shape)
        with np.errstate(over="ignore"):
            narrow = chosen.astype(np.float32)
            kinds = [narrow, np.nextafter(narrow, np.float32(np.inf)), np.nextafter(narrow, np.float32(-np.inf))]
            kinds += [chosen * (1 + step) for step in _STEPS]
        drawn = np.choose(generator.integers(0, len(kinds), shape), [each.astype(np.float64) for each in kinds])
        return np.asarray(np.clip(drawn, -largest, largest), np.float64)

    def integers_near(self, generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """A threshold, or an integer next to it, for each element."""
        return np.asarray(generator.choice(np.array(self.integers), shape) + generator.integers(-1, 2, shape))
