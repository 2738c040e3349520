//===- Templates.h - the fixed text of an emitted module --------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_TEMPLATES_H
#define FORGE_LIB_TARGET_PYTHON_TEMPLATES_H

#include "llvm/ADT/StringRef.h"

namespace forge {

// What to do about the hashes of the manifest; part of every docstring.
inline constexpr llvm::StringLiteral kAfterAnEdit =
    "After an edit of this file: `forge-mlir reseal DIRECTORY`, or load(trust_edits=True).\n";

// The CPU reference is used only where Tenstorrent's package is not installed.
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
    from forge_mlir.emitted import ForgeModule, forge
)python";

inline constexpr llvm::StringLiteral kLoader = R"python(
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
)python";

// Where weights may stay in files of the model.
inline constexpr llvm::StringLiteral kModelWeightCase = R"python(            elif "file" in weight:
                value = read_weight(weight)
)python";

// Where weights are computed on loading.
inline constexpr llvm::StringLiteral kComputedWeightCase = R"python(            elif "steps" in weight:
                value = computed_weight(weight, weights).expand(weight["shape"]).contiguous()
)python";

inline constexpr llvm::StringLiteral kStoredWeightCase = R"python(            else:
                value = weights.get_tensor(weight["tensor"]).expand(weight["shape"]).contiguous()
            set_weight = self.set_parameter if weight["kind"] == "parameter" else self.set_constant
            set_weight(weight["name"], value)
)python";

inline constexpr llvm::StringLiteral kLoad = R"python(

def load(trust_edits=False):
    """The module with its weights, ready for forge.compile or a call; with trust_edits as the files are now."""
    module = )python";

inline constexpr llvm::StringLiteral kLoadEnd = R"python(()
    module.process_framework_parameters(trust_edits=trust_edits)
    return module


def release(*tensors):
    """Free the values of tensors that nothing reads any more; what they were computed from stays known."""
    for tensor in tensors:
        tensor._value = None
)python";

// The other half of kModelWeightCase.
inline constexpr llvm::StringLiteral kModelWeight = R"python(

def read_weight(weight):
    """A weight that is left in a file of the ONNX model, if it is still what the manifest describes."""
    with Path(__file__).parent.joinpath(weight["file"]).open("rb") as file:
        file.seek(weight["offset"])
        data = bytearray(file.read(weight["nbytes"]))
    if hashlib.sha256(data).hexdigest() != weight["sha256"]:
        raise RuntimeError(f"{weight['file']} does not hold the weight {weight['name']} that the manifest describes")
    return torch.frombuffer(data, dtype=getattr(torch, weight["dtype"])).reshape(weight["shape"])
)python";

// The other half of kComputedWeightCase.
inline constexpr llvm::StringLiteral kComputedWeight = R"python(

def computed_weight(weight, weights):
    """A weight that is made of others, which take less room: the steps that the manifest lists, in float64."""
    return finished(weight, len(weight["steps"]) - 1, weights, {})


