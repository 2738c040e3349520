//===- TrialConversion.cpp - tries to convert each node -------------------===//

#include "TrialConversion.h"

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"
#include "forge/Conversion/OnnxToForge/FunctionConverter.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace forge;

// The multiply-adds of a matrix product or convolution that runs on the CPU, if its types are known.
static int64_t estimateMultiplyAdds(torch::OperatorOp op) {
  auto type = [&](unsigned operand) {
    return operand < op->getNumOperands() ? deviceType(op->getOperand(operand).getType()) : RankedTensorType();
  };
  RankedTensorType result = op->getNumResults() > 0 ? deviceType(op->getResult(0).getType()) : RankedTensorType();
  int weight = llvm::StringSwitch<int>(op.getName())
                   .Cases({"onnx.Conv", "onnx.ConvInteger", "onnx.ConvTranspose"}, 1)
                   .Case("onnx.QLinearConv", 3)
                   .Default(-1);
  if (weight >= 0) {
    // ConvTranspose is a convolution with input and output exchanged.
    RankedTensorType outer = op.getName() == "onnx.ConvTranspose" ? type(0) : result, filter = type(weight);
    if (!outer || !filter || filter.getRank() == 0)
      return 0;
    return convolutionMultiplyAdds(outer, filter);
  }
  bool isProduct = llvm::StringSwitch<bool>(op.getName())
                       .Cases({"onnx.MatMul", "onnx.MatMulInteger", "onnx.QLinearMatMul", "onnx.Gemm"}, true)
                       .Default(false);
  RankedTensorType left = type(0);
  if (!isProduct || !result || !left || left.getRank() == 0)
    return 0;
  auto transA = op->getAttrOfType<IntegerAttr>("torch.onnx.transA");
  int64_t inner = transA && !transA.getValue().isZero() ? left.getDimSize(0) : left.getShape().back();
  return matmulMultiplyAdds(result, inner);
}

// Tries to convert a node, unless there is a reason (`keptOff`) why it must not run on the device.
static NodeVerdict judge(FunctionConverter &converter, Block &target, torch::OperatorOp op,
                         std::optional<std::string> keptOff) {
  Operation *before = target.empty() ? nullptr : &target.back();
  NodeVerdict verdict{op, "", {}, {}};
  if (keptOff) {
    verdict.reason = *keptOff;
    converter.mapRefused(op);
  } else {
    verdict.reason = converter.tryNode(op);
  }
  for (Value result : op.getResults()) {
    Value value = verdict.reason.empty() ? converter.converted(result) : Value();
    verdict.types.push_back(value ? tensorType(value) : RankedTensorType());
    verdict.known.push_back(knownValue(value));
  }
  for (RankedTensorType type : verdict.types)
    if (type && !isTransferable(type.getElementType()) && verdict.reason.empty())
      llvm::raw_string_ostream(verdict.reason) << "its result has type " << type << ", which the device cannot hold";
  if (!verdict.reason.empty()) {
    verdict.multiplyAdds = estimateMultiplyAdds(op);
    return verdict;
  }
  for (auto it = before ? std::next(before->getIterator()) : target.begin(); it != target.end(); ++it)
    verdict.multiplyAdds = addCounts(verdict.multiplyAdds, multiplyAdds(&*it));
  return verdict;
}

FailureOr<SmallVector<NodeVerdict>> forge::tryConversion(func::FuncOp func, const ConversionOptions &options,
                                                         KeepOff keepOff) {
  if (func.isExternal() || !llvm::hasSingleElement(func.getBody()))
    return emitError(func, Code::InvalidIr) << "expected a function with one block";
  Block target;
  FunctionConverter converter(func, options);
  converter.startTrial(target);
  SmallVector<NodeVerdict> verdicts;
  for (auto op : func.front().getOps<torch::OperatorOp>())
    verdicts.push_back(judge(converter, target, op, keepOff(op)));
  target.dropAllReferences();
  return verdicts;
}
