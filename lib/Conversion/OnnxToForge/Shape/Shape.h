//===- Shape.h - the shape and constant converters --------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_SHAPE_SHAPE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_SHAPE_SHAPE_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The same numbers under this dialect's signless element type.
mlir::DenseElementsAttr withElementType(mlir::DenseElementsAttr value, mlir::Type element);

/// The most elements that `diagonals` makes.
constexpr int64_t kMostDiagonalElements = 1 << 24;

/// Where column - row has `holds`, as booleans of shape [rows, columns].
mlir::Value diagonals(ForgeBuilder &builder, int64_t rows, int64_t columns, llvm::function_ref<bool(int64_t)> holds);

// One converter per op, by file.
ConverterFunction convertConstant;
ConverterFunction convertConstantOfShape;
ConverterFunction convertEyeLike;
ConverterFunction convertFlatten;
ConverterFunction convertOptionalHasElement, convertOptionalGetElement;
ConverterFunction convertRange;
ConverterFunction convertReshape;
ConverterFunction convertSqueeze, convertUnsqueeze;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_SHAPE_SHAPE_H
