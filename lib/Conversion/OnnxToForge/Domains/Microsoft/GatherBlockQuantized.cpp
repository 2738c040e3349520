//===- GatherBlockQuantized.cpp - rows of a quantised table ---------------===//

#include "Microsoft.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

namespace {
// The checked operands and attributes. Axes are not negative.
struct Lookup {
  Value table, indices, scales, zeros;
  int64_t bits = 0, block = 0, gatherAxis = 0, quantizeAxis = 0;

  // Whether a byte holds several elements of the last axis.
  bool isPacked() const { return elementOf(table).isUnsignedInteger(8); }
};
} // namespace

static FailureOr<Lookup> readLookup(OnnxNode &n) {
  Lookup l{n.input(0),
           n.input(1),
           n.input(2),
           n.optionalInput(3),
           n.intAttr("bits", 4),
           n.intAttr("block_size", 128),
           n.intAttr("gather_axis", 0),
           n.intAttr("quantize_axis", 1)};
  if (n.failed() || !requireFloats(n, {l.scales}))
    return failure();
  int64_t rank = rankOf(l.table);
  Type element = elementOf(l.table);
  if (!l.isPacked() && !element.isSignedInteger(4) && !element.isUnsignedInteger(4) && !element.isInteger(4))
    n.refuse(Code::TypeNotHeld, "a table of this type is not supported; bytes and integers of 4 bits are");
  if (l.zeros && elementOf(l.zeros) != element)
    n.refuse(Code::OperandType, "the zero points must have the type of the table");
  if (l.block < 16 || !llvm::isPowerOf2_64(l.block))
    n.refuse(Code::AttributeValue, "attribute 'block_size' must be a power of two of at least 16");
  if (l.isPacked() && l.bits != 2 && l.bits != 4 && l.bits != 8)
    n.refuse(Code::AttributeValue, "attribute 'bits' must be 2, 4 or 8");
  l.gatherAxis = n.axis(l.gatherAxis, rank, "gather_axis");
  l.quantizeAxis = n.axis(l.quantizeAxis, rank, "quantize_axis");
  if (!n.failed() && l.isPacked() && (l.gatherAxis != 0 || l.quantizeAxis == 0))
    n.refuse(Code::AttributeMismatch, "bytes are gathered along axis 0, and quantised along another one");
  return n.unlessFailed(l);
}

// Unpacks the table, or its zero points, to f32.
static Value numbersOf(ForgeBuilder &b, const Lookup &l, Value x) {
  if (!l.isPacked())
    return b.cast(x, b.getF32Type());
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t bytes = shape.back();
  shape.back() = bytes * 8 / l.bits;
  int64_t rows = ShapedType::getNumElements(ArrayRef(shape).drop_back());
  return b.reshape(microsoft::unpackRows(b, b.reshape(x, {rows, bytes}), l.bits), shape);
}

// One zero point per scale: with packed bytes the last axis may be padded.
static Value zeroPoints(OnnxNode &n, ForgeBuilder &b, const Lookup &l) {
  Value zeros = numbersOf(b, l, l.zeros);
  int64_t last = rankOf(zeros) - 1;
  if (last >= 0 && rankOf(l.scales) == last + 1 && shapeOf(zeros)[last] > shapeOf(l.scales)[last])
    zeros = b.slice(zeros, last, 0, shapeOf(l.scales)[last]);
  if (zeros && shapeOf(zeros) == shapeOf(l.scales))
    return zeros;
  return n.refuse(Code::ShapeMismatch, "expected a zero point per scale");
}

// GatherBlockQuantized (since 1): Gather of a quantised table with a scale and a zero point per block of an axis. The
// table is a weight, so that (table - zero) * scale is a computed weight and the op becomes a Gather of it. onnxruntime
// returns zeros for an index out of bounds; here, as for Gather, it is refused.
Values forge::microsoft::convertGatherBlockQuantized(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<Lookup> l = readLookup(n);
  if (failed(l))
    return {};
  Type f32 = b.getF32Type();
  Value numbers = numbersOf(b, *l, l->table);
  Value table = cutIntoBlocks(b, numbers, l->quantizeAxis, l->block);
  if (l->zeros || l->isPacked()) {
    Value zero = l->zeros ? zeroPoints(n, b, *l) : b.scalarLike(table, int64_t(1) << (l->bits - 1));
    if (l->zeros)
      zero = spreadOverBlocks(n, b, zero, numbers, l->quantizeAxis, l->block);
    table = b.create<SubtractOp>(table, zero);
  }
  Value scale = spreadOverBlocks(n, b, b.cast(l->scales, f32), numbers, l->quantizeAxis, l->block);
  if (n.failed() || !scale)
    return {};
  table = b.reshape(b.create<MultiplyOp>(table, scale), shapeOf(numbers));
  return {gatherSlices(n, b, b.cast(table, elementOf(l->scales)), l->indices, l->gatherAxis)};
}
