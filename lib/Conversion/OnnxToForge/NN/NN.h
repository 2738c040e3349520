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

/// Reads kernel_shape, strides, dilations, pads and auto_pad. `spatial` are the input's spatial sizes; `kernel`, when
/// not empty, is what the weights say. The window is checked: positive sizes, no negative pads.
Window readWindow(OnnxNode &node, llvm::ArrayRef<int64_t> spatial, llvm::ArrayRef<int64_t> kernel,
                  bool ceilMode = false);

/// [N, C, W] as [N, C, 1, W], and back.
mlir::Value raisedTo2d(ForgeBuilder &builder, mlir::Value value);
mlir::Value loweredTo1d(ForgeBuilder &builder, mlir::Value value);
/// The window of a single spatial axis for a height of 1 too.
void raiseTo2d(Window &window);
/// (batch, channels, depth, height, width) as (batch, depth, height, width, channels), and back.
mlir::Value volumeWithChannelsLast(ForgeBuilder &builder, mlir::Value value);
mlir::Value volumeWithChannelsFirst(ForgeBuilder &builder, mlir::Value value);
/// Forge's convolution with a window over two axes; `bias` may be null.
mlir::Value conv2d(ForgeBuilder &builder, mlir::Value x, mlir::Value weights, mlir::Value bias, const Window &window,
                   int64_t groups, bool channelsLast);
/// A convolution of rank 5; null and refused where it cannot be.
mlir::Value conv3d(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value weights, mlir::Value bias,
                   const Window &window, int64_t groups);

/// What the pools share: `padEnd` of the window also covers what ceil_mode adds, `counts` are the windows per axis.
struct PoolNd {
  mlir::Value x;
  Window window;
  llvm::SmallVector<int64_t> padEndDeclared, counts;
};
/// Reads a pool of `x`, which has channels first, whose op has ceil_mode since `firstCeilMode`.
std::optional<PoolNd> readPoolNd(OnnxNode &node, mlir::Value x, int64_t firstCeilMode);
/// The largest element of each window; null and refused where a window has none.
mlir::Value maxPool(OnnxNode &node, ForgeBuilder &builder, const PoolNd &pool);
/// Combines the elements of every window with `combine`, one axis after the other; pads hold `fill`.
mlir::Value foldWindows(OnnxNode &node, ForgeBuilder &builder, const PoolNd &pool, mlir::Value x, mlir::Value fill,
                        llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

/// Pools of rank 5 without dilation; averages are those of whole windows, pads too.
mlir::Value maxPool3d(ForgeBuilder &builder, const PoolNd &pool);
mlir::Value averagePool3d(ForgeBuilder &builder, const PoolNd &pool);

/// numpy's matmul.
mlir::Value matmul(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y);
/// alpha * A' * B' + beta * C of operands 0 and 1 and `c` (may be null), by the attributes of Gemm.
mlir::Value gemm(OnnxNode &node, ForgeBuilder &builder, mlir::Value c, bool broadcast);

// Converters of other files than the table's.
ConverterFunction convertConv, convertConvTranspose;
ConverterFunction convertMatMul, convertGemm;
ConverterFunction convertMaxPool, convertAveragePool;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H
