//===- InputFile.h - reads untrusted MLIR files -----------------*- C++ -*-===//

#ifndef FORGE_PIPELINES_INPUTFILE_H
#define FORGE_PIPELINES_INPUTFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace forge {

/// Reads the MLIR text or bytecode of a tool from a file, which is memory-mapped if possible, or from stdin for "-". A
/// child process parses it first (see guardInput). The result can be read by this version of MLIR (see adaptText).
/// Null, with an error on stderr, if the file does not exist or the child process crashes.
std::unique_ptr<llvm::MemoryBuffer> readInput(llvm::StringRef filename, const mlir::DialectRegistry &registry);

/// Adapts text of newer versions of MLIR, such as the MLIR 24 of torch-mlir: they write `dense<"0x..."> :
/// tensor<...xi1>` with one byte per element, where this version expects one bit. Line and column numbers stay the
/// same. Bytecode and other text are returned unchanged.
std::unique_ptr<llvm::MemoryBuffer> adaptText(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Parses a module. Blobs of bytecode are not copied: they refer to `buffer`, and keep it alive.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer, mlir::MLIRContext *context);

} // namespace forge

#endif // FORGE_PIPELINES_INPUTFILE_H
