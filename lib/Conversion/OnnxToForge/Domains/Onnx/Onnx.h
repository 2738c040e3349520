//===- Onnx.h - converters of ONNX's own smaller domains --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_ONNX_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_ONNX_H

#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The largest matrix that a forest is converted to, in elements.
inline constexpr int64_t kMostForestElements = 1 << 24;

/// How a feature is compared with the value of a split; numbered as in ai.onnx.ml.TreeEnsemble.
enum class Test : uint8_t { LessEqual, Less, GreaterEqual, Greater, Equal, NotEqual, Member };
inline constexpr int64_t kTests = 7;

/// Decision trees, independent of the attributes that they were read from.
struct Forest {
  /// The child of a split: another split, or a leaf.
  struct Next {
    int64_t index = 0;
    bool isLeaf = false;
  };
  struct Split {
    int64_t feature = 0;
    Test test = Test::LessEqual;
    bool nanHolds = false; ///< the test is true for NaN
    llvm::SmallVector<float, 1> values;
    Next whenTrue, whenFalse;
  };
  struct Vote {
    int64_t target;
    float weight;
  };
  std::vector<Split> splits;
  std::vector<llvm::SmallVector<Vote, 1>> leaves;
  llvm::SmallVector<Next> roots; ///< one per tree
  int64_t targets = 0;

  /// Whether `target` gets a vote in every row: in some tree all leaves vote for it.
  llvm::SmallVector<bool> alwaysVoted;
  /// The splits and leaves of the largest tree. A leaf counts once for each path to it.
  int64_t mostSplits = 0, mostLeaves = 0;
};

/// Reads the trees of a TreeEnsembleClassifier or TreeEnsembleRegressor, whose attributes of votes have the prefix
/// `votes` ("class_" or "target_"), or of a TreeEnsemble. Operand 0 is [rows, features]. nullopt, with reasons, if they
/// are not a valid forest.
std::optional<Forest> readForest(OnnxNode &node, llvm::StringRef votes, int64_t targets);
std::optional<Forest> readTreeEnsemble(OnnxNode &node, int64_t targets);

/// The values of attribute `name`, or since version 3 of `name`_as_tensor; empty if both are absent.
llvm::SmallVector<double> treeNumbers(OnnxNode &node, llvm::StringRef name);

/// Refuses attribute `name` of `size` entries unless it has `count` or the node has failed already.
void checkLength(OnnxNode &node, size_t count, llvm::StringRef name, size_t size);

/// The votes of the trees for each row of the operand.
struct ForestVotes {
  mlir::Value weights; ///< [trees, rows, targets], 0 where a tree does not vote
  mlir::Value voted;   ///< 1 where it does, 0 elsewhere; null if all trees vote for all targets
};
/// Evaluates all trees on `x` [rows, features]: first every split of every tree at once, then two matrix products per
/// tree, which find the leaf that the decisions lead to, and its votes. This is exact: the matrix of the first product
/// contains -1, 0 and 1, and the left operand of the second is one-hot.
ForestVotes runForest(OnnxNode &node, ForgeBuilder &builder, const Forest &forest, mlir::Value x);

/// Attribute `name` as an index into `names`: a string, or for TreeEnsemble (`isNumber`) the index itself.
size_t readChoice(OnnxNode &node, llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> names, size_t fallback,
                  bool isNumber);
/// What is applied to the scores of a classifier or regressor: attribute 'post_transform', a string, or a number for
/// TreeEnsemble.
enum class Transform : uint8_t { None, Softmax, Logistic, SoftmaxZero, Probit };
Transform readTransform(OnnxNode &node, bool isNumber);
mlir::Value transformed(OnnxNode &node, ForgeBuilder &builder, Expr scores, Transform transform);

/// The integer labels of attribute `name`. Refuses the node if there are fewer than two, or if labels are strings.
llvm::SmallVector<int64_t> readLabels(OnnxNode &node, llvm::StringRef name);
/// Maps class indices to labels.
mlir::Value labelsOf(OnnxNode &node, ForgeBuilder &builder, mlir::Value index, llvm::ArrayRef<int64_t> labels);

// Converters that have files of their own.
ConverterFunction convertTreeRegressor, convertTreeClassifier;
ConverterFunction convertLabelEncoder, convertSVMClassifier, convertSVMRegressor;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_ONNX_ONNX_H
