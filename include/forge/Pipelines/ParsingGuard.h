//===- ParsingGuard.h - input that crashes MLIR's reader --------*- C++ -*-===//

#ifndef FORGE_PIPELINES_PARSINGGUARD_H
#define FORGE_PIPELINES_PARSINGGUARD_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/MemoryBuffer.h"

namespace forge {

/// Parses MLIR text or bytecode in a child process, because MLIR's parser and its bytecode reader may crash on damaged
/// input. Fails, with an error on stderr, if the child crashes or exceeds 30 seconds or 8 GiB in addition to the size
/// of the input. Weights in text are left out if the rest can be parsed without them.
llvm::LogicalResult guardInput(const llvm::MemoryBuffer &buffer, const mlir::DialectRegistry &registry);

} // namespace forge

#endif // FORGE_PIPELINES_PARSINGGUARD_H
