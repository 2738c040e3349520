//===- PyLiteral.h - Python literals ----------------------------*- C++ -*-===//

#ifndef FORGE_SUPPORT_PYLITERAL_H
#define FORGE_SUPPORT_PYLITERAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace forge {

// Text of a model may be written into Python source by these functions only.

/// A double-quoted ASCII string literal. Valid UTF-8 becomes \u escapes, other bytes \udcXX as Python's
/// surrogateescape.
std::string pyString(llvm::StringRef text);
/// Whether `code` is exactly one such literal: not an f-string, and not a larger expression.
bool isPyString(llvm::StringRef code);
/// The same escapes without quotes, for use in a docstring.
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

} // namespace forge

#endif // FORGE_SUPPORT_PYLITERAL_H
