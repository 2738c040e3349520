"""Random programs of small recurrent layers, as an unrolled RNN is converted: each step reads a slice of the sequence
and the state of the step before."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from fuzz.passes.programs import Writer
from fuzz.passes.text import Program

_SHARED = 0.2
"""The probability that two layers read one weight, state or sequence."""
_WEIGHT_AS_ARGUMENT = 0.2
_EXTRA_OUTPUT = 0.03


@dataclass
class _Layer:
    """`weights` are the matrices of the sequence and of the state; `bias` is of the sum of both products, and
    `inner_bias` of the product of the sequence. Both may be empty."""

    sequence: str
    weights: tuple[str, str]
    bias: str
    inner_bias: str
    state: str
    backwards: bool


class _Layers:
    """Layers of equal sizes and steps. The sequences have the shape [steps * batch, rows, inputs]."""

    def __init__(self, r: Random) -> None:
        self.r, self.writer = r, Writer(r)
        self.steps, self.batch, self.rows = r.randint(3, 6), r.choice([1, 1, 2]), r.randint(1, 3)
        self.inputs = r.randint(2, 4)
        self.columns = r.choice([2, 3, self.inputs])
        self.outputs: list[str] = []
        self.known: dict[str, str] = {}
        self.is_gated, self.swaps = r.random() < 0.4, [r.random() < 0.5 for _ in range(2)]
        self.has_state, self.has_bias, self.has_inner_bias = r.random() < 0.8, r.random() < 0.6, r.random() < 0.3

    def leaf(self, kind: str, shape: list[int]) -> str:
        """A weight or argument. It may be the one of its kind that another layer reads."""
        if kind in self.known and self.r.random() < _SHARED:
            return self.known[kind]
        if kind in ("sequence", "state") or self.r.random() < _WEIGHT_AS_ARGUMENT:
            self.known[kind] = self.writer.argument(shape)
        else:
            self.known[kind] = self.writer.parameter(shape)
        return self.known[kind]

    def layer(self, zero_state: bool) -> _Layer:
        state = [self.batch, self.rows, self.columns]
        sequence = self.leaf("sequence", [self.steps * self.batch, self.rows, self.inputs])
        weights = self.leaf("w", [self.inputs, self.columns]), self.leaf("u", [self.columns, self.columns])
        bias = self.leaf("b", self.r.choice([[self.columns], [1, self.columns]])) if self.has_bias else ""
        inner_bias = self.leaf("c", [self.columns]) if self.has_inner_bias else ""
        start = ""
        if self.has_state:
            start = self.writer.splat(state, "0.000000e+00") if zero_state else self.leaf("state", state)
        return _Layer(sequence, weights, bias, inner_bias, start, self.r.random() < 0.15)

    def step(self, layer: _Layer, at: int) -> str:
        """The state after a step."""
        make, shape = self.writer.make, [self.batch, self.rows, self.columns]
        at = self.steps - 1 - at if layer.backwards else at
        where = f"start = {at * self.batch} : i64, stop = {(at + 1) * self.batch} : i64, stride = 1 : i64"
        x = make("index", [layer.sequence], [self.batch, self.rows, self.inputs], f" <{{dim = 0 : i64, {where}}}>")
        value = make("matmul", [*filter(None, (x, layer.weights[0], layer.inner_bias))], shape)
        if layer.state:
            of_state = make("matmul", [layer.state, layer.weights[1]], shape)
            value = make("add", [of_state, value] if self.swaps[0] else [value, of_state], shape)
        if layer.bias:
            value = make("add", [value, layer.bias], shape)
        made = make("tanh", [value], shape)
        if self.is_gated:
            gate = make("sigmoid", [value], shape)
            made = make("multiply", [gate, made] if self.swaps[1] else [made, gate], shape)
            if layer.state:
                made = make("subtract", [made, make("multiply", [layer.state, gate], shape)], shape)
        if self.r.random() < _EXTRA_OUTPUT:
            self.outputs.append(make("abs", [made], shape))
        layer.state = made
        return made

    def result(self, states: list[str]) -> str:
        """What the program returns of a layer: all states, or the last one, maybe moved."""
        make, (batch, rows, columns) = self.writer.make, (self.batch, self.rows, self.columns)
        if self.r.random() < 0.6:
            return make("concatenate", states, [self.steps * batch, rows, columns], " <{axis = -3 : i64}>")
        if self.r.random() < 0.5:
            return states[-1]
        return make("transpose", states[-1:], [batch, columns, rows], " <{dim0 = -2 : i64, dim1 = -1 : i64}>")


def recurrent_program(r: Random) -> Program:
    """Two or three layers, whose steps alternate or follow each other."""
    layers = _Layers(r)
    zero_state = r.random() < 0.4
    chosen = [layers.layer(zero_state) for _ in range(r.choice([2, 2, 2, 3]))]
    order = [(layer, at) for layer in range(len(chosen)) for at in range(layers.steps)]
    if r.random() < 0.5:
        order.sort(key=lambda step: step[1])
    states: list[list[str]] = [[] for _ in chosen]
    for layer, at in order:
        states[layer].append(layers.step(chosen[layer], at))
    layers.outputs += [layers.result(each) for each in states]
    return layers.writer.program(layers.outputs, "recurrent layers")
