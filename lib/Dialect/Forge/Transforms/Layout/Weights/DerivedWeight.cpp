//===- DerivedWeight.cpp - parts of weights -------------------------------===//
//
// The ops that are created here are evaluated when the weights file is written (ComputedWeights), and produce no calls.
//
//===----------------------------------------------------------------------===//

#include "Layout/Weights/DerivedWeight.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/IR/Location.h"

using namespace mlir;
using namespace forge;

Value forge::deriveWeight(OpBuilder &b, Value weight, WeightPart part) {
  Location loc = withoutTrace(weight.getLoc());
  Value elements = weight;
  if (part.begin != 0 || part.end != shapeOf(weight)[part.axis])
    elements = IndexOp::create(b, loc, weight, part.axis, part.begin, part.end, int64_t(1));
  if (part.block == part.padded)
    return elements;
  // Splits the axis into blocks and their elements, and adds the zeros along the latter.
  SmallVector<int64_t> shape(shapeOf(elements)), blocks(shape);
  blocks[part.axis] /= part.block;
  blocks.insert(blocks.begin() + part.axis + 1, part.block);
  shape[part.axis] = part.size();
  Value paddedBlocks = padded(b, loc, reshaped(b, loc, elements, blocks), part.axis + 1, part.offset,
                              part.padded - part.offset - part.block, 0);
  return reshaped(b, loc, paddedBlocks, shape);
}
