"""Runs trials of faults. The exit code is 1 if a file of the user was lost, or if an output is incomplete.

python -m faults [--trials 200] [--seed 0] [--world FOLDER]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from faults import trial, world

_AS_ROOT = ("unshare", "--user", "--map-root-user", "--mount")
"""A prefix for commands that may mount disks which no other process sees: a user namespace has its own root."""


def become_able_to_mount() -> None:
    """Restarts this program in a namespace where it may mount small disks, if it may not do so now and the system
    permits it."""
    if os.geteuid() and not subprocess.run([*_AS_ROOT, "true"], capture_output=True, check=False).returncode:
        os.execvp(_AS_ROOT[0], [*_AS_ROOT, sys.executable, "-m", "faults", *sys.argv[1:]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first trial")
    parser.add_argument("--world", type=Path, help="that trials take copies of; made where none is given")
    given = parser.parse_args()
    become_able_to_mount()
    if os.geteuid():
        print("trials of a full disk are none: mounting one needs root, or unshare and namespaces of users")
    seconds: dict[str, float] = {}
    bad: list[trial.Trial] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        template = given.world or Path(scratch, "world")
        if given.world is None:
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
