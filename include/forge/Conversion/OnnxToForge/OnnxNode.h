//===- OnnxNode.h - a typed view of one ONNX node ---------------*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_ONNXNODE_H
#define FORGE_CONVERSION_ONNXTOFORGE_ONNXNODE_H

#include "forge/Conversion/OnnxToForge/ConversionOptions.h"
#include "forge/Dialect/Forge/IR/Inference.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSet.h"

namespace forge {

/// The result of `refuse`, for `return node.refuse(...)`. Converts to the empty value of any return type; for `bool`
/// that is false.
struct Refused {
  operator bool() const { return false; }
  operator mlir::Value() const { return {}; }
  operator mlir::LogicalResult() const { return mlir::failure(); }
  template <typename T>
  operator mlir::FailureOr<T>() const {
    return mlir::failure();
  }
  template <typename T>
  operator std::optional<T>() const {
    return std::nullopt;
  }
  template <typename T, unsigned N>
  operator llvm::SmallVector<T, N>() const {
    return {};
  }
};

/// One ONNX node, its operands already converted.
///
/// A getter that has no value records the reason and returns an empty value, so that a converter can read all inputs
/// first and ask `failed()` once. Every attribute must be read: a node with an unread attribute is refused.
class OnnxNode {
public:
  struct Version {
    int64_t opset; ///< version of the node's domain that the model imports
    int64_t since; ///< the version of the op: the opset in which ONNX last changed it
  };

  /// Converts the nodes of a subgraph at the insertion point of this node. `arguments` are the values of its inputs
  /// (null for absent ones); its outputs are appended to `yields`. Failure without `refusal` means that a node of the
  /// subgraph was refused and has been reported.
  using Inliner = llvm::function_ref<mlir::LogicalResult(mlir::Region &, llvm::ArrayRef<mlir::Value> arguments,
                                                         llvm::SmallVectorImpl<mlir::Value> &yields,
                                                         std::optional<Refusal> &refusal)>;

  OnnxNode(torch::OperatorOp op, llvm::StringRef domain, Version version, const ConversionOptions &options,
           llvm::ArrayRef<mlir::Value> operands, llvm::ArrayRef<bool> refused, Inliner inliner)
      : op(op), domain(domain), version(version), options(options), operands(operands), refused(refused),
        inliner(inliner) {}

  //===--------------------------------------------------------------------===//
  // Identity
  //===--------------------------------------------------------------------===//

  llvm::StringRef opType() const { return getOp().getName().drop_front(sizeof("onnx.") - 1); }
  llvm::StringRef getDomain() const { return domain; }
  int64_t opset() const { return version.opset; }
  int64_t since() const { return version.since; }
  mlir::Location loc() const { return getOp().getLoc(); }
  torch::OperatorOp getOp() const { return op; }

  //===--------------------------------------------------------------------===//
  // Operands and results
  //===--------------------------------------------------------------------===//

  unsigned numInputs() const { return operands.size(); }
  unsigned numOutputs() const { return getOp().getNumResults(); }
  /// Whether operand `i` is present. In ONNX an absent operand has the name "" or is left out.
  bool hasInput(unsigned i) const { return i < operands.size() && (operands[i] || refused[i]); }
  /// Whether the node names output `i`. The importer gives no type to an output without a name, nor to one whose type
  /// onnx could not infer; the latter has uses.
  bool hasOutput(unsigned i) const {
    return i < numOutputs() &&
           (!llvm::isa<torch::NoneType>(getOp().getResult(i).getType()) || !getOp().getResult(i).use_empty());
  }
  /// Whether anything uses output `i`.
  bool usesOutput(unsigned i) const { return hasOutput(i) && !getOp().getResult(i).use_empty(); }

  /// Operand `i`, which is required.
  mlir::Value input(unsigned i);
  /// Operand `i`, or null when it is absent.
  mlir::Value optionalInput(unsigned i);
  /// All operands, which are required.
  llvm::SmallVector<mlir::Value> inputs();
  /// Operand `i` as a constant whose elements are in the IR; null, with a reason, otherwise. `what` names the operand
  /// in the reason.
  mlir::DenseElementsAttr constant(unsigned i, llvm::StringRef what);
  /// Records a reason unless `value` is an integer tensor. Returns whether the node has not failed.
  bool requireIntegers(mlir::Value value, llvm::StringRef what);
  /// The elements of the constant integer operand `i`.
  llvm::SmallVector<int64_t> constantInts(unsigned i, llvm::StringRef what);
  /// The one element of the constant operand `i` as an integer. Floats must be whole numbers.
  int64_t constantInt(unsigned i, llvm::StringRef what);
  /// The same; nullopt when the operand is absent.
  std::optional<int64_t> optionalConstantInt(unsigned i, llvm::StringRef what) {
    return hasInput(i) ? std::optional(constantInt(i, what)) : std::nullopt;
  }
  /// The one element of the constant operand `i` as a double, which rounds integers beyond 2^53.
  double constantScalar(unsigned i, llvm::StringRef what);

