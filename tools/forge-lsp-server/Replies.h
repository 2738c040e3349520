//===- Replies.h - what MLIR's language server says, completed --*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_LSP_SERVER_REPLIES_H
#define FORGE_TOOLS_FORGE_LSP_SERVER_REPLIES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <thread>

namespace forge {

/// A message of MLIR's language server with our name and version, and, if it is a hover on an op, with the reference of
/// the op. Other messages and text that is not JSON are returned unchanged.
std::string completeReply(llvm::StringRef message);

/// During its lifetime, messages on standard output are completed before they are written. MLIR's server has no hook
/// for that, and writes nothing else.
class CompletedReplies {
public:
  CompletedReplies();
  ~CompletedReplies();
  CompletedReplies(const CompletedReplies &) = delete;
  CompletedReplies &operator=(const CompletedReplies &) = delete;

private:
  int output = -1; ///< the original standard output
  std::thread relay;
};

} // namespace forge

#endif // FORGE_TOOLS_FORGE_LSP_SERVER_REPLIES_H
