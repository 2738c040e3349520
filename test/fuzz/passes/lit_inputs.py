"""The lit inputs of passes in turn, each as it is and after one change: what a rewrite was written for, and what lies
next to that, where its conditions decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from fuzz.passes.each_pass import PASSES, is_valid
from fuzz.passes.neighbours import CHANGES, Change
from fuzz.passes.text import TESTS, Program, corpus

_LARGE = 1 << 17
"""Elements of a value: programs with more are not run, and only smaller ones are joined with others."""
_INPUTS = 8
"""Lit inputs of one seed."""
_TRIES = 3
_ANY = 3
"""Passes for inputs of files that run none whose results can be compared."""
_RUN = re.compile(r"^// RUN: forge-opt (.*)$", re.MULTILINE)
_STEP = re.compile(r"""--?(forge-[a-z-]+)(?:="?([^"|>]*?)"?)?(?=\s|$)""")
_NAMED = re.compile(r"\bforge-[a-z-]+")
_ROUNDS = re.compile(r"no-nans|no-infs|=all|float-format|json|fast-math=fast")
"""Options after which results cannot be compared, or that write files."""


@cache
def cycle() -> int:
    """How many seeds in a row have every lit input."""
    return len(_in_order())


@cache
def _in_order() -> list[list[Program]]:
    """The inputs of each seed, of files that run the same passes: those then run once for all of them."""
    alike: dict[tuple[str, ...], list[Program]] = {}
    for file, programs in corpus(_LARGE).items():
        alike.setdefault(tuple(passes_of_file()[file]), []).extend(programs)
    r = Random(0)
    chunks: list[list[Program]] = []
    for programs in alike.values():
        r.shuffle(programs)
        chunks += [programs[at : at + _INPUTS] for at in range(0, len(programs), _INPUTS)]
    r.shuffle(chunks)
    return chunks


def neighbourhood(number: int) -> tuple[list[Program], list[str]]:
    """Programs of one seed, and the passes to apply to them: those of their files, and one of all. Kinds of changes
    take turns with each cycle, so that all lit inputs come as they are in half the time."""
    r = Random(number)
    chunk = _in_order()[number % cycle()]
    changes = CHANGES[number // cycle() % 2 :: 2]
    own = passes_of_file()[chunk[0].origin]
    names = dict.fromkeys([*own, *r.sample(PASSES, 1 if own else _ANY)])
    return [each for program in chunk for each in (program, *_variants(r, program, changes))], list(names)


def _variants(r: Random, program: Program, changes: Sequence[Change]) -> list[Program]:
    """What is one change away, by each of these kinds."""
    found: list[Program] = []
    for change in changes:
        for _ in range(_TRIES):
            changed = change(r, program)
            if changed != program and changed.elements() <= _LARGE and is_valid(changed):
                found.append(changed)
                break
    return found


@cache
def passes_of_file() -> dict[str, list[str]]:
    """What each lit file runs, as far as the results can be compared, and these passes with all options of PASSES."""
    bases = {name: [each for each in PASSES if each.split("{")[0] == name] for name in _names(PASSES)}
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("*.mlir")):
        names: dict[str, None] = {}
        for arguments in _RUN.findall(path.read_text(encoding="utf-8")):
            names.update((each, None) for name in _NAMED.findall(arguments) for each in bases.get(name, ()))
            steps = _STEP.findall(arguments)
            if steps and all(name in bases and not _ROUNDS.search(options) for name, options in steps):
                names[",".join(f"{name}{{{options}}}" if options else name for name, options in steps)] = None
        found[path.stem] = [*names]
    return found


def _names(passes: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(each.split("{")[0] for each in passes))
