//===- KeyCache.h - a cache of keys or values -------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_KEYCACHE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_KEYCACHE_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// How far a cache (batch, heads, rows, size) is filled. The keys of a row of the batch are its past ones, then the new
/// ones, up to its length.
struct CacheFill {
  int64_t total = 0;               ///< The largest length.
  int64_t rows = 0;                ///< Keys that the cache holds with the new ones, filled or not.
  std::optional<int64_t> past;     ///< Past keys of every row, where known.
  std::optional<int64_t> length;   ///< The length of every row, where known.
  mlir::Value pastPerRow, lengths; ///< (batch, 1, 1, 1) as i64; no past per row of a prompt.
  bool prompt = false;             ///< Nothing is in the cache yet.
  bool shared = false;             ///< The new cache is the past one, written in place: rows not filled hold anything.
};

/// Reads how `fresh` new keys extend the cache `past` (may be null): the largest length is input 6, `lastIndices` are
/// the lengths less 1.
CacheFill readCacheFill(OnnxNode &node, ForgeBuilder &builder, mlir::Value past, mlir::Value lastIndices, int64_t batch,
                        int64_t fresh);
/// The cache after the new rows went into it; rows that are not filled are 0.
mlir::Value extendedCache(OnnxNode &node, ForgeBuilder &builder, mlir::Value past, mlir::Value fresh,
                          const CacheFill &fill);
/// The positions of the new rows, (batch or 1, rows) as i64: `given` ones, or (null) those after what the cache holds.
mlir::Value newPositions(OnnxNode &node, ForgeBuilder &builder, mlir::Value given, const CacheFill &fill, int64_t batch,
                         int64_t fresh);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_KEYCACHE_H
