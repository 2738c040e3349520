//===- BlockNames.h - names in the method for a block -----------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKNAMES_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKNAMES_H

#include "forge/Support/PyLiteral.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace forge {

/// Python for the node of each call in one place of a block: literals, f-strings, expressions, or "".
using NodeCodes = llvm::SmallVector<std::string>;

/// How the method of a block says from which nodes its calls are.
struct BlockNodes {
  std::string parameter;              ///< "" for none: the nodes are the same in all places
  std::vector<std::string> arguments; ///< what it is in each place
  NodeCodes codes;                    ///< in the method
  std::string blockName;              ///< what the method is called: `layernormalization_block`
};

/// One node is a parameter; nodes of one scope, "/h.0/norm/Add", are told by that scope, and others by a tuple.
BlockNodes nodesOfBlock(llvm::ArrayRef<NodeCodes> places);

/// Names for the variables of a block, by those of the place that is read first, without what these have in common
/// and without numbers. `kinds` are those of calls.
std::vector<std::string> localNames(llvm::ArrayRef<std::string> targets, llvm::ArrayRef<llvm::StringRef> kinds,
                                    Namespace &names);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKNAMES_H
