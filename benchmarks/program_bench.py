"""Compares numbers of calls: Forge calls, and the nodes that onnxruntime's extended optimiser leaves.

    python benchmarks/program_bench.py [MODEL.onnx|FOLDER ...] [--by REGEX] [--json FILE]
                                       [--instrument "COMMAND {directory}"]

The default models are the stored ones (models/) and onnx's light models; architectures.py creates folders of many more.
Models that cannot be compiled, or crash onnxruntime, are listed and left out. `--by` also prints the ratio of groups,
which the parentheses of a regular expression match in names, such as "_(ts|dyn)$" for exporters. "by model" are kernels
by the compiler's own cost model (docs/cost.md). An instrument adds a column: its command is run with the directory of
the compiled module (model.py, model.safetensors, model.json), and prints the number of device kernels of one run as the
last word of its output.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import shlex
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnxruntime
from rich.console import Console
from rich.table import Table

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.report.cost import CostObserver

LIGHT = Path(onnx.backend.test.__file__).parent / "data" / "light"
STORED = Path(__file__).parents[1] / "models"


@dataclass(frozen=True)
class Row:
    """One model: Forge calls, nodes of onnxruntime, kernels by the cost model, and by the instrument if there is
    one."""

    name: str
    calls: int
    nodes: int
    by_model: int
    kernels: int | None


def nodes_of(model: Path, scratch: Path) -> int:
    """The number of nodes after onnxruntime's optimisation, without layout changes for its own CPU kernels."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(scratch / "optimised.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    return len(onnx.load(scratch / "optimised.onnx", load_external_data=False).graph.node)


def kernels_of(command: str, directory: Path) -> int:
    """The last word of an instrument's output. Raises ValueError if it is not a number."""
    words = [part.replace("{directory}", str(directory)) for part in shlex.split(command)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def measure(model: Path, instrument: str | None) -> Row:
    """Compiles one model and counts. Raises ForgeError for one that cannot be compiled, ValueError for one that is
    constant."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        # Stored inputs determine open dims.
        inputs = model.parent / "inputs.npz"
        sample = dict(np.load(inputs)) if inputs.is_file() else None
        costs = CostObserver()
        artifact = forge_mlir.compile(model, scratch / "out", name="model", sample_inputs=sample, on_pass=costs)
        summary = costs.summary()
        kernels = kernels_of(instrument, scratch / "out") if instrument else None
        name = model.parent.name if model.stem == "model" else model.stem
        by_model = summary.after.kernels if summary else 0
        nodes = nodes_of(model, scratch)
        if not nodes:
            raise ValueError("all of it is known before it runs")
        return Row(name, artifact.calls(), nodes, by_model, kernels)


def row_or_reason(model: Path, instrument: str | None) -> Row | str:
    """Measures one model, or returns the reason why it cannot be measured."""
    try:
        return measure(model, instrument)
    except ForgeError as error:
        first = next((each for each in error.diagnostics if each.severity == "error"), error)
        return str(first).splitlines()[0]
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


def measured(models: Sequence[Path], instrument: str | None) -> Iterator[Row]:
    """Measures each model in a child process, because it may crash onnxruntime. Prints the reasons for missing rows."""
    fork = multiprocessing.get_context("fork")
    for model in models:
        with ProcessPoolExecutor(1, mp_context=fork) as pool:
            try:
                result = pool.submit(row_or_reason, model, instrument).result()
            except BrokenProcessPool:
                result = "the process died"
        if isinstance(result, Row):
            yield result
        else:
            print(f"{model.stem}: {result}", flush=True)


def ratio(rows: Sequence[Row]) -> str:
    """The ratio of calls and nodes of several models."""
    total = sum(row.calls for row in rows) / sum(row.nodes for row in rows)
    median = statistics.median(row.calls / row.nodes for row in rows)
    return f"{total:.2f} in sum, {median:.2f} in the median of {len(rows)} models"


def show(rows: Sequence[Row], by: str | None) -> None:
    """Prints the table and the totals, also for groups by name."""
    table = Table("model", "calls", "nodes", "calls / nodes", "by model", "kernels")
    for row in rows:
        kernels = "" if row.kernels is None else str(row.kernels)
        each = f"{row.calls / row.nodes:.2f}"
        table.add_row(row.name, str(row.calls), str(row.nodes), each, str(row.by_model), kernels)
    console = Console(width=120)
    console.print(table)
    console.print(f"calls / nodes: {ratio(rows)}")
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if by and (found := re.search(by, row.name)):
            groups[found[1]].append(row)
    for name, members in sorted(groups.items()):
        console.print(f"  {name}: {ratio(members)}")
    if all(row.kernels for row in rows):
        by_model = [row.by_model / row.kernels for row in rows if row.kernels]
        console.print(f"by model / kernels: {min(by_model):.2f} to {max(by_model):.2f}")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path, help="files, and folders of them")
    parser.add_argument("--by", metavar="REGEX", help="groups by name, each with a ratio of its own")
    parser.add_argument("--instrument", help="a command that counts device kernels; {directory} has the module")
    parser.add_argument("--json", type=Path, help="a file for the rows")
    options = parser.parse_args()
    given = [sorted(path.glob("*.onnx")) if path.is_dir() else [path] for path in options.models]
    stored = [sorted(STORED.glob("*/model.onnx")), sorted(LIGHT.glob("*.onnx"))]
    models = [model for several in given or stored for model in several]
    rows = list(measured(models, options.instrument))
    if not rows:
        raise SystemExit("no model was measured")
    if options.json:
        options.json.write_text(json.dumps([row.__dict__ for row in rows], indent=1) + "\n")
    show(rows, options.by)


if __name__ == "__main__":
    main()
