"""Runs each pass of forge-opt alone on each input of the lit tests, for whichever pass it was written: none may crash.

    python -m fuzz.passes.any_input [FIRST STEP]

Prints a line before each application, so that the last line identifies a crash, and the counts at the end. The exit
code is 1 if a pass fails without an error.
"""

from __future__ import annotations

import sys
from collections import Counter

from forge_mlir import _native
from lit_runs import LIT, alone, anchors, inputs


def main() -> int:
    """Every STEP-th input from FIRST on."""
    first, step = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) == 3 else (0, 1)
    ends: Counter[str] = Counter()
    known = {name: alone(name) for name in anchors()}
    for number, (path, whole) in enumerate(inputs()):
        if number % step != first:
            continue
        place = f"{path.relative_to(LIT)}, input {number}"
        for name, pipeline in known.items():
            print(f"--{name} on {place}", flush=True)
            made, reports = _native.run_pipeline(whole, pipeline)
            has_error = any(report["severity"] == "error" and report["message"] for report in reports)
            ends["runs" if made is not None else "refuses" if has_error else "fails without an error"] += 1
            if made is None and not has_error:
                print(f"--{name} fails without an error on {place}", file=sys.stderr)
    print(f"{ends.total()} applications of {len(known)} passes: {', '.join(f'{n} {end}' for end, n in ends.items())}")
    return 1 if ends["fails without an error"] else 0


if __name__ == "__main__":
    sys.exit(main())
