"""Random forge-itd programs of two schedules each, which are then compared."""

from __future__ import annotations

from random import Random

Command = tuple[str | int, ...]
"""The words of a line: ('split', 0, 4), ('query', 'map'), ..."""

QUERIES = ("extents", "alloc", "divisible", "naive", "predicates", "map")
MAX_POSITIONS = 2048
MAX_DEPTH = 7


def text(commands: list[Command]) -> str:
    return "".join(" ".join(map(str, command)) + "\n" for command in commands)


class _Leaves:
    """The part of a schedule that is needed to keep its buffer small: the extents of the leaves."""

    def __init__(self, extents: list[int]) -> None:
        self.extents = extents

    def apply(self, command: Command) -> bool:
        """False if the command is invalid or the buffer would be too large."""
        before = list(self.extents)
        match command:
            case ("split", int(leaf), int(factor), *rest):
                quotient = -(-before[leaf] // factor)
                self.extents[leaf : leaf + 1] = [factor, quotient] if rest else [quotient, factor]
            case ("merge", int(leaf)):
                self.extents[leaf : leaf + 2] = [before[leaf] * before[leaf + 1]]
            case ("resize", int(leaf), int(left), int(right)):
                self.extents[leaf] += left + right
            case ("swizzle", int(x), int(y), _):
                self.extents[min(x, y) :] = [e for i, e in enumerate(before) if i >= min(x, y) and i not in (x, y)]
                self.extents[x - (y < x) : x - (y < x)] = [before[x], before[y]]
            case ("reorder", *order):
                self.extents = [before[int(i)] for i in order]
        positions = 1
        for extent in self.extents:
            positions *= extent
        if positions <= MAX_POSITIONS and all(0 <= extent <= MAX_POSITIONS for extent in self.extents):
            return True
        self.extents = before
        return False


def _expression(random: Random, leaves: list[int]) -> Command:
    leaf = random.randrange(len(leaves))
    kind = random.choice(("split", "split", "split", "merge", "merge", "resize", "swizzle", "swizzle", "reorder"))
    if kind == "merge" and len(leaves) > 1:
        return ("merge", random.randrange(len(leaves) - 1))
    if kind == "resize":
        return ("resize", leaf, random.randint(-4, 4), random.randint(-4, 4))
    if kind == "swizzle" and len(leaves) > 1:
        x, y = random.sample(range(len(leaves)), 2)
        return ("swizzle", x, y, random.choice(("xor", "zshape", "cyclic")))
    if kind == "reorder":
        return ("reorder", *random.sample(range(len(leaves)), len(leaves)))
    factor = random.choice((1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 12))
    return ("split", leaf, factor, "outer") if random.random() < 0.3 else ("split", leaf, factor)


def _wrong(random: Random, leaves: list[int]) -> Command:
    """A command that must be refused."""
    leaf = random.randrange(len(leaves))
    return random.choice(
        (
            ("split", leaf, 0),
            ("split", len(leaves), 2),
            ("split", leaf, 2, "inner"),
            ("merge", len(leaves) - 1),
            ("merge", -1),
            ("resize", leaf, -leaves[leaf], -1),
            ("swizzle", leaf, leaf, "cyclic"),
            ("swizzle", leaf, len(leaves), "xor"),
            ("reorder", *range(1, len(leaves) + 1)),
            ("query", "size"),
            ("root", 2, -1),
            ("root", 2**63),
        )
    )


def _body(random: Random, extents: list[int]) -> list[Command]:
    leaves = _Leaves(list(extents))
    commands: list[Command] = []
    for _ in range(random.randint(1, MAX_DEPTH)):
        command = _expression(random, leaves.extents)
        # A swizzle by xor whose extents do not fit must be refused, and then has no effect.
        if command[0] == "swizzle" and command[3] == "xor":
            x, y = leaves.extents[int(command[1])], leaves.extents[int(command[2])]
            if any(i ^ j >= y for i in range(x) for j in range(y)):
                commands.append(command)
                continue
        if leaves.apply(command):
            commands.append(command)
    if random.random() < 0.1:
        commands.append(_wrong(random, leaves.extents))
    return commands


def _twins(random: Random, extents: list[int]) -> tuple[list[Command], list[Command]]:
    """Two sequences of commands that are equal for some sizes: merge and split in either order, or nested splits."""
    factor, second = random.randint(1, 8), random.randint(1, 4)
    if len(extents) > 1 and random.random() < 0.6:
        return [("split", 1, factor), ("merge", 0)], [("merge", 0), ("split", 0, factor)]
    return [("split", 0, factor), ("split", 0, second)], [("split", 0, factor * second), ("split", 1, factor)]


def _folded(random: Random) -> list[Command]:
    """Swizzles of the two outputs of a split, then a resize: an index that is out of range may be mapped back into
    range."""
    kinds = ("xor", "zshape", "cyclic")
    commands: list[Command] = [("split", 0, 2, "outer") if random.random() < 0.5 else ("split", 0, 2)]
    commands += [("swizzle", 0, 1, random.choice(kinds)) for _ in range(2)]
    return [*commands, ("resize", 0, random.randint(0, 3), random.randint(-2, 1))]


def _start(random: Random) -> tuple[Command, list[int]]:
    if random.random() < 0.03:
        shape = [random.randint(1, 3) for _ in range(random.randint(0, 2))] + [random.choice((1, 20, 32, 40))]
        return ("tile", *shape, *(["collapse"] if random.random() < 0.5 else [])), []
    largest = random.choice((4, 12, 40))
    extents = [random.randint(0 if random.random() < 0.02 else 1, largest) for _ in range(random.randint(1, 3))]
    return ("root", *extents), extents


def random_program(random: Random) -> list[Command]:
    """Queries after each of two schedules, and their comparison."""
    start, extents = _start(random)
    choice = random.random()
    if not extents:
        bodies: tuple[list[Command], list[Command]] = ([], [])
    elif choice < 0.3:
        bodies = _twins(random, extents)
    elif choice < 0.4:
        bodies = (_folded(random), _folded(random))
    elif choice < 0.65:
        body = _body(random, extents)
        bodies = (body, body[: random.randrange(len(body))] if body else [])
    else:
        bodies = (_body(random, extents), _body(random, extents))
    commands: list[Command] = []
    for body in bodies:
        commands += [start, *body, ("keep",), *(("query", query) for query in QUERIES)]
    return [*commands, ("equal",)]
