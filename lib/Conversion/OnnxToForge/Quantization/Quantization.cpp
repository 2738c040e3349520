//===- Quantization.cpp - the table of quantisation ops --------------------===//

#include "Quantization.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerQuantizationOps(OnnxRegistry &registry) {
  registry.add({
      {"QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28}, convertQuantizeLinear},
      {"DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28}, convertDequantizeLinear},
      {"DynamicQuantizeLinear", {11}, convertDynamicQuantizeLinear},
      {"MatMulInteger", {10}, convertMatMulInteger},
      {"QLinearMatMul", {10, 21}, convertQLinearMatMul},
      {"ConvInteger", {10}, convertConvInteger},
      {"QLinearConv", {10}, convertQLinearConv},
  });
}
