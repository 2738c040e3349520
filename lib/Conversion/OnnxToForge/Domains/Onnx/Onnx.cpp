//===- Onnx.cpp - the tables of ai.onnx.ml and the previews ---------------===//

#include "Onnx.h"

#include "../../RegisterAll.h"

using namespace forge;

void forge::registerOnnxDomainOps(OnnxRegistry &registry) {
  registry.add({{"ArrayFeatureExtractor", {1}, convertArrayFeatureExtractor}, {"Binarizer", {1}, convertBinarizer}},
               "ai.onnx.ml");
  registry.add({{"Adagrad", {1}, convertAdagrad}, {"Adam", {1}, convertAdam}, {"Momentum", {1}, convertMomentum}},
               "ai.onnx.preview.training");
}
