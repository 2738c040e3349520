"""Iteration domains: divisibility of splits, padding of buffers, predicates, tile layouts and slices.

The questions are answered by the C++ library (include/forge/IterDomain), as those of forge-itd are. What
cannot be answered raises ItdError: sizes beyond 64 bits, dynamic extents where a number is asked for, buffers too large
to be looked at position by position, and invalid arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from forge_mlir import _native
from forge_mlir._native import PaddingState as PaddingState
from forge_mlir._native import PaddingValue as PaddingValue
from forge_mlir.errors import ItdError as ItdError
from forge_mlir.errors import quote

Int64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Dynamic:
    """An extent that is not known, but a multiple of `divisor`."""

    divisor: int = 1


Extent = int | Dynamic


class SliceClass(Enum):
    """What a slice is in tiles, from free to expensive."""

    IDENTITY = "IDENTITY"
    EMPTY = "EMPTY"
    TILE_VIEW = "TILE_VIEW"
    """whole tiles"""
    TILE_VIEW_DIRTY = "TILE_VIEW_DIRTY"
    """whole tiles, whose padding holds neighbours"""
    RETILE_NOC = "RETILE_NOC"
    """items move inside tiles, from a multiple of 16 bytes"""
    RETILE = "RETILE"
    RETILE_STRIDED = "RETILE_STRIDED"


class Equiv(Enum):
    NO = "no"
    MODULO_PADDING = "modulo-padding"
    """the same buffer, but other index functions on padding"""
    YES = "yes"
    UNKNOWN = "unknown"
    """a dynamic extent, or too many positions to compare"""


class Bulk(Enum):
    ILLEGAL = "illegal"
    LEGAL_WITH_TAIL = "legal-with-tail"
    """the last box reaches beyond the last element"""
    LEGAL = "legal"


@dataclass(frozen=True)
class BulkVerdict:
    """`first_bad_box` and `crossing_element`, the first element away from its predecessor, are for ILLEGAL."""

    kind: Bulk
    first_bad_box: int | None = None
    crossing_element: int | None = None


@dataclass(frozen=True)
class Fill:
    """What a consumer that reads padding needs there: a constant, or something else that `kind` names.

    `replicate_ok`: copies of a valid item of the same row (column) do as well. `logical_count`: the divisor has to be
    the logical count. `refill`: zero again once the mean is subtracted.
    """

    value: float | None = None
    kind: str = "constant"
    replicate_ok: bool = False
    logical_count: bool = False
    refill: bool = False

    DONT_CARE: ClassVar[Fill]
    NON_ZERO: ClassVar[Fill]
    ONE_SIDE_ZERO: ClassVar[Fill]
    NONE_EXISTS: ClassVar[Fill]
    REPLICATE_OR_CAST: ClassVar[Fill]


Fill.DONT_CARE = Fill(kind="dont-care")
Fill.NON_ZERO = Fill(kind="non-zero")
Fill.ONE_SIDE_ZERO = Fill(kind="one-side-zero")
Fill.NONE_EXISTS = Fill(kind="none-exists")
Fill.REPLICATE_OR_CAST = Fill(kind="replicate-or-cast")


@dataclass(frozen=True)
class Heads:
    """Heads in a row of tiles: every how many heads one starts on a tile; the size of one padded to whole tiles."""

    aligned_every: int
    pad_to: int
    overhead: float


Box = tuple[tuple[int, ...], tuple[int, ...]]
"""(low, high) per axis; high is exclusive"""


class Domain:
    """A schedule from the axes of a tensor to the axes of its buffer, the leaves.

    Iteration domains are numbered in order of creation, the roots first. Scheduling methods take positions in the list
    of leaves and give the numbers of the new iteration domains, which stand where the first input stood. A call that
    raises changes nothing.
    """

    def __init__(self, shape: Sequence[Extent]) -> None:
        self._native = _native.TensorDomain(_extents(shape))

    def split(self, leaf: int, factor: int, *, outer: bool = False) -> tuple[int, int]:
        """Outer and inner part; `factor` is the extent of the inner one, or with `outer` of the outer one."""
        return self._native.split(_position(leaf), _int64(factor), not outer)

    def merge(self, leaf: int) -> int:
        """Merges this leaf and the next."""
        return self._native.merge(_position(leaf))

    def resize(self, leaf: int, left: int, right: int) -> int:
        """Adds items on both sides, or drops them where the number is negative."""
        return self._native.resize(_position(leaf), _int64(left), _int64(right))

    def swizzle(self, x: int, y: int, kind: str) -> tuple[int, int]:
        """`kind` is xor, zshape or cyclic."""
        return self._native.swizzle(_position(x), _position(y), kind)

    def reorder(self, order: Sequence[int]) -> None:
        """Leaf i becomes the one that is at order[i] now."""
        self._native.reorder([_position(leaf) for leaf in order])

    def copy(self) -> Domain:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _native=self._native.copy())
        return other

    @property
    def shape(self) -> tuple[Extent, ...]:
        """Extents of the roots."""
        return tuple(size if size is not None else Dynamic(divisor) for size, divisor in self._native.shape())

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Extents of the leaves."""
        return tuple(size if size is not None else Dynamic(divisor) for size, divisor in self._native.extents())

    @property
    def leaves(self) -> tuple[int, ...]:
        """Numbers of the leaves, in memory order."""
        return tuple(self._native.leaves())

    def alloc_size(self) -> int:
        """Positions of the buffer."""
        return self._native.allocation_size()

    def logical_size(self) -> int:
        """Elements of the tensor."""
        return self._native.logical_size()

    def padding_count(self) -> int:
        """Positions that hold no element."""
        return self._native.padding_count()

    def over_allocation(self) -> float:
        """Positions per element."""
        return self._native.over_allocation()

    def is_padding_free(self) -> bool | None:
        """None if that depends on a dynamic extent."""
        return self._native.is_padding_free()

    def divisible(self) -> list[bool | None]:
        """For each split in order of creation."""
        return self._native.divisible()

    def predicates(self) -> list[str]:
        """A conjunction such as ['I0 < 15', 'I2 < 6'] that is true exactly at the positions that are no padding."""
        return self._native.minimal_predicates()

    def naive_predicates(self) -> list[str]:
        """Both bounds for every input of an expression that makes padding."""
        return self._native.naive_predicates()

    def buffer_map(self) -> str:
        """What each position holds: '0..4 _x3' is elements 0 to 4, then three positions of padding."""
        return self._native.buffer_map()

    def can_bulk_access(self, id: int, *, strides: Sequence[int], width: int) -> BulkVerdict:
        """As the function of that name, for one iteration domain made by merges and divisible splits of roots whose
        strides are given."""
        return _verdict(self._native.can_bulk_access(_position(id), _int64(width), _sizes(strides)))


