//===- Microsoft.cpp - onnxruntime's own ops, domain com.microsoft --------===//

#include "../Norm/Norm.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kDomain = "com.microsoft";

// FusedMatMul: alpha * A' * B', where a flag swaps the last two axes of an operand.
static Values convertFusedMatMul(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1);
  double alpha = n.floatAttr("alpha", 1);
  bool transA = n.flagAttr("transA", false), transB = n.flagAttr("transB", false);
  if (n.flagAttr("transBatchA", false) || n.flagAttr("transBatchB", false))
    n.refuse("a transposed batch is not supported");
  if (n.failed())
    return {};
  if (tensorType(x).getRank() < 2 || tensorType(y).getRank() < 2 || !isa<FloatType>(tensorType(x).getElementType())) {
    n.refuse("the operands must be matrices of floats");
    return {};
  }
  if (transA)
    x = b.create<TransposeOp>(x, -2, -1);
  if (transB)
    y = b.create<TransposeOp>(y, -2, -1);
  Value product = b.create<MatmulOp>(x, y, OptionalOperand());
  return {alpha == 1 ? product : b.create<MultiplyOp>(product, b.scalarLike(product, alpha))};
}

// Gelu, BiasGelu (erf form) and FastGelu (tanh form); the bias is added first.
template <bool HasBias>
static Values convertGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), bias = HasBias ? n.optionalInput(1) : Value();
  StringRef form = n.opType() == "FastGelu" ? "tanh" : "none";
  if (n.failed())
    return {};
  return {b.create<GeluOp>(bias ? b.create<AddOp>(x, bias) : x, form)};
}

// QuickGelu: x * sigmoid(alpha * x).
static Values convertQuickGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1.702);
  return {b.create<MultiplyOp>(x, b.create<SigmoidOp>(b.create<MultiplyOp>(x, b.scalarLike(x, alpha))))};
}

// SkipLayerNormalization, SkipSimplifiedLayerNormalization: a norm over the last axis of input + skip (+ bias), in f32.
// The simplified one has no mean and no beta.
template <bool Simplified>
static Values convertSkipNorm(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), skip = n.input(1), gamma = n.input(2);
  Value beta = Simplified ? Value() : n.optionalInput(3), bias = n.optionalInput(Simplified ? 3 : 4);
  double epsilon = n.floatAttr("epsilon", 1e-12);
  if (n.failed())
    return {};
  Type element = tensorType(x).getElementType(), wide = b.getBuilder().getF32Type();
  SmallVector<int64_t> shape(shapeOf(x));
  Value sum = b.create<AddOp>(x, skip);
  if (sum && bias)
    sum = b.create<AddOp>(sum, bias);
  if (!sum || shape.empty() || shape.back() == 0 || shapeOf(sum) != ArrayRef(shape) ||
      shapeOf(gamma) != ArrayRef(shape).take_back(1) || (beta && shapeOf(beta) != ArrayRef(shape).take_back(1))) {
    n.refuse("skip, bias, gamma or beta does not fit the operand");
    return {};
  }
  int64_t last = static_cast<int64_t>(shape.size()) - 1;
  Value summed = b.cast(sum, wide), mean, root, normal;
  if (Simplified) {
    root =
        deviation(b, b.reduce<ReduceAvgOp>(b.create<MultiplyOp>(summed, summed), {last}, /*keepDims=*/true), epsilon);
    normal = b.create<DivideOp>(summed, root);
  } else {
    Moments m = moments(b, summed, {last});
    root = deviation(b, m.variance, epsilon);
    normal = b.create<DivideOp>(m.centred, root);
    mean = m.mean;
  }
  normal = b.create<MultiplyOp>(normal, b.cast(gamma, wide));
  if (beta)
    normal = b.create<AddOp>(normal, b.cast(beta, wide));
  return {b.cast(normal, element), mean, b.create<DivideOp>(b.scalarLike(root, 1), root), sum};
}

