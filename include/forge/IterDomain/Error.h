//===- Error.h - what the iteration domain library refuses ------*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_ERROR_H
#define FORGE_ITERDOMAIN_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace forge::itd {

/// A refusal with a message for people.
inline llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_ERROR_H
