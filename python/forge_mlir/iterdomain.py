"""Iteration domains: divisibility of splits, padding of buffers, predicates, tile layouts and slices.

The C++ library (include/forge/IterDomain) answers the same queries as forge-itd. ItdError is raised for queries that
cannot be answered: sizes beyond 64 bits, dynamic extents where a static one is needed, buffers that are too large to
enumerate, and invalid arguments.
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
    """An unknown extent that is a multiple of `divisor`."""

    divisor: int = 1


Extent = int | Dynamic


class SliceClass(Enum):
    """The cost class of a slice in tile layout, from free to expensive."""

    IDENTITY = "IDENTITY"
    EMPTY = "EMPTY"
    TILE_VIEW = "TILE_VIEW"
    """whole tiles"""
    TILE_VIEW_DIRTY = "TILE_VIEW_DIRTY"
    """whole tiles whose padding contains elements outside the slice"""
    RETILE_NOC = "RETILE_NOC"
    """elements move within tiles, from an address that is a multiple of 16 bytes"""
    RETILE = "RETILE"
    RETILE_STRIDED = "RETILE_STRIDED"


class Equiv(Enum):
    NO = "no"
    MODULO_PADDING = "modulo-padding"
    """the same buffer, but other index functions at padding"""
    YES = "yes"
    UNKNOWN = "unknown"
    """a dynamic extent, or too many positions to compare"""


class Bulk(Enum):
    ILLEGAL = "illegal"
    LEGAL_WITH_TAIL = "legal-with-tail"
    """the last box extends beyond the last element"""
    LEGAL = "legal"


@dataclass(frozen=True)
class BulkVerdict:
    """`first_bad_box` and `crossing_element`, the first element that is not adjacent to its predecessor, are set for
    ILLEGAL."""

    kind: Bulk
    first_bad_box: int | None = None
    crossing_element: int | None = None


@dataclass(frozen=True)
class Fill:
    """What padding has to contain for a consumer that reads it: a constant, or a property that `kind` names.

    `replicate_ok`: copies of a valid element of the same row (column) are sufficient. `logical_count`: also divide by
    the number of logical elements. `refill`: also fill with zero again after the mean is subtracted.
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
    """The alignment of heads to tiles: heads from one that starts at a tile boundary to the next, and the size of a
    head padded to whole tiles."""

    aligned_every: int
    pad_to: int
    overhead: float


Box = tuple[tuple[int, ...], tuple[int, ...]]
"""(low, high) per axis; high is exclusive"""


class Domain:
    """A schedule from the axes of a tensor to the axes of its buffer, the leaves.

    Iteration domains are numbered in order of creation, roots first. Scheduling methods take indices into the list of
    leaves and return the numbers of the new iteration domains, which replace the first input. A call that raises
    changes nothing.
    """

    def __init__(self, shape: Sequence[Extent]) -> None:
        self._native = _native.TensorDomain(_extents(shape))

    def split(self, leaf: int, factor: int, *, outer: bool = False) -> tuple[int, int]:
        """Splits a leaf; `factor` is the extent of the inner part, or with `outer` of the outer part."""
        return self._native.split(_position(leaf), _int64(factor), not outer)

    def merge(self, leaf: int) -> int:
        """Merges this leaf and the next."""
        return self._native.merge(_position(leaf))

    def resize(self, leaf: int, left: int, right: int) -> int:
        """Adds elements at both ends, or drops them if the number is negative."""
        return self._native.resize(_position(leaf), _int64(left), _int64(right))

    def swizzle(self, x: int, y: int, kind: str) -> tuple[int, int]:
        """`kind` is xor, zshape or cyclic."""
        return self._native.swizzle(_position(x), _position(y), kind)

    def reorder(self, order: Sequence[int]) -> None:
        """Permutes the leaves: new leaf i is the current leaf order[i]."""
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
        """The number of positions in the buffer."""
        return self._native.allocation_size()

    def logical_size(self) -> int:
        """The number of elements in the tensor."""
        return self._native.logical_size()

    def padding_count(self) -> int:
        """The number of positions that are padding."""
        return self._native.padding_count()

    def over_allocation(self) -> float:
        """Positions per element."""
        return self._native.over_allocation()

    def is_padding_free(self) -> bool | None:
        """Whether there is no padding; None if that depends on a dynamic extent."""
        return self._native.is_padding_free()

    def divisible(self) -> list[bool | None]:
        """Whether each split, in order of creation, has no remainder."""
        return self._native.divisible()

    def predicates(self) -> list[str]:
        """A conjunction such as ['I0 < 15', 'I2 < 6'] that is true exactly at the positions that are not padding."""
        return self._native.minimal_predicates()

    def naive_predicates(self) -> list[str]:
        """Both bounds for each input of an expression that creates padding."""
        return self._native.naive_predicates()

    def buffer_map(self) -> str:
        """What each position holds: '0..4 _x3' is elements 0 to 4, then three positions of padding."""
        return self._native.buffer_map()

    def can_bulk_access(self, id: int, *, strides: Sequence[int], width: int) -> BulkVerdict:
        """As the function `can_bulk_access`, for an iteration domain that is derived by merges and divisible splits
        from roots with the given strides."""
        return _verdict(self._native.can_bulk_access(_position(id), _int64(width), _sizes(strides)))