// `packed` bytes [rows, blocks, bytes] as [rows, blocks * bytes * 8 / bits] numbers in f32, low bits first.
static Value unpack(ForgeBuilder &b, Value packed, int64_t bits) {
  if (!packed)
    return {};
  int64_t rows = shapeOf(packed)[0], bytes = tensorType(packed).getNumElements() / rows;
  Type f32 = b.getBuilder().getF32Type();
  Value whole = b.reshape(b.cast(packed, b.getBuilder().getI32Type()), {rows, bytes});
  if (bits == 8)
    return b.cast(whole, f32);
  Value low = b.create<BitwiseAndOp>(whole, b.scalarLike(whole, 15));
  // What is left is a multiple of 16, so this division is exact.
  Value high = b.cast(b.create<SubtractOp>(whole, low), f32);
  high = b.create<MultiplyOp>(high, b.scalarLike(high, 0.0625));
  Value pairs = b.concatenate({b.reshape(b.cast(low, f32), {rows, bytes, 1}), b.reshape(high, {rows, bytes, 1})}, 2);
  return b.reshape(pairs, {rows, 2 * bytes});
}

// MatMulNBits: A * B', where the rows of B are cut into blocks of 4- or 8-bit numbers with a scale and a zero point
// each.
static Values convertMatMulNBits(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), packed = n.input(1), scales = n.input(2), zeroPoints = n.optionalInput(3),
        bias = n.optionalInput(5);
  int64_t k = n.intAttr("K"), rows = n.intAttr("N"), bits = n.intAttr("bits", 4), block = n.intAttr("block_size");
  n.ignoreAttr("accuracy_level"); // A hint how coarse an implementation may be.
  if (n.hasInput(4))
    n.refuse("a group index is not supported");
  if ((bits != 4 && bits != 8) || block < 16 || block > 4096 || k < 1 || rows < 1)
    n.refuse("attributes 'bits', 'block_size', 'K' or 'N' are not supported");
  if (n.failed())
    return {};
  auto isByte = [](Value value) { return tensorType(value).getElementType().isUnsignedInteger(8); };
  int64_t blocks = (k + block - 1) / block, zeroBytes = (blocks * bits + 7) / 8, rank = tensorType(x).getRank();
  if (rank < 2 || shapeOf(x).back() != k || !isByte(packed) ||
      shapeOf(packed) != ArrayRef<int64_t>{rows, blocks, block * bits / 8} ||
      tensorType(scales).getNumElements() != rows * blocks ||
      (zeroPoints && (!isByte(zeroPoints) || tensorType(zeroPoints).getNumElements() != rows * zeroBytes))) {
    n.refuse("the operands do not fit attributes 'K', 'N' and 'block_size', or the zero points are no bytes");
    return {};
  }
  Type element = tensorType(x).getElementType(), f32 = b.getBuilder().getF32Type();
  Value weights = b.reshape(unpack(b, packed, bits), {rows, blocks, block});
  Value zero = b.scalarLike(weights, bits == 4 ? 8 : 128);
  if (zeroPoints)
    zero =
        b.reshape(b.slice(unpack(b, b.reshape(zeroPoints, {rows, zeroBytes}), bits), 1, 0, blocks), {rows, blocks, 1});
  weights =
      b.create<MultiplyOp>(b.create<SubtractOp>(weights, zero), b.reshape(b.cast(scales, f32), {rows, blocks, 1}));
  weights = b.slice(b.reshape(weights, {rows, blocks * block}), 1, 0, k);
  Value product = b.create<MatmulOp>(b.cast(x, f32), b.create<TransposeOp>(weights, -2, -1), OptionalOperand());
  if (product && bias)
    product = b.create<AddOp>(product, b.cast(bias, f32));
  return {b.cast(product, element)};
}

void forge::registerDomainOps(OnnxRegistry &r) {
  r.add("FusedMatMul", {1}, convertFusedMatMul, kDomain);
  r.add("Gelu", {1}, convertGelu<false>, kDomain);
  r.add("BiasGelu", {1}, convertGelu<true>, kDomain);
  r.add("FastGelu", {1}, convertGelu<true>, kDomain);
  r.add("QuickGelu", {1}, convertQuickGelu, kDomain);
  r.add("SkipLayerNormalization", {1}, convertSkipNorm<false>, kDomain);
  r.add("SkipSimplifiedLayerNormalization", {1}, convertSkipNorm<true>, kDomain);
  r.add("MatMulNBits", {1}, convertMatMulNBits, kDomain);
}
