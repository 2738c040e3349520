//===- Pipelines.h - everything a tool registers ----------------*- C++ -*-===//

#ifndef FORGE_PIPELINES_PIPELINES_H
#define FORGE_PIPELINES_PIPELINES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace forge {

/// --onnx-to-forge-pipeline: from imported ONNX to a module that can be written as Python.
void buildOnnxToForgePipeline(mlir::OpPassManager &manager);

/// Registers the dialects of this project and func.
void registerForgeDialects(mlir::DialectRegistry &registry);

/// Registers every pass and pipeline of this project and MLIR's general transforms. Call once per process.
void registerForgePasses();

} // namespace forge

#endif // FORGE_PIPELINES_PIPELINES_H
