//===- ParsingGuard.h - input that crashes MLIR's reader --------*- C++ -*-===//

#ifndef FORGE_PIPELINES_PARSINGGUARD_H
#define FORGE_PIPELINES_PARSINGGUARD_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/MemoryBuffer.h"

namespace forge {

/// Reads MLIR text or bytecode in a child process: MLIR's parser, and even more its bytecode reader, crash on some
/// damaged input. Fails with an error on stderr for input that the child does not survive within 30 seconds and 8 GiB
/// beside the input itself. Weights in text are left out where the rest can be read without them.
llvm::LogicalResult guardInput(const llvm::MemoryBuffer &buffer, const mlir::DialectRegistry &registry);

} // namespace forge

#endif // FORGE_PIPELINES_PARSINGGUARD_H
