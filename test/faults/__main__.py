"""Trials of faults: exit code 1 when anything of the user's was lost, or anything of ours is half there.

python -m faults [--trials 200] [--seed 0]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from faults import trial, world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first trial")
    given = parser.parse_args()
    seconds: dict[str, float] = {}
    bad: list[trial.Trial] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        template = Path(scratch, "world")
        world.make(template)
        for seed in range(given.seed, given.seed + given.trials):
            found = trial.run(template, seed, seconds)
            counts[found.fault] += 1
            if found.found:
                bad.append(found)
                print(found, flush=True)
    print(
        f"{given.trials} trials ({', '.join(f'{n} {name}' for name, n in counts.items())}): {len(bad)} lost something"
    )
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
