//===- Conv.h - the convolution converters ----------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_CONV_CONV_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_CONV_CONV_H

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

ConverterFunction convertConv;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_CONV_CONV_H
