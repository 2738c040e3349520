//===- EmissionPlan.h - what the printers need, decided beforehand -*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H
#define FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Support/PyLiteral.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace forge {

/// What a manifest's "format" says; it is increased with each change that older readers would misread.
/// forge_mlir.artifact.reader has the same number.
inline constexpr int64_t kManifestFormat = 2;

/// A forward argument or a result, with its ONNX name ("" when unknown).
struct PlannedTensor {
  std::string name;
  std::string onnxName;
  mlir::RankedTensorType type;
  bool isScalar = false;                   ///< in ONNX, known of outputs
  llvm::ArrayRef<int64_t> indexRange = {}; ///< of an input of indices: [lowest, highest]
  std::optional<unsigned> loopback = {};   ///< of an output: the number of the input that it is in the next step
};

/// A weight, maybe computed from others: floating-point ones are Forge parameters, integers are constants.
struct PlannedWeight {
  mlir::Operation *op;
  std::string name; ///< unique among everything that Forge puts into its graph namespace
  std::string onnxName;
  mlir::RankedTensorType type;
  bool isParameter;
  llvm::SmallVector<int64_t> storedShape; ///< 1 along axes that loading expands
};

/// What holds an ONNX value times `scale`: its axis i is axis axes[i] of `value`, reshaped to `shape`; both empty where
/// that changes nothing.
struct TracedValue {
  mlir::Value value;
  llvm::SmallVector<int64_t> axes, shape;
  double scale = 1;
};

/// A statement: the call that an op is, or a call of a method. Operands and names are Python.
struct PlannedCall {
  mlir::Operation *op = nullptr; ///< null for a call of a method
  std::string method;
  /// Of a method's call in a loop: the variable of the loop and its values.
  std::string loopVariable;
  llvm::SmallVector<int64_t> loopNumbers;
  llvm::SmallVector<std::string> targets, operands;
  std::string node;                        ///< a literal or an f-string with the node's name; "" for none
  llvm::SmallVector<std::string> releases; ///< variables that nothing reads any more: their memory can go
  llvm::SmallVector<mlir::Operation *> callsOfMethod = {}; ///< of a statement of `forward`, in the order of execution

  /// The calls that a statement of `forward` makes.
  llvm::ArrayRef<mlir::Operation *> made() const { return op ? llvm::ArrayRef(op) : callsOfMethod; }
};

/// The body of `forward` or of a method.
struct PlannedBody {
  std::vector<PlannedCall> calls;
  llvm::SmallVector<std::string> returned;
  /// Where what was a variable of this body is since a block became a method: `variable.local`.
  llvm::StringMap<std::string> moved;

  /// Fills `releases`, several variables at once: what waits to be released is never more than twice `most`
  /// elements.
  /// `elements` tells how many a variable of a method's call has.
  void planReleases(int64_t most, const llvm::StringMap<int64_t> &elements);
};

/// Weights that a loop declares, one for each number.
struct WeightLoop {
  struct Slot {
    std::string name; ///< an f-string
    llvm::SmallVector<mlir::Operation *> ops;
  };

  std::string numbers; ///< what `n` counts over
  std::vector<Slot> weights;
};

/// What several equal layers are written as, or several equal blocks of `forward` and of layers.
struct PlannedMethod {
  std::string name;
  std::string purpose; ///< a sentence
  llvm::SmallVector<std::string> parameters;
  PlannedBody body;
  WeightLoop weights;
};

/// The names that a function of a module may choose from: all but those that mean something in each.
Namespace functionNames();

/// Names, order and lifetimes of one function. Printers only read it; they invent nothing.
struct EmissionPlan {
  EmissionPlan(mlir::func::FuncOp func, llvm::StringRef name);

  /// Whether an op is a call of the module.
  bool isCall(mlir::Operation &op) const;
  /// Python for an operand in `forward`.
  std::string operand(mlir::Value value) const;
  /// The statement of an op in `forward`.
  PlannedCall callOf(mlir::Operation *op) const;
  /// The variable of `forward` that has a value; for one inside of a method `variable.local`, where `variable` is the
  /// first that the call of the method sets, or `variable[n].local` for a call in a loop.
  std::string placeOf(mlir::Value value) const;
  /// A variable of `forward` that no value has yet.
  std::string newVariable(llvm::StringRef wanted) { return variableNames.unique(wanted); }

  mlir::Block *body;
  ComputedWeights computed;
  std::string moduleName; ///< file stem
  std::string className;
  llvm::SmallVector<PlannedTensor> inputs, outputs;
  llvm::MapVector<mlir::Operation *, PlannedWeight> weights;
  /// The variable of each value that has one, if all calls are in `forward`.
  llvm::DenseMap<mlir::Value, std::string> variables;
  /// What `forward` does. Methods are what layers became.
  PlannedBody forward;
  std::vector<PlannedMethod> methods;
  /// A variable of a method in one of its calls: the first variable that the call sets, the method, and the local.
  struct InMethod {
    std::string call;
    size_t method;
    std::string local;
  };
  /// Where values inside of methods are, of those that are traced.
  llvm::DenseMap<mlir::Value, InMethod> placesInMethods;
  /// What some of `variables` are called since calls became loops; and the places of the calls that set them.
  llvm::StringMap<std::string> renamed, placesInLoops;
  /// Weights that a loop of a method declares.
  llvm::DenseSet<mlir::Operation *> weightsInLoops;
  /// The value that holds each ONNX value, of a model that is to be verified.
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

/// Chooses variables for the results of `calls`, by the nodes that they come from.
void nameResultsOf(llvm::ArrayRef<mlir::Operation *> calls,
                   llvm::function_ref<llvm::StringRef(mlir::Operation *)> nodeOf, Namespace &names,
                   llvm::DenseMap<mlir::Value, std::string> &variables);

/// Writes equal layers as calls of one method each, where that makes the module shorter: sets `forward.calls` and
/// `methods`. False, with nothing changed, where it does not.
bool planMethods(EmissionPlan &plan);

/// Writes blocks of calls that are equal as text, but for names, as calls of one method each.
void planBlocks(EmissionPlan &plan);

/// Writes calls of a method that each read the result of the one before as a loop.
void planLoops(EmissionPlan &plan);

/// The name of the ONNX node that the call of an op names; "" for none.
llvm::StringRef calledNode(mlir::Operation *op);

/// A module's text, and the line of each statement: of `forward` first, then of each method.
struct PrintedModule {
  std::string python;
  std::vector<std::vector<unsigned>> lines;
};

/// The facts of a module as JSON, for the artifact writer, with those of the ONNX model if the module is the whole of
/// `model`.
std::string writeManifest(const EmissionPlan &plan, const PrintedModule &printed, mlir::func::FuncOp model);

/// The function that a module is written for: its one function, or the driver of a partitioned one. Fails with
/// diagnostics.
mlir::FailureOr<mlir::func::FuncOp> entryFunction(mlir::ModuleOp module);
/// What a module with this entry function is called: `name`, or else the name of the MLIR module, or the function's.
llvm::StringRef nameOf(mlir::func::FuncOp entry, llvm::StringRef name);
/// One device function as a module: the whole model, or a partition of one.
mlir::FailureOr<EmittedModule> emitDevice(mlir::func::FuncOp func, llvm::StringRef name, bool readsModelFiles,
                                          bool isPartition);
/// A driver with the modules of its partitions.
mlir::FailureOr<EmittedModule> emitPartitionedModel(mlir::func::FuncOp driver, llvm::StringRef name,
                                                    bool readsModelFiles);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_EMISSIONPLAN_H
