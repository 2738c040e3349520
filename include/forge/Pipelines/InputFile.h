//===- InputFile.h - MLIR from files that are not trusted -------*- C++ -*-===//

#ifndef FORGE_PIPELINES_INPUTFILE_H
#define FORGE_PIPELINES_INPUTFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace forge {

/// Reads the MLIR text or bytecode of a tool: a file, which is mapped where the system can, or stdin for "-". The
/// content is tried in a child process first (see guardInput) and is then what the readers of this MLIR take (see
/// adaptText). Null, with an error on stderr, when there is no such file or the child does not survive it.
std::unique_ptr<llvm::MemoryBuffer> readInput(llvm::StringRef filename, const mlir::DialectRegistry &registry);

/// Text as this MLIR reads it. Newer ones, such as the MLIR 24 of torch-mlir, write the hexadecimal form of
/// `dense<...> : tensor<...xi1>` with one byte per element, and this one reads one bit. Lines and columns stay the
/// same; bytecode and other text are given back as they are.
std::unique_ptr<llvm::MemoryBuffer> adaptText(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Parses a module. The blobs of bytecode are not copied: they refer to `buffer`, which lives as long as one of them.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer, mlir::MLIRContext *context);

} // namespace forge

#endif // FORGE_PIPELINES_INPUTFILE_H
