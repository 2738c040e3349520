//===- NN.cpp - the table of matrix products, convolutions and pools ------===//

#include "NN.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerNNOps(OnnxRegistry &registry) {
  registry.add({
      {"MatMul", {1, 9, 13}, convertMatMul},
      {"Gemm", {1, 6, 7, 9, 11, 13}, convertGemm},
      {"Conv", {1, 11, 22}, convertConv},
      {"ConvTranspose", {1, 11, 22}, convertConvTranspose},
      {"MaxPool", {1, 8, 10, 11, 12, 22}, convertMaxPool},
      {"AveragePool", {1, 7, 10, 11, 19, 22}, convertAveragePool},
      {"LpPool", {1, 2, 11, 18, 22}, convertLpPool},
      {"GlobalMaxPool", {1, 22}, convertGlobalMaxPool},
      {"GlobalAveragePool", {1, 22}, convertGlobalAveragePool},
      {"GlobalLpPool", {1, 2, 22}, convertGlobalLpPool},
      {"MaxUnpool", {9, 11, 22}, convertMaxUnpool},
      {"Det", {11, 22}, convertDet},
  });
}
