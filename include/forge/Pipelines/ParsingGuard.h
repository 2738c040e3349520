//===- ParsingGuard.h - input that crashes MLIR's reader --------*- C++ -*-===//

#ifndef FORGE_PIPELINES_PARSINGGUARD_H
#define FORGE_PIPELINES_PARSINGGUARD_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LogicalResult.h"

namespace forge {

/// Reads the files named on the command line, or stdin, in a child process first: MLIR's parser, and even more its
/// bytecode reader, crash on some damaged input. Fails with an error on stderr for input that the child does not
/// survive within 30 seconds and 8 GiB. What stdin held can be read again.
llvm::LogicalResult guardInput(int argc, char **argv, const mlir::DialectRegistry &registry);

} // namespace forge

#endif // FORGE_PIPELINES_PARSINGGUARD_H
