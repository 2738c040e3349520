//===- Onnx.cpp - the tables of ai.onnx.ml and the previews ---------------===//

#include "Onnx.h"

#include "../../RegisterAll.h"

using namespace forge;

void forge::registerOnnxOps(OnnxRegistry &registry) {
  registry.add({{"ArrayFeatureExtractor", {1}, convertArrayFeatureExtractor}}, "ai.onnx.ml");
  registry.add({{"Binarizer", {1}, convertBinarizer}}, "ai.onnx.ml");
  registry.add({{"TreeEnsemble", {5}, convertTreeEnsemble}}, "ai.onnx.ml");
  registry.add({{"TreeEnsembleClassifier", {1, 3, 5}, convertTreeEnsembleClassifier}}, "ai.onnx.ml");
  registry.add({{"TreeEnsembleRegressor", {1, 3, 5}, convertTreeEnsembleRegressor}}, "ai.onnx.ml");
  registry.add({{"Adagrad", {1}, convertAdagrad}}, "ai.onnx.preview.training");
  registry.add({{"Adam", {1}, convertAdam}}, "ai.onnx.preview.training");
  registry.add({{"Momentum", {1}, convertMomentum}}, "ai.onnx.preview.training");
}
