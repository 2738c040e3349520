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
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

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
class Row:
    """The results of a model for a number of sequences; `cells` has a word per prompt, or the reason of a refusal."""

    name: str
    batch: int
    programs: str
    cells: list[str]
    right: bool = True

    def line(self) -> str:
        cells = self.cells if len(self.cells) > 1 else [*self.cells, *[""] * (len(PROMPTS) - 1)]
        model, exporter = self.name.rsplit("_", 1)
        return f"| {model} | {exporter} | {self.batch} | {self.programs} | {' | '.join(cells)} |"


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


def measured(name: str, model: Path, batch: int) -> Row:
    """Generates 64 tokens for each prompt."""
    row = Row(name, batch, "", [])
    with tempfile.TemporaryDirectory() as out:
        try:
            asked = {dim: size for dim, size in DIMS.items() if dim in _dims(model)}
            lengths = [] if name.endswith("_step") else [PROMPT_LENGTH]
            asked_for = Generation(MAX_LENGTH, lengths, batch=batch, caches=_pairs(model) if not lengths else {})
            artifact = compile(model, out, generate=asked_for, dims=asked)
            row.programs = ", ".join(artifact.manifest()["generation"]["programs"])
            inputs = other_inputs(artifact, np.random.default_rng(0))
            for prompt in PROMPTS:
                ids = np.random.default_rng(prompt).integers(3, 500, (batch, prompt)).tolist()
                made = [each.tolist() for each in generate(artifact, ids, tokens=TOKENS, inputs=inputs)]
                found = compare_steps(artifact, model, ids, made, Limits(), inputs)
                right = found.failure() is None and found.differs is None
                row.right &= right
                distinct = len({str(each) for each in made})
                worst = max(each.max_abs for each in found.rows)
                row.cells.append(f"{'equal' if right else 'WRONG'}, {distinct} distinct, {worst:.1e}")
        except ForgeError as error:
            row.cells = [re.sub(r"/\S*/", "", str(error).splitlines()[0]).replace("|", "/")]
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a pattern of <model>_<exporter>")
    parser.add_argument("--write", action="store_true", help="renew the table of the page")
    parser.add_argument("--jobs", type=int, default=1, help="how many rows are measured at once")
    options = parser.parse_args()
    journal = options.folder / "rows.json"
    lines: dict[str, str] = json.loads(journal.read_text()) if journal.exists() else {}
    right = True
    found = [(name, model) for name, model in models(options.folder) if re.search(options.only, name)]
    with ProcessPoolExecutor(options.jobs) as pool:
        rows = [pool.submit(measured, name, model, batch) for name, model in found for batch in BATCHES]
        for done in as_completed(rows):
            row = done.result()
            right &= row.right
            lines[f"{row.name} {row.batch}"] = row.line()
            print(row.line(), flush=True)
            journal.write_text(json.dumps(lines))
    if options.write:
        head = "".join(f" | after {prompt}" for prompt in PROMPTS)
        table = [f"| model | exporter | batch | programs{head} |", "|---" * (4 + len(PROMPTS)) + "|"]
        before, rest = PAGE.read_text().split(BEGIN)
        text = "\n".join([*table, *(lines[key] for key in sorted(lines))])
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.split(END)[1]}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
