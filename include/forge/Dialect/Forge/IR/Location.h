//===- Location.h - the ONNX node behind an op ------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_LOCATION_H
#define FORGE_DIALECT_FORGE_IR_LOCATION_H

#include "mlir/IR/Location.h"

#include <string>

namespace forge {

/// The ONNX name that a location carries: the first named part of it, "" when there is none.
llvm::StringRef nodeName(mlir::Location loc);

/// Text from a model, safe to show: printable ASCII, everything else as \xNN, shortened when very long.
std::string escaped(llvm::StringRef text);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_LOCATION_H