class TiledDomain(Domain):
    """The tile layout of a shape: leaves ..., Ht, Wt, tile height, tile width. Every matrix is padded, or with
    `collapse` what all leading axes and the rows are together. A shape of one axis gets a leading 1."""

    def __init__(
        self, shape: Sequence[Extent], dtype: str, tile: tuple[int, int] = (32, 32), *, collapse: bool = False
    ) -> None:
        self._native = _native.TensorDomain.tiled(_extents(shape), (_int64(tile[0]), _int64(tile[1])), collapse)
        self._shape = tuple(shape)
        self._tile = tile
        self.dtype = dtype
        self.collapse = collapse

    def report(self) -> dict[str, object]:
        """Padded shape, tiles, bytes and padding."""
        if self.collapse:
            raise ItdError("the report is about layouts whose matrices are padded one by one")
        sizes = [size for size in self._shape if isinstance(size, int)]
        if len(sizes) != len(self._shape):
            raise ItdError("the shape is dynamic")
        padded, tiles, size, allocated, logical, padding, percent, ratio = _native.itd_layout_report(
            sizes, self.dtype, self._tile
        )
        return {
            "shape": self._shape,
            "dtype": self.dtype,
            "padded": tuple(padded),
            "tiles": tiles,
            "alloc_bytes": size,
            "alloc": allocated,
            "logical": logical,
            "padding": padding,
            "padding_pct": round(percent, 2),
            "ratio": round(ratio, 4),
            "predicates": self.predicates(),
        }


