//===- QuantizeLinear.cpp - ONNX QuantizeLinear and DequantizeLinear ------===//
//
// Quantised integers are represented by their values; all arithmetic is done in f32 on integers below 2^24, which is
// exact.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"

#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

#include <limits>

using namespace mlir;
using namespace forge;

std::optional<std::pair<int64_t, int64_t>> forge::quantRange(Type type) {
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer || integer.getWidth() > 16 || integer.getWidth() < 2)
    return std::nullopt;
  int64_t span = int64_t(1) << integer.getWidth();
  if (integer.isUnsigned())
    return std::make_pair(int64_t(0), span - 1);
  return std::make_pair(-span / 2, span / 2 - 1);
}

// 1.5 * 2^23: the sum of a small x and this has no fraction; f32 rounds ties to even.
static constexpr double kNoFraction = 0x1.8p23;

// Rounds `x`, of magnitude below 2^22, to integers, ties to even. Exact.
static Value roundHalfEven(ForgeBuilder &b, Value x) {
  Value shift = b.scalarLike(x, kNoFraction);
  return b.create<SubtractOp>(b.create<AddOp>(x, shift), shift);
}

// The value of an integer splat.
static std::optional<int64_t> integerOf(Value value) {
  DenseElementsAttr attr = knownValue(value);
  if (!attr || !attr.isSplat() || !isa<IntegerType>(attr.getElementType()))
    return std::nullopt;
  return HostTensor::fromAttr(attr).ints.front();
}

Value forge::saturate(ForgeBuilder &b, Value x, Value zeroPoint, Type type) {
  auto range = quantRange(type);
  if (!x || !range)
    return {};
  // The bounds are integers, so that rounding after the clip gives the same result, and operands are small there.
  if (std::optional<int64_t> zero = zeroPoint ? integerOf(zeroPoint) : 0) {
    Value kept = b.create<ClipOp>(x, f32(range->first - *zero), f32(range->second - *zero));
    Value shifted = b.create<AddOp>(kept, b.scalarLike(x, kNoFraction));
    return b.cast(b.create<SubtractOp>(shifted, b.scalarLike(x, kNoFraction - *zero)), type);
  }
  // Beyond twice the range, no zero point brings a value back into it. This also bounds infinities.
  constexpr double kFar = 1 << 18;
  Value whole = roundHalfEven(b, b.create<ClipOp>(x, f32(-kFar), f32(kFar)));
  whole = b.create<AddOp>(whole, b.cast(zeroPoint, elementOf(x)));
  return b.cast(b.create<ClipOp>(whole, f32(range->first), f32(range->second)), type);
}

static bool isCutIntoBlocks(Value x, int64_t axis, int64_t block) {
  return block > 0 && shapeOf(x)[axis] % block == 0 && isWeight(x);
}

Value forge::cutIntoBlocks(ForgeBuilder &b, Value x, int64_t axis, int64_t block) {
  int64_t rank = rankOf(x);
  if (axis < 0)
    axis += rank;
  if (axis < 0 || axis >= rank || !isCutIntoBlocks(x, axis, block))
    return x;
  SmallVector<int64_t> shape(shapeOf(x));
  shape[axis] /= block;
  shape.insert(shape.begin() + axis + 1, block);
  return b.reshape(x, shape);
}

Value forge::spreadOverBlocks(OnnxNode &n, ForgeBuilder &b, Value value, Value x, int64_t axis, int64_t block) {
  if (!value)
    return {};
  int64_t rank = rankOf(x);
  ArrayRef<int64_t> shape = shapeOf(value);
  if (block == 0 && numElements(value) == 1 && shape.size() <= 1)
    return b.reshape(value, {});
  axis = n.axis(axis, rank);
  if (n.failed())
    return {};
  int64_t size = shapeOf(x)[axis];
  if (block == 0) {
    if (shape.size() != 1 || shape[0] != size)
      return n.refuse(Code::ElementCount,
                      "scale and zero point must have one value, or one per slice of axis " + Twine(axis));
    return b.reshape(value, sizesAlong(rank, axis, size));
  }
  SmallVector<int64_t> expected = withSize(shapeOf(x), axis, llvm::divideCeil(size, block));
  if (shape != ArrayRef(expected))
    return n.refuse(Code::ElementCount, "scale and zero point must have one value per block of " + Twine(block));
  SmallVector<int64_t> open = withAxis(expected, axis + 1);
  if (isCutIntoBlocks(x, axis, block))
    return b.reshape(value, open);
  // Repeats each value along the axis for its block; the last block may be shorter.
  Value repeated = b.expand(b.reshape(value, open), withSize(open, axis + 1, block));
  return b.slice(b.reshape(repeated, withSize(expected, axis, expected[axis] * block)), axis, 0, size);
}

