//===- PassText.h - escapes in pass options ---------------------*- C++ -*-===//

#ifndef FORGE_SUPPORT_PASSTEXT_H
#define FORGE_SUPPORT_PASSTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace forge {

/// Decodes the %XX escapes of characters that a pass option cannot contain.
std::string decoded(llvm::StringRef text);

} // namespace forge

#endif // FORGE_SUPPORT_PASSTEXT_H
