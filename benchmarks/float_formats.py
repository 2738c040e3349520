"""Measures the costs and savings of bfloat16: `python benchmarks/float_formats.py [FOLDER ...]`
(docs/float-formats.md).

A folder has model.onnx and inputs.npz; the default are the folders of models/. Errors are root mean squares relative to
the output of the Float32 program, for the worst output of each model: of the model computed node by node in bfloat16
(each node's result, inputs and weights rounded), and of the emitted program. `--inputs N` averages over at least N
inputs: that of inputs.npz, and others with its elements permuted. More inputs are used, up to `--most N`, until the
confidence interval of the ratio of both errors excludes 1 or is narrow. `--layers N` prints where the error originates,
`--budget E` which nodes --float-format=mixed keeps in Float32 for an error of E times that of bfloat16, `--override`
the errors of Float32 programs on a device whose default format is overridden by bfloat16.

`--instrument COMMAND` prints measurements of the device's compiler for the programs in both formats. The command is run
with {directory}, the directory of a model, {format}, float32 or bfloat16, and {json}, a file into which it writes a
list with one object: "work" is the number of device ops of a run, "ops" their number by name, "bytes" what they read
and write in whole tiles; or "message", if the program is refused.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from onnx import NodeProto

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.source.calls import calls_of
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.floats.error_budget import relative_error
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.onnx.nodes import NodeCall, OnnxNodes
from forge_mlir.importer import ImportedModel
from forge_mlir.verify.limits.sensitivity import written_outputs

MODELS = Path(__file__).resolve().parent.parent / "models"
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_RUNS = 3
_DRAWS = 2000
"""The number of bootstrap samples for the interval of a ratio."""
_LIMIT = 1200
"""The time limit of an instrument, in seconds."""
_NARROW = 0.02
"""The width of an interval for which no more inputs are needed."""

Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One model: the errors node by node and of the emitted program over all inputs, the 95 % interval of their ratio,
    and the number of inputs; calls and bytes of weights in both formats, and the ratio of processor times of the
    bfloat16 and the Float32 program on the CPU reference (best of three runs)."""

    name: str
    written: float
    emitted: float
    interval: tuple[float, float]
    inputs: int
    calls: tuple[int, int]
    weights: tuple[int, int]
    time: float

    @property
    def ratio(self) -> float:
        return self.emitted / self.written if self.written else 1.0

    def line(self) -> str:
        (low, high), calls, weights = self.interval, self.calls, self.weights[1] / max(self.weights[0], 1)
        return (
            f"| {self.name} | {100 * self.written:.2f} % | {100 * self.emitted:.2f} % | {self.ratio:.2f} "
            f"| {low:.2f} to {high:.2f} | {self.inputs} | {calls[0]} | {calls[1]} | {weights:.2f} | {self.time:.1f} |"
        )


def inputs_of(given: Arrays, count: int) -> Iterator[Arrays]:
    """`given`, and `count` - 1 inputs with permuted elements in each array."""
    yield given
    for seed in range(1, count):
        random = np.random.default_rng(seed)
        yield {name: random.permutation(value.reshape(-1)).reshape(value.shape) for name, value in given.items()}


class PreparedNodes(OnnxNodes):
    """The nodes of a model that is run with many inputs of the same names."""

    @classmethod
    def of(cls, imported: ImportedModel) -> PreparedNodes:
        assert imported.graph is not None
        return cls(imported.graph, imported.placeholders)

    def prepare(self, node: NodeProto, on_reference: bool = False, wide: bool = False) -> NodeCall:
        known: dict[int, NodeCall] = self.__dict__.setdefault("prepared", {})
        return known.setdefault(id(node), super().prepare(node, on_reference, wide))


def root_mean_square(errors: Sequence[float]) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


