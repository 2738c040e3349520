//===- FunctionConverter.h - walks one function and converts its nodes ----===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_FUNCTIONCONVERTER_H
#define FORGE_CONVERSION_ONNXTOFORGE_FUNCTIONCONVERTER_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace forge {

/// Whether tensors of this element type can be transferred to and from the device.
bool isTransferable(mlir::Type element);
/// The device's tensor type for an importer's type; null if there is none.
mlir::RankedTensorType deviceType(mlir::Type type);

/// Converts one function in place, or reports all nodes that it cannot convert. In a trial it converts single nodes
/// into another block and reports nothing.
class FunctionConverter {
public:
  FunctionConverter(mlir::func::FuncOp func, const ConversionOptions &options)
      : func(func), registry(OnnxRegistry::get()), ownConverters(OwnConverters::of(func.getContext())),
        builder(func.getContext()), options(options) {}

  /// Converts the function. If a node is refused, the function is unchanged.
  mlir::LogicalResult run();

  /// The number of nodes that were converted, folded or refused. A node in a loop counts once per iteration.
  struct Tally {
    int64_t converted = 0, folded = 0, refused = 0;
  };
  const Tally &getTally() const { return tally; }

  /// Starts a trial. Nodes are converted into `target`, and the function does not change.
  void startTrial(mlir::Block &target);
  /// Converts the next node of the function's block in a trial. Returns why it is refused; empty if it is not.
  std::string tryNode(torch::OperatorOp op);
  /// Maps results of a refused node to placeholders of the importer's types, if they are static, so that the following
  /// nodes can be checked.
  void mapRefused(torch::OperatorOp op);
  /// The value to which a value of the function was converted; null if there is none.
  mlir::Value converted(mlir::Value value) const { return values.lookupOrNull(value); }

private:
  mlir::LogicalResult convertSignature(llvm::SmallVectorImpl<mlir::Type> &inputs);
  void convertNode(torch::OperatorOp op);
  mlir::LogicalResult inlineRegion(mlir::Region &region, llvm::ArrayRef<mlir::Value> arguments,
                                   llvm::SmallVectorImpl<mlir::Value> &yields, std::optional<Refusal> &refusal);
  mlir::Operation *convertBlock(mlir::Block &block);
  bool chooseVersion(torch::OperatorOp op, llvm::StringRef &domain, int64_t &opset, const OnnxRegistry::Entry *&entry);
  void checkResults(OnnxNode &node, Values &results);
  void refuse(torch::OperatorOp op, llvm::StringRef domain, int64_t opset, Code code, const llvm::Twine &reason,
              llvm::ArrayRef<llvm::StringRef> bindable = {});
  llvm::SetVector<llvm::StringRef> bindableInputs(OnnxNode &node);

  mlir::func::FuncOp func;
  const OnnxRegistry &registry;
  const OnnxRegistry *ownConverters; // User-defined; may be null.
  mlir::OpBuilder builder;
  const ConversionOptions &options;
  mlir::IRMapping values;
  llvm::DenseSet<mlir::Value> refusedValues;
  bool anyRefused = false;
  Tally tally;
  // Nodes that were already warned about because of wrong declared shapes; a node in a loop is converted repeatedly.
  llvm::DenseSet<mlir::Operation *> warned;
  // The nesting depth of the current subgraph, and the number of nodes converted in subgraphs so far.
  int64_t depth = 0, inlinedNodes = 0;
  // In a trial: the node that is converted, and why it is refused.
  struct Trial {
    torch::OperatorOp op;
    std::string reason;
  };
  std::optional<Trial> trial;
};

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_FUNCTIONCONVERTER_H
