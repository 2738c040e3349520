//===- Norm.cpp - the table of its ops ------------------------------------===//

#include "Norm.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerNormOps(OnnxRegistry &registry) {
  registry.add({
      {"BatchNormalization", {1, 6, 7, 9, 14, 15}, convertBatchNormalization},
      {"LayerNormalization", {1, 17}, convertLayerNormalization},
      {"InstanceNormalization", {1, 6, 22}, convertInstanceNormalization},
      {"GroupNormalization", {18, 21}, convertGroupNormalization},
      {"RMSNormalization", {23}, convertRMSNormalization},
      {"SimplifiedLayerNormalization", {1}, convertRMSNormalization},
      {"LpNormalization", {1, 22}, convertLpNormalization},
      {"MeanVarianceNormalization", {9, 13}, convertMeanVarianceNormalization},
      {"LRN", {1, 13}, convertLRN},
      {"Softmax", {1, 11, 13}, convertSoftmax},
      {"LogSoftmax", {1, 11, 13}, convertLogSoftmax},
  });
  registry.add({{"Scaler", {1}, convertScaler}}, "ai.onnx.ml");
}
