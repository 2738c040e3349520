import hashlib
import json
from pathlib import Path

import torch
from safetensors import safe_open

try:
    import forge
    import forge.op
    from forge import ForgeModule
except ModuleNotFoundError as missing:
    if missing.name not in ("forge", "forge.op"):
        raise
    from forge_mlir.emitted import ForgeModule, forge


class ModuleClass(ForgeModule):
    def process_framework_parameters(self, model=None, trust_edits=False):
        """Load the weights beside this file, if both are what the manifest describes; no ONNX model is needed."""
        here = Path(__file__)
        manifest = json.loads(here.with_suffix(".json").read_text(encoding="utf-8"))
        path = here.with_name(manifest["weights_file"])
        for checked, digest in ((here, manifest["python_sha256"]), (path, manifest["weights_sha256"])):
            with checked.open("rb") as file:
                if not trust_edits and hashlib.file_digest(file, "sha256").hexdigest() != digest:
                    raise RuntimeError(f"{checked.name} is not the file that the manifest describes; to accept an edit: forge-mlir reseal DIRECTORY")
        with safe_open(path, framework="pt") as weights:
            self.fill_weights(manifest["weights"], weights)

    def fill_weights(self, entries, weights):
        """Set the weights that the manifest lists, from its open safetensors file."""
        for weight in entries:
            if "splat" in weight:
                value = torch.full(weight["shape"], float(weight["splat"]), dtype=getattr(torch, weight["dtype"]))
            elif "file" in weight:
                value = read_weight(weight)
            elif "steps" in weight:
                value = computed_weight(weight, weights).expand(weight["shape"]).contiguous()
            else:
                value = weights.get_tensor(weight["tensor"]).expand(weight["shape"]).contiguous()
            set_weight = self.set_parameter if weight["kind"] == "parameter" else self.set_constant
            set_weight(weight["name"], value)


def load(trust_edits=False):
    """Return the module with its weights, for forge.compile or a call. trust_edits accepts files that were edited."""
    module = ModuleClass()
    module.process_framework_parameters(trust_edits=trust_edits)
    return module


def release(*tensors):
    """Free the values of tensors that are not read any more. The graph that computes them is kept."""
    for tensor in tensors:
        tensor._value = None
