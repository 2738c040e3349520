"""Plants errors in a copy of the C++ sources, one at a time, and measures how soon they are found: make plants.

    python -m plants [--only NAMES] [--seeds 0,2000] [--seconds 60] [--write]

For each error, `forge-mlir bisect --exact` on the graph that shows it must blame the pass of the error, and no pass
without the error; the campaign `passes` of the fuzzer must find it from each seed within --seconds of processor time.
The exit code is 1 if an error is not found, or if the text that it replaces is no longer in the sources. --write writes
the table into docs/numerics.md. The first build takes five minutes; its outputs are in build/plants.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import onnx

from plants.planted import REPOSITORY, Plant, build, plants
from plants.table import Row, write

_WITHOUT = ""
_PASS = re.compile(r": (forge-[\w-]+)")


@dataclass(frozen=True)
class _Setting:
    package: Path
    seeds: tuple[int, ...]
    seconds: int

    def environment(self, plant: str) -> Mapping[str, str]:
        paths = f"{self.package}{os.pathsep}{REPOSITORY / 'test'}"
        return {**os.environ, "FORGE_PLANT": plant, "OMP_NUM_THREADS": "1", "PYTHONPATH": paths}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="plants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="names of some")
    parser.add_argument("--seeds", default="0,2000", help="where the campaign begins, once each")
    parser.add_argument("--seconds", type=int, default=60, help="of a processor, in which the campaign must find one")
    parser.add_argument("--write", action="store_true", help="write the table of docs/numerics.md")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    chosen = [plant for plant in plants() if not only or plant.name in only]
    if unknown := only - {plant.name for plant in chosen}:
        parser.error(f"there is no plant {', '.join(sorted(unknown))}")
    setting = _Setting(
        build(REPOSITORY / "build" / "plants"), tuple(map(int, options.seeds.split(","))), options.seconds
    )
    rows = [_measured(plant, setting) for plant in chosen]
    missed = [row.plant.name for row in rows if not row.is_found]
    print(f"{len(rows) - len(missed)} of {len(rows)} errors found{': not ' if missed else ''}{', '.join(missed)}")
    if options.write:
        write(rows)
    return 1 if missed else 0


def _measured(plant: Plant, setting: _Setting) -> Row:
    bisected = _bisected(plant, setting)
    found = [_campaign(plant, seed, setting) for seed in setting.seeds]
    row = Row(plant, bisected, tuple(found))
    print(row.text(setting.seeds), flush=True)
    return row


def _bisected(plant: Plant, setting: _Setting) -> float | None:
    """The seconds until the pass is blamed; None if it is not, or if a pass is blamed without the error."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.onnx"
        onnx.save(plant.model(), path)
        command = [
            sys.executable,
            "-m",
            "forge_mlir.cli.main",
            "bisect",
            str(path),
            "--exact",
            "--json",
            *plant.options,
        ]
        begin = _seconds()
        done = subprocess.run(command, env=setting.environment(plant.name), capture_output=True, text=True, check=False)
        seconds = _seconds() - begin
        right = subprocess.run(command, env=setting.environment(_WITHOUT), capture_output=True, text=True, check=False)
    if right.returncode != 0 or done.returncode != 4:
        print(f"{plant.name}: bisect ends with {done.returncode}, and {right.returncode} without: {right.stderr}")
        return None
    culprit = json.loads(done.stdout)["passes"][-1]["pass"]
    if culprit != plant.culprit:
        print(f"{plant.name}: bisect blames {culprit}, not {plant.culprit}")
        return None
    return seconds


def _campaign(plant: Plant, seed: int, setting: _Setting) -> tuple[float, str] | None:
    """The seconds until the campaign finds the error, and the pass that it blames. Findings that also occur without the
    error are printed and do not count."""
    seconds = 0.0
    while seconds < setting.seconds:
        taken, seed, blamed = _worker(plant.name, seed, setting, setting.seconds - seconds)
        seconds += taken
        if not blamed:
            return None
        _, _, own = _worker(_WITHOUT, seed, setting, setting.seconds, only=True)
        if not own:
            return seconds, blamed
        print(f"seed {seed} fails without an error as well: {own}")
        seed += 1
    return None


def _worker(plant: str, seed: int, setting: _Setting, limit: float, only: bool = False) -> tuple[float, int, str]:
    """The seconds until a worker finds something, the seed that shows it, and the pass that it blames; this is "" if
    the time was over before, or if `only` this seed was to run and it shows nothing."""
    command = [sys.executable, "-m", "fuzz.worker", "passes", str(seed), "1"]
    begin, blamed, most = _seconds(), "", max(1, round(limit))
    with subprocess.Popen(
        command,
        env=setting.environment(plant),
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            facts = json.loads(line)
            seed = facts.get("seed", seed)
            if (reason := facts.get("found")) is not None:
                blamed = next(iter(_PASS.findall(reason)), reason)
            if blamed or (only and "ends" in facts):
                break
        process.kill()
    return _seconds() - begin, seed, blamed


def _seconds() -> float:
    """The processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