def ratio_interval(written: Sequence[float], emitted: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the ratio of root mean squares: inputs are drawn with replacement, and both errors
    of an input together."""
    drawn = np.random.default_rng(0).integers(0, len(written), (_DRAWS, len(written)))
    before, after = (np.square(errors)[drawn].mean(axis=1) for errors in (written, emitted))
    ratios = np.sqrt(after / np.where(before > 0, before, 1))
    low, high = np.quantile(ratios, [0.025, 0.975])
    return float(low), float(high)


def is_settled(interval: tuple[float, float]) -> bool:
    return interval[0] > 1 or interval[1] < 1 or interval[1] - interval[0] < _NARROW


def measure(folder: Path, scratch: Path, least: int, most: int) -> Row:
    model, inputs = folder / "model.onnx", dict(np.load(folder / "inputs.npz"))
    wide, imported = compile_traced(model, scratch / "wide", sample_inputs=inputs)
    narrow = forge_mlir.compile(model, scratch / "narrow", float_format="bfloat16", sample_inputs=inputs)
    assert imported is not None
    given = {entry["onnx_name"]: inputs[entry["onnx_name"]] for entry in wide.manifest()["inputs"]}
    loaded = LoadedModel.open(wide), LoadedModel.open(narrow)
    nodes = PreparedNodes.of(imported)
    written: list[float] = []
    emitted: list[float] = []
    interval = (0.0, math.inf)
    for each in inputs_of(given, max(least, most)):
        exact = loaded[0].run(each)
        written.append(relative_error(written_outputs(nodes, each, list(exact), BFLOAT16), exact))
        emitted.append(relative_error(loaded[1].run(each), exact))
        interval = ratio_interval(written, emitted)
        if len(written) >= least and is_settled(interval):
            break
    first, second = (_seconds(model, given) for model in loaded)
    return Row(
        folder.name,
        root_mean_square(written),
        root_mean_square(emitted),
        interval,
        len(written),
        (_calls(wide), _calls(narrow)),
        (_weight_bytes(wide), _weight_bytes(narrow)),
        second / first,
    )


def _seconds(loaded: LoadedModel, inputs: Arrays) -> float:
    best = math.inf
    for _ in range(_RUNS):
        begin = time.process_time()
        loaded.run(inputs)
        best = min(best, time.process_time() - begin)
    return best


def _calls(artifact: Artifact) -> int:
    return len(calls_of(artifact.module_path.read_text(encoding="ascii"), artifact.manifest()))


def _weight_bytes(artifact: Artifact) -> int:
    return sum(file.stat().st_size for file in artifact.directory.glob("*.safetensors"))


def table(folders: list[Path], least: int, most: int) -> None:
    print("| model | as written | emitted | ratio | interval | inputs | calls, Float32 | bfloat16 | weights | time |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for folder in folders:
        with tempfile.TemporaryDirectory() as scratch:
            rows.append(measure(folder, Path(scratch), least, most))
        print(rows[-1].line(), flush=True)
    logs = [math.log(row.ratio) for row in rows if row.written and row.emitted]
    print(f"\nGeometric mean of emitted over as written: {math.exp(sum(logs) / len(logs)):.2f}")


def layers(folders: list[Path], most: int) -> None:
    for folder in folders:
        inputs = dict(np.load(folder / "inputs.npz"))
        found = forge_mlir.verify(folder / "model.onnx", inputs, float_format="bfloat16")
        print(f"\n{folder.name}: {found.verdict}\n\n| node | op | added | of the result |\n|---|---|---|---|")
        for each in found.most_rounded(most):
            print(f"| {each.node.name} | {each.node.op_type} | {each.local.rms:.2e} | {each.total.rms:.2e} |")


def budgets(folders: list[Path], share: float) -> None:
    print("| model | error of bfloat16 | budget | error of mixed | nodes in Float32 | all nodes | programs measured |")
    print("|---|---|---|---|---|---|---|")
    for folder in folders:
        model, inputs = folder / "model.onnx", dict(np.load(folder / "inputs.npz"))
        with tempfile.TemporaryDirectory() as scratch:
            wide, imported = compile_traced(model, Path(scratch) / "wide", sample_inputs=inputs)
            narrow = forge_mlir.compile(model, Path(scratch) / "narrow", float_format="bfloat16", sample_inputs=inputs)
            given = {entry["onnx_name"]: inputs[entry["onnx_name"]] for entry in wide.manifest()["inputs"]}
            error = relative_error(forge_mlir.run(narrow, given), forge_mlir.run(wide, given))
            mixed = forge_mlir.compile(
                model, Path(scratch) / "mixed", float_format="mixed", error_budget=share * error, sample_inputs=inputs
            )
            facts = mixed.manifest()["float_format"]
        assert imported is not None
        kept, nodes = len(facts["float32_nodes"]), len(OnnxNodes.of(imported).nodes)
        print(
            f"| {folder.name} | {100 * error:.2f} % | {100 * share * error:.2f} % | {100 * facts['error']:.2f} % "
            f"| {kept} | {nodes} | {facts['programs_measured']} |",
            flush=True,
        )


def override_errors(folders: list[Path]) -> None:
    print("| model | Float32 program, converted | bfloat16 program | ratio |\n|---|---|---|---|")
    logs = []
    for folder in folders:
        model, inputs = folder / "model.onnx", dict(np.load(folder / "inputs.npz"))
        with tempfile.TemporaryDirectory() as scratch:
            wide = forge_mlir.compile(model, Path(scratch) / "wide", sample_inputs=inputs)
            narrow = forge_mlir.compile(model, Path(scratch) / "narrow", float_format="bfloat16", sample_inputs=inputs)
            given = {entry["onnx_name"]: inputs[entry["onnx_name"]] for entry in wide.manifest()["inputs"]}
            exact = forge_mlir.run(wide, given)
            before = relative_error(forge_mlir.run(wide, given, float_format="bfloat16"), exact)
            after = relative_error(forge_mlir.run(narrow, given), exact)
        print(f"| {folder.name} | {100 * before:.2f} % | {100 * after:.2f} % | {after / before:.2f} |", flush=True)
        if after > 0 and 0 < before < math.inf:
            logs.append(math.log(after / before))
    print(f"\nGeometric mean of the ratios: {math.exp(sum(logs) / max(len(logs), 1)):.2f}")


def counted(command: str, folder: Path, chosen: str) -> dict[str, Any]:
    """The measurement of an instrument for a model in a format, or a "message" with the reason why there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "counted.json"
        values = {"{directory}": str(folder), "{format}": chosen, "{json}": str(file)}
        words = [re.sub(r"\{\w+\}", lambda found: values[found[0]], word) for word in shlex.split(command)]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=_LIMIT, check=False)
            row: dict[str, Any] = json.loads(file.read_text())[0]
        except subprocess.TimeoutExpired:
            return {"message": f"no answer within {_LIMIT} s"}
        except (OSError, ValueError, LookupError):
            return {"message": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    return row


def instrument(folders: list[Path], command: str) -> None:
    heads = ["ops", "to_layout", "typecast", "MB"]
    print("| model |" + "".join(f" {each}, Float32 | bfloat16 |" for each in heads) + "\n" + "|---" * 9 + "|")
    for folder in folders:
        cells: list[list[str]] = []
        for chosen in ("float32", "bfloat16"):
            row = counted(command, folder, chosen)
            if "work" not in row:
                print(f"{folder.name} in {chosen}: {row.get('message', 'refused')}", flush=True)
                cells.append(["-"] * len(heads))
                continue
            ops = {name.rpartition(".")[2]: count for name, count in row["ops"].items()}
            moves = [str(ops.get(each, 0)) for each in heads[1:3]]
            cells.append([str(row["work"]), *moves, f"{row['bytes'] / 1e6:.2f}"])
        both = (f" {wide} | {narrow} |" for wide, narrow in zip(*cells, strict=True))
        print(f"| {folder.name} |{''.join(both)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--inputs", type=int, default=5, metavar="N")
    parser.add_argument("--most", type=int, default=50, metavar="N")
    parser.add_argument("--layers", type=int, default=0, metavar="N")
    parser.add_argument("--budget", type=float, default=0.0, metavar="E")
    parser.add_argument("--override", action="store_true")
    parser.add_argument("--instrument", metavar="COMMAND")
    given = parser.parse_args()
    folders = given.folders or sorted(path.parent for path in MODELS.glob("*/inputs.npz"))
    if given.layers:
        layers(folders, given.layers)
    elif given.budget:
        budgets(folders, given.budget)
    elif given.override:
        override_errors(folders)
    elif given.instrument:
        instrument(folders, given.instrument)
    else:
        table(folders, given.inputs, given.most)


if __name__ == "__main__":
    main()
