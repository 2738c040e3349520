//===- RefusedNodes.cpp - diagnostics about refused nodes -----------------===//
//
// FunctionConverter::chooseVersion refuses nodes for whose opset there is no converter.
//
//===----------------------------------------------------------------------===//

#include "forge/Conversion/OnnxToForge/FunctionConverter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace forge;

// The facts about a refused node for tools, except for its name.
static SmallVector<NamedAttribute> nodeFacts(Builder &b, StringRef type, StringRef domain, int64_t opset,
                                             const Twine &reason, TypeRange operands, ArrayRef<StringRef> bindable) {
  return {b.getNamedAttr("op", b.getStringAttr(type)),
          b.getNamedAttr("domain", b.getStringAttr(domain)),
          b.getNamedAttr("opset", b.getI64IntegerAttr(opset)),
          b.getNamedAttr("reason", b.getStringAttr(reason)),
          b.getNamedAttr("operands", b.getTypeArrayAttr(operands)),
          b.getNamedAttr("bind", b.getStrArrayAttr(bindable))};
}

// "node 'name' (Op, opset N)", with the domain unless it is the default one.
void FunctionConverter::refuse(torch::OperatorOp op, StringRef domain, int64_t opset, Code code, const Twine &reason,
                               ArrayRef<StringRef> bindable) {
  anyRefused = true;
  StringRef type = op.getName();
  type.consume_front("onnx.");
  if (trial) {
    std::string inside =
        op == trial->op ? "" : "node '" + escaped(nodeName(op.getLoc())) + "' (" + escaped(type) + "): ";
    if (!trial->reason.empty())
      trial->reason += "; ";
    trial->reason += inside + reason.str();
    return;
  }
  SmallVector<Type> operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) {
    return values.contains(operand) ? values.lookup(operand).getType() : operand.getType();
  });
  ++tally.refused;
  // The remark keeps a reference to the name, which the context owns.
  emitRemark(remark::failed, RemarkPlace::of(op), "convert-onnx-to-forge",
             builder.getStringAttr(codeText(code)).getValue(), escaped(type) + ": " + reason);
  InFlightDiagnostic diagnostic =
      emitError(op.getLoc(), code, nodeFacts(builder, type, domain, opset, reason, operands, bindable));
  diagnostic << "node '" << escaped(nodeName(op.getLoc())) << "' (" << (domain.empty() ? "" : escaped(domain) + ".")
             << escaped(type);
  if (opset > 0)
    diagnostic << ", opset " << opset;
  diagnostic << "): " << reason;
  Diagnostic &note = diagnostic.attachNote();
  note << "operands: (";
  llvm::interleave(operands, [&](Type operand) { note << operand; }, [&] { note << ", "; });
  note << ")";
  for (StringRef input : bindable)
    diagnostic.attachNote() << "bind input '" << escaped(input) << "' to a value with --bind " << escaped(input)
                            << "=FILE.npy";
}

// Names of the function's inputs that determine operands which `node` requires to be constant.
SetVector<StringRef> FunctionConverter::bindableInputs(OnnxNode &node) {
  SetVector<StringRef> names;
  SetVector<Value> seen;
  for (unsigned i : node.getUnknownOperands())
    seen.insert(node.getOp()->getOperand(i));
  for (size_t next = 0; next < seen.size(); ++next) { // `seen` grows.
    Value value = seen[next];
    if (Value converted = values.lookupOrNull(value); converted && matchPattern(converted, m_Constant()))
      continue;
    // Values that a subgraph captures contribute too.
    if (Operation *producer = value.getDefiningOp())
      producer->walk([&](Operation *inner) { seen.insert(inner->operand_begin(), inner->operand_end()); });
    else if (cast<BlockArgument>(value).getOwner()->getParentOp() == func)
      names.insert(nodeName(value.getLoc()));
  }
  return names;
}

void FunctionConverter::mapRefused(torch::OperatorOp op) {
  for (OpResult result : op.getResults()) {
    refusedValues.insert(result);
    // The importer writes an unknown rank as rank 0.
    RankedTensorType type = deviceType(result.getType());
    if (!type || (type.getRank() == 0 && !torch::isScalarResult(result)))
      continue;
    auto placeholder = UnrealizedConversionCastOp::create(builder, op.getLoc(), type, ValueRange());
    values.map(result, placeholder.getResult(0));
    refusedValues.erase(result);
  }
}
