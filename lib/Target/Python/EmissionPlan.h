//===- EmissionPlan.h - everything that the printers print ------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H
#define FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H

#include "Names.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Support/PyLiteral.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace forge {

/// The "format" of manifests, incremented with each change that older readers would misread. The same number is in
/// forge_mlir.artifact.manifest.
inline constexpr int64_t kManifestFormat = 2;

/// The end of every docstring: what to do about the hashes of the manifest after an edit.
inline constexpr llvm::StringLiteral kAfterAnEdit =
    "After an edit of this file: `forge-mlir reseal DIRECTORY`, or load(trust_edits=True).\n";

/// The text of a string attribute; "" for others and for null.
inline llvm::StringRef textOf(mlir::Attribute attribute) {
  auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(attribute);
  return text ? text.getValue() : "";
}

/// A text of Templates, in which each name is replaced by its value.
std::string filled(llvm::StringRef text, llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> values);

/// An argument or result of `forward`, with its ONNX name ("" if unknown).
struct PlannedTensor {
  std::string name;
  std::string onnxName;
  mlir::RankedTensorType type;
  bool isScalar = false;                   ///< whether ONNX has rank 0; set for outputs
  llvm::ArrayRef<int64_t> indexRange = {}; ///< of an index input: [lowest, highest]
  std::optional<unsigned> loopback = {};   ///< of an output: the input that it becomes in the next step
};

/// A weight, possibly computed from others. Floats are Forge parameters, integers are Forge constants.
struct PlannedWeight {
  mlir::Operation *op;
  std::string name; ///< unique in the namespace of Forge's graph
  std::string onnxName;
  mlir::RankedTensorType type;
  bool isParameter;
};

/// The value that holds an ONNX value, multiplied by `scale`. Axis i of the ONNX value is axis axes[i] of `value`,
/// reshaped to `shape`; both lists are empty if they change nothing.
struct TracedValue {
  mlir::Value value;
  llvm::SmallVector<int64_t> axes, shape;
  double scale = 1;
};

/// A statement: the call that an op is printed as, or the call of a method. Operands and names are Python expressions.
struct PlannedCall {
  mlir::Operation *op = nullptr; ///< null for a call of a method
  std::string method;
  /// For a call of a method in a loop: the loop variable and its values.
  std::string loopVariable;
  llvm::SmallVector<int64_t> loopNumbers;
  llvm::SmallVector<std::string> targets, operands;
  std::string node;                        ///< a literal or an f-string with the node's name; "" for none
  llvm::SmallVector<std::string> releases; ///< variables that are not read after this statement
  llvm::SmallVector<mlir::Operation *> callsOfMethod = {}; ///< of a statement of `forward`, in execution order

  /// The ops that a statement of `forward` executes.
  llvm::ArrayRef<mlir::Operation *> made() const { return op ? llvm::ArrayRef(op) : callsOfMethod; }
};

/// The body of `forward` or of a method.
struct PlannedBody {
  std::vector<PlannedCall> calls;
  llvm::SmallVector<std::string> returned;
  /// Variables that became locals of the method of a block, each with its current path, `variable.local`.
  llvm::StringMap<std::string> moved;

  /// Fills `releases`. Variables are released in groups, as long as a group has at most 2 * `most` elements. `elements`
  /// has the sizes of the results of method calls.
  void planReleases(int64_t most, const llvm::StringMap<int64_t> &elements);
};

/// Weights that are declared in a loop, one per layer.
struct WeightLoop {
  struct Slot {
    std::string name; ///< an f-string
    llvm::SmallVector<mlir::Operation *> ops;
  };

  std::string numbers; ///< the iterable of the loop over `n`
  std::vector<Slot> weights;
};

/// The method for several equal layers, or for several equal blocks of `forward` and of layers.
struct PlannedMethod {
  std::string name;
  std::string purpose; ///< a sentence
  llvm::SmallVector<std::string> parameters;
  PlannedBody body;
  WeightLoop weights;
};

/// A namespace for the locals of one function of a module, without the names that are reserved in all of them.
Namespace functionNames();

/// Names, order and lifetimes of one function. Printers only read the plan.
struct EmissionPlan {
  EmissionPlan(mlir::func::FuncOp func, llvm::StringRef name);

