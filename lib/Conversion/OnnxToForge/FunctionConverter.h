//===- FunctionConverter.h - walks one function and converts its nodes ----===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_FUNCTIONCONVERTER_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_FUNCTIONCONVERTER_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Conversion/OnnxToForge/TrialConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace forge {

/// Whether elements of this type can go to the device and come from it.
bool isTransferable(mlir::Type element);
/// The tensor type for an importer's type, null where the device has none.
mlir::RankedTensorType deviceType(mlir::Type type);

/// Converts one function in place, or reports every node it cannot convert.
class FunctionConverter {
public:
  FunctionConverter(mlir::func::FuncOp func, const ConversionOptions &options)
      : func(func), registry(OnnxRegistry::get()), ownConverters(OwnConverters::of(func.getContext())),
        builder(func.getContext()), options(options) {}

  /// Converts the function; it is left as it was when a node is refused.
  mlir::LogicalResult run();

  /// Nodes that became forge ops, became constants, or were refused. A node inside a loop counts each time.
  struct Tally {
    int64_t converted = 0, folded = 0, refused = 0;
  };
  const Tally &getTally() const { return tally; }

  /// What tryConversion does.
  mlir::FailureOr<llvm::SmallVector<NodeVerdict>> analyze(KeepOff keepOff);

private:
  mlir::LogicalResult convertSignature(llvm::SmallVectorImpl<mlir::Type> &inputs);
  void convertNode(torch::OperatorOp op);
  Values convertWith(OnnxNode &node, const OnnxRegistry::Entry &entry);
  mlir::LogicalResult inlineRegion(mlir::Region &region, llvm::ArrayRef<mlir::Value> arguments,
                                   llvm::SmallVectorImpl<mlir::Value> &yields, std::optional<Refusal> &refusal);
  mlir::Operation *convertBlock(mlir::Block &block);
  bool chooseVersion(torch::OperatorOp op, llvm::StringRef &domain, int64_t &opset, const OnnxRegistry::Entry *&entry);
  void checkResults(OnnxNode &node, Values &results);
  void refuse(torch::OperatorOp op, llvm::StringRef domain, int64_t opset, Code code, const llvm::Twine &reason,
              llvm::ArrayRef<llvm::StringRef> bindable = {});
  llvm::SetVector<llvm::StringRef> inputsBehind(OnnxNode &node);
  void mapRefused(torch::OperatorOp op);
  void judge(torch::OperatorOp op, std::optional<std::string> keptOff);

  mlir::func::FuncOp func;
  const OnnxRegistry &registry;
  const OnnxRegistry *ownConverters; // A user's; null when there is none.
  mlir::OpBuilder builder;
  const ConversionOptions &options;
  mlir::IRMapping values;
  llvm::DenseSet<mlir::Value> refusedValues;
  bool anyRefused = false;
  Tally tally;
  // Nodes whose declared shapes were found wrong. A node inside a loop is converted many times.
  llvm::DenseSet<mlir::Operation *> warned;
  // Subgraphs around the node at hand, and nodes that were converted inside subgraphs so far.
  int64_t depth = 0, inlinedNodes = 0;
  // Where a trial collects what it would report.
  NodeVerdict *verdict = nullptr;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_FUNCTIONCONVERTER_H
