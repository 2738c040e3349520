//===- PyLiteral.cpp - Python literals ------------------------------------===//

#include "forge/Support/PyLiteral.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace llvm;

bool forge::isPyString(StringRef code) {
  if (!code.consume_front("\""))
    return false;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '\\')
      ++i;
    else if (code[i] == '"')
      return i + 1 == code.size();
  }
  return false;
}

// Escapes everything except printable ASCII, and also the backslash and the double quote, which could end a docstring.
std::string forge::pyDocText(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  const auto *begin = reinterpret_cast<const UTF8 *>(text.begin()), *end = reinterpret_cast<const UTF8 *>(text.end());
  while (begin != end) {
    UTF32 code;
    UTF32 *target = &code;
    const UTF8 *next = begin;
    if (ConvertUTF8toUTF32(&next, std::min(end, begin + getNumBytesForUTF8(*begin)), &target, &code + 1,
                           strictConversion) != conversionOK ||
        target != &code + 1) {
      os << "\\udc" << format_hex_no_prefix(*begin++, 2);
      continue;
    }
    begin = next;
    if (code == '\\' || code == '"')
      os << '\\' << static_cast<char>(code);
    else if (code >= 0x20 && code < 0x7f)
      os << static_cast<char>(code);
    else if (code <= 0xff)
      os << "\\x" << format_hex_no_prefix(code, 2);
    else if (code <= 0xffff)
      os << "\\u" << format_hex_no_prefix(code, 4);
    else
      os << "\\U" << format_hex_no_prefix(code, 8);
  }
  return result;
}

std::string forge::pyString(StringRef text) { return "\"" + pyDocText(text) + "\""; }

std::string forge::pyFloat(float value) {
  if (std::isnan(value))
    return "float(\"nan\")";
  if (std::isinf(value))
    return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  char buffer[64]; // The shortest text of a number has at most 24 characters.
  std::string text(buffer, std::to_chars(buffer, std::end(buffer), value).ptr);
  // Python reads doubles: the shortest text of the largest float32 is a larger double, which torch rejects as overflow.
  if (std::abs(value) > 3e38F && std::abs(std::strtod(text.c_str(), nullptr)) > std::abs(static_cast<double>(value)))
    text.assign(buffer, std::to_chars(buffer, std::end(buffer), static_cast<double>(value)).ptr);
  // Without a point or an exponent Python would read an int, which Forge does not accept.
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

std::string forge::pyBool(bool value) { return value ? "True" : "False"; }

std::string forge::pyArguments(ArrayRef<int64_t> values) {
  return join(map_range(values, [](int64_t value) { return std::to_string(value); }), ", ");
}

std::string forge::pyList(ArrayRef<int64_t> values) { return "[" + pyArguments(values) + "]"; }

std::string forge::pyTuple(ArrayRef<int64_t> values) {
  return "(" + pyArguments(values) + (values.size() == 1 ? ",)" : ")");
}
