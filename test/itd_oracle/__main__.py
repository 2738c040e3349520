"""Checks forge-itd on random programs; exit code 1 at the first difference."""

from __future__ import annotations

import argparse
import sys
import time

from forge_mlir import iterdomain as itd
from itd_oracle.check import first_difference
from itd_oracle.programs import text


def main() -> int:
    parser = argparse.ArgumentParser(prog="itd_oracle", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    begin = time.monotonic()
    found = first_difference(
        lambda commands: itd.run_program(text(list(commands))).splitlines(), options.count, options.seed
    )
    if found:
        number, problem = found
        print(f"program {number} of seed {options.seed}: {problem}")
        return 1
    print(f"{options.count} programs of seed {options.seed}: no difference, {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
