//===- RegisterAll.cpp - the families of converters -----------------------===//

#include "RegisterAll.h"

using namespace forge;

const OnnxRegistry &OnnxRegistry::get() {
  static const OnnxRegistry registry = [] {
    OnnxRegistry built;
    registerActivationOps(built);
    registerAttentionOps(built);
    registerControlOps(built);
    registerElementwiseOps(built);
    registerImageOps(built);
    registerIndexingOps(built);
    registerLossOps(built);
    registerMicrosoftOps(built);
    registerMovementOps(built);
    registerNNOps(built);
    registerNormOps(built);
    registerOnnxOps(built);
    registerQuantOps(built);
    registerRecurrentOps(built);
    registerReductionOps(built);
    registerShapeOps(built);
    registerSignalOps(built);
    return built;
  }();
  return registry;
}
