"""Measures the judge: how many wrong programs `verify` finds, and how many right ones it blames.

    python -m mutation [--most 2] [--cases 120] [--models DIR ...] [--architectures DIR] [--write]

Wrong programs are made by rule from emitted modules, their weights and graphs; right ones are the models of the
repository, of DIR (a folder of folders), and what benchmarks/architectures.py wrote. --write updates docs/judge.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from mutation import campaign, models, page, sound


def mutants(options: argparse.Namespace) -> Iterator[campaign.Mutant]:
    """All of them, in a fixed order."""
    sources = {**models.small(), **models.stored()}
    for name, source in sources.items():
        if options.filter and options.filter not in name:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            compiled = campaign.Compiled.of(name, source, Path(scratch))
            random = Random(f"{options.seed} {name}")
            yield from campaign.mutants_of_lines(compiled, random, options.most)
            yield from campaign.mutants_of_tensors(compiled, random, options.most)
    cases = list(models.node_cases())
    random = Random(options.seed)
    for name, model in random.sample(cases, min(options.cases, len(cases))):
        yield from campaign.mutants_of_graphs(name, model, random, 3)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="mutation", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--most", type=int, default=2, help="mutants of each rule and model")
    parser.add_argument("--cases", type=int, default=120, help="ONNX's own cases whose graphs are spoilt")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--filter", default="", help="only models whose name has this")
    parser.add_argument("--models", type=Path, action="append", default=[], help="a folder of folders with model.onnx")
    parser.add_argument("--architectures", type=Path, help="what benchmarks/architectures.py wrote")
    parser.add_argument(
        "--architecture-count", type=int, default=sys.maxsize, help="how many of these, drawn at random"
    )
    parser.add_argument("--only", choices=("mutants", "sound"), help="one of the two rates")
    parser.add_argument("--write", action="store_true", help="update docs/judge.md")
    options = parser.parse_args()
    begin = time.monotonic()
    found: list[campaign.Mutant] = []
    if options.only != "sound":
        for mutant in mutants(options):
            found.append(mutant)
            if mutant.ended in ("survived", "undecided"):
                print(json.dumps(mutant.json()), flush=True)
    alarms: list[sound.Judged] = []
    if options.only != "mutants":
        for judged in sound.judge_all(options.models, options.architectures, options.architecture_count):
            alarms.append(judged)
            if judged.verdict != "right":
                print(judged, flush=True)
    text = page.render(found, alarms)
    print(text)
    print(f"{time.monotonic() - begin:.0f} s")
    if options.write:
        page.DOCUMENT.write_text(text, encoding="utf-8")
    return 0 if page.is_good(found, alarms) else 1


if __name__ == "__main__":
    sys.exit(main())
