"""Measures how many wrong programs `verify` finds, and how many correct ones it reports as wrong.

    python -m mutants [--most 2] [--cases 120] [--spoil MODEL ...] [--models DIR ...] [--architectures DIR]
                       [--write]

Wrong programs are made by rules from emitted modules, their weights and graphs, also those of MODEL. Correct ones are
the models of the repository, of DIR (a folder of folders), and those that benchmarks/architectures.py wrote. The
measurements of each model are stored in a journal, so that a stopped run can be resumed, and --write writes
docs/judge.md from the journal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import onnx

from mutants import campaign, models, page, sound
from mutants.journal import Journal


def measure_mutants(options: argparse.Namespace, journal: Journal) -> None:
    """Judges the wrong programs of each model and of ONNX's cases."""
    for name, source in {**models.small(), **models.stored()}.items():
        if options.filter in name:
            _tell(journal.add("mutants", f"{name} {options.most} {options.seed}", lambda name=name, source=source: (
                mutant.json() for mutant in mutants_of(name, source, options)
            )))  # fmt: skip
    for name, model in models.small().items():
        if options.filter in name:
            key, random = f"{name}, graphs {options.most} {options.seed}", Random(f"{options.seed} {name}")
            _tell(journal.add("mutants", key, lambda name=name, model=model, random=random: (
                mutant.json()
                for mutant in campaign.mutants_of_graphs(name, model, random, options.most, of_each_rule=True)
            )))  # fmt: skip
        if options.filter in name:
            key = f"{name}, special {options.most} {options.seed}"
            _tell(journal.add("mutants", key, lambda name=name, model=model: (
                mutant.json() for mutant in special_mutants_of(name, model, options)
            )))  # fmt: skip
    for path in options.spoil:
        name, source = path.stem, path / "model.onnx" if path.is_dir() else path
        kind = "stored" if options.stored else "drawn"
        _tell(journal.add("mutants", f"{name} {options.most} {options.seed} {kind}", lambda name=name, source=source: (
            mutant.json() for mutant in mutants_of(name, source, options, given=True)
        )))  # fmt: skip
    cases = list(models.node_cases())
    for name, model in Random(options.seed).sample(cases, min(options.cases, len(cases))):
        if options.filter in name:
            _tell(journal.add("mutants", f"{name} {options.seed}", lambda name=name, model=model: (
                mutant.json() for mutant in campaign.mutants_of_graphs(name, model, Random(name), 3)
            )))  # fmt: skip


def mutants_of(
    name: str, source: Any, options: argparse.Namespace, *, given: bool = False
) -> Iterator[campaign.Mutant]:
    """The mutants of the module and of the weights; for a model that was `given` on the command line, also those of its
    graph."""
    random, stored = Random(f"{options.seed} {name}"), given and options.stored
    with tempfile.TemporaryDirectory() as scratch:
        compiled = campaign.Compiled.of(name, source, Path(scratch), stored=stored)
        yield from campaign.mutants_of_lines(compiled, random, options.most)
        yield from campaign.mutants_of_tensors(compiled, random, options.most)
    if given:
        yield from campaign.mutants_of_graphs(
            name, onnx.load(source), random, options.most, of_each_rule=True, stored=stored
        )


def special_mutants_of(name: str, model: onnx.ModelProto, options: argparse.Namespace) -> Iterator[campaign.Mutant]:
    """The mutants that are wrong only for NaN and infinities."""
    with tempfile.TemporaryDirectory() as scratch:
        compiled = campaign.Compiled.of(name, model, Path(scratch))
        yield from campaign.mutants_of_special_lines(compiled, Random(f"{options.seed} {name}"), options.most)


def measure_alarms(options: argparse.Namespace, journal: Journal) -> None:
    """The verdicts on correct programs."""
    for group, name, path in sound.programs(options.models, options.architectures, options.architecture_count):
        if options.filter in name:
            _tell(journal.add("sound", f"{group} {name}", lambda group=group, name=name, path=path: [
                sound.judged(group, name, path).json()
            ]))  # fmt: skip


def _tell(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if str(row.get("ended")).endswith(("survived", "undecided")) or row.get("verdict") in ("wrong", "undecided"):
            print(row, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--most", type=int, default=2, help="mutants of each rule and model")
    parser.add_argument("--cases", type=int, default=120, help="ONNX's own cases whose graphs are spoilt")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--filter", default="", help="only models whose name has this")
    parser.add_argument("--models", type=Path, action="append", default=[], help="a folder of folders with model.onnx")
    parser.add_argument("--architectures", type=Path, help="what benchmarks/architectures.py wrote")
    parser.add_argument(
        "--architecture-count", type=int, default=sys.maxsize, help="how many of these, drawn at random"
    )
    parser.add_argument(
        "--spoil", type=Path, action="append", default=[], help="a file, or a folder with model.onnx, to spoil too"
    )
    parser.add_argument(
        "--stored", action="store_true", help="judge those with stored inputs and outputs, in place of drawn ones"
    )
    parser.add_argument("--journal", type=Path, default=Path("build/mutants.jsonl"), help="what was measured")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--only", choices=("mutants", "sound"), help="one of the two rates")
    parser.add_argument("--write", action="store_true", help="update docs/judge.md")
    options = parser.parse_args()
    begin = time.monotonic()
    journal = Journal.open(options.journal, fresh=options.fresh)
    if options.only != "sound":
        measure_mutants(options, journal)
    if options.only != "mutants":
        measure_alarms(options, journal)
    found = [campaign.Mutant(**row) for row in journal.rows("mutants")]
    alarms = [sound.Judged(**row) for row in journal.rows("sound")]
    text = page.render(found, alarms)
    print(text)
    print(f"{time.monotonic() - begin:.0f} s")
    if options.write:
        page.DOCUMENT.write_text(text, encoding="utf-8")
    return 0 if page.is_good(found, alarms) else 1


if __name__ == "__main__":
    sys.exit(main())