def tiled(
    shape: Sequence[Extent], dtype: str = "bf16", tile: tuple[int, int] = (32, 32), *, collapse: bool = False
) -> TiledDomain:
    """The physical layout of a tensor of `shape`."""
    return TiledDomain(shape, dtype, tile, collapse=collapse)


def classify_slice(
    shape: Sequence[int], axis: int, start: int, stop: int, step: int = 1, dtype: str = "bf16"
) -> SliceClass:
    """`start` and `stop` are within the axis; `axis` may count from the end."""
    name, _, _ = _native.itd_classify_slice(
        _sizes(shape), _int64(axis), _int64(start), _int64(stop), _int64(step), dtype
    )
    return SliceClass(name)


def interval_as_box(shape: Sequence[int], begin: int, end: int) -> Box | None:
    """The box of elements whose row-major indices are [begin, end); None if they are none."""
    return _box(_native.itd_interval_as_box(_sizes(shape), _int64(begin), _int64(end)))


def slice_through_reshape(source: Sequence[int], axis: int, start: int, stop: int, target: Sequence[int]) -> Box | None:
    """The box of `target` that the slice becomes when `source` is reshaped to it; None if its elements are none."""
    return _box(
        _native.itd_slice_through_reshape(_sizes(source), _int64(axis), _int64(start), _int64(stop), _sizes(target))
    )


def equivalent(a: Domain, b: Domain) -> Equiv:
    """Whether two schedules of one tensor lay out the same buffer. Dynamic roots in the same place are one size."""
    kind, _, _ = _native.itd_equivalent(a._native, b._native)
    return Equiv(kind)


def first_difference(a: Domain, b: Domain) -> str | None:
    """Why `equivalent` is NO or UNKNOWN, such as 'position 3: -1 vs 3' (-1 is padding); None if it is neither."""
    _, _, reason = _native.itd_equivalent(a._native, b._native)
    return reason or None


def can_bulk_access(shape: Sequence[int], *, strides: Sequence[int], width: int) -> BulkVerdict:
    """Whether every box of `width` consecutive elements of the merged axes is one run of addresses. `strides` count
    elements."""
    return _verdict(_native.itd_can_bulk_access(_sizes(shape), _sizes(strides), _int64(width)))


def onnx_split_sizes(dim: int, parts: int) -> list[int]:
    """Chunks of onnx.Split (opset 18) with num_outputs."""
    return _native.itd_onnx_split_sizes(_int64(dim), _int64(parts))


def head_alignment(size: int) -> Heads:
    return Heads(*_native.itd_head_alignment(_int64(size)))


def required_fill(op: str, dtype: str = "bf16", dim: int = -1) -> Fill:
    """What must be in the padding after axis `dim` (negative) of a tiled operand that `op` reduces or normalises along
    that axis. Only the last two axes have padding."""
    if dim >= 0:
        raise ItdError("expected an axis from the end, such as -1")
    kind, want, replicate, count, refill = _native.itd_required_fill(op, dtype)
    if dim < -2:
        return Fill.DONT_CARE
    return Fill(want if kind == "constant" else None, kind, replicate, count, refill)


def run_program(program: str | bytes) -> str:
    """The answers of forge-itd to a program."""
    return _native.itd_run_program(program if isinstance(program, bytes) else program.encode())


def _int64(value: int) -> int:
    if value not in Int64:
        raise ItdError(f"expected an integer of 64 bits, but got {quote(value)}")
    return value


def _position(value: int) -> int:
    if not 0 <= value < 2**31:
        raise ItdError(f"expected a leaf, but got {quote(value)}")
    return value


def _sizes(values: Sequence[int]) -> list[int]:
    return [_int64(value) for value in values]


def _extents(shape: Sequence[Extent]) -> list[_native.Extent]:
    return [(None, _int64(extent.divisor)) if isinstance(extent, Dynamic) else (_int64(extent), 1) for extent in shape]


def _box(found: _native.Box | None) -> Box | None:
    return None if found is None else (tuple(found[0]), tuple(found[1]))


def _verdict(answer: tuple[str, int, int]) -> BulkVerdict:
    kind, box, element = answer
    return BulkVerdict(Bulk(kind), box, element) if kind == "illegal" else BulkVerdict(Bulk(kind))
