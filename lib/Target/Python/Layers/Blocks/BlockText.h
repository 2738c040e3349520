//===- BlockText.h - a module's calls, to find equal ones in ----*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKTEXT_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKTEXT_H

#include "EmissionPlan.h"

namespace forge {

/// The lines of `forward` and of the methods for layers, one body after another, as what makes them equal: their text
/// but for names.
class BlockText {
public:
  struct Line {
    size_t body, index;                              ///< the call that it is
    uint64_t kind;                                   ///< equal for lines that are equal but for names
    llvm::SmallVector<uint64_t> operands;            ///< a number for each text
    llvm::SmallVector<std::optional<size_t>> makers; ///< of operands: the line of the body that sets it
    size_t lastRead = 0;                             ///< the line of the body; SIZE_MAX for what it returns
  };

  /// `bodies` are the first ones of the plan; `forward` is the first of all.
  BlockText(EmissionPlan &plan, size_t bodies);

  size_t size() const { return lines.size(); }
  const Line &operator[](size_t line) const { return lines[line]; }
  PlannedBody &bodyOf(size_t line) const { return bodyAt(lines[line].body); }
  PlannedCall &callAt(size_t line) const { return bodyOf(line).calls[lines[line].index]; }

  /// What pieces that one method can stand for have in common: the kinds of their lines, and which operands come from
  /// where. nullopt for a piece that has more results than that of its last line, or that is in two bodies.
  std::optional<std::vector<uint64_t>> shapeOf(size_t start, size_t length) const;

private:
  PlannedBody &bodyAt(size_t body) const { return body == 0 ? plan.forward : plan.methods[body - 1].body; }
  void read(size_t body);
  uint64_t numberOf(const std::string &text) { return numbers.try_emplace(text, numbers.size()).first->second; }

  EmissionPlan &plan;
  std::vector<Line> lines;
  llvm::StringMap<uint64_t> numbers;
};

/// Equal pieces of the text.
struct BlockPlaces {
  size_t length;
  std::vector<size_t> starts; ///< their first lines
};

/// Whether an operand is Python for a weight.
inline bool isWeightCode(llvm::StringRef operand) { return operand.starts_with("self."); }

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_BLOCKS_BLOCKTEXT_H
