//===- Features.cpp - columns of features in ai.onnx.ml -------------------===//

#include "Onnx.h"

#include "../../Indexing/Indexing.h"
#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

// ai.onnx.ml.ArrayFeatureExtractor (since 1): columns of the last axis; a vector gives one row.
Values forge::convertArrayFeatureExtractor(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  if (rank == 0) {
    n.refuse(Code::RankWrong, "the operand must have rank 1 or more");
    return {};
  }
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t size = shape.back(), count = tensorType(indices).getNumElements();
  SmallVector<int64_t> order{rank - 1};
  llvm::append_range(order, llvm::seq<int64_t>(0, rank - 1));
  Value columns = takeRows(b, b.transpose(x, order), wrappedIndices(n, b, b.reshape(indices, {count}), size));
  SmallVector<int64_t> back(llvm::to_vector(llvm::seq<int64_t>(1, rank)));
  back.push_back(0);
  shape.back() = count;
  if (rank == 1)
    shape.insert(shape.begin(), 1);
  return {b.reshape(b.transpose(columns, back), shape)};
}

// ai.onnx.ml.Binarizer (since 1): 1 above the threshold, else 0.
Values forge::convertBinarizer(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  double threshold = n.floatAttr("threshold", 0);
  if (n.failed())
    return {};
  if (!x.isFloat()) {
    n.refuse(Code::OperandType, "only floating-point operands are supported");
    return {};
  }
  return {(x > threshold).cast(x.elementType())};
}
