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

/// What a refusal returns, for `return node.refuse(...)`: the empty result of whatever type the function has, which for
/// `bool` is false.
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
/// A getter that cannot deliver records the reason and returns an empty value, so a converter reads its inputs first
/// and asks `failed()` once. Every attribute must be read: the driver refuses a node with one that was not.
class OnnxNode {
public:
  struct Version {
    int64_t opset; ///< version of the node's domain that the model imports
    int64_t since; ///< first opset of the converter that was chosen
  };

  /// Converts the nodes of a subgraph at the position of the node, with values (null: absent) for its arguments, and
  /// appends the values it yields. Failure without a refusal means that a node inside was refused, with a reason of its
  /// own.
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
  /// Whether operand `i` is there (ONNX spells an absent one as "" or leaves it out).
  bool hasInput(unsigned i) const { return i < operands.size() && (operands[i] || refused[i]); }
  /// Whether output `i` is named by the node. The importer has no type for one that is not, nor for one that onnx could
  /// not infer; that is used by something.
  bool hasOutput(unsigned i) const {
    return i < numOutputs() &&
           (!llvm::isa<torch::NoneType>(getOp().getResult(i).getType()) || !getOp().getResult(i).use_empty());
  }
  /// Whether anything uses output `i`.
  bool usesOutput(unsigned i) const { return hasOutput(i) && !getOp().getResult(i).use_empty(); }

  /// Operand `i`, which must be there.
  mlir::Value input(unsigned i);
  /// Operand `i`, null when absent.
  mlir::Value optionalInput(unsigned i);
  /// All operands, which must be there.
  llvm::SmallVector<mlir::Value> inputs();
  /// Operand `i` as a constant whose values are in the IR, null (and a reason) otherwise. `what` names it in the
  /// reason.
  mlir::DenseElementsAttr constant(unsigned i, llvm::StringRef what);
  /// Records a reason unless `value` is a tensor of integers; whether the node is still sound.
  bool requireIntegers(mlir::Value value, llvm::StringRef what);
  /// Integer operand `i` as values.
  llvm::SmallVector<int64_t> constantInts(unsigned i, llvm::StringRef what);
  /// Number operand `i`, one element, as the integer it is: a float must be a whole number.
  int64_t constantInt(unsigned i, llvm::StringRef what);
  /// Number operand `i`, one element; integers beyond 2^53 are rounded.
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
  llvm::SmallVector<double> floatsAttr(llvm::StringRef name);
  mlir::DenseElementsAttr tensorAttr(llvm::StringRef name);
  mlir::Attribute rawAttr(llvm::StringRef name);
  /// A flag: 0 or 1.
  bool flagAttr(llvm::StringRef name, bool fallback);
  /// Says that an attribute has no influence on the result here.
  void ignoreAttr(llvm::StringRef name) { (void)rawAttr(name); }

  //===--------------------------------------------------------------------===//
  // Subgraphs
  //===--------------------------------------------------------------------===//

  /// Subgraphs in the order of their attributes' names. Asking says that the converter knows what they mean.
  unsigned numSubgraphs() {
    readSubgraphs = true;
    return getOp()->getNumRegions();
  }
  /// Where each of `names`, which are in alphabetical order, stands among the subgraphs; empty for one that the node
  /// leaves out. Refuses subgraphs of other names, and those that the IR does not name when some are left out.
  llvm::SmallVector<std::optional<unsigned>> subgraphs(llvm::ArrayRef<llvm::StringRef> names);
  /// The values that subgraph `i` yields for `arguments`; null where a value is absent. Converts it inline on each
  /// call. Empty, and failed(), when something inside was refused.
  std::optional<llvm::SmallVector<mlir::Value>> inlineSubgraph(unsigned i, llvm::ArrayRef<mlir::Value> arguments);
  /// Whether the node has subgraphs that no converter asked for.
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
  /// Records that operand `i` would have to be known at compile time. An operand that was refused is the reason itself.
  Refused refuseUnknown(unsigned i, const llvm::Twine &reason);
  /// Records why the result would differ from ONNX by rounding, unless the user accepts that.
  void refuseRounding(const llvm::Twine &reason) {
    if (!options.allowRounding)
      refuse(Code::RoundingDiffers, reason + "; option allow-rounding accepts the difference");
  }
  bool allowsRounding() const { return options.allowRounding; }
  bool failed() const { return !refusals.empty() || sawRefused; }

  llvm::ArrayRef<Refusal> getRefusals() const { return refusals; }
  /// Whether an operand comes from a node that was refused itself.
  bool hasRefusedOperand() const { return sawRefused; }
  /// Operands that a getter needed as constants but that are none.
  llvm::ArrayRef<unsigned> getUnknownOperands() const { return unknownOperands; }
  /// Attributes that no getter asked for.
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

/// The integers of a dense constant, whatever their width and sign.
llvm::SmallVector<int64_t> intValues(mlir::DenseElementsAttr value);
/// The numbers of a dense constant as doubles.
llvm::SmallVector<double> numberValues(mlir::DenseElementsAttr value);
/// The element type of an ONNX TensorProto.DataType; null when the device path has none.
mlir::Type elementTypeOfCode(int64_t code, mlir::MLIRContext *context);
/// The element type of this dialect for an importer's dtype: signed integers become signless. Null when there is none.
mlir::Type convertElementType(mlir::Type dtype);

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_ONNXNODE_H
