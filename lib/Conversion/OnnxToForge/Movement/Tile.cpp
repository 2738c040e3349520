//===- Tile.cpp - ONNX Tile -----------------------------------------------===//

#include "Movement.h"

using namespace mlir;
using namespace forge;

// Tile (since 1, 6, 13): version 1 repeats one axis.
Values forge::convertTile(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  SmallVector<int64_t> repeats;
  if (n.since() < 6) {
    int64_t tiles = n.constantInt(1, "tiles"), axis = n.axis(n.constantInt(2, "axis"), rankOf(x));
    if (!n.failed())
      repeats = sizesAlong(rankOf(x), axis, tiles);
  } else {
    repeats = n.constantInts(1, "repeats");
  }
  if (n.failed())
    return {};
  if (static_cast<int64_t>(repeats.size()) != rankOf(x) ||
      llvm::any_of(repeats, [](int64_t count) { return count < 0; }))
    return n.refuse(Code::SizeInvalid, "repeats must have one count per axis, none negative");
  if (llvm::is_contained(repeats, 0)) {
    SmallVector<int64_t> empty(shapeOf(x));
    for (auto [size, count] : llvm::zip_equal(empty, repeats))
      if (llvm::MulOverflow(size, count, size))
        return n.refuse(Code::TooManyElements, "a result size does not fit 63 bits");
    return {b.splat(tensorType(x).clone(empty), 0)};
  }
  return {llvm::all_of(repeats, [](int64_t count) { return count == 1; }) ? x
                                                                          : b.create<RepeatOp>(x, ArrayRef(repeats))};
}
