//===- Elementwise.h - what the elementwise converters share ----*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ELEMENTWISE_ELEMENTWISE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ELEMENTWISE_ELEMENTWISE_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Operands 0 and 1 ready for a broadcasting forge op. Before opset 7 ONNX broadcast one way, by attributes.
std::pair<mlir::Value, mlir::Value> binaryOperands(OnnxNode &node, ForgeBuilder &builder);

/// Refuses arithmetic on integers that wrap where Int32 does not (all but i32 and i64), unless `result` was folded.
void refuseWrapping(OnnxNode &node, mlir::Value result);

/// An op of one operand and no attributes.
template <typename OpTy>
Values convertUnary(OnnxNode &node, ForgeBuilder &builder) {
  node.ignoreAttr("consumed_inputs"); // A hint for in-place execution before opset 6.
  return {builder.create<OpTy>(node.input(0))};
}

void registerActivationOps(OnnxRegistry &registry);
void registerArithmeticOps(OnnxRegistry &registry);
void registerLogicOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ELEMENTWISE_ELEMENTWISE_H
