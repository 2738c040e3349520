//===- Error.h - errors of the iteration domain library ---------*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_ERROR_H
#define FORGE_ITERDOMAIN_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace forge::itd {

/// An error with a message for users.
inline llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_ERROR_H
