//===- EqualBranches.h - merges equal ops on several values -----*- C++ -*-===//
//
// If equal sequences of ops are applied to several values (branches), they are merged into one sequence on a value that
// contains all branches along an axis. Branches are slices of one value, projections or convolutions of one operand, or
// layers, which are stacked along a new axis. Other users of a branch read a slice of the merged result.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_EQUALBRANCHES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_EQUALBRANCHES_H

#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace forge {

/// Equal ops of several branches. A step is a list with one op of each branch, which are merged into one op:
///
///     relu(slice(%x, 0, 4)), relu(slice(%x, 4, 8))  ->  relu(slice(%x, 0, 8))
///
/// has two branches and two steps, the slices and the relus. That is correct, because
///
/// * the ops of a step have the same name and attributes, and commute with slicing along the axis (operandAxes);
/// * each operand of a step is the result of another step, or one value for all branches that broadcasts along the
///   axis, or weights, which are concatenated, or, for layers, values that depend on no branch, which are stacked;
/// * all other users of a result read a slice of the merged result.
///
/// All axes are negative: they count from the trailing axis.
class EqualBranches {
public:
  /// `count` branches; with `layers` they are stacked along a new leading axis.
  explicit EqualBranches(size_t count, bool layers = false) : count(count), layers(layers) {}

