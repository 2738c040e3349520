"""`python -m models.wild`: every model of the table, compiled, run and compared; writes docs/wild-models.md.

--only TEXT takes the rows whose label has it, and writes no document. --cache keeps the wheels.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from models.wild.fetch import model_file
from models.wild.listing import WildModel, listed
from models.wild.measure import Outcome, measure
from models.wild.table import DOCUMENT, render

Row = tuple[WildModel, Outcome, Outcome]


def main(arguments: Sequence[str]) -> int:
    """0 when every model is right with CPU partitions, and none is wrong."""
    parser = argparse.ArgumentParser(prog="python -m models.wild")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose label has this")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where wheels are kept")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch) / "wheels"
        rows = [_row(model, cache, Path(scratch)) for model in listed() if options.only in model.label]
    if not options.only:
        DOCUMENT.write_text(render(rows), encoding="utf-8")
    wrong = [alone for _, alone, _ in rows if alone.verdict in ("wrong", "failed")]
    return 1 if wrong or not all(partitioned.right for _, _, partitioned in rows) else 0


def _row(model: WildModel, cache: Path, scratch: Path) -> Row:
    path = model_file(model, cache, scratch)
    try:
        alone = measure(model, path, "error")
        partitioned = alone if alone.verdict == "right" else measure(model, path, "cpu")
    finally:
        path.unlink()
    for mode, outcome in (("device", alone), ("with CPU", partitioned)):
        print(f"{model.label}, {mode}: {outcome.verdict} {outcome.partitions} {outcome.reason}"[:400], flush=True)
    return model, alone, partitioned


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
