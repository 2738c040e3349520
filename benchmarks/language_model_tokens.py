"""Generates tokens with the models exported by language_models.py, and compares each step with onnxruntime.

    python benchmarks/language_model_tokens.py FOLDER [--only PATTERN] [--jobs N] [--write]

For each model it compiles an artifact for 1 and for 2 sequences, generates 64 tokens greedily after prompts of 1, 7 and
128 tokens, and compares the logits of each step. `--write` updates the table of docs/language-model-families.md. Exit
code 1 means that a step is wrong; a refused model is listed with the reason.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps, other_inputs

PAGE = Path(__file__).parents[1] / "docs" / "language-model-families.md"
MAX_LENGTH, PROMPT_LENGTH, TOKENS = 256, 128, 64
PROMPTS, BATCHES = (1, 7, 128), (1, 2)
# The number of encoder states for decoders with cross-attention.
DIMS = {"encoder_sequence_length": 24, "encoder_sequence_length / 2": 24}
BEGIN, END = "<!-- table -->\n", "<!-- end -->\n"


@dataclass
class Result:
    """The results of a model for a number of sequences. `distinct` has the number of different tokens after each
    prompt, `worst` is the largest difference of a logit, and `refused` the reason of a refusal."""

    name: str
    batch: int
    distinct: list[int] = field(default_factory=list)
    worst: float = 0.0
    right: bool = True
    refused: str = ""


def line(results: Sequence[Result]) -> str:
    """The row of a model, from its results for each number of sequences."""
    model, exporter = results[0].name.rsplit("_", 1)
    tokens = next((each.refused for each in results if each.refused), "")
    tokens = tokens or ("equal" if all(each.right for each in results) else "WRONG")
    fewest = ", ".join(map(str, results[0].distinct))
    return f"| {model} | {exporter} | {tokens} | {fewest} | {max(each.worst for each in results):.1e} |"


def models(folder: Path) -> Iterator[tuple[str, Path]]:
    """The models by name: a file, or the decoder in a folder."""
    for each in sorted(folder.iterdir()):
        if each.suffix == ".onnx":
            yield each.stem, each
        else:
            names = ("model.onnx", "decoder_with_past_model.onnx", "decoder.onnx")
            yield from ((each.name, each / name) for name in names[:] if (each / name).exists())


def _pairs(model: Path) -> dict[str, str]:
    """The pairs of states of a model that takes one token, which have similar names."""
    names = [each.name for each in onnx.load(model, load_external_data=False).graph.input]
    return {name: name.replace("past.", "present.") for name in names if name.startswith("past.")}


def _dims(model: Path) -> set[str]:
    """The open dimensions of a model's inputs."""
    inputs = onnx.load(model, load_external_data=False).graph.input
    return {dim.dim_param for each in inputs for dim in each.type.tensor_type.shape.dim}


def measured(name: str, model: Path, batch: int) -> Result:
    """Generates 64 tokens for each prompt."""
    row = Result(name, batch)
    with tempfile.TemporaryDirectory() as out:
        try:
            asked = {dim: size for dim, size in DIMS.items() if dim in _dims(model)}
            lengths = [] if name.endswith("_step") else [PROMPT_LENGTH]
            asked_for = Generation(MAX_LENGTH, lengths, batch=batch, caches=_pairs(model) if not lengths else {})
            artifact = compile(model, out, generate=asked_for, dims=asked)
            inputs = other_inputs(artifact, np.random.default_rng(0))
            for prompt in PROMPTS:
                ids = np.random.default_rng(prompt).integers(3, 500, (batch, prompt)).tolist()
                made = [each.tolist() for each in generate(artifact, ids, tokens=TOKENS, inputs=inputs)]
                found = compare_steps(artifact, model, ids, made, Limits(), inputs)
                right = found.failure() is None and found.differs is None
                row.right &= right
                row.distinct.append(len({str(each) for each in made}))
                row.worst = max(row.worst, *(each.max_abs for each in found.rows))
        except ForgeError as error:
            row.refused = re.sub(r"/\S*/", "", str(error).splitlines()[0]).replace("|", "/")
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a pattern of <model>_<exporter>")
    parser.add_argument("--write", action="store_true", help="renew the table of the page")
    parser.add_argument("--jobs", type=int, default=1, help="how many models are measured at once")
    options = parser.parse_args()
    journal = options.folder / "results.json"
    results: dict[str, Any] = json.loads(journal.read_text()) if journal.exists() else {}
    right = True
    found = [(name, model) for name, model in models(options.folder) if re.search(options.only, name)]
    with ProcessPoolExecutor(options.jobs) as pool:
        rows = [pool.submit(measured, name, model, batch) for name, model in found for batch in BATCHES]
        for done in as_completed(rows):
            row = done.result()
            right &= row.right
            results[f"{row.name} {row.batch}"] = asdict(row)
            print(f"batch {row.batch}: {line([row])}", flush=True)
            journal.write_text(json.dumps(results))
    if options.write:
        table = ["| model | exporter | tokens | distinct | difference |", "|---|---|---|---|---|"]
        of_models = groupby((Result(**results[key]) for key in sorted(results)), key=lambda each: each.name)
        table += (line(list(of_model)) for _, of_model in of_models)
        before, rest = PAGE.read_text().split(BEGIN)
        text = "\n".join(table)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.split(END)[1]}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
