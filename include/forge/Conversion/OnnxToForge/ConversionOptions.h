//===- ConversionOptions.h - options of the conversion ----------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_CONVERSIONOPTIONS_H
#define FORGE_CONVERSION_ONNXTOFORGE_CONVERSIONOPTIONS_H

#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

namespace forge {

/// Options of the conversion that users can set.
struct ConversionOptions {
  int64_t foldLimit = kFoldLimit; ///< bytes of the largest constant that folding may make
  bool allowRounding = false;     ///< accept results that agree with ONNX only up to rounding
};

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_CONVERSIONOPTIONS_H
