"""Seeded random inputs for a compiled module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.device_module import Arrays
from forge_mlir.execute.values.structured_values import numpy_type

# Integers that are not known to be indices are 0 or 1, which is valid for masks, lengths and token types.
MOST = 2


WORDS = ("a", "b", "c", "d")
"""The words of text inputs if the model's own words are not known."""


def random_inputs(
    manifest: dict[str, Any],
    seed: int = 0,
    most: Callable[[str], int] = lambda _: MOST,
) -> Arrays:
    """Random inputs by ONNX name: normally distributed floats, booleans, integers below the bound in `most`, and words
    that the model knows as text. Sequences are lists of two, maps are dicts; inputs with defaults get those. Raises
    ForgeError for inputs of unknown type or size."""
    generator = np.random.default_rng(seed)
    inputs = defaults_of(manifest)
    sizes = {entry["onnx_name"]: entry["shape"] for entry in manifest.get("values", manifest["inputs"])}
    unknown = []
    for info in manifest["onnx"]["inputs"]:
        name = info["name"]
        if name not in sizes or name in inputs:
            continue
        shape = [] if info["shape"] == [] else sizes[name]
        if "(" in (info["dtype"] or ""):
            shape = info.get("element_shape")
        drawing = _Drawing(generator, most(name), info.get("range"), info.get("words") or [WORDS])
        value = drawing.value(info["dtype"], shape) if info["dtype"] else None
        if value is None:
            unknown.append(name)
        else:
            inputs[name] = value
    if unknown:
        raise ForgeError(
            Code.InputsOpen,
            f"no random values for {', '.join(map(ascii, unknown))}, whose type or sizes the model leaves open: "
            "give --inputs, or compile with --input-shape",
        )
    return inputs


class _Drawing(NamedTuple):
    generator: np.random.Generator
    most: int
    range: tuple[int, int] | None
    words: Sequence[Sequence[str]]
    """One list, or one per position of the trailing axis."""

    def value(self, dtype: str, shape: Sequence[Any] | None) -> Any:
        """A value of a type of a manifest; None if its sizes are unknown."""
        kind, _, inner = dtype.removesuffix(")").partition("(")
        if kind == "sequence":
            parts = [self.value(inner, shape) for _ in range(2)]
            return None if any(part is None for part in parts) else parts
        if kind == "optional":
            return self.value(inner, shape)
        if kind == "map":
            key, _, element = inner.partition(",")
            keys = list(self.words[0]) if key == "string" else list(range(len(WORDS)))
            return dict(zip(keys, self.value(element, [len(keys)]).tolist(), strict=True))
        if shape is None or not all(isinstance(size, int) for size in shape):
            return None
        return self.tensor(numpy_type(dtype), shape)

    def tensor(self, dtype: np.dtype[Any], shape: Sequence[int]) -> Any:
        if dtype.kind == "O":
            columns = [self.generator.choice(np.array(words, object), size=shape) for words in self.words]
            by_column = len(columns) > 1 and len(shape) > 0 and shape[-1] == len(columns)
            return np.stack([c[..., at] for at, c in enumerate(columns)], -1) if by_column else columns[0]
        if dtype.kind in "biu":
            limit = 2 if dtype.kind == "b" else self.most
            drawn = self.generator.integers(0, limit, size=shape)
            return np.asarray(drawn if self.range is None else np.clip(drawn, *self.range)).astype(dtype)
        return np.asarray(self.generator.standard_normal(size=shape)).astype(dtype)
