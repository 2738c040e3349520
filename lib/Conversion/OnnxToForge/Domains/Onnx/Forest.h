//===- Forest.h - the decision trees of a node -------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_FOREST_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_FOREST_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Elements of the largest matrix that trees may become.
inline constexpr int64_t kMostForestElements = 1 << 24;

/// How a feature is compared with a split's value; numbered as ai.onnx.ml.TreeEnsemble does.
enum class Test : uint8_t { LessEqual, Less, GreaterEqual, Greater, Equal, NotEqual, Member };
inline constexpr int64_t kTests = 7;

/// Decision trees, whatever the attributes are that they were read from.
struct Forest {
  /// What follows a decision: another split, or a leaf.
  struct Next {
    int64_t index = 0;
    bool isLeaf = false;
  };
  struct Split {
    int64_t feature = 0;
    Test test = Test::LessEqual;
    bool nanHolds = false; ///< the test holds for NaN too, whatever it compares
    llvm::SmallVector<float, 1> values;
    Next whenTrue, whenFalse;
  };
  struct Vote {
    int64_t target;
    float weight;
  };
  std::vector<Split> splits;
  std::vector<llvm::SmallVector<Vote, 1>> leaves;
  llvm::SmallVector<Next> roots; ///< of each tree
  int64_t targets = 0;

  /// Whether `target` gets a vote in every row: some tree votes for it with all of its leaves.
  llvm::SmallVector<bool> alwaysVoted;
  /// Splits and leaves of the largest trees. A leaf counts each time that a tree leads to it.
  int64_t mostSplits = 0, mostLeaves = 0;
};

/// The trees of a TreeEnsembleClassifier or TreeEnsembleRegressor, whose attributes of votes start with `votes`
/// ("class_" or "target_"), or of a TreeEnsemble. Operand 0 is [rows, features]. Nothing, and reasons, for what is no
/// forest on it.
std::optional<Forest> readForest(OnnxNode &node, llvm::StringRef votes, int64_t targets);
std::optional<Forest> readTreeEnsemble(OnnxNode &node, int64_t targets);

/// The numbers of attribute `name`, or since version 3 of `name`_as_tensor; empty where it has neither.
llvm::SmallVector<double> treeNumbers(OnnxNode &node, llvm::StringRef name);

/// Refuses lists that have not `count` entries each, by the names of their attributes; whether all have.
bool checkLengths(OnnxNode &node, size_t count, llvm::ArrayRef<std::pair<llvm::StringRef, size_t>> lists);

/// What the trees say about each row of the operand.
struct ForestVotes {
  mlir::Value weights; ///< [trees, rows, targets], 0 where a tree does not vote
  mlir::Value voted;   ///< 1 where it does, 0 elsewhere; null where all trees vote for everything
};
/// Runs all trees on `x` [rows, features]: every test of every tree at once, and two matrix products per tree that say
/// which leaf the tests lead to, and its votes. This is exact: the factors of the first are -1, 0 and 1, and one factor
/// of the second is 1 for one leaf and 0 for all others.
ForestVotes runForest(OnnxNode &node, ForgeBuilder &builder, const Forest &forest, mlir::Value x);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_FOREST_H
