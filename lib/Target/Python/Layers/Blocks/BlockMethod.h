//===- BlockMethod.h - outlines equal blocks as one method ------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKMETHOD_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKMETHOD_H

#include "Layers/Blocks/BlockText.h"

#include <map>

namespace forge {

/// Builds the method for equal runs of calls, and replaces each occurrence by a call of it.
class BlockMethod {
public:
  BlockMethod(const BlockText &text, const BlockOccurrences &occurrences)
      : text(text), occurrences(occurrences), arguments(occurrences.starts.size()) {}

  /// Builds the method. False if it would be hard to read.
  bool build();
  /// Whether the calls of each occurrence belong to one node, or to nodes of one scope.
  bool isOneScope() const { return !isTuple; }
  /// Replaces all occurrences by calls and returns the method. `text` is not updated.
  PlannedMethod apply(Namespace &methodNames);

private:
  PlannedCall &callAt(size_t occurrence, size_t position) const {
    return text.callAt(occurrences.starts[occurrence] + position);
  }
  void nameLocals();
  std::string operandCode(size_t position, unsigned operand);
  std::string parameter(llvm::StringRef name, llvm::function_ref<std::string(size_t)> argument);
  void nameNodes();
  void writeCall(size_t occurrence) const;

  const BlockText &text;
  const BlockOccurrences &occurrences;
  PlannedMethod method;
  std::vector<llvm::SmallVector<std::string>> arguments; ///< of each occurrence
  std::vector<std::string> locals;                       ///< the variable of each line
  Namespace names;                                       ///< of the method
  std::map<uint64_t, std::string> codes;                 ///< of operands that the first occurrence reads from outside
  bool isTuple = false;                                  ///< whether the nodes are passed as a tuple
  size_t values = 0;                                     ///< parameters other than weights
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKMETHOD_H
