"""Fuzzes the compiler for some minutes. The exit code is 1 if a case failed.

    python -m fuzz [--minutes 1] [--jobs 2] [--seed 0] [--campaigns graphs,changes,variants,mutants,modules] [--count N]

graphs     valid models from ONNX's schemas, against onnxruntime and onnx.reference, and before and after each pass
changes    models before and after a change that must not change the results
variants   each op, version and type with other values, shapes and contexts, against both, in ULP
mutants    broken ONNX files, which must be compiled or refused with an error
modules    broken MLIR text and bytecode, which must give a result or a diagnostic
formats    ordinary nodes in Float32 and bfloat16: whether the rewrites lose digits
passes     each pass alone, on random IR and on variations of the lit tests, in float64: make passes

Each campaign runs in its own process, `--jobs` of them at a time, with a limit of memory, and of time per case. Failing
cases are written to test/fuzz/found; a fixed one is moved to test/fuzz/cases, which the tests run. A case runs again
with its campaign and seed: --campaigns graphs --seed N --count 1. With --least-ops,
--most-undecided and --least-changed, a run that shows too little fails as well: if oracles judged fewer ops in five
times the time, if more than this share was undecided, or if passes changed less than this share of the programs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from fuzz.coverage import Cell, Coverage

JUDGED = ("agrees", "wrong")
"""The results of cases in which an oracle knew the expected output."""
NAMES = ("graphs", "changes", "variants", "mutants", "modules")
ALONE = ("passes", "formats")
"""Campaigns that are not in the default run: `passes`, with hundreds of applications a second, and `formats`."""
UNDECIDED = ("undecided", "oracles differ")
"""The results of cases that decided nothing."""
CHANGED = ("equal",)
"""The results of passes that changed a program and could be judged."""
_MISSING_SHOWN = 8
"""How many of the missing ops are named."""
_PROGRESS = 5000
FOUND = Path(__file__).parent / "found"
_SECONDS_PER_CASE, _SECONDS_TO_START = 180, 900
_MORE_TIMES = 4
"""How often a run is extended by its time when it has met fewer ops than it must."""


@dataclass
class Campaign:
    """One kind of case, and the results of its cases."""

    name: str
    next_seed: int
    ends: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    seconds: float = 0

    def run(self, seconds: float, count: int) -> None:
        """Runs cases for `seconds`, or until there are `count` of them. The time to prepare a worker does not count."""
        started = True
        while started and self.seconds < seconds and self.ends.total() < count:
            begin = self._run_worker(seconds - self.seconds, count)
            started = begin is not None
            self.seconds += time.monotonic() - (begin or time.monotonic())

    def _run_worker(self, seconds: float, count: int) -> float | None:
        """Runs one worker until it crashes, hangs, or the time is over; returns when its first case began."""
        command = [sys.executable, "-m", "fuzz.worker", self.name, str(self.next_seed), "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines: Queue[str | None] = Queue()
        last_words: deque[str] = deque(maxlen=20)
        for pipe, into in ((process.stdout, lines.put), (process.stderr, last_words.append)):
            Thread(target=_drain, args=(pipe, into), daemon=True).start()
        begin: float | None = None
        try:
            while (begin is None or time.monotonic() < begin + seconds) and self.ends.total() < count:
                try:
                    line = lines.get(timeout=_SECONDS_TO_START if begin is None else _SECONDS_PER_CASE)
                except Empty:
                    self._report("hangs", b"", ".txt")
                    return begin
                if line is None:
                    reason = f"the process died with exit code {process.wait()}"
                    self._report(reason, "".join(filter(None, last_words)).encode(), ".txt")
                    return begin
                begin = begin or time.monotonic()
                self._take(json.loads(line))
            return begin
        finally:
            process.kill()
            process.wait()

    def _take(self, facts: dict[str, object]) -> None:
        match facts:
            case {"seed": int(number)}:
                self.next_seed = number + 1
            case {"ends": list(ends)}:
                for status, cells in ends:
                    self.ends[status] += 1
                    if self.ends.total() % _PROGRESS == 0:
                        print(f"{self.name}, seed {self.next_seed - 1}: {self.shown()}", flush=True)
                    self.coverage.add(map(_cell, cells), status in JUDGED)
            case {"found": str(reason), "data": str(data), "suffix": str(suffix), "cells": list(cells)}:
                self.coverage.add(map(_cell, cells), True)
                self._report(reason, bytes.fromhex(data), suffix)

    def shown(self) -> str:
        """The number of cases and of each result."""
        ends = ", ".join(f"{count} {end}" for end, count in self.ends.most_common())
        return f"{self.ends.total()} cases: {ends or 'none'}"

    def _report(self, reason: str, data: bytes, suffix: str) -> None:
        number = self.next_seed - 1
        self.ends["wrong"] += 1
        FOUND.mkdir(exist_ok=True)
        path = FOUND / f"{self.name}-{number}{suffix}"
        path.write_bytes(data or reason.encode())
        self.found.append(f"{self.name}, seed {number}: {reason} ({path.name})")
        print(self.found[-1], flush=True)


def _cell(written: list[Any]) -> Cell:
    op, *others = written
    return Cell((op[0], op[1]), *others)


def _drain(pipe: Iterable[str], into: Callable[[Any], None]) -> None:
    for line in pipe:
        into(line)
    into(None)


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1, help="for all campaigns together")
    parser.add_argument("--jobs", type=int, default=2, help="campaigns that run at a time")
    parser.add_argument("--seed", type=int, default=0, help="the first one; each case takes the next")
    parser.add_argument("--count", type=int, default=sys.maxsize, help="most cases of each campaign")
    parser.add_argument("--campaigns", default=",".join(NAMES))
    parser.add_argument("--missing", action="store_true", help="name every version of an op that no case had")
    parser.add_argument("--op", default="", help="only variants of this op, in this process")
    parser.add_argument("--least-ops", type=int, default=0, help="ops that an oracle must have judged")
    parser.add_argument(
        "--most-undecided", type=float, default=1.0, help="share of judged cases that may end undecided"
    )
    parser.add_argument("--least-changed", type=float, default=0, help="share of applications that change a program")
    options = parser.parse_args()
    names = options.campaigns.split(",")
    if unknown := set(names) - {*NAMES, *ALONE}:
        parser.error(f"unknown campaigns: {', '.join(sorted(unknown))}")
    if options.op:
        return variants_of(options.op, options.count, options.minutes * 60)
    campaigns = [Campaign(name, options.seed) for name in names]
    each = options.minutes * 60 * min(options.jobs, len(campaigns)) / len(campaigns)
    with ThreadPoolExecutor(options.jobs) as pool:
        # The thread of a campaign only waits for the lines of its worker.
        list(pool.map(lambda campaign: campaign.run(each, options.count), campaigns))
        # On a machine that is busy with other work, fewer cases run in the same time.
        for _ in range(_MORE_TIMES):
            if len(judged_ops(campaigns)) < options.least_ops:
                late = [campaign for campaign in campaigns if campaign.coverage.made]
                list(pool.map(lambda campaign: campaign.run(campaign.seconds + each, options.count), late))
    for campaign in campaigns:
        rate = campaign.ends.total() / max(campaign.seconds, 1e-9)
        print(f"{campaign.name} from seed {options.seed}, {rate:.0f}/s: {campaign.shown()}", flush=True)
        if campaign.coverage.made:
            print(campaign.coverage.report(None if options.missing else _MISSING_SHOWN), flush=True)
    if reason := too_little(campaigns, options.least_ops, options.most_undecided, options.least_changed):
        print(reason)
        return 1
    return 1 if any(campaign.found for campaign in campaigns) else 0


def variants_of(op: str, count: int, seconds: float) -> int:
    """Runs variants of one op; returns the exit code."""
    from fuzz.campaigns import Found, variants
    from fuzz.variants.versions import all_cells
    from in_process import without_children

    without_children()
    cells = all_cells()
    known = [number for number, cell in enumerate(cells) if op in (cell.op[1], cell.name())]
    ends: Counter[str] = Counter()
    end = time.monotonic() + seconds
    for at in range(count if known else 0):
        if time.monotonic() > end:
            break
        number = known[at % len(known)] + len(cells) * (at // len(known))
        try:
            ends.update(status for status, _ in variants(number))
        except Found as found:
            ends["wrong"] += 1
            print(f"seed {number}: {found.reason}", flush=True)
    print(f"{ends.total()} variants of {op}: {', '.join(f'{n} {end}' for end, n in ends.most_common()) or 'none'}")
    return 1 if ends["wrong"] else 0


def judged_ops(campaigns: Sequence[Campaign]) -> set[tuple[str, str]]:
    """The ops for which an oracle knew the expected result."""
    return {cell.op for campaign in campaigns for cell in +campaign.coverage.judged}


def too_little(campaigns: Sequence[Campaign], least_ops: int, most_undecided: float, least_changed: float = 0) -> str:
    """Why a run shows too little, or ""."""
    ops = judged_ops(campaigns)
    ends = sum((campaign.ends for campaign in campaigns), Counter[str]())
    undecided = sum(ends[end] for end in UNDECIDED)
    decided = sum(ends[end] for end in JUDGED)
    if len(ops) < least_ops:
        return f"oracles judged {len(ops)} ops, of which there must be {least_ops}"
    if undecided > most_undecided * (undecided + decided):
        return f"{undecided} of {undecided + decided} cases are undecided, more than {most_undecided:.0%}"
    applied = sum(campaign.ends.total() for campaign in campaigns if campaign.name in ALONE)
    changed = sum(ends[end] for end in CHANGED)
    if changed < least_changed * applied:
        return f"{changed} of {applied} applications of passes changed something, less than {least_changed:.0%}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