class TiledDomain(Domain):
    """The tile layout of a shape: leaves ..., Ht, Wt, tile height, tile width. Every matrix is padded, or with
    `collapse` the product of leading axes and rows. A rank-1 shape gets a leading axis of size 1."""

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
    """Classifies a slice. `start` and `stop` are within the axis; a negative `axis` counts from the end."""
    name, _, _ = _native.itd_classify_slice(
        _sizes(shape), _int64(axis), _int64(start), _int64(stop), _int64(step), dtype
    )
    return SliceClass(name)


def interval_as_box(shape: Sequence[int], begin: int, end: int) -> Box | None:
    """The box of the elements with row-major indices [begin, end); None if they do not form a box."""
    return _box(_native.itd_interval_as_box(_sizes(shape), _int64(begin), _int64(end)))


def slice_through_reshape(source: Sequence[int], axis: int, start: int, stop: int, target: Sequence[int]) -> Box | None:
    """The box of `target` that holds the elements of the slice after a reshape from `source`; None if they do not form
    a box."""
    return _box(
        _native.itd_slice_through_reshape(_sizes(source), _int64(axis), _int64(start), _int64(stop), _sizes(target))
    )


def equivalent(a: Domain, b: Domain) -> Equiv:
    """Whether two schedules of one tensor describe the same buffer. Dynamic roots at the same index have equal
    sizes."""
    kind, _, _ = _native.itd_equivalent(a._native, b._native)
    return Equiv(kind)


def first_difference(a: Domain, b: Domain) -> str | None:
    """Why `equivalent` is NO or UNKNOWN, such as 'position 3: -1 vs 3' (-1 is padding); None if it is neither."""
    _, _, reason = _native.itd_equivalent(a._native, b._native)
    return reason or None


def can_bulk_access(shape: Sequence[int], *, strides: Sequence[int], width: int) -> BulkVerdict:
    """Whether every group of `width` consecutive elements of the merged axes has consecutive addresses. `strides` are
    in elements."""
    return _verdict(_native.itd_can_bulk_access(_sizes(shape), _sizes(strides), _int64(width)))


def onnx_split_sizes(dim: int, parts: int) -> list[int]:
    """The sizes of onnx.Split (opset 18) with num_outputs."""
    return _native.itd_onnx_split_sizes(_int64(dim), _int64(parts))


def head_alignment(size: int) -> Heads:
    return Heads(*_native.itd_head_alignment(_int64(size)))


def required_fill(op: str, dtype: str = "bf16", dim: int = -1) -> Fill:
    """What the padding after axis `dim` (negative) of a tiled operand must contain if `op` reduces or normalises along
    that axis. Only the two trailing axes have padding."""
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
