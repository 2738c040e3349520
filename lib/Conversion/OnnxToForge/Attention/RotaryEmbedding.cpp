//===- RotaryEmbedding.cpp - ONNX RotaryEmbedding -------------------------===//

#include "Attention.h"

using namespace mlir;
using namespace forge;

Value forge::rowsAt(ForgeBuilder &b, Value table, Value positions) {
  if (!table || !positions)
    return {};
  SmallVector<int64_t> shape(shapeOf(positions));
  shape.push_back(shapeOf(table)[1]);
  Value flat = b.reshape(positions, {tensorType(positions).getNumElements()});
  return b.reshape(b.create<AdvIndexOp>(table, flat, -2), shape);
}

// The first (or second) of each pair of elements in the last axis.
static Value everyOther(ForgeBuilder &b, Value x, int64_t first) {
  int64_t last = tensorType(x).getRank() - 1, size = shapeOf(x)[last];
  return b.create<StridedSliceOp>(x, ArrayRef{last}, ArrayRef{first}, ArrayRef{size}, ArrayRef<int64_t>{2});
}

Value forge::rotateHeads(ForgeBuilder &b, Value x, Value cosine, Value sine, bool interleaved) {
  if (!x || !cosine || !sine)
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), angles(shapeOf(cosine));
  int64_t size = shape[3], pairs = angles[2], rotated = 2 * pairs;
  angles.insert(angles.begin() + 1, 1);
  cosine = b.reshape(cosine, angles);
  sine = b.reshape(sine, angles);
  Value turned = b.slice(x, 3, 0, rotated), rest = b.slice(x, 3, rotated, size);
  Value even = interleaved ? everyOther(b, turned, 0) : b.slice(turned, 3, 0, pairs);
  Value odd = interleaved ? everyOther(b, turned, 1) : b.slice(turned, 3, pairs, rotated);
  Value real = b.create<SubtractOp>(b.create<MultiplyOp>(cosine, even), b.create<MultiplyOp>(sine, odd));
  Value imag = b.create<AddOp>(b.create<MultiplyOp>(sine, even), b.create<MultiplyOp>(cosine, odd));
  if (interleaved) {
    SmallVector<int64_t> open{shape[0], shape[1], shape[2], pairs, 1}, closed{shape[0], shape[1], shape[2], rotated};
    turned = b.reshape(b.concatenate({b.reshape(real, open), b.reshape(imag, open)}, 4), closed);
  } else {
    turned = b.concatenate({real, imag}, 3);
  }
  return rotated == size ? turned : b.concatenate({turned, rest}, 3);
}

// RotaryEmbedding (since 23): turns pairs of elements of each head by the angle of their position. The operand is
// (batch, heads, sequence, size) or (batch, sequence, heads * size).
Values forge::convertRotaryEmbedding(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), cosine = n.input(1), sine = n.input(2), positions = n.optionalInput(3);
  bool interleaved = n.flagAttr("interleaved", false);
  int64_t rotated = n.intAttr("rotary_embedding_dim", 0), heads = n.intAttr("num_heads", 0);
  if (n.failed())
    return {};
  int64_t rank = tensorType(x).getRank();
  if (rank == 3)
    x = splitHeads(n, b, x, heads);
  else if (rank != 4)
    n.refuse(Code::RankWrong, "the operand must have rank 3 or 4");
  if (n.failed() || !x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t batch = shape[0], sequence = shape[2], size = shape[3];
  if (rotated == 0)
    rotated = size;
  if (rotated < 2 || rotated > size || rotated % 2 != 0) {
    n.refuse(Code::AttributeValue, "attribute 'rotary_embedding_dim' must be even and inside the head");
    return {};
  }
  auto angles = [&](Value cache) -> Value {
    if (positions && tensorType(cache).getRank() == 2)
      cache = rowsAt(b, cache, positions);
    if (!cache || shapeOf(cache) != ArrayRef<int64_t>{batch, sequence, rotated / 2}) {
      n.refuse(Code::ShapeMismatch, "the caches do not fit the operand and its positions");
      return {};
    }
    return cache;
  };
  cosine = angles(cosine);
  sine = angles(sine);
  if (n.failed())
    return {};
  Value result = rotateHeads(b, x, cosine, sine, interleaved);
  return {rank == 3 ? joinHeads(b, result) : result};
}
