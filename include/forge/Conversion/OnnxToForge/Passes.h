//===- Passes.h - from ONNX nodes to the forge dialect ----------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_PASSES_H
#define FORGE_CONVERSION_ONNXTOFORGE_PASSES_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Conversion/OnnxToForge/Passes.h.inc"

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_PASSES_H