namespace {
// What QuantizeLinear and DequantizeLinear share: x, and the scale and zero point that broadcast to it.
struct Scaling {
  Value x, scale, zeroPoint;
};
} // namespace

static Scaling readScaling(OnnxNode &n, ForgeBuilder &b, Value x) {
  Value scale = n.input(1), zeroPoint = n.optionalInput(2);
  // Version 10 has scalar scales only, but onnxruntime's own op has an axis.
  int64_t axis = n.since() >= 13 || !n.getDomain().empty() ? n.intAttr("axis", 1) : 1;
  int64_t block = n.since() >= 21 ? n.intAttr("block_size", 0) : 0;
  if (n.failed())
    return {};
  if (block < 0 || block > INT32_MAX)
    n.refuse(Code::AttributeValue, "attribute 'block_size' must not be negative");
  if (!isa<FloatType>(elementOf(scale)))
    n.refuse(Code::OperandType, "the scale must be floating point");
  if (zeroPoint && shapeOf(zeroPoint) != shapeOf(scale) && (numElements(zeroPoint) != 1 || numElements(scale) != 1))
    n.refuse(Code::ShapeMismatch, "scale and zero point must have one shape");
  if (n.failed())
    return {};
  Scaling scaling{x, spreadOverBlocks(n, b, scale, x, axis, block), spreadOverBlocks(n, b, zeroPoint, x, axis, block)};
  if (!n.failed())
    scaling.x = cutIntoBlocks(b, x, axis, block);
  return scaling;
}

// QuantizeLinear (since 10, 13, 19, 21, 23, 24, 25, 28): saturate(round(x / scale) + zero point). NaN becomes the
// lowest integer, as in onnxruntime.
Values forge::convertQuantizeLinear(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("saturate"); // Applies to 8-bit floats only.
  Value x = n.input(0);
  if (!x)
    return {};
  Scaling scaling = readScaling(n, b, x);
  MLIRContext *context = b.getBuilder().getContext();
  int64_t code = n.since() >= 21 ? n.intAttr("output_dtype", 0) : 0;
  Type precision = n.since() >= 23 ? n.floatTypeAttr("precision") : Type();
  Type type = n.hasInput(2) && scaling.zeroPoint ? elementOf(scaling.zeroPoint)
              : code != 0                        ? elementTypeOfCode(code, context)
                                                 : b.getBuilder().getIntegerType(8, /*isSigned=*/false);
  if (n.failed() || !scaling.scale)
    return {};
  if (!quantRange(type))
    n.refuse(Code::TypeNotHeld, "the device can quantise only to integers of 4, 8 and 16 bits");
  if (code != 0 && elementTypeOfCode(code, context) != type)
    n.refuse(Code::AttributeMismatch, "attribute 'output_dtype' differs from the type of the zero point");
  if (n.failed())
    return {};
  // Since version 23, the default is the type of the scale. Earlier versions do not say it, and onnxruntime divides in
  // f32: in 16 bits, a quotient would be rounded twice.
  Type divisionType = precision ? precision : n.since() >= 23 ? elementOf(scaling.scale) : b.getF32Type();
  Expr quotient(b, b.create<DivideOp>(b.cast(scaling.x, divisionType), b.cast(scaling.scale, divisionType)));
  Expr wide = quotient.cast(b.getF32Type());
  wide = select(wide == wide, wide, -std::numeric_limits<double>::infinity());
  return {b.reshape(saturate(b, wide, scaling.zeroPoint, type), shapeOf(x))};
}

// DequantizeLinear (since 10, 13, 19, 21, 23, 24, 25, 28): (x - zero point) * scale. 32-bit operands are subtracted as
// Int32, so that the difference is exact before it is rounded to f32.
Values forge::convertDequantizeLinear(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  Scaling scaling = readScaling(n, b, x);
  Type given = n.since() >= 23 ? n.floatTypeAttr("output_dtype") : Type();
  if (n.failed() || !scaling.scale)
    return {};
  auto integer = dyn_cast<IntegerType>(elementOf(x));
  if (!integer || integer.getWidth() > 32 || integer.getWidth() < 2)
    n.refuse(Code::TypeNotHeld, "only integers of 4, 8, 16 and 32 bits can be dequantised on the device");
  if (n.failed())
    return {};
  Type wide = b.getF32Type(), i32 = b.getI32Type();
  Value difference = b.cast(scaling.x, i32);
  if (scaling.zeroPoint)
    difference = b.create<SubtractOp>(difference, b.cast(scaling.zeroPoint, i32));
  Value product = b.create<MultiplyOp>(b.cast(difference, wide), b.cast(scaling.scale, wide));
  return {b.reshape(b.cast(product, given ? given : elementOf(scaling.scale)), shapeOf(x))};
}
