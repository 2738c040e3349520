//===- Constants.h - how constants are written in Python --------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_CONSTANTS_H
#define FORGE_LIB_TARGET_PYTHON_CONSTANTS_H

#include "EmissionPlan.h"

namespace forge {

/// The Python literal of an attribute of a call, or of the value of a forge.op.Constant.
std::string pyAttribute(ForgeCallOpInterface call, llvm::StringRef name, mlir::Attribute value);
/// The statement of `__init__` that declares a weight; `name` is a Python expression.
std::string pyDeclaration(llvm::StringRef name, const PlannedWeight &weight);
/// The expression of `forward` that reads the weight.
std::string pyGetter(llvm::StringRef name, const PlannedWeight &weight);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_CONSTANTS_H
