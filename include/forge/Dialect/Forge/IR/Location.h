//===- Location.h - the ONNX node that an op is from ------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_LOCATION_H
#define FORGE_DIALECT_FORGE_IR_LOCATION_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <string>

namespace forge {

/// The ONNX name that a location carries: the first named part of it, "" when there is none.
llvm::StringRef nodeName(mlir::Location loc);

// A model that is compiled to be verified says in its locations which results hold which ONNX values: passes carry
// locations along, and no op depends on them. The last op with such a location holds the value.

/// An ONNX value that a result holds, times `scale`: with its shape where the result has another one and the same order
/// of elements.
struct TracedName {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> shape;
  double scale = 1;
};

/// Says that `result` of an op is an ONNX value; it may be several. One with a shape is its reshape.
void traceValue(mlir::OpResult result, TracedName traced);
/// The ONNX values that result `index` of an op at `loc` is, none in a model that is not to be verified.
llvm::SmallVector<TracedName> tracedValues(mlir::Location loc, unsigned index = 0);
/// Says that the one result of `op` is what it was traced as times `factor`.
void scaleTrace(mlir::Operation *op, double factor);
/// Says that axis i of what `op` is traced as, before it is reshaped, is axis axes[i] of its one result.
void traceAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
/// What traceAxes said; empty where the axes are those of the ONNX value.
llvm::SmallVector<int64_t> tracedAxes(mlir::Location loc);
/// The location for an op that replaces result `index` of an op at `loc`.
mlir::Location locationOfResult(mlir::Location loc, unsigned index);

/// `loc` without what traceValue said: for an op that computes something else than the ONNX value there.
mlir::Location withoutTrace(mlir::Location loc);
/// Traces `value`, if it is the result of an op, to what `replaced` is traced to: `value` replaces it, or is a reshape
/// of it. With `permutation`, axis permutation[i] of `value` is axis i of what `replaced` is a reshape of.
void takeTrace(mlir::Value value, mlir::Value replaced, llvm::ArrayRef<int64_t> permutation = {});
/// Gives the one result of `op` another shape, which does not change the order of its elements.
void reshapeResult(mlir::Operation *op, llvm::ArrayRef<int64_t> shape);

/// Text from a model, safe to show: printable ASCII, everything else as \xNN, shortened when very long.
std::string escaped(llvm::StringRef text);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_LOCATION_H
