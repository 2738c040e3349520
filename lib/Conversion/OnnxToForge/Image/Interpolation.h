//===- Interpolation.h - which elements make a resized one ------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_INTERPOLATION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_INTERPOLATION_H

#include "forge/Conversion/OnnxToForge/OnnxNode.h"

#include <map>

namespace forge {

/// What the attributes say, for all axes.
struct Interpolation {
  llvm::StringRef mode, coordinates, nearest;
  double cubicA = -0.75, extrapolation = 0;
  bool antialias = false, excludeOutside = false;
  bool ambiguousNearest = false; ///< opset 10 does not say how to round when it shrinks
};

/// One resized axis.
struct ResizedAxis {
  int64_t axis, input, output;
  double scale, length; ///< `length` is scale * input before it was cut to a whole number
  double roiBegin = 0, roiEnd = 1;
};

/// The elements, with their weights, that make one result element.
using Taps = std::map<int64_t, double>;

/// All result elements of one axis.
struct AxisTaps {
  std::vector<Taps> taps;
  std::vector<bool> outside; ///< of the region of interest: the taps do not count
  size_t most = 1;           ///< taps of one result element
  bool moves = false;        ///< whether any result differs from the element in its place
};

/// The taps of every result element of an axis. Refused when the attributes do not define them, or when there are too
/// many to unroll.
mlir::FailureOr<AxisTaps> tapsOf(OnnxNode &node, const Interpolation &how, const ResizedAxis &axis);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMAGE_INTERPOLATION_H
