//===- Location.h - the ONNX node that an op is from ------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_LOCATION_H
#define FORGE_DIALECT_FORGE_IR_LOCATION_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <string>

namespace forge {

/// The name of the ONNX node that a location carries, its first NameLoc; "" if there is none.
llvm::StringRef nodeName(mlir::Location loc);

// If a model is compiled to be verified, locations say which results hold which ONNX values (a trace). Passes propagate
// locations, and nothing else depends on them. If several ops are traced to one value, the last of them holds it.

/// The ONNX value that a result holds, multiplied by `scale`. `shape` is that of the ONNX value, if the result is a
/// reshape of it.
struct TracedName {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> shape;
  double scale = 1;
};

/// Traces `result` to an ONNX value. A result may be traced to several.
void traceValue(mlir::OpResult result, TracedName traced);
/// The ONNX values that result `index` of an op at `loc` is traced to; none if the model is not to be verified.
llvm::SmallVector<TracedName> tracedValues(mlir::Location loc, unsigned index = 0);
/// Multiplies the scale of the trace of `op`, which has one result, by `factor`.
void scaleTrace(mlir::Operation *op, double factor);
/// Records that the traced ONNX value, before it is reshaped, has axis axes[i] of the result of `op` as its axis i.
void traceAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
/// The axes that traceAxes recorded; empty if the result has the axes of the ONNX value.
llvm::SmallVector<int64_t> tracedAxes(mlir::Location loc);
/// The location for an op that replaces result `index` of an op at `loc`.
mlir::Location locationOfResult(mlir::Location loc, unsigned index);

/// `loc` without its trace: for an op that does not compute the ONNX value.
mlir::Location withoutTrace(mlir::Location loc);
/// Copies the trace of `replaced` to `value`, if that is the result of an op. `value` has the elements of `replaced` in
/// the same order. With `permutation` they are permuted: axis permutation[i] of `value` is axis i of the value that
/// `replaced` is a reshape of.
void takeTrace(mlir::Value value, mlir::Value replaced, llvm::ArrayRef<int64_t> permutation = {});
/// Changes the shape of the result of `op`, and adapts its trace. The order of elements stays the same.
void reshapeResult(mlir::Operation *op, llvm::ArrayRef<int64_t> shape);

/// Escapes text of a model for messages, as ascii() of Python does. Long text is shortened.
std::string escaped(llvm::StringRef text);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_LOCATION_H
