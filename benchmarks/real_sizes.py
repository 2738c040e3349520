"""Exports models at published widths, and compares the bytes that their programs move with the prediction.

    python benchmarks/real_sizes.py export FOLDER [--only PATTERN]
    python benchmarks/real_sizes.py table FOLDER... [--only PATTERN] [--json FILE]
                                          [--instrument COMMAND] [--peer COMMAND]

`export` writes FOLDER/<model>/model.onnx, by torch's newer exporter and with random weights, and inputs.npz. It needs
packages that are not dependencies of this project, in a separate environment:

    pip install torch==2.13.0 onnx onnxscript pillow transformers==4.52.4
    pip install --no-deps timm==1.0.31 torchvision==0.28.0 diffusers==0.33.1 importlib_metadata zipp

`table` runs where this project is installed, on folders of such directories. For each model it prints the time and
memory of `forge-mlir compile`, and the megabytes of one run in the compiler's cost model (docs/cost.md). With an
instrument it also prints that measurement, and the error of the prediction. The instrument's command is run with
{directory}, the directory of a model, and {json}, a file into which it writes a list with one object: "work" is the
number of device ops, "bytes" what they read and write in whole tiles, "bare" bytes without padding, "moved" bytes of
ops that only move. `--peer` is a similar command for another path from ONNX to the device.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

# The time limit of an instrument, in seconds.
LIMIT = 1200
# A prediction within this fraction of the measurement counts as right.
TOLERANCE = 0.15


# The exports


def export_torch(name: str, directory: Path) -> None:
    """Exports one model of real_models.py."""
    import architectures
    import numpy as np
    import real_models
    import torch

    torch.manual_seed(0)
    torch.backends.mha.set_fastpath_enabled(False)
    module, inputs = real_models.MODELS[name]()
    module.eval()
    architectures.train(module)
    with torch.no_grad():
        program = torch.onnx.export(
            module, tuple(inputs.values()), input_names=list(inputs), dynamo=True, verbose=False
        )
    assert program is not None, "nothing was exported"
    program.save(str(directory / "model.onnx"), external_data=False)
    names = [each.name for each in program.model.graph.inputs]
    values = (value.numpy() for value in inputs.values())
    np.savez(directory / "inputs.npz", **dict(zip(names, values, strict=True)))


def export_light(name: str, directory: Path) -> None:
    """Copies a model of onnx's package, and generates inputs for it."""
    import numpy as np
    import onnx
    import onnx.backend.test

    file = Path(onnx.backend.test.__file__).parent / "data" / "light" / f"light_{name}.onnx"
    graph = onnx.load(file).graph
    weights = {each.name for each in graph.initializer}
    inputs = {}
    for value in (each for each in graph.input if each.name not in weights):
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        inputs[value.name] = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
    shutil.copyfile(file, directory / "model.onnx")
    np.savez(directory / "inputs.npz", **inputs)


def export(folder: Path, only: str) -> None:
    """Exports what does not exist yet, each model in a child process; prints the reasons of failed exports."""
    import architectures
    import real_models
    import torch

    # Child processes are forked, so that there must be no threads.
    torch.set_num_threads(1)
    library = architectures.stand_in_for_torchvision_ops()
    works = {f"light-{name}": partial(export_light, name) for name in real_models.LIGHT}
    architectures.warm_up()
    works |= {name: partial(export_torch, name) for name in real_models.MODELS}
    for name, work in works.items():
        directory = folder / name
        if not re.search(only, name) or directory.exists():
            continue
        unfinished = folder / f".{name}"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        failed = architectures.in_child(partial(work, unfinished), 1800)
        if failed is None:
            unfinished.rename(directory)
        print(f"{name}: {failed or 'ok'}", flush=True)
    del library


# The table


@dataclass(frozen=True)
class Counted:
    """The measurements of an instrument for one run; bytes as in the docstring of this file."""

    work: int
    bytes: int
    bare: int
    moved: int

    @classmethod
    def by(cls, command: str, directory: Path) -> Counted | None:
        """Runs an instrument; None if it refuses the model."""
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "counted.json"
            values = {"{directory}": str(directory), "{json}": str(file)}
            words = [re.sub(r"\{\w+\}", lambda found: values[found[0]], word) for word in shlex.split(command)]
            try:
                subprocess.run(words, capture_output=True, timeout=LIMIT, check=False)
                row = json.loads(file.read_text())[0]
                return cls(*(int(row[each.name]) for each in dataclasses.fields(cls)))
            except (OSError, subprocess.TimeoutExpired, ValueError, LookupError):
                return None


