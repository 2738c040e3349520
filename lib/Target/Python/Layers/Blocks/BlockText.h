//===- BlockText.h - calls in a form to compare -----------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKTEXT_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKTEXT_H

#include "EmissionPlan.h"

namespace forge {

/// The calls of `forward` and of the methods for layers, one body after another, in a form in which calls that differ
/// only in names are equal.
class BlockText {
public:
  struct Line {
    size_t body, index;                              ///< the body, and the position of the call in it
    uint64_t kind;                                   ///< equal for calls that are equal except for names
    llvm::SmallVector<uint64_t> operands;            ///< equal for equal texts
    llvm::SmallVector<std::optional<size_t>> makers; ///< of operands: the line in the body that defines it
    size_t lastRead = 0;                             ///< the line in the body; SIZE_MAX if it is returned
  };

  /// Reads the first `bodies` bodies of the plan, the first of which is `forward`.
  BlockText(EmissionPlan &plan, size_t bodies);

  size_t size() const { return lines.size(); }
  const Line &operator[](size_t line) const { return lines[line]; }
  PlannedBody &bodyOf(size_t line) const { return bodyAt(lines[line].body); }
  PlannedCall &callAt(size_t line) const { return bodyOf(line).calls[lines[line].index]; }

  /// A key that is equal for runs of lines that one method can replace: the kinds of the lines, and which operands are
  /// defined within the run. nullopt for a run with more results than its last line defines, or across two bodies.
  std::optional<std::vector<uint64_t>> shapeOf(size_t start, size_t length) const;

private:
  PlannedBody &bodyAt(size_t body) const { return body == 0 ? plan.forward : plan.methods[body - 1].body; }
  void read(size_t body);
  uint64_t numberOf(const std::string &text) { return numbers.try_emplace(text, numbers.size()).first->second; }

  EmissionPlan &plan;
  std::vector<Line> lines;
  llvm::StringMap<uint64_t> numbers;
};

/// The occurrences of equal runs of lines.
struct BlockOccurrences {
  size_t length;
  std::vector<size_t> starts; ///< their first lines
};

/// Whether an operand is Python for a weight.
inline bool isWeightCode(llvm::StringRef operand) { return operand.starts_with("self."); }

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKTEXT_H
