//===- Names.cpp - names in a Python module -------------------------------===//

#include "Names.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

// Keywords, soft keywords, builtins, and modules that an emitted module imports or that its file must not shadow.
static bool isReserved(StringRef name) {
  static const StringSet<> reserved{
      "false",        "none",        "true",  "and",          "as",      "assert",  "async",  "await",    "break",
      "class",        "continue",    "def",   "del",          "elif",    "else",    "except", "finally",  "for",
      "from",         "global",      "if",    "import",       "in",      "is",      "lambda", "nonlocal", "not",
      "or",           "pass",        "raise", "return",       "try",     "while",   "with",   "yield",    "match",
      "case",         "type",        "print", "self",         "super",   "forge",   "torch",  "json",     "hashlib",
      "pathlib",      "safetensors", "float", "int",          "bool",    "str",     "list",   "tuple",    "dict",
      "set",          "len",         "open",  "range",        "getattr", "setattr", "object", "id",       "input",
      "sum",          "min",         "max",   "abs",          "exec",    "eval",    "path",   "sys",      "os",
      "forge_module", "forge_mlir",  "numpy", "runtime_error"};
  return reserved.contains(name);
}

std::string forge::pyIdentifier(StringRef text, StringRef fallback) {
  // The last components of a scoped name are the most specific.
  constexpr size_t kLongest = 60;
  std::string result;
  for (char c : text) {
    if (isAlnum(c))
      result += toLower(c);
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  result = StringRef(result).rtrim('_').take_back(kLongest).ltrim('_').str();
  if (result.empty())
    return fallback.str();
  if (isDigit(result.front()))
    result = fallback.str() + "_" + result;
  if (isReserved(result))
    result += "_op";
  return result;
}

std::string forge::pyClassName(StringRef identifier) {
  std::string result;
  for (StringRef word : split(identifier, '_'))
    if (!word.empty())
      (result += toUpper(word.front())) += word.drop_front();
  return result;
}

std::string forge::Namespace::unique(StringRef wanted) {
  std::string name = wanted.str();
  while (!used.insert(name).second)
    name = (wanted + "_" + Twine(++next[wanted])).str();
  return name;
}