@dataclass(frozen=True)
class Row:
    """A model: seconds and peak bytes of `forge-mlir compile`, the cost of its program in the cost model, and
    measurements of instruments."""

    name: str
    seconds: float
    peak: int
    predicted: dict[str, float]
    ours: Counted | None
    peer: Counted | None

    @property
    def error(self) -> float | None:
        """The relative error of the predicted bytes."""
        return self.predicted["bytes"] / self.ours.bytes - 1 if self.ours else None


# Runs a command, and prints its exit code and its peak memory in KiB. The peak of a forked child starts with the size
# of its parent, so that this process has to be small.
STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def compiled(directory: Path) -> tuple[float, int] | None:
    """The time in seconds and the peak memory of a compilation; None, after printing the error, if it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        words = [sys.executable, "-S", "-c", STARTER]
        words += [sys.executable, "-m", "forge_mlir.cli.main", "compile", str(directory / "model.onnx"), "-q"]
        words += ["-o", f"{scratch}/out"]
        if (directory / "inputs.npz").is_file():
            words += ["--sample-inputs", str(directory / "inputs.npz")]
        started = time.monotonic()
        starter = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        code, peak = map(int, starter.stdout.split()[-2:])
        return (time.monotonic() - started, peak * 1024) if code == 0 else None


def predicted(directory: Path) -> dict[str, float]:
    """The cost of the program in the compiler's cost model."""
    import numpy as np

    from forge_mlir.report.check import check

    inputs = directory / "inputs.npz"
    sample = dict(np.load(inputs)) if inputs.is_file() else None
    cost = check(directory / "model.onnx", cost_summary=True, sample_inputs=sample).cost
    return dataclasses.asdict(cost.after) if cost else {}


def measured(directories: Sequence[Path], instrument: str | None, peer: str | None) -> Iterator[Row]:
    """Measures each model; prints those that cannot be compiled."""
    for directory in directories:
        known = compiled(directory)
        if known is None:
            print(f"{directory.name}: cannot be compiled", flush=True)
            continue
        counted = (Counted.by(command, directory) if command else None for command in (instrument, peer))
        yield Row(directory.name, *known, predicted(directory), *counted)


def megabytes(count: float) -> str:
    return f"{count / 1e6:,.0f}" if count >= 1e7 else f"{count / 1e6:,.2f}"


def cells(row: Row) -> list[str]:
    """The cells of a row of the table."""
    ours, peer = row.ours, row.peer
    return [
        row.name,
        f"{ours.work if ours else '-'} / {peer.work if peer else '-'}",
        f"{megabytes(ours.bytes) if ours else '-'} / {megabytes(peer.bytes) if peer else '-'}",
        megabytes(ours.bare) if ours else "-",
        f"{megabytes(ours.moved) if ours else '-'} / {megabytes(peer.moved) if peer else '-'}",
        megabytes(row.predicted["bytes"]),
        f"{row.error:+.0%}" if row.error is not None else "-",
        f"{row.seconds:.1f} s",
        megabytes(row.peak),
    ]


def show(rows: Sequence[Row]) -> None:
    """Prints the table in Markdown, and the number of right predictions."""
    heads = ["model", "work ops ours / peer", "MB ours / peer", "without padding", "movement MB ours / peer"]
    heads += ["MB predicted", "error", "compile", "peak MB"]
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(cells(row)) + " |")
    errors = [abs(row.error) for row in rows if row.error is not None]
    right = sum(error <= TOLERANCE for error in errors)
    print(f"\npredicted within {TOLERANCE:.0%}: {right} of {len(errors)}")
    counted = [row.ours for row in rows if row.ours]
    sums = (sum(getattr(each, name) for each in counted) for name in ("bytes", "bare", "moved"))
    print("in all: {:,} work ops, {} MB, {} without padding, {} by movement".format(
        sum(each.work for each in counted), *map(megabytes, sums)))  # fmt: skip


def main() -> None:
    """Exports, or measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    exports, table = commands.add_parser("export"), commands.add_parser("table")
    exports.add_argument("folder", type=Path)
    table.add_argument("folders", type=Path, nargs="+", help="folders of directories with model.onnx and inputs.npz")
    for command in (exports, table):
        command.add_argument("--only", default="", help="a regular expression for the names of models")
    table.add_argument("--instrument", help="a command, see above")
    table.add_argument("--peer", help="a command, see above")
    table.add_argument("--json", type=Path, help="the rows, in a file")
    options = parser.parse_args()
    if options.command == "export":
        export(options.folder, options.only)
        return
    files = (file for folder in options.folders for file in sorted(folder.glob("*/model.onnx")))
    directories = [file.parent for file in files if re.search(options.only, file.parent.name)]
    rows = []
    for row in measured(directories, options.instrument, options.peer):
        rows.append(row)
        print(" | ".join(cells(row)), flush=True)
        if options.json:
            options.json.write_text(json.dumps([dataclasses.asdict(row) for row in rows], indent=1))
    show(rows)


if __name__ == "__main__":
    main()
