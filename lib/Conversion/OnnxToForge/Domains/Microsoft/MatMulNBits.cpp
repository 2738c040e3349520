//===- MatMulNBits.cpp - MatMulNBits --------------------------------------===//

#include "Microsoft.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

Value microsoft::unpackRows(ForgeBuilder &b, Value packed, int64_t bits) {
  if (!packed)
    return {};
  int64_t rows = shapeOf(packed)[0], bytes = shapeOf(packed)[1], perByte = 8 / bits;
  Type f32 = b.getF32Type();
  if (bits == 8)
    return b.cast(packed, f32);
  Value whole = b.cast(packed, b.getI32Type());
  Values parts;
  for (int64_t i = 0; i < perByte; ++i) {
    int64_t unit = int64_t(1) << (bits * i), mask = ((int64_t(1) << bits) - 1) * unit;
    Value part = b.cast(b.create<BitwiseAndOp>(whole, b.scalarLike(whole, mask)), f32);
    // A multiple of a power of two, so that the division is exact.
    if (unit != 1)
      part = b.create<MultiplyOp>(part, b.scalarLike(part, 1.0 / static_cast<double>(unit)));
    parts.push_back(b.reshape(part, {rows, bytes, 1}));
  }
  return b.reshape(b.concatenate(parts, 2), {rows, perByte * bytes});
}

namespace {
// The checked operands and attributes. The weights have `rows` rows of `k` elements, divided into `count` blocks.
struct Product {
  Value x, packed, scales, zeros, groups, bias;
  int64_t k = 0, rows = 0, bits = 0, size = 0;

  int64_t count() const { return llvm::divideCeil(k, size); }
  int64_t zeroBytes() const { return llvm::divideCeil(count() * bits, 8); }
};
} // namespace

// Zero points per row and block in f32: packed like the weights, or one per element.
static Value zeroPoints(OnnxNode &n, ForgeBuilder &b, const Product &p) {
  int64_t given = numElements(p.zeros), count = p.count(), bytes = p.zeroBytes();
  Type element = elementOf(p.zeros);
  if (element.isUnsignedInteger(8) && given == p.rows * bytes)
    return b.slice(microsoft::unpackRows(b, b.reshape(p.zeros, {p.rows, bytes}), p.bits), 1, 0, count);
  if (isa<FloatType>(element) && given == p.rows * count)
    return b.reshape(b.cast(p.zeros, b.getF32Type()), {p.rows, count});
  return n.refuse(Code::ShapeMismatch, "expected " + Twine(p.rows * bytes) + " bytes or " + Twine(p.rows * count) +
                                           " floats as zero points, but got shape " + shapeText(shapeOf(p.zeros)));
}

static FailureOr<Product> readProduct(OnnxNode &n) {
  Product p{n.input(0),         n.input(1),     n.input(2),     n.optionalInput(3),   n.optionalInput(4),
            n.optionalInput(5), n.intAttr("K"), n.intAttr("N"), n.intAttr("bits", 4), n.intAttr("block_size")};
  n.ignoreAttr("accuracy_level"); // A hint that allows an implementation to round.
  if (n.intAttr("weight_prepacked", 0) != 0)
    n.refuse(Code::AttributeUnsupported,
             "weights in the layout of one device (attribute 'weight_prepacked') are not supported");
  if ((p.bits != 2 && p.bits != 4 && p.bits != 8) || p.size < 16 || p.size > 4096 || !llvm::isPowerOf2_64(p.size) ||
      p.k < 1 || p.rows < 1)
    n.refuse(Code::AttributeUnsupported, "attributes 'bits', 'block_size', 'K' or 'N' are not supported");
  // With group indices, onnxruntime does not read packed zero points by group.
  if (p.groups && p.bits != 4)
    n.refuse(Code::VariantUnsupported,
             "a group index is supported with 4 bits only, but attribute 'bits' is " + Twine(p.bits));
  if (p.groups && p.zeros && !isa<FloatType>(elementOf(p.zeros)))
    n.refuse(Code::VariantUnsupported, "a group index with packed zero points is not supported");
  if (n.failed() || !requireFloats(n, {p.x, p.scales, p.bias}))
    return failure();
  int64_t count = p.count();
  if (rankOf(p.x) < 1 || shapeOf(p.x).back() != p.k || !elementOf(p.packed).isUnsignedInteger(8) ||
      shapeOf(p.packed) != ArrayRef<int64_t>{p.rows, count, p.size * p.bits / 8} ||
      numElements(p.scales) != p.rows * count || (p.bias && shapeOf(p.bias) != ArrayRef(p.rows)))
    return n.refuse(Code::AttributeMismatch, "the operands do not fit attributes 'K', 'N' and 'block_size'");
  return p;
}

// (weights - zero) * scale for each block; a null zero point is the middle of the range.
static Value dequantized(ForgeBuilder &b, Value weights, Value zero, Value scale, int64_t bits) {
  if (!zero)
    zero = b.scalarLike(weights, int64_t(1) << (bits - 1));
  return b.create<MultiplyOp>(b.create<SubtractOp>(weights, zero), scale);
}

// The weights in f32, [rows, k].
static Value unpackedWeights(OnnxNode &n, ForgeBuilder &b, const Product &p) {
  int64_t k = p.k, rows = p.rows, bits = p.bits, size = p.size, count = p.count();
  Value weights = microsoft::unpackRows(b, b.reshape(p.packed, {rows, count * size * bits / 8}), bits);
  Value scale = b.reshape(b.cast(p.scales, b.getF32Type()), {rows, count});
  Value zero = p.zeros ? zeroPoints(n, b, p) : Value();
  if (n.failed())
    return {};
  if (!p.groups) {
    weights = b.reshape(weights, {rows, count, size});
    scale = b.reshape(scale, {rows, count, 1});
    zero = zero ? b.reshape(zero, {rows, count, 1}) : zero;
    weights = dequantized(b, weights, zero, scale, bits);
    return b.slice(b.reshape(weights, {rows, count * size}), 1, 0, k);
  }
  if (!n.requireIntegers(p.groups, "the group index") || rankOf(p.groups) != 1 || shapeOf(p.groups)[0] < k)
    return n.refuse(Code::ShapeMismatch, "expected a group index of " + Twine(k) + " integers, but got shape " +
                                             shapeText(shapeOf(p.groups)));
  Value columns = b.slice(p.groups, 0, 0, k);
  scale = b.create<AdvIndexOp>(scale, columns, -1);
  zero = zero ? b.create<AdvIndexOp>(zero, columns, -1) : zero;
  return dequantized(b, b.slice(weights, 1, 0, k), zero, scale, bits);
}

// MatMulNBits: A * B' (+ bias). The rows of B are divided into blocks of 2-, 4- or 8-bit integers with a scale and a
// zero point each. A group index selects the block of a column.
Values forge::microsoft::convertMatMulNBits(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<Product> p = readProduct(n);
  if (failed(p))
    return {};
  Value weights = unpackedWeights(n, b, *p);
  if (!weights)
    return {};
  Type f32 = b.getF32Type();
  Value product = b.matmul(b.cast(p->x, f32), b.create<TransposeOp>(weights, -2, -1));
  if (p->bias)
    product = b.create<AddOp>(product, b.cast(p->bias, f32));
  return {b.cast(product, elementOf(p->x))};
}
