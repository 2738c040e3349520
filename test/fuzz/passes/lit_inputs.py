"""The lit inputs of passes in turn, each unchanged and after one change: the inputs that a rewrite was written for, and
their neighbours, for which its conditions are decisive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from fuzz.passes.each_pass import PASSES, is_valid
from fuzz.passes.neighbours import CHANGES, Change
from fuzz.passes.text import TESTS, Program, corpus

_LARGE = 1 << 17
"""The largest number of elements of a value: larger programs are not run. Only smaller ones are joined with others."""
_INPUTS = 8
"""The number of lit inputs of one seed."""
_TRIES = 3
_ANY = 3
"""The number of passes for inputs of files that run none whose results can be compared."""
_RUN = re.compile(r"^// RUN: forge-opt (.*)$", re.MULTILINE)
_STEP = re.compile(r"""--?(forge-[a-z-]+)(?:="?([^"|>]*?)"?)?(?=\s|$)""")
_NAMED = re.compile(r"\bforge-[a-z-]+")
_ROUNDS = re.compile(r"no-nans|no-infs|=all|float-format|json|fast-math=fast")
"""Options after which results cannot be compared, or that write files."""


@cache
def cycle() -> int:
    """The number of consecutive seeds that cover every lit input."""
    return len(_in_order())


@cache
def _in_order() -> list[list[Program]]:
    """The inputs of each seed. They are from files that run the same passes, so that a pass runs once for all of
    them."""
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
    """The programs of one seed, and the passes to apply to them: those of their files, and one of all. Each cycle
    has half of the kinds of changes, so that all lit inputs run unchanged in half the time."""
    r = Random(number)
    chunk = _in_order()[number % cycle()]
    changes = CHANGES[number // cycle() % 2 :: 2]
    own = passes_of_file()[chunk[0].origin]
    names = dict.fromkeys([*own, *r.sample(PASSES, 1 if own else _ANY)])
    return [each for program in chunk for each in (program, *_variants(r, program, changes))], list(names)


def _variants(r: Random, program: Program, changes: Sequence[Change]) -> list[Program]:
    """Neighbours of a program by each of these kinds of change."""
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
    """The passes that each lit file runs, if the results can be compared, with all options of PASSES."""
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
