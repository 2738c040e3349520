"""Compares forge-opt with mlir-opt that loads the plugin: `compare_plugin.py FORGE_OPT MLIR_OPT PLUGIN DIRECTORY`.

Both tools run every pass and pipeline that the plugin registers on a model as torch-mlir's importer writes it, before
conversion, after it, and after lowering, and the pipeline on a second model; their outputs and messages must be equal.
The three modules are in one file, which the tools split, since starting a tool takes most of the time.
"""

import re
import subprocess
import sys
from pathlib import Path

import onnx

sys.path.insert(0, str(Path(__file__).parents[2]))

from sample_models.repository import MODELS
from stock_ir.importing import TEXT, serialised, stock_module

PIPELINE = "onnx-to-forge-pipeline"
SEPARATOR = "// -----\n"


def run(*command: str | Path) -> tuple[int, bytes, bytes]:
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def passes(*tool: str | Path) -> set[str]:
    """The passes that a tool lists; their options are indented further."""
    _, listing, _ = run(*tool, "--list-passes")
    return set(re.findall(r"^  --([\w-]+) ", listing.decode(), re.MULTILINE))


def pipelines(forge_opt: str) -> set[str]:
    """The pipelines, which MLIR's --list-passes does not list, from the help text."""
    _, text, _ = run(forge_opt, "--help")
    section = text.decode().partition("Pass Pipelines:\n")[2]
    return set(re.findall(r"^ {6}--([\w-]+) ", section, re.MULTILINE))


def lowered(forge_opt: str, source: Path, target: str, *passes: str) -> Path:
    path = source.with_suffix(f".{target}.mlir")
    code, _, said = run(forge_opt, source, *(f"--{name}" for name in passes), "-o", path)
    assert code == 0, said
    return path


def main(forge_opt: str, mlir_opt: str, plugin: str, directory: Path) -> None:
    # MLIR's tool has to be asked to print locations, which forge-opt prints by default.
    loaded = (mlir_opt, f"--load-dialect-plugin={plugin}", f"--load-pass-plugin={plugin}", "--mlir-print-debuginfo")
    own = passes(*loaded) - passes(mlir_opt)
    assert own == {name for name in passes(forge_opt) if "forge" in name and not name.startswith("forge-test-")}, own
    own |= pipelines(forge_opt)
    assert PIPELINE in own, own
    for model in ("gpt2_block", "resnet18"):
        imported = directory / f"{model}.mlir"
        imported.write_bytes(serialised(stock_module(onnx.load(MODELS / model / "model.onnx")), TEXT))
        high = lowered(forge_opt, imported, "high", "forge-normalize-import", "convert-onnx-to-forge")
        levels = directory / f"{model}.levels.mlir"
        modules = [imported, high, lowered(forge_opt, imported, "calls", PIPELINE)]
        levels.write_text(SEPARATOR.join(path.read_text() for path in modules))
        split = ("--split-input-file", "--dump-pass-pipeline")
        for name in sorted(own) if model == "gpt2_block" else [PIPELINE]:
            # forge-opt determines on which op a pass runs.
            ours = run(forge_opt, levels, f"--{name}", *split)
            pipeline = re.search(rb"^builtin\.module\(\n.*?^\)$", ours[2], re.MULTILINE | re.DOTALL)
            assert pipeline, ours[2][:999]
            text = "".join(line.strip() for line in pipeline[0].decode().splitlines())
            theirs = run(*loaded, levels, f"--pass-pipeline={text}", *split)
            assert theirs == ours, (model, name, ours[2][-999:], theirs[2][-999:])
            written = ours[1].decode().split(SEPARATOR)
            assert len(written) == len(modules), (model, name)
            assert any(map(str.strip, written)), (model, name)
    print(f"the same for {len(own)} passes and pipelines: {' '.join(sorted(own))}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
