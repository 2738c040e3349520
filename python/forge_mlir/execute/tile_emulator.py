"""Emulates a device that computes on whole tiles, including padding: the CPU oracle for `--forge-fill-tile-padding`.

Each tensor is stored as matrices of whole 32 x 32 tiles. The rest of the tiles at the edges of the two trailing axes is
padding, which starts as poison; kernels read it unless they have to mask::

    emulator = TileEmulator(poison=math.nan)
    outputs = emulator.run(module, *inputs)  # wrong, or NaN, if padding was read as an element
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from forge_mlir import iterdomain as itd
from forge_mlir.runtime import DataFormat, ForgeModule, Parameter, Tensor
from forge_mlir.runtime import op as forge_op
from forge_mlir.runtime.module import with_globals

TILE = 32

Shape = tuple[int, ...]


def align(size: int) -> int:
    """The next multiple of the tile edge."""
    return -(-size // TILE) * TILE


def matrix_of(shape: Sequence[int]) -> tuple[int, int]:
    """Height and width of the matrices that are tiled; a vector is one row."""
    height, width = (1, 1, *shape)[-2:]
    return height, width


class TiledTensor(Tensor):
    """A Tensor whose elements are a view of `physical`, of shape [..., align(H), align(W)].

    The padding of a `live` tensor contains elements of another tensor and must not be written.
    """

    def __init__(self, physical: torch.Tensor, shape: Sequence[int], op: str | None, live: bool = False) -> None:
        height, width = matrix_of(shape)
        super().__init__(physical[..., :height, :width].reshape(tuple(shape)), src_op=op)
        self.physical = physical
        self.matrix = (height, width)
        self.live = live

    def padding(self) -> dict[str, torch.Tensor]:
        """The values of the padding: `rows` (below the elements), `cols` (right of them) and `corner`."""
        height, width = self.matrix
        below, beside = self.physical[..., height:, :], self.physical[..., :height, :]
        return {"rows": below[..., :width], "cols": beside[..., width:], "corner": below[..., width:]}


class _Whole(Tensor):
    """All elements of the tiles as a tensor. Padding may have any value, so that integers are not checked to fit
    Int32."""

    checked = False


@dataclass(frozen=True)
class Kernel:
    """One call on tiles: operands, keyword arguments, and the reference result, whose elements may differ here."""

    emulator: TileEmulator
    op: str
    operands: Sequence[TiledTensor]
    arguments: Mapping[str, Any]
    expected: Tensor

    @property
    def first(self) -> TiledTensor:
        return self.operands[0]

    def on_tiles(self, *physical: torch.Tensor, **changed: Any) -> torch.Tensor:
        """Applies the function of the op to whole tiles."""
        operands = [_Whole(value) for value in physical]
        return _function(self.op)("", *operands, **{**self.arguments, **changed}).value()

    def tiled(self, physical: torch.Tensor, live: bool = False) -> TiledTensor:
        return TiledTensor(physical, self.expected.shape, self.op, live)

    def retiled(self, elements: torch.Tensor | None = None, fill: float | None = None) -> TiledTensor:
        """Stores elements in new tiles; by default those of the reference, for kernels that read only elements."""
        value = self.expected.value() if elements is None else elements.reshape(self.expected.shape)
        return TiledTensor(self.emulator.tilize(value, fill), self.expected.shape, self.op)

    def dim_from_end(self) -> int:
        """The `dim` of the op as a negative number; by default the trailing axis."""
        dim = self.arguments.get("dim")
        dim = -1 if dim is None else dim
        return dim if dim < 0 else dim - len(self.first.shape)


SELF_MASKING = ("ReduceSum", "ReduceAvg", "ReduceMax", "Softmax", "LogSoftmax", "Layernorm", "AvgPool1d")
"""The ops whose kernels skip padding according to TTNN's source code (TargetProfiles.def)."""


