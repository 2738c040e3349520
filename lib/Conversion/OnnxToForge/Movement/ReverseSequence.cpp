//===- ReverseSequence.cpp - ONNX ReverseSequence -------------------------===//

#include "Movement.h"

#include "../Indexing/Indexing.h"

using namespace mlir;
using namespace forge;

// ReverseSequence (since 10, 28): reverses the first `length` steps of each batch row.
Values forge::convertReverseSequence(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), lengths = n.input(1);
  int64_t batchAxis = n.intAttr("batch_axis", 1), timeAxis = n.intAttr("time_axis", 0);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  bool batchFirst = batchAxis == 0 && timeAxis == 1, timeFirst = batchAxis == 1 && timeAxis == 0;
  if (rank < 2 || (!batchFirst && !timeFirst) || shapeOf(lengths) != ArrayRef{shapeOf(x)[batchAxis]})
    return n.refuse(Code::ShapeMismatch, "the first two axes must be batch and time, with one length per batch row");
  Value rows = timeFirst ? b.swapAxes(x, 0, 1) : x;
  if (!rows)
    return {};
  SmallVector<int64_t> shape(shapeOf(rows)), flat = concatShapes(shape[0] * shape[1], ArrayRef(shape).drop_front(2));
  // Step t of a row is its step length - 1 - t for t < length; the others are unchanged.
  Value length = b.reshape(lengths, {shape[0], 1});
  Value time = b.iota(shape[1], 1, 2, elementOf(lengths));
  Value last = b.create<SubtractOp>(length, b.scalarLike(length, 1));
  Value step = b.create<WhereOp>(b.compare<LessOp>(time, length), b.create<SubtractOp>(last, time), time);
  Value first = b.iota(shape[0], 0, 2, elementOf(lengths));
  Value row = b.create<AddOp>(b.create<MultiplyOp>(first, b.scalarLike(first, shape[1])), step);
  Value result = b.reshape(takeRows(b, b.reshape(rows, flat), row), shape);
  return {timeFirst ? b.swapAxes(result, 0, 1) : result};
}
