//===- BlockMethod.h - the method for a block -------------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKMETHOD_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKMETHOD_H

#include "Layers/Blocks/BlockText.h"

#include <map>

namespace forge {

/// The method that equal pieces of the text are written as, and its call in each place.
class BlockMethod {
public:
  BlockMethod(const BlockText &text, const BlockPlaces &places)
      : text(text), places(places), arguments(places.starts.size()) {}

  /// Decides the method. False where it would be hard to read.
  bool build();
  /// Whether the calls of each place come from one node, or from nodes of one scope.
  bool isOneScope() const { return !isTuple; }
  /// Writes calls of the method in all places. Gives the method; the text is that of before.
  PlannedMethod apply(Namespace &methodNames);

private:
  PlannedCall &callAt(size_t place, size_t position) const { return text.callAt(places.starts[place] + position); }
  void nameLocals();
  std::string operandCode(size_t position, unsigned operand);
  std::string parameter(llvm::StringRef name, llvm::function_ref<std::string(size_t)> argument);
  void nameNodes();
  void writeCall(size_t place) const;

  const BlockText &text;
  const BlockPlaces &places;
  PlannedMethod method;
  std::vector<llvm::SmallVector<std::string>> arguments; ///< in each place
  std::vector<std::string> locals;                       ///< the variable of each line
  Namespace names;                                       ///< of the method
  std::map<uint64_t, std::string> codes;                 ///< of what the first place reads from outside
  bool isTuple = false;                                  ///< what tells the nodes
  size_t values = 0;                                     ///< parameters that are no weights
};

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKMETHOD_H
