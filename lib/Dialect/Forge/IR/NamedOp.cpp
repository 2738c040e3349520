//===- NamedOp.cpp - forge ops that are known by name only ----------------===//

#include "forge/Dialect/Forge/IR/NamedOp.h"

#include "forge/Support/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;

// Whether the verifier reports only that the type of the result is wrong.
static bool acceptsOperands(RegisteredOperationName name, Operation *op) {
  bool refused = false;
  ScopedDiagnosticHandler filter(op->getContext(), [&](Diagnostic &diagnostic) {
    bool expected = StringRef(diagnostic.str()).contains("are incompatible with return type(s) of operation");
    refused |= !expected;
    return success(expected); // The outer handler gets the other diagnostics.
  });
  (void)name.verifyInvariants(op);
  return !refused;
}

// Inference does not check operands and attributes. Therefore the verifier checks them first, on an op whose result has
// a placeholder type. Its last check is that of the result type: if only that fails, the op is valid.
FailureOr<SmallVector<Type>> forge::inferNamedOp(Location location, StringRef opName, ValueRange operands,
                                                 DictionaryAttr attributes) {
  MLIRContext *context = location.getContext();
  std::optional<RegisteredOperationName> name = RegisteredOperationName::lookup(opName, context);
  if (!name || !name->hasInterface<InferTypeOpInterface>())
    return emitError(location, Code::InvalidIr) << "'" << opName << "' is no op that infers its result types";
  auto error = [&] { return emitError(location, Code::InvalidIr) << "'" << opName << "' op "; };
  NamedAttrList list(attributes);
  if (failed(name->verifyInherentAttrs(list, error)))
    return failure(); // They cannot become properties.
  Type standIn = RankedTensorType::get({}, Float32Type::get(context));
  OperationState state(location, *name, operands, standIn, list);
  OwningOpRef<Operation *> op = Operation::create(state);
  SmallVector<Type> types;
  if (!acceptsOperands(*name, op.get()) ||
      failed(name->getInterface<InferTypeOpInterface>()->inferReturnTypes(
          context, location, operands, op->getRawDictionaryAttrs(), op->getPropertiesStorage(), {}, types)))
    return failure();
  return types;
}