  /// Adds neighbouring slices of one value along `axis`, in their order, as the first step. Returns false if they are
  /// not neighbours. With `mayHaveGaps`, there may be elements between the slices that belong to no branch: the merged
  /// ops compute with them too, and nothing uses the results. Integer arithmetic, which could fail, is not merged then.
  bool addSlices(llvm::ArrayRef<mlir::Value> slices, int64_t axis, bool mayHaveGaps = false);
  /// Adds slices as the first steps of layers: each list is a step. Returns false if a layer depends on another one.
  bool addLayers(llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> slices);
  /// Adds a step, if its operands satisfy the conditions above. With `backwards`, producers of operands without other
  /// users are added as steps too, back to slices of one value. Those that were added remain if false is returned.
  bool addStep(llvm::ArrayRef<mlir::Operation *> ops, int64_t axis, bool backwards = false);
  /// Adds the producers of `values` as steps along `axis`, back to neighbouring slices of one value (addSlices).
  bool addProducers(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  /// Adds users of steps as further steps, until length() is `most`, if `mayFollow` accepts the op of the first branch.
  /// They are added in the order of the first branch, so that the producers of a step are added before it.
  void followUsers(size_t most, llvm::function_ref<bool(mlir::Operation *)> mayFollow);
  /// For layers: adds products that depend on no branch and are used by steps alone, such as those of initial states,
  /// and drops reshapes and transposes at the end.
  void trimLayers();
  /// Drops steps that no other step uses, and that `mayDrop` accepts.
  void dropLastSteps(llvm::function_ref<bool(llvm::ArrayRef<mlir::Operation *>)> mayDrop);

  /// The number of steps without the slices at the start.
  size_t length() const { return steps.size() - (hasSlices ? 1 : 0); }
  /// Whether merging pays: by merging a copy, but for products and layers by an estimate.
  bool isCheaperMerged() const;
  /// The ops of the first branch.
  llvm::SmallVector<mlir::Operation *> firstOps() const;
  struct Merged {
    llvm::SmallVector<mlir::Value> values;     ///< the merged results, in the order of the steps
    llvm::SmallVector<mlir::Operation *> dead; ///< ops without users, to be erased in this order
  };
  /// Builds the merged ops, and replaces the uses of the others. Slices at the start that have other users remain.
  Merged build(mlir::RewriterBase &rewriter);

private:
  /// How an operand of a step is merged: it is the result of another step, one value for all branches, concatenated
  /// weights, or stacked values.
  struct Operand {
    enum Kind { FromStep, Same, Weights, Stacked } kind;
    int64_t axis;    ///< the axis of the operand that becomes the axis of the step
    size_t step = 0; ///< the step that produces it, for FromStep
  };
  struct Step {
    llvm::SmallVector<mlir::Operation *> ops;
    int64_t axis;
    llvm::SmallVector<Operand, 3> operands; ///< empty for slices of one value
    llvm::SmallVector<int64_t> gaps = {};   ///< elements along the axis before each branch that belong to no branch
    mlir::Value merged = {};                ///< the result of the merged op, once it is built

    /// The size of the merged result along the axis.
    int64_t size() const;
  };
  struct Position {
    size_t step, branch;
  };

  /// Operand `number` of each op.
  static llvm::SmallVector<mlir::Value> operandsAt(llvm::ArrayRef<mlir::Operation *> ops, unsigned number) {
    return llvm::map_to_vector(ops, [&](mlir::Operation *op) { return op->getOperand(number); });
  }
  /// The step and the branch of the op that computes `value`; null if it is in no step.
  const Position *positionOf(mlir::Value value) const {
    auto found = positions.find(value.getDefiningOp());
    return found == positions.end() ? nullptr : &found->second;
  }
  /// The step along `axis` whose results, in the order of branches, are `values`.
  std::optional<size_t> stepOf(llvm::ArrayRef<mlir::Value> values, int64_t axis) const;
  std::optional<Operand> operandOf(llvm::ArrayRef<mlir::Operation *> ops, unsigned number, int64_t axis,
                                   bool backwards);
  std::optional<Operand::Kind> kindOf(llvm::ArrayRef<mlir::Operation *> ops, unsigned number, int64_t operandAxis,
                                      int64_t axis);
  bool broadcasts(mlir::Operation *op, unsigned number, int64_t operandAxis) const;
  bool areEqualExceptSizes(llvm::ArrayRef<mlir::Operation *> ops, int64_t axis) const;
  bool canConcatenate(llvm::ArrayRef<mlir::Operation *> ops, unsigned number, int64_t operandAxis, int64_t axis) const;
  bool dependsOnBranches(mlir::Operation *op);
  std::optional<int> countDifferences(mlir::Operation *first, mlir::Operation *other, size_t branch) const;
  void followUser(mlir::Operation *user);
  void appendStep(Step step);
  bool setGaps(Step &step) const;
  void addProductsOfStackedOperands();
  bool isStepOperand(mlir::OpOperand &use) const;
  mlir::OpOperand *concatenatedOperand(const Step &step) const;
  bool hasOtherUses(const Step &step, size_t branch) const;
  OpCost savedLaunches() const;
  EqualBranches copiedTo(const TrialCopy &copy) const;

  mlir::Value mergedOperand(const Step &step, unsigned number, mlir::ImplicitLocOpBuilder &b);
  mlir::Value concatenatedWeights(const Step &step, unsigned number, mlir::ImplicitLocOpBuilder &b);
  mlir::Value stackedValues(const llvm::SmallVector<mlir::Value> &values, mlir::ImplicitLocOpBuilder &b);
  mlir::Value mergedSlice(const Step &step, mlir::ImplicitLocOpBuilder &b) const;
  mlir::Value mergedOp(const Step &step, mlir::ImplicitLocOpBuilder &b);
  void buildSteps(mlir::RewriterBase &rewriter);
  void buildLayers(mlir::RewriterBase &rewriter);
  void replaceInConcatenations(const Step &step, mlir::RewriterBase &rewriter,
                               llvm::SmallVector<mlir::Operation *> &dead);
  void copyTraces(mlir::Value part, mlir::Operation *op) const;
  void replaceBySlices(const Step &step, mlir::RewriterBase &rewriter);

  size_t count;
  bool layers, hasSlices = false, hasGaps = false;
  int depth = 0; ///< the number of calls of addProducers() that are active
  llvm::SmallVector<Step, 0> steps;
  llvm::DenseMap<mlir::Operation *, Position> positions;
  /// For layers: the ops before `nextOp`, or at the start of a layer, that depend on the slices of a layer. Later ops
  /// are searched when dependsOnBranches() is asked about them.
  llvm::DenseSet<mlir::Operation *> dependents;
  mlir::Operation *nextOp = nullptr;
  llvm::DenseMap<llvm::SmallVector<mlir::Value>, mlir::Value> stacks; ///< by the values that are stacked
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_EQUALBRANCHES_H
