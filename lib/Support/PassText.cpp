//===- PassText.cpp - escapes in pass options -----------------------------===//

#include "forge/Support/PassText.h"

std::string forge::decoded(llvm::StringRef text) {
  std::string result;
  for (; !text.empty(); text = text.drop_front()) {
    uint8_t byte;
    if (text.front() == '%' && text.size() >= 3 && !text.substr(1, 2).getAsInteger(16, byte)) {
      result += static_cast<char>(byte);
      text = text.drop_front(2);
    } else {
      result += text.front();
    }
  }
  return result;
}
