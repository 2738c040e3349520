//===- Words.cpp - the words of forge-itd commands ------------------------===//

#include "Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace forge::itd {

std::string quoted(llvm::StringRef word) {
  constexpr size_t kShown = 40;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '\'';
  llvm::printEscapedString(word.take_front(kShown), os);
  os << (word.size() > kShown ? "...'" : "'");
  return text;
}

llvm::Error parse(llvm::StringRef word, int64_t &value) {
  llvm::StringRef digits = word;
  digits.consume_front("-");
  if (digits.empty() || !llvm::all_of(digits, llvm::isDigit))
    return error("expected an integer, but got " + quoted(word));
  if (word.getAsInteger(10, value))
    return error("expected an integer of 64 bits, but got " + quoted(word));
  return llvm::Error::success();
}

llvm::Error parse(llvm::StringRef word, size_t &position) {
  int64_t value;
  if (llvm::Error failed = parse(word, value))
    return failed;
  if (value < 0)
    return error("expected a leaf, but got " + quoted(word));
  position = static_cast<size_t>(value);
  return llvm::Error::success();
}

llvm::Error parse(llvm::StringRef word, Extent &extent) {
  int64_t value;
  if (llvm::Error failed = parse(word, value))
    return failed;
  if (value < 0)
    return error("expected an extent that is not negative, but got " + quoted(word));
  extent = value;
  return llvm::Error::success();
}

llvm::Error parse(llvm::StringRef word, llvm::SmallVector<int64_t> &shape) {
  llvm::SmallVector<llvm::StringRef> axes;
  word.split(axes, 'x');
  for (llvm::StringRef axis : axes) {
    shape.emplace_back();
    if (llvm::Error failed = parse(axis, shape.back()))
      return error("expected a shape such as 4x64, but got " + quoted(word) + ": " + llvm::toString(std::move(failed)));
    if (shape.back() < 0)
      return error("expected extents that are not negative, but got " + quoted(word));
  }
  return llvm::Error::success();
}

llvm::Error parse(llvm::StringRef word, ElementFormat &format) {
  std::optional<ElementFormat> found = elementFormat(word);
  if (!found)
    return error("expected a data type such as bf16, but got " + quoted(word));
  format = *found;
  return llvm::Error::success();
}

llvm::Error parse(llvm::StringRef word, SwizzleKind &kind) {
  std::optional<SwizzleKind> found = swizzleKind(word);
  if (!found)
    return error("expected xor, zshape or cyclic, but got " + quoted(word));
  kind = *found;
  return llvm::Error::success();
}

llvm::Error parse(llvm::StringRef word, Consumer &reader) {
  std::optional<Consumer> found = consumer(word);
  if (!found)
    return error("expected a consumer such as sum or softmax, but got " + quoted(word));
  reader = *found;
  return llvm::Error::success();
}

} // namespace forge::itd
