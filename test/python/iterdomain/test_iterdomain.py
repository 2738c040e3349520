"""forge_mlir.iterdomain: its API, and the claims of the library, checked by enumerating small cases."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from forge_mlir import ForgeError
from forge_mlir import iterdomain as itd
from itd_oracle.enumeration import Array


def test_domain() -> None:
    domain = itd.Domain([15])
    assert domain.split(0, 6) == (1, 2)
    assert domain.split(0, 2) == (3, 4)
    assert domain.split(2, 4) == (5, 6)
    assert (domain.shape, domain.extents, domain.leaves) == ((15,), (2, 2, 2, 4), (3, 4, 5, 6))
    assert (domain.alloc_size(), domain.logical_size(), domain.padding_count()) == (32, 15, 17)
    assert domain.over_allocation() == 32 / 15
    assert domain.predicates() == ["I0 < 15", "I2 < 6"]
    assert domain.naive_predicates() == ["I0 >= 0", "I0 < 15", "I1 >= 0", "I1 < 3", "I2 >= 0", "I2 < 6"]
    assert domain.divisible() == [False, False, False]
    assert domain.buffer_map() == "0..5 _x2 6..11 _x2 12..14 _x13"


def test_a_copy_is_independent() -> None:
    domain = itd.Domain([6])
    other = domain.copy()
    other.split(0, 4)
    assert (domain.extents, other.extents) == ((6,), (2, 4))


def test_report() -> None:
    report = itd.tiled((1, 197, 2304), dtype="bf16").report()
    assert report == {
        "shape": (1, 197, 2304),
        "dtype": "bf16",
        "padded": (1, 224, 2304),
        "tiles": 504,
        "alloc_bytes": 1032192,
        "alloc": 516096,
        "logical": 453888,
        "padding": 62208,
        "padding_pct": 12.05,
        "ratio": 1.1371,
        "predicates": ["I1 < 197"],
    }


def test_the_padding_count_of_a_slice_depends_on_the_remaining_elements() -> None:
    domain = itd.Domain([10])
    domain.resize(0, -2, -4)
    domain.split(0, 3)
    assert (domain.alloc_size(), domain.padding_count()) == (6, 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda: itd.Domain([-1]),
        lambda: itd.Domain([2**63]),
        lambda: itd.Domain([2, 3]).split(2, 2),
        lambda: itd.Domain([2, 3]).split(0, 0),
        lambda: itd.Domain([2, 3]).merge(1),
        lambda: itd.Domain([2, 3]).merge(-1),
        lambda: itd.Domain([2**62, 4]).merge(0),
        lambda: itd.Domain([2**62, 4]).alloc_size(),
        lambda: itd.Domain([3]).resize(0, -2, -2),
        lambda: itd.Domain([3, 6]).swizzle(0, 1, "xor"),
        lambda: itd.Domain([3, 6]).swizzle(0, 1, "spiral"),
        lambda: itd.Domain([3, 6]).reorder([0, 0]),
        lambda: itd.Domain([itd.Dynamic(4)]).alloc_size(),
        lambda: itd.Domain([itd.Dynamic(0)]),
        lambda: itd.Domain([2**40]).buffer_map(),
        lambda: itd.tiled(()),
        lambda: itd.tiled((4, 4), tile=(0, 32)),
        lambda: itd.tiled((4, 4), dtype="complex").report(),
        lambda: itd.tiled((4, itd.Dynamic()), dtype="bf16").report(),
        lambda: itd.classify_slice((4, 4), 2, 0, 1),
        lambda: itd.classify_slice((4, 4), 0, 0, 5),
        lambda: itd.classify_slice((4, 4), 0, 0, 2, 0),
        lambda: itd.interval_as_box((4, 4), 3, 3),
        lambda: itd.slice_through_reshape((4, 4), 0, 0, 1, (15,)),
        lambda: itd.can_bulk_access((4, 4), strides=(4,), width=2),
        lambda: itd.onnx_split_sizes(5, 4),
        lambda: itd.onnx_split_sizes(0, 2**40),
        lambda: itd.head_alignment(0),
        lambda: itd.required_fill("frobnicate"),
        lambda: itd.required_fill("sum", dim=1),
    ],
)
def test_refusals(call: object) -> None:
    with pytest.raises(itd.ItdError) as caught:
        call()  # type: ignore[operator]
    assert isinstance(caught.value, ForgeError)
    assert str(caught.value)


def test_dynamic_extents() -> None:
    rows = itd.Domain([itd.Dynamic(64), 5])
    rows.split(0, 32)
    assert rows.extents == (itd.Dynamic(2), 32, 5)
    assert (rows.predicates(), rows.divisible(), rows.is_padding_free()) == ([], [True], True)
    rows.split(0, 32)
    assert (rows.predicates(), rows.divisible(), rows.is_padding_free()) == (["I0 < |I0|"], [True, None], None)


def test_equivalence_of_dynamic_and_large_schedules() -> None:
    def case_study(rows: itd.Extent, columns: itd.Extent, split_first: bool) -> itd.Domain:
        domain = itd.Domain([rows, columns])
        if split_first:
            domain.split(1, 32)
        domain.merge(0)
        if not split_first:
            domain.split(0, 32)
        return domain

    def both(rows: itd.Extent, columns: itd.Extent) -> itd.Equiv:
        return itd.equivalent(case_study(rows, columns, True), case_study(rows, columns, False))

    assert both(itd.Dynamic(), itd.Dynamic(32)) is itd.Equiv.YES
    assert both(itd.Dynamic(), itd.Dynamic(16)) is itd.Equiv.UNKNOWN
    assert both(2**30, 2**20) is itd.Equiv.YES
    assert both(1, 2**40 + 1) is itd.Equiv.UNKNOWN
    assert both(1, 2**20 + 1) is itd.Equiv.MODULO_PADDING
    # The first difference of a large buffer is found without comparing all of it.
    a, b = case_study(2**30, 33, True), case_study(2**30, 33, False)
    assert itd.equivalent(a, b) is itd.Equiv.NO


def addresses(shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    return sum(
        (index * stride for index, stride in zip(np.indices(shape), strides, strict=True)), np.zeros(shape, int)
    ).ravel()


def test_bulk_access() -> None:
    """A bulk access is legal if its addresses are consecutive."""
    for outer, rows, columns in itertools.product(range(1, 4), range(1, 4), range(1, 6)):
        for row_gap, outer_gap, width in itertools.product((0, 2), (0, 1), range(1, 9)):
            row = columns + row_gap
            shape, strides = (outer, rows, columns), (rows * row + outer_gap, row, 1)
            breaks = np.flatnonzero(np.diff(addresses(shape, strides)) != 1) + 1
            bad = [element for element in breaks if element % width]
            verdict = itd.can_bulk_access(shape, strides=strides, width=width)
            merged = itd.Domain(shape)
            merged.merge(0)
            merged.merge(0)
            assert merged.can_bulk_access(merged.leaves[0], strides=strides, width=width) == verdict
            if bad:
                assert verdict == itd.BulkVerdict(itd.Bulk.ILLEGAL, bad[0] // width, bad[0])
            else:
                tail = outer * rows * columns % width
                assert verdict == itd.BulkVerdict(itd.Bulk.LEGAL_WITH_TAIL if tail else itd.Bulk.LEGAL)


def bounding_box(mask: Array) -> itd.Box | None:
    """The box that contains exactly the elements of the mask."""
    where = np.argwhere(mask)
    low, high = where.min(axis=0), where.max(axis=0) + 1
    return (tuple(low.tolist()), tuple(high.tolist())) if len(where) == math.prod(high - low) else None


@pytest.mark.parametrize("shape", [(7,), (3, 4), (1, 5), (4, 1), (2, 3, 2), (3, 1, 4), (2, 2, 2, 2)])
def test_interval_as_box(shape: tuple[int, ...]) -> None:
    size = math.prod(shape)
    elements = np.arange(size).reshape(shape)
    for begin, end in itertools.combinations(range(size + 1), 2):
        expected = bounding_box((elements >= begin) & (elements < end))
        assert itd.interval_as_box(shape, begin, end) == expected


def factorizations(size: int) -> list[tuple[int, ...]]:
    divisors = [d for d in range(1, size + 1) if size % d == 0]
    return [shape for shape in itertools.product(divisors, repeat=3) if math.prod(shape) == size]


@pytest.mark.parametrize("size", [12, 16])
def test_slice_through_reshape(size: int) -> None:
    shapes = factorizations(size)
    for source, target in itertools.product(shapes, shapes):
        elements = np.arange(size).reshape(source)
        for axis in range(3):
            for begin, end in itertools.combinations(range(source[axis] + 1), 2):
                mask = np.zeros(size, dtype=bool)
                mask[elements.take(range(begin, end), axis)] = True
                expected = bounding_box(mask.reshape(target))
                assert itd.slice_through_reshape(source, axis, begin, end, target) == expected


def test_slices_are_tile_views_where_tiles_are_copied() -> None:
    """On one axis with tiles of 32: each output tile is one input tile, whose padding may hold elements of the next
    slice."""
    for extent in (33, 64, 70, 96):
        tiles = np.pad(np.arange(extent), (0, -extent % 32), constant_values=-1).reshape(-1, 32)
        for begin, end, step in itertools.product(range(0, extent, 8), range(8, extent + 1, 3), (1, 2)):
            if begin >= end:
                continue
            items = np.arange(begin, end, step)
            padded = np.pad(items, (0, -items.size % 32), constant_values=-2).reshape(-1, 32)
            copies = [tiles[row[0] // 32] for row in padded]
            view = all((row[row >= 0] == copy[row >= 0]).all() for row, copy in zip(padded, copies, strict=True))
            dirty = view and any((copy[row < 0] >= 0).any() for row, copy in zip(padded, copies, strict=True))
            expected = (
                {itd.SliceClass.IDENTITY}
                if items.size == extent
                else {itd.SliceClass.TILE_VIEW_DIRTY}
                if dirty
                else {itd.SliceClass.TILE_VIEW}
                if view
                else {itd.SliceClass.RETILE_STRIDED}
                if step > 1 and items.size > 1
                else {itd.SliceClass.RETILE, itd.SliceClass.RETILE_NOC}
            )
            assert itd.classify_slice((32, extent), -1, begin, end, step) in expected, (extent, begin, end, step)


def test_onnx_split_sizes() -> None:
    """The extents of the outer split, limited by the end of the axis."""
    for dim, parts in itertools.product(range(20), range(1, 8)):
        chunk = -(-dim // parts)
        sizes = [min(chunk, dim - begin) for begin in (part * chunk for part in range(parts))]
        if min(sizes) < 0:
            with pytest.raises(itd.ItdError, match=f"{parts} chunks of {chunk} exceed {dim}"):
                itd.onnx_split_sizes(dim, parts)
        else:
            assert itd.onnx_split_sizes(dim, parts) == sizes


def test_fills() -> None:
    assert itd.required_fill("softmax") == itd.Fill(-math.inf)
    assert itd.required_fill("softmax", dtype="bfp8") == itd.Fill.REPLICATE_OR_CAST
    assert itd.required_fill("sum", dtype="bfp8") == itd.Fill(0.0)
    assert itd.required_fill("sum", dim=-3) == itd.Fill.DONT_CARE
    assert itd.required_fill("max") == itd.Fill(-math.inf, replicate_ok=True)
    assert itd.required_fill("layer_norm") == itd.Fill(0.0, logical_count=True, refill=True)
    assert itd.required_fill("median") == itd.Fill.NONE_EXISTS


REDUCTIONS = {
    "sum": np.sum,
    "prod": np.prod,
    "max": np.max,
    "min": np.min,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "l1": lambda x: np.abs(x).sum(),
    "l2": np.linalg.norm,
    "sum_square": lambda x: (x * x).sum(),
    "any": lambda x: float((x != 0).any()),
    "all": lambda x: float((x != 0).all()),
    "logsumexp": np.logaddexp.reduce,
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_fill_is_neutral(name: str) -> None:
    fill = itd.required_fill(name)
    assert fill.value is not None
    for items in itertools.product((-2.0, 0.0, 1.5), repeat=3):
        padded = np.array([*items, fill.value, fill.value])
        assert REDUCTIONS[name](padded) == pytest.approx(REDUCTIONS[name](np.array(items)))


def test_heads() -> None:
    assert itd.head_alignment(80) == itd.Heads(2, 96, 1.2)