  /// Whether an op is printed as a call.
  bool isCall(mlir::Operation &op) const;
  /// The Python expression for an operand in `forward`.
  std::string operand(mlir::Value value) const;
  /// The statement of an op in `forward`.
  PlannedCall callOf(mlir::Operation *op) const;
  /// The path of a value: a variable of `forward`, `variable.local` for a local of a method, where `variable` is the
  /// first result of the method call, or `variable[n].local` for a call in a loop.
  std::string pathOf(mlir::Value value) const;
  /// An unused variable name of `forward`.
  std::string newVariable(llvm::StringRef wanted) { return variableNames.unique(wanted); }

  mlir::Block *body;
  ComputedWeights computed;
  std::string moduleName; ///< file stem
  std::string className;
  llvm::SmallVector<PlannedTensor> inputs, outputs;
  llvm::MapVector<mlir::Operation *, PlannedWeight> weights;
  /// The variable of each value, if all calls are in `forward`.
  llvm::DenseMap<mlir::Value, std::string> variables;
  /// The body of `forward`, in which equal layers are calls of methods.
  PlannedBody forward;
  std::vector<PlannedMethod> methods;
  /// A local of one call of a method: the first result of the call, the method, and the local.
  struct InMethod {
    std::string call;
    size_t method;
    std::string local;
  };
  /// Traced values that are locals of methods.
  llvm::DenseMap<mlir::Value, InMethod> pathsInMethods;
  /// Variables that were renamed when calls became loops, and the paths of the calls in loops.
  llvm::StringMap<std::string> renamed, pathsInLoops;
  /// Weights that are declared in loops.
  llvm::DenseSet<mlir::Operation *> weightsInLoops;
  /// The value that holds each ONNX value, for `verify`.
  llvm::MapVector<llvm::StringRef, TracedValue> trace;

private:
  void nameInputsAndOutputs(mlir::func::FuncOp func);
  void nameWeights();
  void nameResults();
  void planForward();
  void planReleases();
  void traceValues();

  Namespace graphNames; ///< parameters, constants and arguments share Forge's graph namespace
  Namespace variableNames = functionNames();
};

/// Names the variables of `calls` after the ONNX nodes of the ops.
void nameResultsOf(llvm::ArrayRef<mlir::Operation *> calls,
                   llvm::function_ref<llvm::StringRef(mlir::Operation *)> nodeOf, Namespace &names,
                   llvm::DenseMap<mlir::Value, std::string> &variables);

/// Outlines equal layers as methods, if that makes the module shorter: sets `forward.calls` and `methods`. Returns
/// false and changes nothing otherwise.
bool planMethods(EmissionPlan &plan);

/// Outlines blocks of calls as methods, if their texts are equal except for names.
void planBlocks(EmissionPlan &plan);

/// Rewrites consecutive calls of a method, each of which reads the result of the previous one, as a loop.
void planLoops(EmissionPlan &plan);

/// The name of the ONNX node of an op's call; "" for none.
llvm::StringRef calledNode(mlir::Operation *op);

/// The Python literal of an attribute of a call, or of the value of a forge.op.Constant.
std::string pyAttribute(ForgeCallOpInterface call, llvm::StringRef name, mlir::Attribute value);
/// The statement of `__init__` that declares a weight; `name` is a Python expression.
std::string pyDeclaration(llvm::StringRef name, const PlannedWeight &weight);
/// The expression of `forward` that reads the weight.
std::string pyGetter(llvm::StringRef name, const PlannedWeight &weight);

/// The text of a module and the line number of each statement: those of `forward`, then those of each method.
struct PrintedModule {
  std::string python;
  std::vector<std::vector<unsigned>> lines;
};

/// The manifest as JSON for the artifact writer. If the module is the whole `model`, it includes the facts of the ONNX
/// model.
std::string writeManifest(const EmissionPlan &plan, const PrintedModule &printed, mlir::func::FuncOp model);

/// The function that is emitted: the only function, or the driver of a partitioned model. Fails with diagnostics.
mlir::FailureOr<mlir::func::FuncOp> entryFunction(mlir::ModuleOp module);
/// The name of the emitted module: `name`, or else that of the MLIR module or of the function.
llvm::StringRef nameOf(mlir::func::FuncOp entry, llvm::StringRef name);
/// Emits one device function: the whole model, or a partition.
mlir::FailureOr<EmittedModule> emitDevice(mlir::func::FuncOp func, llvm::StringRef name, bool readsModelFiles,
                                          bool isPartition);
/// Emits a driver, with the modules of its partitions.
mlir::FailureOr<EmittedModule> emitPartitionedModel(mlir::func::FuncOp driver, llvm::StringRef name,
                                                    bool readsModelFiles);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H
