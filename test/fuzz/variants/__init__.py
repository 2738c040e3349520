"""Variants of known models of one op, for nearly all ops of ONNX and of onnxruntime, with other values, types, shapes,
attributes, opsets and contexts. The result of a step need not be valid; the oracles decide whether it is."""

from __future__ import annotations

from random import Random

import numpy as np

from fuzz.coverage import Cell
from fuzz.variants.seeds import all_seeds
from fuzz.variants.steps import STEPS
from fuzz.variants.variant import MOST_ELEMENTS, Variant
from fuzz.variants.versions import aim, all_cells

_ALONE = 0.85
"""The share of variants of models with a single node, if there are any."""
_PLAIN = 0.25
"""The share of variants that only have the version and the type of their cell, without further changes."""


def random_variant(number: int, steps: int = 3) -> Variant | None:
    """The variant of a seed. Consecutive seeds cover all ops, versions and types, and apply up to `steps` changes.

    None when the result is too large or no model at all.
    """
    r = Random(number)
    cell: Cell = all_cells()[number % len(all_cells())]
    seeds = all_seeds()[cell.op]
    alone = [seed for seed in seeds if len(seed.nodes) == 1]
    variant = r.choice(alone if alone and r.random() < _ALONE else seeds).copy()
    with np.errstate(all="ignore"):
        aim(r, variant, cell)
        for _ in range(0 if r.random() < _PLAIN else r.randint(1, steps)):
            if variant.arrays:
                r.choice(STEPS)(r, variant)
    small = all(array.size <= MOST_ELEMENTS for array in variant.arrays.values())
    return variant if small and variant.outputs and all(variant.outputs) else None
