//===- Replies.h - what MLIR's language server says, completed --*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_LSP_SERVER_REPLIES_H
#define FORGE_TOOLS_FORGE_LSP_SERVER_REPLIES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <thread>

namespace forge {

/// A message of MLIR's language server with our name and version where it says its own, and with the reference of an op
/// where it answers what the op under the cursor is. Other messages, and what is no JSON, are returned as they are.
std::string completeReply(llvm::StringRef message);

/// While it lives, messages that are written to standard output are completed on their way there. MLIR's server has no
/// hook for either, and writes nothing else.
class CompletedReplies {
public:
  CompletedReplies();
  ~CompletedReplies();
  CompletedReplies(const CompletedReplies &) = delete;
  CompletedReplies &operator=(const CompletedReplies &) = delete;

private:
  int output = -1; ///< where standard output was
  std::thread relay;
};

} // namespace forge

#endif // FORGE_TOOLS_FORGE_LSP_SERVER_REPLIES_H
