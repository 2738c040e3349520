//===- PassText.h - text in the options of passes ---------------*- C++ -*-===//

#ifndef FORGE_SUPPORT_PASSTEXT_H
#define FORGE_SUPPORT_PASSTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace forge {

/// Undoes the %XX of characters that the text of a pass option cannot hold.
std::string decoded(llvm::StringRef text);

} // namespace forge

#endif // FORGE_SUPPORT_PASSTEXT_H
