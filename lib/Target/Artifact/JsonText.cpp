//===- JsonText.cpp - JSON as forge-mlir reads and writes it --------------===//

#include "JsonText.h"

#include "forge/Target/Artifact/ArtifactDirectory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace forge;

// A parser that calls itself must not follow hostile files.
static constexpr int kDeepest = 64;

// Text outside of ASCII as escapes of four hexadecimal digits, two of them beyond the basic plane.
static void writeEscaped(StringRef text, llvm::raw_ostream &os) {
  llvm::SmallVector<llvm::UTF16> units;
  (void)llvm::convertUTF8ToUTF16String(text, units); // LLVM's JSON is always valid UTF-8.
  for (llvm::UTF16 unit : units)
    os << "\\u" << llvm::format_hex_no_prefix(unit, 4);
}

std::string forge::asciiJson(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  auto isPlain = [](char c) { return (llvm::isPrint(c) && c != '\\') || c == '\n'; };
  while (!text.empty()) {
    StringRef plain = text.take_while(isPlain);
    os << plain;
    text = text.drop_front(plain.size());
    if (text.starts_with("\\")) {
      StringRef escape = text.take_front(text.starts_with("\\u") ? 6 : 2);
      os << llvm::StringSwitch<StringRef>(escape).Case("\\u0008", "\\b").Case("\\u000c", "\\f").Default(escape);
      text = text.drop_front(escape.size());
    } else {
      StringRef other = text.take_until(isPlain).take_until([](char c) { return c == '\\'; });
      writeEscaped(other, os);
      text = text.drop_front(other.size());
    }
  }
  return result;
}

static bool isShallow(StringRef text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i; // What is escaped ends nothing.
      continue;
    }
    if (text[i] == '"')
      quoted = !quoted;
    if (quoted)
      continue;
    depth += text[i] == '{' || text[i] == '[';
    depth -= text[i] == '}' || text[i] == ']';
    if (depth > kDeepest)
      return false;
  }
  return true;
}

static constexpr StringRef kGenerator = "generator", kMark = "forge-mlir:generated:";
static constexpr size_t kDigits = 64;

// The text with zeros for the digits of its mark, and where those are.
static std::pair<std::string, size_t> blanked(StringRef text) {
  std::string result = text.str();
  size_t at = text.find(("\"" + kGenerator + "\": \"" + kMark).str());
  if (at != StringRef::npos)
    at = text.find(kMark, at) + kMark.size();
  if (at == StringRef::npos || at + kDigits > text.size())
    return {result, StringRef::npos};
  result.replace(at, kDigits, kDigits, '0');
  return {result, at};
}

std::string forge::sealedJson(llvm::json::Object object) {
  object[kGenerator] = kMark.str() + std::string(kDigits, '0');
  auto [text, at] = blanked(asciiJson(llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object))).str()));
  return text.replace(at, kDigits, sha256Of(text));
}

bool forge::isAsSealed(StringRef text, const llvm::json::Object &object) {
  if (!object.get(kGenerator))
    return true;
  auto [blank, at] = blanked(text);
  return at != StringRef::npos && text.substr(at, kDigits) == sha256Of(blank);
}

std::optional<llvm::json::Object> forge::readJson(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer || !isShallow((*buffer)->getBuffer()))
    return std::nullopt;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  llvm::json::Object *object = parsed->getAsObject();
  return object ? std::optional(std::move(*object)) : std::nullopt;
}

llvm::json::Value forge::jsonOf(Attribute attribute) {
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    llvm::json::Object object;
    for (NamedAttribute entry : dictionary)
      object[llvm::json::fixUTF8(entry.getName().getValue())] = jsonOf(entry.getValue());
    return object;
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    llvm::json::Array array;
    for (Attribute entry : list)
      array.push_back(jsonOf(entry));
    return array;
  }
  if (auto text = dyn_cast<StringAttr>(attribute))
    return llvm::json::fixUTF8(text.getValue());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return number.getValue().trySExtValue().value_or(0);
  return nullptr;
}
