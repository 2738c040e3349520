"""An ONNX file to a verified module, which then classifies pictures: `python classify.py MODEL.onnx`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import forge_mlir
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.report.check import check
from forge_mlir.verify import verify_model


def main(model: Path) -> None:
    verdict = check(model)
    for refusal in verdict.refused:
        print(f"{refusal.name} ({refusal.op}): {refusal.reason}")
    if not verdict.supported:
        sys.exit("the device cannot run all of it; forge_mlir.compile(..., fallback='cpu') can")

    result = verify_model(model)
    print(f"{len(result.nodes)} values agree with ONNX: {result.passed}")

    with tempfile.TemporaryDirectory() as directory:
        artifact = forge_mlir.compile(model, directory)
        manifest = artifact.manifest()
        (picture,) = manifest["onnx"]["inputs"]
        print(f"{manifest['onnx']['nodes']} nodes became {artifact.calls()} calls")
        # Weights are read once, for any number of runs.
        module = LoadedModel.open(artifact)
        for seed in range(3):
            pixels = np.random.default_rng(seed).random(picture["shape"], np.float32)
            (logits,) = module.run({picture["name"]: pixels}).values()
            print(f"picture {seed}: class {int(np.argmax(logits))}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} MODEL.onnx")
    main(Path(sys.argv[1]))
