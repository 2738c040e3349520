"""Runs the cases and compares with expected.csv; the exit code is 1 if a result differs, better or worse."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Mapping
from functools import partial

from conformance import expected
from conformance.cases import Case, all_cases
from conformance.check import STATUSES, Outcome, run_case
from conformance.pool import run_cases


def subset(cases: Mapping[str, Case]) -> list[str]:
    """A fixed sample: the first case of every op, and some cases of every kind of small model."""
    chosen: dict[str, str] = {}
    for name, case in cases.items():
        op = expected.subject(cases, name)
        if case.kind == "node" and op:
            chosen.setdefault(op, name)
    small = [name for name, case in cases.items() if case.kind in ("simple", "pytorch-converted", "pytorch-operator")]
    return sorted({*chosen.values(), *small[::8]})


def main() -> int:
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    parser.add_argument("--subset", action="store_true", help="only the fast sample")
    parser.add_argument("--fallback", action="store_true", help="what the device does not take runs on the CPU")
    parser.add_argument("--filter", default="", help="only cases whose name this regular expression finds")
    parser.add_argument("--op", default="", help="only cases with a node of this op, and their expansions")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--expected", default="", help="only cases that are expected to end so (refused, pass ...)")
    parser.add_argument("--update", action="store_true", help="write what happened to expected.csv")
    parser.add_argument("--accept-worse", action="store_true", help="with --update, also where a case passed before")
    parser.add_argument("--verbose", action="store_true", help="one line per case")
    options = parser.parse_args()

    if options.op and options.update:
        parser.error("--update needs all cases: it drops the rows of those that are not known any more")

    begin = time.monotonic()
    cases = all_cases(options.op)
    pattern = re.compile(options.filter)
    names = [name for name in (subset(cases) if options.subset else cases) if pattern.search(name)]
    path = expected.FALLBACK_PATH if options.fallback else expected.PATH
    known = expected.read(path)
    if options.expected:
        names = [name for name in names if name in known and known[name].status == options.expected]
    got: dict[str, Outcome] = {}
    seconds: dict[str, float] = {}
    for name, outcome, took in run_cases(cases, names, options.jobs, partial(run_case, fallback=options.fallback)):
        got[name], seconds[name] = outcome, took
        if options.verbose:
            print(f"{outcome.status:10} {took:6.2f}s {name} {outcome.reason}", flush=True)

    lines = expected.differences(known, got)
    for line in sorted(lines):
        print(line)
    for status, count in sorted(Counter(outcome.status for outcome in got.values()).items(), key=_order):
        print(f"{status:10} {count:5}")
    slowest = sorted(seconds, key=lambda name: -seconds[name])[:3]
    took = time.monotonic() - begin
    print(f"{len(got)} cases in {took:.0f} s; slowest:", *(f"{name} {seconds[name]:.1f}s" for name in slowest))
    lost = expected.worse(known, got)
    if options.update and lost and not options.accept_worse:
        print(f"nothing is written: {', '.join(lost)} passed before (--accept-worse)")
        return 1
    if options.update:
        rows = {name: known[name] for name in cases if name in known}
        rows.update((name, expected.row_for(cases, name, outcome)) for name, outcome in got.items())
        expected.write({name: rows[name] for name in cases if name in rows}, path)
        return 0
    return 1 if lines else 0


def _order(item: tuple[str, int]) -> int:
    return STATUSES.index(item[0])


if __name__ == "__main__":
    sys.exit(main())
