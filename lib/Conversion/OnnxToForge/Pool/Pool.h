//===- Pool.h - the pooling converters --------------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_POOL_POOL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_POOL_POOL_H

#include "../Conv/Conv.h"

namespace forge {

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

// Converters that have files of their own.
ConverterFunction convertLpPool, convertGlobalLpPool, convertMaxUnpool;
ConverterFunction convertGlobalMaxPool, convertGlobalAveragePool;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_POOL_POOL_H
