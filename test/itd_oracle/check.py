"""Compares the output of forge-itd with the results of enumeration."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from itd_oracle.enumeration import Buffer, answer, replay
from itd_oracle.model import Model
from itd_oracle.programs import Command, random_program, text

Subject = Callable[[Sequence[Command]], list[str]]
"""Runs a program and returns the lines that it prints."""

SHOWN = 200
GUARD = re.compile(r"I(\d+) (>= 0|< (\d+))")


def wrong_predicates(line: str, buffer: Buffer, most: int) -> str | None:
    """Why the predicates are wrong, or None: their conjunction must be true exactly where there is no hole, and there
    may be at most `most`."""
    conjunction = np.ones(int(np.prod(buffer.shape, dtype=np.int64)), dtype=bool)
    index = buffer.indices()
    body = line.removeprefix("predicates: ")
    guards = [] if body == "none" else body.split(", ")
    for guard in guards:
        parsed = GUARD.fullmatch(guard)
        if not parsed:
            return f"no predicate: {guard}"
        id, extent = int(parsed[1]), parsed[3]
        if extent and int(extent) != buffer.extents[id]:
            return f"{guard}, but the extent is {buffer.extents[id]}"
        if conjunction.size:
            conjunction &= index[id] < int(extent) if extent else index[id] >= 0
    if (conjunction != (buffer.contents() >= 0)).any():
        return f"not exact: {body}"
    return f"{len(guards)} where {most} do: {body}" if len(guards) > most else None


def difference(commands: Sequence[Command], lines: Sequence[str]) -> str | None:
    """The first wrong line, with the program; or None."""
    expected = list(replay(commands, Buffer))
    limits = [models[0] if models else None for _, models in replay(commands, Model)]
    if len(expected) != len(lines):
        return f"{len(lines)} lines where {len(expected)} belong\n{text(list(commands))}"
    for (command, buffers), line, model in zip(expected, lines, limits, strict=True):
        if not buffers:
            problem = None if line.startswith("error: ") else f"got {line}, but {command} must be refused"
        elif command == ("query", "predicates"):
            assert model
            problem = wrong_predicates(line, buffers[0], len(model.predicates()))
        else:
            right = answer(command, buffers)
            problem = None if line == right else f"got {line[:SHOWN]}, expected {right[:SHOWN]}"
        if problem:
            return f"{problem}\n{text(list(commands))}"
    return None


def first_difference(subject: Subject, count: int, seed: int) -> tuple[int, str] | None:
    """The first of `count` random programs for which the output is wrong, and the difference."""
    random = Random(seed)
    for number in range(count):
        commands = random_program(random)
        problem = difference(commands, subject(commands))
        if problem:
            return number, problem
    return None
