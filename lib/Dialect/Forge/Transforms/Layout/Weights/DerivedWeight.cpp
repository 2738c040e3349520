//===- DerivedWeight.cpp - parts of weights -------------------------------===//
//
// The ops that are made here are computed when the weights are written (ComputedWeights): the device sees the part.
//

#include "Layout/Weights/DerivedWeight.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

Value forge::deriveWeight(OpBuilder &b, Value weight, WeightPart part) {
  Location loc = withoutTrace(weight.getLoc());
  Value items = weight;
  if (part.begin != 0 || part.end != shapeOf(weight)[part.axis])
    items = IndexOp::create(b, loc, weight, part.axis, part.begin, part.end, int64_t(1));
  if (part.block == part.padded)
    return items;
  // Blocks become an axis of their own, along which the zeros are added.
  SmallVector<int64_t> shape(shapeOf(items)), blocks(shape);
  blocks[part.axis] /= part.block;
  blocks.insert(blocks.begin() + part.axis + 1, part.block);
  shape[part.axis] = part.size();
  Value padding = padded(b, loc, reshaped(b, loc, items, blocks), part.axis + 1, part.offset,
                         part.padded - part.offset - part.block, 0);
  return reshaped(b, loc, padding, shape);
}
