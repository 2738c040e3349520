//===- PyLiteral.h - Python literals and identifiers ------------*- C++ -*-===//

#ifndef FORGE_SUPPORT_PYLITERAL_H
#define FORGE_SUPPORT_PYLITERAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace forge {

// All text that comes from a model reaches Python source through these functions, and through nothing else.

/// A double-quoted ASCII string literal. Valid UTF-8 becomes \u escapes, other bytes \udcXX as Python's
/// surrogateescape.
std::string pyString(llvm::StringRef text);
/// Whether `code` is one such literal, and no f-string or expression of several.
bool isPyString(llvm::StringRef code);
/// The same characters for inside a docstring, without quotes.
std::string pyDocText(llvm::StringRef text);
/// The shortest float literal that reads back as the same float32; "float('inf')" and the like where there is none.
std::string pyFloat(float value);
std::string pyBool(bool value);
/// `1, 2`
std::string pyArguments(llvm::ArrayRef<int64_t> values);
/// `[1, 2]`
std::string pyList(llvm::ArrayRef<int64_t> values);
/// `(1, 2)`, `(1,)`, `()`
std::string pyTuple(llvm::ArrayRef<int64_t> values);

/// An ASCII snake_case identifier for any text: no keyword, no leading digit or underscore. `fallback` for text without
/// a letter or digit.
std::string pyIdentifier(llvm::StringRef text, llvm::StringRef fallback);
/// A class name for an identifier.
std::string pyClassName(llvm::StringRef identifier);

/// Hands out each name once.
class Namespace {
public:
  void reserve(llvm::StringRef name) { used.insert(name); }
  /// `wanted`, or `wanted_1`, `wanted_2`, ... when it is taken.
  std::string unique(llvm::StringRef wanted);

private:
  llvm::StringSet<> used;
  llvm::StringMap<unsigned> next;
};

} // namespace forge

#endif // FORGE_SUPPORT_PYLITERAL_H
