//===- Words.h - the words of forge-itd commands ----------------*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_ITD_WORDS_H
#define FORGE_TOOLS_FORGE_ITD_WORDS_H

#include "forge/IterDomain/Error.h"
#include "forge/IterDomain/PaddingState.h"

namespace forge::itd {

using Words = llvm::ArrayRef<llvm::StringRef>;

/// A word of the input for an error message: printable and of bounded length.
std::string quoted(llvm::StringRef word);

llvm::Error parse(llvm::StringRef word, int64_t &value);
/// A leaf.
llvm::Error parse(llvm::StringRef word, size_t &position);
llvm::Error parse(llvm::StringRef word, Extent &extent);
/// 1x128x2304
llvm::Error parse(llvm::StringRef word, llvm::SmallVector<int64_t> &shape);
llvm::Error parse(llvm::StringRef word, ElementFormat &format);
llvm::Error parse(llvm::StringRef word, SwizzleKind &kind);
llvm::Error parse(llvm::StringRef word, Consumer &reader);

/// Parses each word into one argument. The number of words has been checked.
template <typename... Args>
llvm::Error parseAll(Words words, Args &...args) {
  size_t next = 0;
  llvm::Error result = llvm::Error::success();
  auto one = [&](auto &arg) {
    if (!result && next < words.size())
      result = parse(words[next++], arg);
  };
  (one(args), ...);
  return result;
}

template <typename T>
llvm::Expected<llvm::SmallVector<T>> parseList(Words words) {
  llvm::SmallVector<T> values;
  for (llvm::StringRef word : words) {
    T value = 0;
    if (llvm::Error failed = parse(word, value))
      return failed;
    values.push_back(value);
  }
  return values;
}

} // namespace forge::itd

#endif // FORGE_TOOLS_FORGE_ITD_WORDS_H
