"""Random models made of the parts of real ones: attention, gated units, norms, windows, convolutional blocks. Each part
reads any value of a suitable rank, also intermediate ones, so that values are used in several parts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import torch

from fuzz.graphs import Sample
from fuzz.outside.shared_values import Graph, sample_of

_TOKENS, _COLUMNS, _HEADS = 4, 8, 2
_CHANNELS, _PIXELS = (4, 8), 4


class Motifs(Graph):
    """A graph to which parts are added. Sequences have shape [1, tokens, columns], images [1, channels, height,
    width]."""

    def any_of(self, rank: int, last: int) -> str | None:
        """A value of that rank whose trailing axis has `last` elements or more; None if there is none."""
        names = [name for name, value in self.values.items() if value.dim() == rank and value.shape[-1] >= last]
        return self.r.choice(names[-6:] if self.r.random() < 0.6 else names) if names else None

    def unary(self, op: str, x: str) -> str:
        return self.node(op, [x], _FUNCTIONS[op](self.values[x]))

    def binary(self, op: str, x: str, y: str) -> str:
        return self.node(op, [x, y], _BINARY[op](self.values[x], self.values[y]))

    def by(self, op: str, x: str, *shape: int, least: float = 0.2) -> str:
        """Combines `x` with a weight of `shape`."""
        w, weight = self.weight(*shape, least=least)
        return self.node(op, [x, w], _BINARY[op](self.values[x], weight))

    def reshape(self, x: str, *shape: int) -> str:
        return self.node("Reshape", [x, self.integers(*shape)], self.values[x].reshape(shape))

    def transpose(self, x: str, *order: int) -> str:
        return self.node("Transpose", [x], self.values[x].permute(order), perm=list(order))

    def part(self, x: str, axis: int, start: int, stop: int) -> str:
        bounds = [self.integers(number) for number in (start, stop, axis)]
        return self.node("Slice", [x, *bounds], self.values[x].narrow(axis, start, stop - start))

    def joined(self, axis: int, *names: str) -> str:
        return self.node("Concat", [*names], torch.cat([self.values[name] for name in names], axis), axis=axis)

    def softmax(self, x: str) -> str:
        return self.node("Softmax", [x], torch.softmax(self.values[x], -1), axis=-1)

    def matmul(self, x: str, y: str) -> str:
        return self.node("MatMul", [x, y], self.values[x] @ self.values[y])

    def linear(self, x: str, columns: int) -> str:
        w, weight = self.weight(self.values[x].shape[-1], columns)
        made = self.node("MatMul", [x, w], self.values[x] @ weight)
        return self.by("Add", made, columns) if self.r.random() < 0.6 else made

    def mean(self, x: str, *axes: int) -> str:
        made = self.values[x].mean(axes, keepdim=True)
        return self.node("ReduceMean", [x], made, axes=list(axes), keepdims=1)

    def convolution(self, x: str, channels: int, size: int, groups: int = 1) -> str:
        value = self.values[x]
        w, weight = self.weight(channels, value.shape[1] // groups, size, size)
        operands, bias = [x, w], None
        if self.r.random() < 0.5:
            name, bias = self.weight(channels)
            operands.append(name)
        made = torch.nn.functional.conv2d(value, weight, bias, padding=size // 2, groups=groups)
        return self.node("Conv", operands, made, pads=[size // 2] * 4, group=groups)

    def batch_norm(self, x: str) -> str:
        channels = self.values[x].shape[1]
        scale, bias, mean = (self.weight(channels) for _ in range(3))
        variance = self.constant(self.numbers.uniform(0.5, 2, channels))
        made = torch.nn.functional.batch_norm(self.values[x], mean[1], variance[1], scale[1], bias[1], eps=1e-5)
        return self.node("BatchNormalization", [x, scale[0], bias[0], mean[0], variance[0]], made, epsilon=1e-5)

    def scalar(self, op: str, x: str, number: float) -> str:
        name, value = self.constant(number)
        return self.node(op, [x, name], _BINARY[op](self.values[x], value))

    def step(self) -> None:
        self.r.choice(_MOTIFS)(self)


_FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "Relu": torch.relu,
    "Tanh": torch.tanh,
    "Sigmoid": torch.sigmoid,
    "Neg": torch.neg,
    "Sqrt": torch.sqrt,
    "Reciprocal": torch.reciprocal,
    "Erf": torch.erf,
}
_BINARY: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "Add": torch.add,
    "Sub": torch.sub,
    "Mul": torch.mul,
    "Div": torch.div,
}


def _heads(graph: Motifs, x: str) -> str:
    """[1, tokens, columns] as heads of shape [1, heads, tokens, size]."""
    _, tokens, columns = graph.values[x].shape
    return graph.transpose(graph.reshape(x, 1, tokens, _HEADS, columns // _HEADS), 0, 2, 1, 3)


def _rotated(graph: Motifs, x: str, tables: tuple[tuple[int, ...], bool]) -> str:
    """A rotary embedding, x * cos + rotation(x) * sin; the pairs are halves or adjacent elements."""
    shape, neighbours = tables
    size = graph.values[x].shape[-1]
    if neighbours:
        pairs = graph.reshape(x, *graph.values[x].shape[:-1], size // 2, 2)
        even, odd = graph.part(pairs, 4, 0, 1), graph.part(pairs, 4, 1, 2)
        turned = graph.reshape(graph.joined(4, graph.unary("Neg", odd), even), *graph.values[x].shape)
    else:
        left, right = graph.part(x, 3, 0, size // 2), graph.part(x, 3, size // 2, size)
        turned = graph.joined(3, graph.unary("Neg", right), left)
    return graph.binary("Add", graph.by("Mul", x, *shape, least=0), graph.by("Mul", turned, *shape, least=0))


def _attention(graph: Motifs) -> None:
    """Attention with queries, keys and values of one value or two, from separate or packed projections, some of which
    are shared."""
    x, other = graph.any_of(3, 4), graph.any_of(3, 4)
    if x is None or other is None:
        return
    r = graph.r
    if r.random() < 0.4:
        packed = graph.linear(x, 3 * _COLUMNS)
        projections = [graph.part(packed, 2, at * _COLUMNS, (at + 1) * _COLUMNS) for at in range(3)]
    else:
        source = other if r.random() < 0.3 else x
        projections = [graph.linear(x, _COLUMNS), graph.linear(source, _COLUMNS), graph.linear(source, _COLUMNS)]
        if r.random() < 0.3:
            shared = r.choice([1, 2]) if source == x else 2
            projections[shared] = projections[shared - 1]
    queries, keys, values = (_heads(graph, name) for name in projections)
    if r.random() < 0.3:
        shape = (1, 1, 1, _COLUMNS // _HEADS)
        neighbours = r.random() < 0.4
        queries, keys = (_rotated(graph, name, (shape, neighbours)) for name in (queries, keys))
    if r.random() < 0.4:
        queries = graph.scalar(r.choice(["Mul", "Div"]), queries, r.choice([0.5, 2.0, 0.125]))
    scores = graph.matmul(queries, graph.transpose(keys, 0, 1, 3, 2))
    if r.random() < 0.5:
        scores = graph.scalar(r.choice(["Mul", "Div"]), scores, r.choice([0.5, 2.0, 1.7]))
    if r.random() < 0.4:
        scores = graph.by("Add", scores, 1, 1, *graph.values[scores].shape[-2:])
    mixed = graph.transpose(graph.matmul(graph.softmax(scores), values), 0, 2, 1, 3)
    tokens = graph.values[mixed].shape[1]
    made = graph.linear(graph.reshape(mixed, 1, tokens, _COLUMNS), _COLUMNS)
    if graph.values[made].shape == graph.values[x].shape:
        graph.binary("Add", made, x)


def _gated_unit(graph: Motifs) -> None:
    x = graph.any_of(3, 2)
    if x is None:
        return
    if graph.r.random() < 0.5:
        both = graph.linear(x, 2 * _COLUMNS)
        gate, up = graph.part(both, 2, 0, _COLUMNS), graph.part(both, 2, _COLUMNS, 2 * _COLUMNS)
    else:
        gate, up = graph.linear(x, _COLUMNS), graph.linear(x, _COLUMNS)
    if graph.r.random() < 0.5:
        gate = graph.binary("Mul", gate, graph.unary("Sigmoid", gate))
    else:
        gate = graph.unary(graph.r.choice(["Relu", "Tanh", "Sigmoid"]), gate)
    graph.linear(graph.binary("Mul", gate, up), _COLUMNS)


def _norm(graph: Motifs) -> None:
    """A norm of the trailing axis as separate nodes, with or without mean, scale and bias."""
    x = graph.any_of(3, 3)
    if x is None:
        return
    last = graph.values[x].shape[-1]
    centred = graph.binary("Sub", x, graph.mean(x, -1)) if graph.r.random() < 0.6 else x
    variance = graph.mean(graph.binary("Mul", centred, centred), -1)
    deviation = graph.unary("Sqrt", graph.scalar("Add", variance, 1e-5))
    made = graph.binary("Div", centred, deviation)
    made = graph.by("Mul", made, last) if graph.r.random() < 0.7 else made
    graph.by("Add", made, last) if graph.r.random() < 0.5 else graph.linear(made, _COLUMNS)


def _roll(graph: Motifs) -> None:
    """Rolls tokens or columns."""
    x = graph.any_of(3, 4)
    if x is None:
        return
    axis = graph.r.choice([1, 2])
    size = graph.values[x].shape[axis]
    if size > 1:
        cut = graph.r.randrange(1, size)
        graph.joined(axis, graph.part(x, axis, cut, size), graph.part(x, axis, 0, cut))


def _windows(graph: Motifs) -> None:
    """Pixels as windows of 2 by 2, a projection of their channels, and the inverse permutation."""
    x = graph.any_of(4, 2)
    if x is None:
        return
    _, channels, height, width = graph.values[x].shape
    if height % 2 or width % 2:
        return
    split = graph.reshape(x, 1, channels, height // 2, 2, width // 2, 2)
    rows = graph.reshape(graph.transpose(split, 0, 2, 4, 3, 5, 1), 1, height * width, channels)
    mixed = graph.linear(rows, channels)
    back = graph.reshape(mixed, 1, height // 2, width // 2, 2, 2, channels)
    made = graph.reshape(graph.transpose(back, 0, 5, 1, 3, 2, 4), 1, channels, height, width)
    if graph.r.random() < 0.5:
        graph.binary("Add", made, x)


def _block(graph: Motifs) -> None:
    """Convolution, batch norm and activation, perhaps twice, with a residual."""
    x = graph.any_of(4, 2)
    if x is None:
        return
    channels = graph.values[x].shape[1]
    depthwise = graph.r.random() < 0.3
    inner = graph.convolution(x, channels, graph.r.choice([1, 3]), channels if depthwise else 1)
    inner = graph.batch_norm(inner) if graph.r.random() < 0.6 else inner
    inner = graph.unary("Relu", inner) if graph.r.random() < 0.6 else inner
    inner = graph.convolution(inner, channels, graph.r.choice([1, 3]))
    if graph.r.random() < 0.6:
        graph.binary("Add", inner, x)


def _excitation(graph: Motifs) -> None:
    x = graph.any_of(4, 2)
    if x is None:
        return
    channels = graph.values[x].shape[1]
    squeezed = graph.unary("Relu", graph.convolution(graph.mean(x, 2, 3), 2, 1))
    graph.binary("Mul", x, graph.unary("Sigmoid", graph.convolution(squeezed, channels, 1)))


def _group_norm(graph: Motifs) -> None:
    x = graph.any_of(4, 2)
    if x is None:
        return
    shape = graph.values[x].shape
    if shape[1] % 2:
        return
    groups = graph.reshape(x, 1, 2, -1)
    centred = graph.binary("Sub", groups, graph.mean(groups, -1))
    variance = graph.mean(graph.binary("Mul", centred, centred), -1)
    made = graph.binary("Div", centred, graph.unary("Sqrt", graph.scalar("Add", variance, 1e-5)))
    back = graph.by("Mul", graph.reshape(made, *shape), shape[1], 1, 1)
    graph.by("Add", back, shape[1], 1, 1)


def _shuffle(graph: Motifs) -> None:
    """A shuffle of two groups of channels; or two halves, one of them through a convolution, concatenated."""
    x = graph.any_of(4, 2)
    if x is None:
        return
    _, channels, height, width = graph.values[x].shape
    if channels % 2:
        return
    half = channels // 2
    if graph.r.random() < 0.6:
        left, right = graph.part(x, 1, 0, half), graph.part(x, 1, half, channels)
        x = graph.joined(1, left, graph.convolution(right, half, graph.r.choice([1, 3])))
    groups = graph.transpose(graph.reshape(x, 1, 2, half, height, width), 0, 2, 1, 3, 4)
    graph.reshape(groups, 1, channels, height, width)


def _tokens(graph: Motifs) -> None:
    """An image as a sequence of pixels."""
    x = graph.any_of(4, 2)
    if x is not None:
        _, channels, height, width = graph.values[x].shape
        graph.transpose(graph.reshape(x, 1, channels, height * width), 0, 2, 1)


_MOTIFS: tuple[Callable[[Motifs], None], ...] = (
    _attention,
    _attention,
    _gated_unit,
    _norm,
    _roll,
    _windows,
    _block,
    _block,
    _excitation,
    _group_norm,
    _shuffle,
    _tokens,
)


def motifs(r: Random) -> Sample:
    """A model of 2 to 6 parts. Outputs are the values that nothing reads, and one more."""
    graph = Motifs(r)
    for shape in ([1, _TOKENS, _COLUMNS], [1, r.choice(_CHANNELS), _PIXELS, _PIXELS]):
        graph.add_input(shape)
    for _ in range(r.randint(2, 6)):
        graph.step()
    while not graph.nodes:
        graph.step()
    return sample_of(graph)
