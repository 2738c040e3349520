"""The models of a fixed range of seeds have nearly every op, version and type, and the rare properties."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from forge_mlir import _native
from fuzz.coverage import Cell, Coverage, cells_of_node, wanted
from fuzz.variants import random_variant
from fuzz.variants.seeds import all_seeds
from fuzz.variants.variant import Variant, is_float, nodes_in

SEEDS = range(5888, 8888)
"""Seeds that draw every op: among those below 3000, none makes a valid variant of Mish."""
_WITHOUT_AN_ORACLE = {"GroupNorm", "SkipGroupNorm"}
"""onnxruntime has no CPU kernel for these."""


@cache
def drawn() -> list[Variant]:
    return [variant for seed in SEEDS if (variant := random_variant(seed)) is not None]


def test_every_converter_has_a_model() -> None:
    converted = {(domain, op) for domain, op, _ in _native.registered_ops() if op not in _WITHOUT_AN_ORACLE}
    assert converted - all_seeds().keys() == set()


def test_ops_versions_and_types() -> None:
    coverage = Coverage()
    for variant in drawn():
        if node := variant.main():
            dtypes = {name: array.dtype for name, array in variant.arrays.items()}
            coverage.add(cells_of_node(node, variant.domains.get(node.domain, variant.opset), dtypes), False)
    known = set(wanted())
    missing = {cell.op for cell in known} - {cell.op for cell in coverage.made}
    assert missing == {("com.microsoft", op) for op in _WITHOUT_AN_ORACLE}
    assert len({cell[:2] for cell in coverage.made}) >= 0.97 * len({cell[:2] for cell in known})
    assert {cell.dtype for cell in known} - {cell.dtype for cell in coverage.made} == set()
    assert len(known & coverage.made.keys()) >= 0.45 * len(known)


def test_values_sizes_and_surroundings() -> None:
    seen: Counter[str] = Counter()
    for variant in drawn():
        for array in variant.arrays.values():
            seen[f"rank {array.ndim}"] += 1
            seen["empty"] += array.size == 0
            seen["size 1"] += 1 in array.shape
            if is_float(array.dtype) and array.size:
                numbers = array.astype(np.float64)
                seen["nan"] += bool(np.isnan(numbers).any())
                seen["inf"] += bool(np.isposinf(numbers).any())
                seen["-inf"] += bool(np.isneginf(numbers).any())
                seen["-0.0"] += bool(((numbers == 0) & np.signbit(numbers)).any())
                seen["denormal"] += bool(((numbers != 0) & (np.abs(numbers) < 1.1e-38)).any())
            if array.dtype.kind in "iu" and array.size:
                limits = np.iinfo(array.dtype)
                seen["least integer"] += array.dtype.kind == "i" and bool((array == limits.min).any())
                seen["largest integer"] += bool((array == limits.max).any())
        ops = [node.op_type for node in variant.nodes]
        inner = [node.op_type for node in nodes_in(variant.nodes)][len(ops) :]
        for op in ("If", "Loop", "Scan"):
            seen[op] += op in ops and variant.op[1] != op
        seen["nested"] += any(op in ("If", "Loop", "Scan") for op in inner)
        used = Counter(name for node in variant.nodes for name in node.input)
        seen["shared"] += max(used.values(), default=0) > 1
        seen["wrong types"] += variant.wrong_hints
        seen["known when compiled"] += bool(variant.constants)
    names = [f"rank {rank}" for rank in range(7)]
    names += ["empty", "size 1", "nan", "inf", "-inf", "-0.0", "denormal", "least integer", "largest integer"]
    names += ["If", "Loop", "Scan", "nested", "shared", "wrong types", "known when compiled"]
    assert {name: seen[name] for name in names if seen[name] < 10} == {}


def test_a_gap_is_printed() -> None:
    coverage = Coverage()
    coverage.add([Cell(("", "Abs"), 13, "T", "tensor(float)")], True)
    text = coverage.report()
    assert "drawn: 1 of" in text
    assert "Abs 1/6," in text
    assert "com.microsoft.Attention 1" in text
    short = coverage.report(2)
    assert "missing: Abs 1/6, Acos 7/22, and of" in short
    assert "com.microsoft.Attention" not in short
