//===- EmbedLayerNormalization.cpp - EmbedLayerNormalization --------------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

// EmbedLayerNormalization: a norm of the sum of word, position and segment embeddings.
Values forge::microsoft::convertEmbedLayerNormalization(OnnxNode &n, ForgeBuilder &b) {
  Value ids = n.input(0), segments = n.optionalInput(1), words = n.input(2), positionTable = n.input(3),
        segmentTable = n.optionalInput(4), gamma = n.input(5), beta = n.input(6), mask = n.optionalInput(7),
        positions = n.optionalInput(8);
  double epsilon = n.floatAttr("epsilon", 1e-12);
  n.ignoreAttr("mask_index_type"); // onnxruntime ignores it too.
  if (n.failed() || !requireFloats(n, {words, positionTable, segmentTable, gamma, beta}))
    return {};
  for (Value value : {ids, segments, mask, positions})
    n.requireIntegers(value, "ids, positions and masks");
  if (n.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(ids);
  auto hasShape = [&](Value value) { return !value || shapeOf(value) == shape; };
  auto isTable = [&](Value value) {
    return !value || (rankOf(value) == 2 && shapeOf(value)[1] == shapeOf(gamma).back());
  };
  if (shape.size() != 2 || llvm::is_contained(shape, 0) || !hasShape(segments) || !hasShape(mask) ||
      (positions && shapeOf(positions) != ArrayRef<int64_t>{1, shape[1]} && !hasShape(positions)))
    n.refuse(Code::ShapeMismatch, "expected ids, segments, mask and positions of one shape (batch, sequence)");
  else if (rankOf(gamma) != 1 || !isTable(words) || !isTable(positionTable) || !isTable(segmentTable))
    n.refuse(Code::ShapeMismatch, "expected tables with rows of the size of gamma");
  else if (!segments != !segmentTable)
    n.refuse(Code::OperandMissing, "segments and their embedding come together");
  else if (!positions && shapeOf(positionTable)[0] < shape[1])
    n.refuse(Code::ShapeMismatch, "a table of " + Twine(shapeOf(positionTable)[0]) +
                                      " positions is too short for a sequence of " + Twine(shape[1]));
  if (n.failed())
    return {};
  Value positionRows = positions ? takeRows(b, positionTable, positions) : b.slice(positionTable, 0, 0, shape[1]);
  Value sum = b.create<AddOp>(takeRows(b, words, ids), positionRows);
  if (segments)
    sum = b.create<AddOp>(sum, takeRows(b, segmentTable, segments));
  if (!sum)
    return {};
  Normalised norm = layerNorm(n, b, sum, gamma, beta, epsilon, /*simplified=*/false);
  // The number of unmasked keys of each row.
  Value lengths;
  if (mask && n.usesOutput(1)) {
    Value ones = b.cast(b.create<EqualOp>(mask, b.scalarLike(mask, 1)), b.getF32Type());
    lengths = b.cast(b.reduce<ReduceSumOp>(ones, {1}, /*keepDims=*/false), b.getI32Type());
  } else {
    lengths = b.splat(RankedTensorType::get({shape[0]}, b.getI32Type()), 0);
  }
  return {b.cast(norm.result, elementOf(words)), lengths, sum};
}