def finished(weight, at, weights, known):
    """A step in the dtype of the weight, after which numbers only move. It is computed in blocks of rows, so that no
    more than a block is held in float64."""
    step, dtype = weight["steps"][at], getattr(torch, weight["dtype"])
    if step.get("op") in ("transpose", "reshape", "index", "concatenate", "repeat", "repeat_interleave"):
        return computed_step(step, *[finished(weight, operand, weights, known) for operand in step["operands"]])
    count = step["shape"][0]
    result = torch.empty(step["shape"], dtype=dtype)
    block = max(1, 2**20 // max(1, result[:1].numel()))
    for begin in range(0, count, block):
        rows = slice(begin, begin + block)
        result[rows] = rounded(rows_of(weight, at, rows, count, weights, known, {}), dtype)
    return result


def rows_of(weight, at, rows, count, weights, known, block):
    """Rows of a step, of which it has `count`. `block` holds what they are made of, `known` what is no row of them."""
    step = weight["steps"][at]
    operands = [(operand, weight["steps"][operand]["shape"]) for operand in step.get("operands", ())]
    if at not in block and by_row(step, [shape for _, shape in operands], count):
        values = []
        for operand, shape in operands:
            if shape[0] == count and (len(shape) == len(step["shape"]) or step["op"] == "reshape"):
                values.append(rows_of(weight, operand, rows, count, weights, known, block))
            else:
                values.append(exact(weight, operand, whole(weight, operand, weights, known)))
        if step["op"] == "reshape":
            step = {**step, "shape": [values[0].shape[0], *step["shape"][1:]]}
        block[at] = exact(weight, at, computed_step(step, *values))
    elif at not in block:
        block[at] = exact(weight, at, whole(weight, at, weights, known)[rows])
    return block[at]


def by_row(step, shapes, count):
    """Whether rows of a step are made of the same rows of its operands, and of what broadcasts to each row."""
    op, rank = step.get("op"), len(step["shape"])
    if op in ("add", "subtract", "multiply", "divide", "bitwise_and", "sqrt", "cast"):
        return all(len(shape) < rank or shape[0] in (1, count) for shape in shapes)
    if op in ("reshape", "concatenate"):
        return all(shape[0] == count for shape in shapes) and (op == "reshape" or step["axis"] not in (0, -rank))
    return False


def whole(weight, at, weights, known):
    """All rows of a step; what is stored, as it is stored."""
    if at in known:
        return known[at]
    step = weight["steps"][at]
    dtype = getattr(torch, step["dtype"])
    if "operands" in step:
        values = [exact(weight, operand, whole(weight, operand, weights, known)) for operand in step["operands"]]
        value = computed_step(step, *values)
    elif "splat" in step:
        value = torch.tensor(float(step["splat"])).to(dtype).expand(step["shape"])
    elif "hex" in step:
        value = torch.frombuffer(bytearray.fromhex(step["hex"]), dtype=dtype).reshape(step["shape"])
    else:
        value = source_of(step, weight["name"], weights).reshape(step["shape"])
    known[at] = value
    return value


def exact(weight, at, value):
    """Numbers as the steps compute with them."""
    dtype = getattr(torch, weight["steps"][at]["dtype"])
    return value.to(torch.float64 if dtype.is_floating_point else torch.int32)


def computed_step(step, first, *others):
    """The result of one step from its operands."""
    op = step["op"]
    if op in ("add", "subtract", "multiply", "divide", "bitwise_and", "sqrt"):
        return getattr(torch, op)(first, *others)
    if op == "cast":
        return rounded(first, getattr(torch, step["dtype"]))
    if op == "transpose":
        return first.transpose(step["dim0"], step["dim1"])
    if op == "index":
        return first.index_select(step["dim"], torch.arange(step["start"], step["stop"], step["stride"]))
    if op == "concatenate":
        return torch.cat((first, *others), step["axis"])
    if op == "repeat":
        return torch.tile(first, step["repeats"])
    if op == "repeat_interleave":
        return first.repeat_interleave(step["repeats"], step["dim"])
    if op == "adv_index":
        return first.index_select(step["dim"], *others)
    return first.reshape(step["shape"])


def rounded(value, dtype):
    """Numbers as the dtype has them; of bfloat16 the largest one for those beyond it that float32 has."""
    result = value.to(dtype)
    if dtype == torch.bfloat16:
        most = torch.finfo(dtype).max
        fits = value.abs() <= torch.finfo(torch.float32).max
        result = torch.where(fits, result.clamp(-most, most), result)
    if (result.isinf() & ~value.isinf()).any():
        raise RuntimeError(f"a weight has a value that {dtype} does not hold")
    return result


def source_of(step, name, weights):
    """What a weight is made of, as it is stored: of 4 bits, two numbers a byte."""
    stored = step["stored"]
    raw = "uint8" if stored in ("int4", "uint4") else stored
)python";

inline constexpr llvm::StringLiteral kModelSourceCase = R"python(    if "file" in step:
        value = read_weight({**step, "name": name, "dtype": raw, "shape": [-1]})
    else:
        value = weights.get_tensor(step["tensor"])
)python";

inline constexpr llvm::StringLiteral kStoredSourceCase = R"python(    value = weights.get_tensor(step["tensor"])
)python";

inline constexpr llvm::StringLiteral kComputedWeightEnd = R"python(    if raw == stored:
        return value
    value = torch.stack((value & 15, value >> 4), -1).flatten()[: torch.Size(step["shape"]).numel()]
    return (value.to(torch.int8) ^ 8) - 8 if stored == "int4" else value
)python";

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_TEMPLATES_H