class TileEmulator:
    """Runs emitted modules on tiles.

    `poison` is the initial value of padding; None means garbage that `seed` draws. Integers get their lowest value, or
    garbage. `masked` names the ops (such as "Softmax") whose kernels skip padding: none for the target
    `ttnn-conservative` of --fill-tile-padding, SELF_MASKING for `ttnn-self-masking`. `retile` is the value that the
    device's own tilizing writes instead of poison, 0 for `ttnn-self-masking`. Inputs and weights come from the
    host, which fills with zeros. Pad number `unfilled` (from 0) leaves its padding as it is, to simulate a missing
    fill. Pads within a tile are done `in_place`, as in TTNN, unless the padding is live. `on_call(op, result)` is
    called with every result.
    """

    def __init__(
        self,
        poison: float | None = math.nan,
        *,
        seed: int = 0,
        masked: Collection[str] = (),
        retile: float | None = None,
        unfilled: int | None = None,
        in_place: bool = True,
        on_call: Callable[[str, TiledTensor], None] | None = None,
    ) -> None:
        self.poison = poison
        self.masked = frozenset(masked)
        self.retile = retile
        self.unfilled = unfilled
        self.in_place = in_place
        self.on_call = on_call
        self._generator = torch.Generator().manual_seed(seed)
        self._host: dict[int, tuple[Tensor | Parameter, TiledTensor]] = {}
        self._pads = 0

    def run(self, module: ForgeModule, *inputs: torch.Tensor | Tensor) -> list[Tensor]:
        """The outputs of the module's `forward`. Raises what the ops raise, also for integer division by poison."""
        self._host.clear()
        self._pads = 0
        on_tiles = with_globals(module, forge=types.SimpleNamespace(op=_TileOps(self), DataFormat=DataFormat))
        wrapped = [value if isinstance(value, Tensor) else Tensor.create_from_torch(value) for value in inputs]
        with torch.no_grad():
            result = on_tiles.forward(*wrapped)
        return list(result) if isinstance(result, tuple | list) else [result]

    def call(self, op: str, name: str, *operands: Tensor | Parameter, **arguments: Any) -> TiledTensor:
        """Computes `forge.op.<op>` on tiles."""
        tiled = [self._on_device(operand) for operand in operands]
        expected = _function(op)(name, *(Tensor(value.value()) for value in tiled), **arguments)
        kernel = Kernel(self, op, tiled, arguments, expected)
        result = kernel.retiled() if op in self.masked else _KERNELS.get(op, _opaque)(kernel)
        if result.value().shape != expected.shape:
            raise AssertionError(f"forge.op.{op}: {result!r} should have the shape {expected.shape}")
        if self.on_call is not None:
            self.on_call(op, result)
        return result

    def tilize(self, elements: torch.Tensor, fill: float | None = None) -> torch.Tensor:
        """Stores elements in new tiles, whose padding is `fill`, or poison."""
        height, width = matrix_of(elements.shape)
        shape = (*elements.shape[:-2], align(height), align(width))
        physical = (
            self._poisoned(shape, elements.dtype) if fill is None else torch.full(shape, fill, dtype=elements.dtype)
        )
        physical[..., :height, :width] = elements
        return physical

    def fills_next_pad(self) -> bool:
        """Counts pads."""
        self._pads += 1
        return self._pads - 1 != self.unfilled

    def _poisoned(self, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        if self.poison is None:
            return torch.empty(shape).normal_(0, 1e3, generator=self._generator).to(dtype)
        lowest = False if dtype == torch.bool else -(2**31)
        return torch.full(shape, self.poison if dtype.is_floating_point else lowest, dtype=dtype)

    def _on_device(self, operand: Tensor | Parameter) -> TiledTensor:
        if isinstance(operand, TiledTensor):
            return operand
        if id(operand) not in self._host:
            value = operand.value()
            self._host[id(operand)] = (operand, TiledTensor(self.tilize(value, 0.0), value.shape, None))
        return self._host[id(operand)][1]


class _TileOps:
    """Stands in for `forge.op`."""

    def __init__(self, emulator: TileEmulator) -> None:
        self._emulator = emulator

    def __getattr__(self, op: str) -> Callable[..., TiledTensor]:
        def call(name: str, *operands: Tensor | Parameter, **arguments: Any) -> TiledTensor:
            return self._emulator.call(op, name, *operands, **arguments)

        return call


def _function(op: str) -> Callable[..., Tensor]:
    function: Callable[..., Tensor] = getattr(forge_op, op)
    return function


# Kernels


def _opaque(kernel: Kernel) -> TiledTensor:
    return kernel.retiled()


def _retile(kernel: Kernel) -> TiledTensor:
    return kernel.retiled(fill=kernel.emulator.retile)


def _elementwise(kernel: Kernel) -> TiledTensor:
    height, width = matrix_of(kernel.expected.shape)
    return kernel.tiled(kernel.on_tiles(*(_shown(value, height, width) for value in kernel.operands)))


def _shown(value: TiledTensor, height: int, width: int) -> torch.Tensor:
    """The operand's tiles, broadcast to a result of this height and width by repeating the first row or column."""
    physical = value.physical
    if value.matrix[0] == 1 != height:
        physical = physical[..., :1, :]
    if value.matrix[1] == 1 != width:
        physical = physical[..., :, :1]
    return physical


def _mean(values: torch.Tensor, dim: int, count: int) -> torch.Tensor:
    return (values.float().sum(dim, keepdim=True) / count).to(values.dtype)


def _reduction(reduce: Callable[[torch.Tensor, int, int], torch.Tensor]) -> Callable[[Kernel], TiledTensor]:
    """Reduces whole tiles, but divides by the number of elements."""

    def run(kernel: Kernel) -> TiledTensor:
        if kernel.op == "Argmax" and kernel.arguments.get("dim") is None and len(kernel.first.shape) != 1:
            position = kernel.first.physical.argmax()  # may be in the padding
            return kernel.retiled(position.to(kernel.expected.value().dtype))
        dim, (height, width) = kernel.dim_from_end(), kernel.first.matrix
        reduced = reduce(kernel.first.physical, dim, kernel.first.shape[dim])
        if dim < -2 and matrix_of(kernel.expected.shape) == (height, width):
            return kernel.tiled(reduced.reshape(*kernel.expected.shape[:-2], *reduced.shape[-2:]))
        return kernel.retiled(reduced[..., :height, :width])

    return run


def _along_dim(kernel: Kernel) -> TiledTensor:
    """Softmax and cumulative sums: the op itself, on whole tiles."""
    return kernel.tiled(kernel.on_tiles(kernel.first.physical, dim=kernel.dim_from_end()))


def _layernorm(kernel: Kernel) -> TiledTensor:
    """Two passes, the second of which reads the values that centring left in the padding."""
    tiles, (weights, bias) = kernel.first.physical, (value.physical[..., :1, :] for value in kernel.operands[1:])
    count = kernel.first.shape[-1]
    centred = tiles - _mean(tiles, -1, count)
    deviation = torch.sqrt(_mean(centred * centred, -1, count) + kernel.arguments.get("epsilon", 1e-5))
    return kernel.tiled(centred / deviation * weights + bias)


def _matmul(kernel: Kernel) -> TiledTensor:
    sides = kernel.operands[:2]
    if any(len(value.shape) == 1 for value in sides):
        rows = [value.physical[0] if len(value.shape) == 1 else value.physical for value in sides]
        sizes = torch.matmul(*(value.value() for value in sides)).shape
        product = kernel.on_tiles(*rows)[tuple(map(slice, sizes))]
        return kernel.retiled(product + kernel.operands[2].value() if len(kernel.operands) == 3 else product)
    product = kernel.on_tiles(*(value.physical for value in sides))
    if len(kernel.operands) == 3:
        product = product + _shown(kernel.operands[2], *matrix_of(kernel.expected.shape))
    return kernel.tiled(product)


def _transpose(kernel: Kernel) -> TiledTensor:
    rank = len(kernel.first.shape)
    dims = [dim if dim < 0 else dim - rank for dim in (kernel.arguments["dim0"], kernel.arguments["dim1"])]
    if len({dim >= -2 for dim in dims}) == 2:
        return _retile(kernel)
    if max(dims) < -2:  # Only the order of tiles changes.
        return kernel.tiled(kernel.first.physical.transpose(*dims), kernel.first.live)
    # New tiles: a pad that fills their padding does not fill that of the operand.
    return kernel.tiled(kernel.first.physical.transpose(*dims).clone())


def _view(kernel: Kernel) -> TiledTensor:
    """A view: the same tiles, if they stay whole."""
    (height, width), result = kernel.first.matrix, matrix_of(kernel.expected.shape)
    whole_rows = width == result[1] and height % TILE == result[0] % TILE == 0
    if result != (height, width) and not whole_rows:
        return _retile(kernel)
    shape = (*kernel.expected.shape[:-2], *map(align, result))
    return kernel.tiled(kernel.first.physical.reshape(shape), kernel.first.live)


def _index(kernel: Kernel) -> TiledTensor:
    dim, start, stride = kernel.dim_from_end(), kernel.arguments["start"], abs(kernel.arguments.get("stride", 1))
    size, count = kernel.first.shape[dim], kernel.expected.shape[dim]
    start = max(start + size, 0) if start < 0 else start
    stop = start + (count - 1) * stride + 1 if count else start
    if dim < -2:
        physical = torch.ops.aten.slice.Tensor(kernel.first.physical, dim, start, stop, stride)
        return kernel.tiled(physical, kernel.first.live)
    kind = itd.classify_slice(kernel.first.shape, axis=dim, start=start, stop=stop, step=stride)
    if kind not in (itd.SliceClass.IDENTITY, itd.SliceClass.TILE_VIEW, itd.SliceClass.TILE_VIEW_DIRTY):
        return _retile(kernel)
    physical = kernel.first.physical.narrow(dim, start, align(kernel.expected.shape[dim]))
    return kernel.tiled(physical, kernel.first.live or kind is itd.SliceClass.TILE_VIEW_DIRTY)


def _concatenate(kernel: Kernel) -> TiledTensor:
    rank = len(kernel.expected.shape)
    dim = kernel.arguments["axis"] if kernel.arguments["axis"] < 0 else kernel.arguments["axis"] - rank
    if dim >= -2 and any(value.shape[dim] % TILE for value in kernel.operands[:-1]):
        return _retile(kernel)
    return kernel.tiled(torch.cat([value.physical for value in kernel.operands], dim))


def _stack(kernel: Kernel) -> TiledTensor:
    rank = len(kernel.expected.shape)
    axis = kernel.arguments["axis"] % rank
    if axis >= rank - 2:
        return _retile(kernel)
    return kernel.tiled(torch.stack([value.physical for value in kernel.operands], axis))


def _repeat(kernel: Kernel) -> TiledTensor:
    counts = list(kernel.arguments["repeats"])
    if len(kernel.first.shape) < 2 or counts[-2:] != [1, 1]:
        return _retile(kernel)
    return kernel.tiled(kernel.first.physical.repeat(counts))


def _pad(kernel: Kernel) -> TiledTensor:
    """A pad at the end of the trailing axes and within a tile writes padding; any other pad moves elements."""
    pads, mode = [*kernel.arguments["pad"], 0, 0][:4], kernel.arguments.get("mode", "constant")
    fills = kernel.emulator.fills_next_pad()
    (height, width), (new_height, new_width) = kernel.first.matrix, matrix_of(kernel.expected.shape)
    inside = align(height) == align(new_height) and align(width) == align(new_width)
    if mode == "reflect" or kernel.arguments.get("channel_last") or pads[0] or pads[2] or not inside:
        return _retile(kernel)
    in_place = kernel.emulator.in_place and not kernel.first.live
    physical = kernel.first.physical if in_place else kernel.first.physical.clone()
    if fills:
        beside, below = physical[..., :height, width:new_width], physical[..., height:new_height, :new_width]
        copied = mode == "replicate"
        value = kernel.arguments.get("value", 0.0)
        beside[:] = physical[..., :height, width - 1 : width] if copied else value
        below[:] = physical[..., height - 1 : height, :new_width] if copied else value
    return kernel.tiled(physical)


_ELEMENTWISE = (
    "Abs", "Add", "Atan", "BitwiseAnd", "Cast", "Clip", "Cosine", "Divide", "Equal", "Erf", "Exp", "Gelu", "Greater",
    "GreaterEqual", "Heaviside", "LeakyRelu", "Less", "LessEqual", "Log", "LogicalNot", "Max", "Min", "Multiply",
    "NotEqual", "Pow", "Power", "Reciprocal", "Relu", "Remainder", "Sigmoid", "Sine", "Sqrt", "Subtract", "Tanh",
    "Where",
)  # fmt: skip
_RETILED = (
    "AdvIndex", "Broadcast", "Embedding", "IndexCopy", "PixelShuffle", "RepeatInterleave", "Select",
)  # fmt: skip

# Other ops read only elements, and leave poison: convolutions, pooling, resampling, ...
_KERNELS: dict[str, Callable[[Kernel], TiledTensor]] = {
    **dict.fromkeys(_ELEMENTWISE, _elementwise),
    **dict.fromkeys(_RETILED, _retile),
    "Identity": _view,
    "Reshape": _view,
    "Squeeze": _view,
    "Unsqueeze": _view,
    "Transpose": _transpose,
    "Index": _index,
    "Concatenate": _concatenate,
    "Stack": _stack,
    "Repeat": _repeat,
    "Pad": _pad,
    "ReduceSum": _reduction(lambda values, dim, _: values.sum(dim, keepdim=True)),
    "ReduceAvg": _reduction(_mean),
    "AvgPool1d": _reduction(_mean),
    "ReduceMax": _reduction(lambda values, dim, _: values.max(dim, keepdim=True).values),
    "Argmax": _reduction(lambda values, dim, _: values.argmax(dim, keepdim=True).to(torch.int32)),
    "CumSum": _along_dim,
    "Softmax": _along_dim,
    "LogSoftmax": _along_dim,
    "Layernorm": _layernorm,
    "Matmul": _matmul,
}
