//===- NN.h - the matmul, convolution and pooling converters ----*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The window of Conv and the pools along each spatial axis.
struct Window {
  llvm::SmallVector<int64_t> kernel, strides, dilations, padBegin, padEnd;

  size_t rank() const { return kernel.size(); }
};

/// Reads kernel_shape, strides, dilations, pads and auto_pad. `spatial` are the input's spatial sizes; `kernel`, when not
/// empty, is what the weights say. The window is checked: positive sizes, no negative pads.
Window readWindow(OnnxNode &node, llvm::ArrayRef<int64_t> spatial, llvm::ArrayRef<int64_t> kernel, bool ceilMode = false);

void registerConvOps(OnnxRegistry &registry);
void registerMatmulOps(OnnxRegistry &registry);
void registerPoolOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H
