//===- EmissionPlan.h - what the printers need, decided beforehand -*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H
#define FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "forge/Target/Python/PyLiteral.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace forge {

/// What a manifest's "format" says; it goes up with each change that older readers would misread.
/// forge_mlir.artifact.reader has the same number.
inline constexpr int64_t kManifestFormat = 2;

/// A forward argument or a result, with its ONNX name ("" when unknown).
struct PlannedTensor {
  std::string name;
  std::string onnxName;
  mlir::RankedTensorType type;
  bool isScalar = false; ///< in ONNX, known of outputs
};

/// A weight, maybe computed from others: floating-point ones are Forge parameters, integers are constants.
struct PlannedWeight {
  mlir::Operation *op;
  std::string name; ///< unique among everything that Forge puts into its graph namespace
  std::string onnxName;
  mlir::RankedTensorType type;
  bool isParameter;
};

/// What holds an ONNX value. Its axis i is axis axes[i] of `value`; without axes they are the same.
struct TracedValue {
  mlir::Value value;
  llvm::SmallVector<int64_t> axes;
};

/// Names, order and lifetimes of one function. Printers only read it; they invent nothing.
struct EmissionPlan {
  EmissionPlan(mlir::func::FuncOp func, llvm::StringRef name);

  /// Whether an op is a call of the module.
  bool isCall(mlir::Operation &op) const;

  mlir::Block *body;
  ComputedWeights computed;
  std::string moduleName; ///< file stem
  std::string className;
  llvm::SmallVector<PlannedTensor> inputs, outputs;
  llvm::MapVector<mlir::Operation *, PlannedWeight> weights;
  /// The Python variable of each value that has one.
  llvm::DenseMap<mlir::Value, std::string> variables;
  /// Values whose last use is an op: their memory can go after it.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> releases;
  /// The value that holds each ONNX value, of a model that is to be verified.
  llvm::MapVector<llvm::StringRef, TracedValue> trace;

private:
  void nameInputsAndOutputs(mlir::func::FuncOp func);
  void nameWeights();
  void nameResults();
  void planReleases();
  void traceValues();

  Namespace graphNames; ///< parameters, constants and arguments share Forge's graph namespace
  Namespace variableNames;
};

/// The torch name of a legal element type, e.g. "float32".
llvm::StringRef torchDtype(mlir::Type element);

/// Where the bytes of a weight come from: the importer's table, one repeated value, the bytes themselves, or steps that
/// compute them from such.
llvm::json::Object weightSource(const EmissionPlan &plan, mlir::Operation *op);

/// The facts of a module as JSON, for the artifact writer.
std::string writeManifest(const EmissionPlan &plan);

/// The function that a module stands for: its one function, or the driver of a partitioned one. Fails with diagnostics.
mlir::FailureOr<mlir::func::FuncOp> entryFunction(mlir::ModuleOp module);
/// What a module with this entry function is called: `name`, or else the name of the MLIR module, or the function's.
llvm::StringRef nameOf(mlir::func::FuncOp entry, llvm::StringRef name);
/// One device function as a module.
mlir::FailureOr<EmittedModule> emitDevice(mlir::func::FuncOp func, llvm::StringRef name);
/// A driver with the modules of its partitions.
mlir::FailureOr<EmittedModule> emitPartitionedModel(mlir::func::FuncOp driver, llvm::StringRef name);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H
