//===- Templates.h - the fixed text of an emitted module --------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_TEMPLATES_H
#define FORGE_LIB_TARGET_PYTHON_TEMPLATES_H

#include "llvm/ADT/StringRef.h"

namespace forge {

// The CPU reference stands in only where the real package is not installed.
inline constexpr llvm::StringLiteral kImports = R"python(
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
    if missing.name != "forge":
        raise
    from forge_mlir import runtime as forge
    from forge_mlir.runtime import ForgeModule
)python";

inline constexpr llvm::StringLiteral kLoader = R"python(
    def process_framework_parameters(self, model=None):
        """Load the weights beside this file, after checking their hash; the ONNX model is not needed."""
        manifest = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
        path = Path(__file__).with_name(manifest["weights_file"])
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != manifest["weights_sha256"]:
                raise RuntimeError(f"{path} does not hold the weights of this module")
        with safe_open(path, framework="pt") as weights:
            for weight in manifest["weights"]:
                if "splat" in weight:
                    number = float if weight["dtype"].startswith("float") or weight["dtype"] == "bfloat16" else int
                    value = torch.full(weight["shape"], number(weight["splat"]), dtype=getattr(torch, weight["dtype"]))
                else:
                    value = weights.get_tensor(weight["tensor"])
                if weight["kind"] == "parameter":
                    self.set_parameter(weight["name"], value)
                else:
                    self.set_constant(weight["name"], value)


def load():
    """The module with its weights, ready for forge.compile or a call."""
    module = )python";

inline constexpr llvm::StringLiteral kLoaderEnd = R"python(()
    module.process_framework_parameters()
    return module
)python";

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_TEMPLATES_H
