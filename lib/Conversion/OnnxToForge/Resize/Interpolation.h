//===- Interpolation.h - the taps of resized elements -----------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_RESIZE_INTERPOLATION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_RESIZE_INTERPOLATION_H

#include "forge/Conversion/OnnxToForge/OnnxNode.h"

#include <map>

namespace forge {

/// The attributes, for all axes.
struct Interpolation {
  llvm::StringRef mode, coordinates, nearest;
  double cubicA = -0.75, extrapolation = 0;
  bool antialias = false, excludeOutside = false;
  bool ambiguousNearest = false; ///< opset 10 does not define the rounding for downsampling
};

/// One resized axis.
struct ResizedAxis {
  int64_t axis, input, output;
  double scale, length; ///< `length` is scale * input before truncation
  bool isRatio = false; ///< whether the scale is the ratio of the sizes, and not an operand
  double roiBegin = 0, roiEnd = 1;
};

/// The input elements of one result element, with their weights.
using Taps = std::map<int64_t, double>;

/// The taps of all result elements of one axis.
struct AxisTaps {
  std::vector<Taps> taps;
  std::vector<bool> outside; ///< whether the element is outside the region of interest, so that its taps are unused
  size_t most = 1;           ///< the largest number of taps of a result element
  bool moves = false;        ///< whether the axis is not the identity
};

/// The taps of every result element of an axis. Refused if the attributes do not define them, or if there are too many
/// to unroll.
mlir::FailureOr<AxisTaps> tapsOf(OnnxNode &node, const Interpolation &how, const ResizedAxis &axis);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_RESIZE_INTERPOLATION_H
