"""`python -m models.wild`: every model of the table, compiled, run and compared; writes docs/wild-models.md.

--only TEXT takes the rows whose label has it, and writes no document. --cache keeps the wheels, --outcomes what was
measured, so that a stopped run goes on; with --known nothing is measured, and the document says of which rows.
--seconds and --mebibytes are what a model may take in a mode; one that takes more is not judged, and tried again by the
next run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from models.wild.fetch import model_file
from models.wild.listing import WildModel, listed
from models.wild.measure import NOT_JUDGED, Outcome, measure
from models.wild.table import DOCUMENT, NOT_MEASURED, render

from forge_mlir.support.sandbox import Limits

Row = tuple[WildModel, Outcome, Outcome]


def main(arguments: Sequence[str]) -> int:
    """0 when every model is right with CPU partitions, and none is wrong."""
    parser = argparse.ArgumentParser(prog="python -m models.wild")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose label has this")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where wheels are kept")
    parser.add_argument("--outcomes", type=Path, metavar="FILE", help="what was measured before, and is now")
    parser.add_argument("--known", action="store_true", help="measure nothing: the document of what FILE has")
    parser.add_argument("--seconds", type=float, default=1800.0, help="of time for a model in a mode; 0 is no limit")
    parser.add_argument("--mebibytes", type=int, default=0, help="of memory for a model in a mode; 0 is no limit")
    options = parser.parse_args(arguments)
    limits = Limits(options.seconds, options.mebibytes << 20)
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch) / "wheels"
        kept = options.outcomes or Path(scratch) / "outcomes.jsonl"
        if options.known:
            rows: list[Row] = [(model, *(_known(model, kept) or (NOT_MEASURED, NOT_MEASURED))) for model in listed()]
        else:
            rows = [
                _row(model, cache, Path(scratch), kept, limits) for model in listed() if options.only in model.label
            ]
    if not options.only:
        DOCUMENT.write_text(render(rows), encoding="utf-8")
    wrong = [alone for _, alone, _ in rows if alone.verdict in ("wrong", "failed")]
    return 1 if wrong or not all(partitioned.right for _, _, partitioned in rows) else 0


def _row(model: WildModel, cache: Path, scratch: Path, kept: Path, limits: Limits) -> Row:
    known = _known(model, kept)
    if known is not None and NOT_JUDGED not in (known[0].verdict, known[1].verdict):
        return model, *known
    path = model_file(model, cache, scratch)
    try:
        alone = measure(model, path, "error", limits)
        # What the device runs alone has one partition with --fallback=cpu, too.
        partitioned = measure(model, path, "cpu", limits) if alone.verdict in ("refused", "failed") else alone
    finally:
        path.unlink()
    for mode, outcome in (("device", alone), ("with CPU", partitioned)):
        print(f"{model.label}, {mode}: {outcome.verdict} {outcome.partitions} {outcome.reason}"[:400], flush=True)
    with kept.open("a", encoding="utf-8") as file:
        file.write(json.dumps([_key(model), asdict(alone), asdict(partitioned)]) + "\n")
    return model, alone, partitioned


def _key(model: WildModel) -> str:
    """Two packages may ship one file, which they run otherwise, and one package two files of one name."""
    return f"{model.label} {model.sha256}"


def _known(model: WildModel, kept: Path) -> tuple[Outcome, Outcome] | None:
    """The last that was measured."""
    found = None
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.is_file() else ():
        key, *outcomes = json.loads(line)
        if key == _key(model):
            alone, partitioned = (Outcome(**{**each, "partitions": tuple(each["partitions"])}) for each in outcomes)
            found = alone, partitioned
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
