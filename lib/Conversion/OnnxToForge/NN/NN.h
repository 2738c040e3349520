//===- NN.h - the matmul, convolution and pooling converters ----*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H

#include "../Indexing/Indexing.h"
#include "../Reduction/Reduction.h"

namespace forge {

/// The window of Conv and of pools, per spatial axis.
struct Window {
  llvm::SmallVector<int64_t> kernel, strides, dilations, padBegin, padEnd;

  size_t rank() const { return kernel.size(); }
  /// The number of elements from the first to the last element of a window, both included.
  int64_t span(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
  /// The number of windows along an axis of `size` elements; not positive if none fits into the padded axis.
  int64_t count(size_t axis, int64_t size) const {
    return llvm::divideFloorSigned(size + padBegin[axis] + padEnd[axis] - span(axis), strides[axis]) + 1;
  }
};

/// Reads strides, dilations and pads of a window over `rank` axes, and checks that steps are positive and pads not
/// negative.
void readSteps(OnnxNode &node, size_t rank, Window &window);
/// Reads kernel_shape, strides, dilations, pads and auto_pad, and checks that sizes are positive and pads not negative.
/// `spatial` are the spatial sizes of the input; `kernel`, if not empty, is the kernel shape of the weights.
Window readWindow(OnnxNode &node, llvm::ArrayRef<int64_t> spatial, llvm::ArrayRef<int64_t> kernel);

/// [N, C, W] as [N, C, 1, W], and back.
mlir::Value raisedTo2d(ForgeBuilder &builder, mlir::Value value);
mlir::Value loweredTo1d(ForgeBuilder &builder, mlir::Value value);
/// Adds an axis of height 1 to the window of a single spatial axis, and to its operands.
void raiseTo2d(Window &window);
void raiseTo2d(ForgeBuilder &builder, mlir::Value &x, mlir::Value &weights, Window &window);
/// A window over depth, height and width, reduced to height and width; and to the depth, with a second axis of size 1.
Window planeOf(const Window &window);
Window depthOf(const Window &window);
/// (batch, channels, depth, height, width) as (batch, depth, height, width, channels), and back.
mlir::Value volumeWithChannelsLast(ForgeBuilder &builder, mlir::Value value);
mlir::Value volumeWithChannelsFirst(ForgeBuilder &builder, mlir::Value value);
/// Forge's 2-D convolution; `bias` may be null.
mlir::Value conv2d(ForgeBuilder &builder, mlir::Value x, mlir::Value weights, mlir::Value bias, const Window &window,
                   int64_t groups, bool channelsLast);
/// A 3-D convolution; null if refused.
mlir::Value conv3d(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value weights, mlir::Value bias,
                   const Window &window, int64_t groups);

/// What all pools share. padEnd of the window includes what ceil_mode adds; `counts` are the windows per axis.
struct PoolNd {
  mlir::Value x;
  Window window;
  llvm::SmallVector<int64_t> padEndDeclared, counts;
};
/// The axes after batch and channels.
llvm::SmallVector<int64_t> spatialAxes(mlir::Value x);
/// Reads a pool of `x`, with channels first. The op has ceil_mode since version `firstCeilMode`.
std::optional<PoolNd> readPoolNd(OnnxNode &node, mlir::Value x, int64_t firstCeilMode);
/// The maximum of each window; null and refused if a window has only padding.
mlir::Value maxPool(OnnxNode &node, ForgeBuilder &builder, const PoolNd &pool);
/// Combines the elements of each window with `combine`, one axis at a time; padding has the value `fill`.
mlir::Value foldWindows(OnnxNode &node, ForgeBuilder &builder, const PoolNd &pool, mlir::Value x, mlir::Value fill,
                        llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

/// Forge's pools, without dilation. Averages divide by the whole kernel size.
mlir::Value maxPool2d(ForgeBuilder &builder, mlir::Value x, const Window &window, bool ceilMode, bool channelsLast);
mlir::Value averagePool2d(ForgeBuilder &builder, mlir::Value x, const Window &window, bool channelsLast);
/// Pools of rank 5 without dilation. Averages divide by the whole kernel size.
mlir::Value maxPool3d(ForgeBuilder &builder, const PoolNd &pool);
mlir::Value averagePool3d(ForgeBuilder &builder, const PoolNd &pool);

/// Calls `multiply` on matrices: as in numpy.matmul, a vector is a row on the left and a column on the right, and the
/// result loses the axis of size 1.
mlir::Value multiplyAsMatrices(ForgeBuilder &builder, mlir::Value x, mlir::Value y,
                               llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> multiply);
/// The semantics of numpy.matmul.
mlir::Value matmul(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y);
/// Gemm: alpha * A' * B' + beta * C of operands 0 and 1, and `c` (may be null).
mlir::Value gemm(OnnxNode &node, ForgeBuilder &builder, mlir::Value c, bool broadcast);

// Converters that have files of their own.
ConverterFunction convertConv, convertConvTranspose;
ConverterFunction convertMatMul, convertGemm, convertDet;
ConverterFunction convertMaxPool, convertAveragePool, convertLpPool, convertMaxUnpool;
ConverterFunction convertGlobalMaxPool, convertGlobalAveragePool, convertGlobalLpPool;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_NN_NN_H
