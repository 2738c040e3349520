//===- Microsoft.cpp - onnxruntime's own ops, domain com.microsoft --------===//

#include "Microsoft.h"

#include "../../Quant/Quant.h"
#include "../../RegisterAll.h"

using namespace mlir;
using namespace forge;

bool forge::requireFloats(OnnxNode &n, ArrayRef<Value> values) {
  for (Value value : values)
    if (value && !(isa<FloatType>(tensorType(value).getElementType()) &&
                   tensorType(value).getElementType().getIntOrFloatBitWidth() <= 32)) {
      n.refuse(Code::OperandType, "expected floats of at most 32 bits");
      return false;
    }
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
  registry.add(
      {
          {"Attention", {1}, convertAttention},
          {"MultiHeadAttention", {1}, convertMultiHeadAttention},
          {"GroupQueryAttention", {1}, convertGroupQueryAttention},
          {"RotaryEmbedding", {1}, convertRotaryEmbedding},
          {"Gelu", {1}, convertGelu},
          {"BiasGelu", {1}, convertBiasGelu},
          {"FastGelu", {1}, convertFastGelu},
          {"QuickGelu", {1}, convertQuickGelu},
          {"FusedMatMul", {1}, convertFusedMatMul},
          {"TransposeMatMul", {1}, convertFusedMatMul},
          {"MatMulNBits", {1}, convertMatMulNBits},
          {"GatherBlockQuantized", {1}, convertGatherBlockQuantized},
          {"NhwcMaxPool", {1}, convertNhwcMaxPool},
          {"FusedConv", {1}, convertFusedConv},
          {"FusedGemm", {1}, convertFusedGemm},
          {"SkipLayerNormalization", {1}, convertSkipLayerNormalization},
          {"SkipSimplifiedLayerNormalization", {1}, convertSkipSimplifiedLayerNormalization},
          {"EmbedLayerNormalization", {1}, convertEmbedLayerNormalization},
          {"GroupNorm", {1}, convertGroupNorm},
          {"SkipGroupNorm", {1}, convertSkipGroupNorm},
          {"QuantizeLinear", {1}, convertQuantizeLinear},
          {"DequantizeLinear", {1}, convertDequantizeLinear},
          {"QLinearAdd", {1}, convertQLinearAdd},
          {"QLinearMul", {1}, convertQLinearMul},
          {"QLinearSigmoid", {1}, convertQLinearSigmoid},
          {"QLinearLeakyRelu", {1}, convertQLinearLeakyRelu},
          {"QLinearGlobalAveragePool", {1}, convertGlobalAveragePool},
          {"QLinearConcat", {1}, convertConcat},
          {"QLinearWhere", {1}, convertQLinearWhere},
          {"QGemm", {1}, convertQGemm},
          {"MatMulIntegerToFloat", {1}, convertMatMulIntegerToFloat},
          {"DynamicQuantizeMatMul", {1}, convertDynamicQuantizeMatMul},
      },
      kMicrosoft);
}
