"""Random programs of ops that rewrites move other ops across, with values that are used more than once."""

from __future__ import annotations

from random import Random

from fuzz.passes.text import Op, Program

_UNARY = ("relu", "exp", "tanh", "sigmoid", "abs")
_BINARY = ("add", "multiply", "multiply", "subtract", "add")


class Writer:
    """A program to which ops are added. Values have the shape [B, S, F] with few sizes, so that two often fit."""

    def __init__(self, r: Random) -> None:
        self.r = r
        self.ops: list[Op] = []
        self.shapes: dict[str, list[int]] = {}
        self.sizes = r.sample([2, 3, 4, 8], 2)
        self.arguments: list[tuple[str, str]] = []

    def argument(self, shape: list[int] | None = None) -> str:
        shape = shape or [self.r.choice([1, 2]), self.r.choice(self.sizes), self.r.choice(self.sizes)]
        value = f"%arg{len(self.arguments)}"
        self.arguments.append((value, _type(shape)))
        self.shapes[value] = shape
        return value

    def make(self, name: str, operands: list[str], shape: list[int], attributes: str = "") -> str:
        result = f"%{len(self.ops)}"
        types = tuple(_type(self.shapes[operand]) for operand in operands)
        self.ops.append(Op(result, f"forge.{name}", tuple(operands), attributes, types, (_type(shape),)))
        self.shapes[result] = shape
        return result

    def weight(self, shape: list[int]) -> str:
        if self.r.random() < 0.25:
            return self.splat(shape, "5.000000e-01" if self.r.random() < 0.7 else "2.500000e-01")
        return self.parameter(shape)

    def splat(self, shape: list[int], number: str) -> str:
        return self.make("constant", [], shape, f" <{{value = dense<{number}> : {_type(shape)}}}>")

    def parameter(self, shape: list[int]) -> str:
        return self.make("parameter", [], shape, f' <{{key = "w{len(self.ops)}"}}>')

    def value(self) -> str:
        """A value that is not a weight. The latest ones are drawn more often, so that some have several users."""
        weights = ("forge.parameter", "forge.constant")
        names = [name for name, _ in self.arguments] + [op.result for op in self.ops if op.name not in weights]
        return self.r.choice(names[-4:] if self.r.random() < 0.7 else names)

    def step(self) -> None:
        x = self.value()
        shape = self.shapes[x]
        match self.r.randrange(9):
            case 0 | 1:
                columns = self.r.choice(self.sizes)
                self.make("matmul", [x, self.weight([shape[-1], columns])], [*shape[:-1], columns])
            case 2 | 3:
                self.scaled(x)
            case 4:
                alike = [name for name, other in self.shapes.items() if other == shape]
                pair = [x, self.r.choice(alike)]
                self.r.shuffle(pair)
                self.make(self.r.choice(_BINARY), pair, shape)
            case 5:
                turned = self.make(
                    "transpose", [x], [*shape[:-2], shape[-1], shape[-2]], " <{dim0 = -2 : i64, dim1 = -1 : i64}>"
                )
                if self.r.random() < 0.6:
                    self.make("matmul", [x, turned], [*shape[:-1], shape[-2]])
            case 6:
                self.make(self.r.choice(_UNARY), [x], shape)
            case 7:
                self.make("reduce_avg", [x], [*shape[:-1], 1], " <{dim = -1 : i64, keep_dim = true}>")
                centred = self.make("subtract", [x, f"%{len(self.ops) - 1}"], shape)
                self.scaled(centred)
            case _:
                self.pieces(x)

    def scaled(self, x: str) -> None:
        shape = self.shapes[x]
        other = self.weight(self.r.choice([[shape[-1]], [1], [1, 1, shape[-1]], [shape[-2], 1], shape]))
        pair = [x, other] if self.r.random() < 0.7 else [other, x]
        self.make(self.r.choice(_BINARY), pair, shape)

    def pieces(self, x: str) -> None:
        shape = self.shapes[x]
        if shape[-1] < 2:
            return
        cut = self.r.randrange(1, shape[-1])
        parts = []
        for start, stop in ((0, cut), (cut, shape[-1])):
            where = f" <{{dim = -1 : i64, start = {start} : i64, stop = {stop} : i64, stride = 1 : i64}}>"
            parts.append(self.make("index", [x], [*shape[:-1], stop - start], where))
        if self.r.random() < 0.5:
            parts = [self.make("relu", [part], self.shapes[part]) for part in parts]
        if self.r.random() < 0.7:
            self.make("concatenate", parts if self.r.random() < 0.7 else parts[::-1], shape, " <{axis = -1 : i64}>")

    def program(self, outputs: list[str], origin: str) -> Program:
        found = tuple((value, _type(self.shapes[value])) for value in dict.fromkeys(outputs))
        return Program(tuple(self.arguments), tuple(self.ops), found, origin)


def random_program(r: Random) -> Program:
    """A program of 3 to 14 steps. All values without a user are outputs, and one more value."""
    writer = Writer(r)
    for _ in range(r.randint(1, 2)):
        writer.argument()
    for _ in range(r.randint(3, 14)):
        writer.step()
    read = {operand for op in writer.ops for operand in op.operands}
    outputs = [op.result for op in writer.ops if op.result not in read]
    outputs.append(r.choice(writer.ops).result)
    return writer.program(outputs, "random")


def _type(shape: list[int]) -> str:
    return f"tensor<{'x'.join([*map(str, shape), 'f32'])}>"
