"""Runs the seeds of one campaign, one after the other, and reports them on stdout. Its parent kills it if a case hangs.

    python -m fuzz.worker CAMPAIGN FIRST STEP

Lines are JSON: {"seed": n} before each case, {"ends": [[status, cells], ...]} after it, or {"found": reason,
"data": hex, "suffix": ..., "cells": ...}.
"""

from __future__ import annotations

import json
import resource
import sys

MEMORY = 6 << 30
"""Bytes of address space. A case that needs more is a failure."""


def main() -> None:
    """Runs cases until the parent kills the worker."""
    name, first, step = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from fuzz.campaigns import CAMPAIGNS, PREPARE, Found
    from in_process import without_children

    if name != "mutants":  # Only broken files are read in child processes.
        without_children()

    def say(**facts: object) -> None:
        print(json.dumps(facts), flush=True)

    PREPARE.get(name, lambda: None)()
    number = first
    while True:
        say(seed=number)
        try:
            say(ends=CAMPAIGNS[name](number))
        except Found as found:
            say(found=found.reason[:2000], data=found.data.hex(), suffix=found.suffix, cells=found.cells)
        number += step


if __name__ == "__main__":
    main()