  /// The element type the model declares for output `i`, null when it declares none.
  mlir::Type declaredElementType(unsigned i) const;

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  bool hasAttr(llvm::StringRef name);
  int64_t intAttr(llvm::StringRef name, std::optional<int64_t> fallback = std::nullopt);
  double floatAttr(llvm::StringRef name, std::optional<double> fallback = std::nullopt);
  llvm::StringRef stringAttr(llvm::StringRef name, std::optional<llvm::StringRef> fallback = std::nullopt);
  llvm::SmallVector<int64_t> intsAttr(llvm::StringRef name,
                                      std::optional<llvm::ArrayRef<int64_t>> fallback = std::nullopt);
  llvm::SmallVector<double> floatsAttr(llvm::StringRef name,
                                       std::optional<llvm::ArrayRef<double>> fallback = std::nullopt);
  /// An ONNX TensorProto.DataType that must be floating point. Null without a reason for 0, if that is the default.
  mlir::Type floatTypeAttr(llvm::StringRef name, int64_t fallback = 0);
  /// Attribute `name`, or since version `inputSince` the constant operand `i`, as ONNX moved many; required.
  llvm::SmallVector<int64_t> intsOrInput(llvm::StringRef name, unsigned i, int64_t inputSince);
  /// The same; nullopt when it is absent.
  std::optional<llvm::SmallVector<int64_t>> optionalIntsOrInput(llvm::StringRef name, unsigned i, int64_t inputSince);
  /// Attribute 'axis' as an index of an axis of `x`, which may be null; 0 once the node has failed.
  int64_t axisAttr(mlir::Value x, std::optional<int64_t> fallback = std::nullopt);
  mlir::DenseElementsAttr tensorAttr(llvm::StringRef name);
  mlir::Attribute rawAttr(llvm::StringRef name);
  /// A flag: 0 or 1.
  bool flagAttr(llvm::StringRef name, bool fallback);
  /// A string that must be one of `choices`; the first one is the default, unless the attribute is required.
  llvm::StringRef choiceAttr(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> choices, bool required = false);
  /// Marks an attribute as read, for one that does not change the result here.
  void ignoreAttr(llvm::StringRef name) { (void)rawAttr(name); }

  //===--------------------------------------------------------------------===//
  // Subgraphs
  //===--------------------------------------------------------------------===//

  /// Subgraphs in alphabetical order of their attributes. The call marks them as read, as getters do with attributes.
  unsigned numSubgraphs() {
    readSubgraphs = true;
    return getOp()->getNumRegions();
  }
  /// The index of each of `names` (in alphabetical order) among the subgraphs; empty for a subgraph that is absent.
  /// Refuses subgraphs with other names, and an absent subgraph where the IR does not name the others.
  llvm::SmallVector<std::optional<unsigned>> subgraphs(llvm::ArrayRef<llvm::StringRef> names);
  /// Converts subgraph `i` inline, once per call, and returns its outputs; null for absent ones. Empty, with failed(),
  /// when a node of the subgraph was refused.
  std::optional<llvm::SmallVector<mlir::Value>> inlineSubgraph(unsigned i, llvm::ArrayRef<mlir::Value> arguments);
  /// Whether the node has subgraphs that its converter did not read.
  bool ignoresSubgraphs() const { return getOp()->getNumRegions() != 0 && !readSubgraphs; }

  //===--------------------------------------------------------------------===//
  // Checks
  //===--------------------------------------------------------------------===//

  /// `axis` as an index in [0, rank).
  int64_t axis(int64_t axis, int64_t rank, llvm::StringRef what = "axis");
  /// Distinct axes in [0, rank).
  llvm::SmallVector<int64_t> axes(llvm::ArrayRef<int64_t> axes, int64_t rank, llvm::StringRef what = "axes");
  /// Records why the node cannot be converted.
  Refused refuse(Code code, const llvm::Twine &reason) {
    refusals.push_back({code, reason.str()});
    return {};
  }
  /// Refuses operand `i` because it is not a compile-time constant; if its producer was refused, reports only that.
  Refused refuseUnknown(unsigned i, const llvm::Twine &reason);
  /// Refuses the node because its result may differ from ONNX by rounding, unless --allow-rounding accepts that.
  void refuseRounding(const llvm::Twine &reason) {
    if (!options.allowRounding)
      refuse(Code::RoundingDiffers, reason + "; option allow-rounding accepts the difference");
  }
  bool allowsRounding() const { return options.allowRounding; }
  bool failed() const { return !refusals.empty() || sawRefused; }
  /// `value`, or failure if the node has failed.
  template <typename T>
  mlir::FailureOr<T> unlessFailed(T value) const {
    if (failed())
      return mlir::failure();
    return value;
  }

  llvm::ArrayRef<Refusal> getRefusals() const { return refusals; }
  /// Operands that a getter required to be constant and that are not.
  llvm::ArrayRef<unsigned> getUnknownOperands() const { return unknownOperands; }
  /// Attributes that the converter did not read.
  llvm::SmallVector<llvm::StringRef> unreadAttributes() const;

private:
  torch::OperatorOp op;
  llvm::StringRef domain;
  Version version;
  const ConversionOptions &options;
  llvm::ArrayRef<mlir::Value> operands;
  llvm::ArrayRef<bool> refused;
  Inliner inliner;
  bool readSubgraphs = false;
  llvm::StringSet<> read;
  llvm::SmallVector<Refusal> refusals;
  llvm::SmallVector<unsigned> unknownOperands;
  bool sawRefused = false;
};

/// The elements of an integer constant of any width and signedness.
llvm::SmallVector<int64_t> intValues(mlir::DenseElementsAttr value);
/// The elements of a constant as doubles.
llvm::SmallVector<double> numberValues(mlir::DenseElementsAttr value);
/// The element type for an ONNX TensorProto.DataType; null when the device has none.
mlir::Type elementTypeOfCode(int64_t code, mlir::MLIRContext *context);
/// The forge element type for a dtype of the importer: signed integers become signless. Null when there is none.
mlir::Type convertElementType(mlir::Type dtype);

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_ONNXNODE_H
