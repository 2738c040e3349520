//===- Names.h - names in a Python module -----------------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_NAMES_H
#define FORGE_LIB_TARGET_PYTHON_NAMES_H

#include "llvm/ADT/StringSet.h"

#include <string>

namespace forge {

/// An ASCII snake_case identifier for any text: not reserved in emitted modules, without leading digits and
/// underscores. `fallback` for text without a letter or digit.
std::string pyIdentifier(llvm::StringRef text, llvm::StringRef fallback);
/// A class name for an identifier.
std::string pyClassName(llvm::StringRef identifier);

/// Returns each name at most once.
class Namespace {
public:
  void reserve(llvm::StringRef name) { used.insert(name); }
  /// `wanted`, or `wanted_1`, `wanted_2`, ... if it was returned before.
  std::string unique(llvm::StringRef wanted);

private:
  llvm::StringSet<> used;
  llvm::StringMap<unsigned> next;
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_NAMES_H
