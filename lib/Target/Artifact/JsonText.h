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

/// An object with, as its "generator", the SHA-256 of the text that this gives, in which that hash is zeros: who reads
/// it knows whether somebody has edited it.
std::string sealedJson(llvm::json::Object object);
/// Whether `text` is as `sealedJson` gave it; true for an object without a generator.
bool isAsSealed(llvm::StringRef text, const llvm::json::Object &object);

/// The object in a file; none for a file that is not there, or is no JSON, or is nested more deeply than any of ours.
std::optional<llvm::json::Object> readJson(llvm::StringRef path);

/// Dictionaries, lists, texts and integers of IR as JSON; a unit is null.
llvm::json::Value jsonOf(mlir::Attribute attribute);

} // namespace forge

#endif // FORGE_LIB_TARGET_ARTIFACT_JSONTEXT_H
