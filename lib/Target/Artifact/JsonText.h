//===- JsonText.h - JSON as forge-mlir reads and writes it ------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_ARTIFACT_JSONTEXT_H
#define FORGE_LIB_TARGET_ARTIFACT_JSONTEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace forge {

/// `text`, which is JSON, in ASCII: the same bytes as Python's json module writes for it.
std::string asciiJson(llvm::StringRef text);

/// The object in a file; none for a file that is not there, or is no JSON, or is nested more deeply than any of ours.
std::optional<llvm::json::Object> readJson(llvm::StringRef path);

/// Dictionaries, lists, texts and integers of IR as JSON; a unit is null.
llvm::json::Value jsonOf(mlir::Attribute attribute);

} // namespace forge

#endif // FORGE_LIB_TARGET_ARTIFACT_JSONTEXT_H
