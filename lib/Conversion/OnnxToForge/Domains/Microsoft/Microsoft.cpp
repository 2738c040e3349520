//===- Microsoft.cpp - onnxruntime's own ops ------------------------------===//

#include "Microsoft.h"

#include "../../RegisterAll.h"

using namespace mlir;
using namespace forge;

// Gelu and BiasGelu (with erf) and FastGelu (with tanh); the bias is added first.
template <bool HasBias>
static Values gelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), bias = HasBias ? n.optionalInput(1) : Value();
  auto approximate = n.opType() == "FastGelu" ? GeluApproximation::Tanh : GeluApproximation::None;
  if (n.failed())
    return {};
  if (!bias)
    return {b.create<GeluOp>(x, approximate)};
  // A 16-bit sum could overflow to -infinity, for which the result is NaN.
  return {inFloat32({b, x}, [&](Expr x) {
    return Expr(b, b.create<GeluOp>(Value(x + Expr(b, b.cast(bias, x.elementType()))), approximate));
  })};
}

// QuickGelu: x * sigmoid(alpha * x).
static Values convertQuickGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1.702);
  return {b.create<MultiplyOp>(x, b.create<SigmoidOp>(b.create<MultiplyOp>(x, b.scalarLike(x, alpha))))};
}

bool forge::requireFloats(OnnxNode &n, ArrayRef<Value> values) {
  for (Value value : values)
    if (value && !(isa<FloatType>(elementOf(value)) && elementOf(value).getIntOrFloatBitWidth() <= 32))
      return n.refuse(Code::OperandType, "expected floats of at most 32 bits");
  return !n.failed();
}

std::string forge::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "(";
  llvm::interleaveComma(shape, stream);
  stream << ")";
  return text;
}

void forge::registerMicrosoftOps(OnnxRegistry &registry) {
  using namespace microsoft;
  registerQLinearOps(registry);
  registry.add(
      {
          {"Attention", {1}, convertAttention},
          {"MultiHeadAttention", {1}, convertMultiHeadAttention},
          {"GroupQueryAttention", {1}, convertGroupQueryAttention},
          {"RotaryEmbedding", {1}, microsoft::convertRotaryEmbedding},
          {"Gelu", {1}, gelu<false>},
          {"BiasGelu", {1}, gelu<true>},
          {"FastGelu", {1}, gelu<true>},
          {"QuickGelu", {1}, convertQuickGelu},
          {"FusedMatMul", {1}, convertFusedMatMul},
          {"TransposeMatMul", {1}, convertFusedMatMul},
          {"MatMulNBits", {1}, convertMatMulNBits},
          {"GatherBlockQuantized", {1}, convertGatherBlockQuantized},
          {"SkipLayerNormalization", {1}, convertSkipLayerNormalization},
          {"SkipSimplifiedLayerNormalization", {1}, convertSkipLayerNormalization},
          {"EmbedLayerNormalization", {1}, convertEmbedLayerNormalization},
          {"GroupNorm", {1}, convertGroupNorm},
          {"SkipGroupNorm", {1}, convertGroupNorm},
          {"NhwcMaxPool", {1}, convertNhwcMaxPool},
          {"FusedConv", {1}, convertFusedConv},
          {"FusedGemm", {1}, convertFusedGemm},
          {"QuantizeLinear", {1}, convertQuantizeLinear},
          {"DequantizeLinear", {1}, convertDequantizeLinear},
      },
      kMicrosoft);
}
