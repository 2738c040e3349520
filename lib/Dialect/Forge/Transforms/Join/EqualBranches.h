//===- EqualBranches.h - equal ops on neighbours, as one --------*- C++ -*-===//
//
// Merges equal sequences of ops on several values (branches) into one sequence on a value that has the branches next to
// each other along an axis: slices of one value, columns of products and channels of convolutions of one operand, or
// values stacked along a new axis. Other users of a branch read a slice of the merged result.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_EQUALBRANCHES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_EQUALBRANCHES_H

#include "Join/Dependents.h"
#include "forge/Dialect/Forge/Analysis/CarriedAxes.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

#include <map>
#include <optional>
#include <vector>

namespace forge {

/// Equal ops, one of each branch, to be made one op each. That is right for these reasons:
///
/// * a step is the same op with the same attributes in each branch, and does the same to each slice of its operands
///   along the axis (operandAxes);
/// * an operand is the step that makes it, or one value for all branches that broadcasts along the axis, or weights,
///   which are concatenated, or, along a new axis, values that depend on no branch, which are concatenated too;
/// * whatever else reads a result, also as another operand of a step, reads a slice of the joined one.
class EqualBranches {
public:
  /// So many branches; with `layers` along a new axis in front.
  explicit EqualBranches(size_t count, bool layers = false) : count(count), layers(layers) {}

  /// Begins with neighbouring slices of one value, in their order; false where they are none. With `mayHaveGaps` there
  /// may be others between them, which get the same ops and are not read.
  bool addSlices(llvm::ArrayRef<mlir::Value> slices, int64_t axis, bool mayHaveGaps = false);
  /// Begins layers with slices, each list one of each layer; false where a layer depends on another one.
  bool addLayers(llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> slices);
  /// Adds a step, one op of each branch, if its operands are as above. With `backwards` also steps that make them,
  /// which nothing else reads, back to slices of one value.
  bool add(llvm::ArrayRef<mlir::Operation *> ops, int64_t axis, bool backwards = false);
  /// Adds the steps that make `values`, which are to be neighbours along `axis`, back to slices of one value.
  bool addValues(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  /// Adds up to `most` steps that read steps and begin with an op that `mayFollow`, in the order of the first branch:
  /// those that make the operands of an op are known by then.
  void follow(size_t most, llvm::function_ref<bool(mlir::Operation *)> mayFollow);
  /// For layers: adds products of what depends on no branch, as of first states, that steps alone read, and leaves
  /// reshapes and transposes of results to those who read them.
  void trimLayers();
  /// Leaves the last ops of the branches to those who read them, if they may be.
  void leaveToReaders(llvm::function_ref<bool(llvm::ArrayRef<mlir::Operation *>)> mayLeave);

  /// Steps without the slices at their beginning.
  size_t length() const { return steps.size() - (hasSlices ? 1 : 0); }
  OpCost saved() const;
  /// The ops of the first branch.
  llvm::SmallVector<mlir::Operation *> firstOps() const;
  struct Joined {
    llvm::SmallVector<mlir::Value> values;       ///< in the order of the steps
    llvm::SmallVector<mlir::Operation *> unread; ///< ops that are to be erased in this order: nothing else reads them
  };
  /// Makes the joined ops, which are read instead of the others; slices that something else reads stay.
  Joined build(mlir::RewriterBase &rewriter);

private:
  struct Operand {
    enum Kind { Step, Same, Weights, Stacked } kind;
    int64_t axis;
    size_t step = 0; ///< that makes it
  };
  struct JoinedStep {
    llvm::SmallVector<mlir::Operation *> ops;
    int64_t axis;
    llvm::SmallVector<Operand, 3> operands; ///< none of slices of one value
    llvm::SmallVector<int64_t> gaps = {};   ///< elements along the axis before each branch that belong to none
    mlir::Value whole = {};

    int64_t size() const;
  };
  /// Which op of a branch.
  struct Place {
    size_t step, branch;
  };

  std::optional<size_t> stepOf(llvm::ArrayRef<mlir::Value> values, int64_t axis) const;
  std::optional<Operand> operandOf(llvm::ArrayRef<mlir::Operation *> ops, unsigned number, int64_t axis,
                                   bool backwards);
  std::optional<Operand::Kind> kindOf(llvm::ArrayRef<mlir::Operation *> ops, unsigned number, int64_t axis,
                                      int64_t own);
  bool areJoinable(llvm::ArrayRef<mlir::Operation *> ops, unsigned number, int64_t axis, int64_t own) const;
  bool dependsOnBranches(mlir::Value value);
  std::optional<int> difference(mlir::Operation *first, mlir::Operation *other, size_t branch) const;
  void followUser(mlir::Operation *user);
  void insert(JoinedStep step);
  bool setGaps(JoinedStep &step) const;
  void arrange(llvm::ArrayRef<size_t> order);
  void addFirstProducts();
  bool isStepOperand(mlir::OpOperand &use) const;
  ConcatenateOp rejoined(const JoinedStep &step) const;
  bool isRead(const JoinedStep &step, size_t branch) const;

  mlir::Value operand(const JoinedStep &step, unsigned number, mlir::ImplicitLocOpBuilder &b);
  mlir::Value weights(const JoinedStep &step, unsigned number, mlir::ImplicitLocOpBuilder &b);
  mlir::Value stacked(llvm::ArrayRef<mlir::Value> values, mlir::ImplicitLocOpBuilder &b);
  mlir::Value joinedSlices(const JoinedStep &step, mlir::ImplicitLocOpBuilder &b) const;
  mlir::Value joinedOp(const JoinedStep &step, mlir::ImplicitLocOpBuilder &b);
  void buildSteps(mlir::RewriterBase &rewriter);
  void rejoin(const JoinedStep &step, mlir::RewriterBase &rewriter, llvm::SmallVector<mlir::Operation *> &unread);
  void takeTraces(mlir::Value part, mlir::Operation *op) const;
  void cut(const JoinedStep &step, mlir::RewriterBase &rewriter);

  size_t count;
  bool layers, hasSlices = false, hasGaps = false;
  int depth = 0; ///< of steps that make operands
  llvm::SmallVector<JoinedStep, 0> steps;
  llvm::DenseMap<mlir::Operation *, Place> places;
  std::optional<Dependents> dependents; ///< on the slices that layers begin with
  std::map<std::vector<void *>, mlir::Value> stacks;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_EQUALBRANCHES_H
