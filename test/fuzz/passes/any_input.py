"""Each pass of forge-opt, alone, on each input of the lit tests, whatever it was written for: none crashes.

    python -m fuzz.passes.any_input [FIRST STEP]

Prints a line before each application, so that the last one tells what a crash was, and counts in the end. Exit code 1
where a pass fails without an error.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from forge_mlir import _native

ROOT = Path(__file__).resolve().parents[3]
_PART = re.compile(r"^\s*// -----.*$", re.MULTILINE)
_PASS = re.compile(r'Pass<"([a-z0-9-]+)",\s*"([^"]+)"')


def passes() -> Iterator[tuple[str, str]]:
    """The name of each pass that a library registers, and the pipeline that runs it."""
    for path in sorted((ROOT / "include").rglob("*Passes.td")):
        for name, anchor in _PASS.findall(path.read_text(encoding="utf-8")):
            yield name, f"builtin.module({name})" if "Module" in anchor else f"builtin.module(func.func({name}))"


def inputs() -> Iterator[tuple[str, bytes]]:
    """Each part of each lit file that is text, and valid, as bytecode."""
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        for number, part in enumerate(_PART.split(path.read_text(encoding="utf-8", errors="replace"))):
            whole, _ = _native.run_pipeline(part.encode(), "builtin.module()")
            if whole is not None:
                yield f"{path.relative_to(ROOT)}, part {number}", whole


def main() -> int:
    """Every STEP-th input from FIRST on."""
    first, step = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) == 3 else (0, 1)
    ends: Counter[str] = Counter()
    known = [*passes()]
    for number, (place, whole) in enumerate(inputs()):
        if number % step != first:
            continue
        for name, pipeline in known:
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
