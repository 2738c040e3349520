//===- ForgeDialect.cpp - the forge dialect -------------------------------===//

#include "forge/Dialect/Forge/IR/ForgeOps.h"

#include "Assembly.h"
#include "Bytecode.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace forge;

#include "forge/Dialect/Forge/IR/ForgeDialect.cpp.inc"
#include "forge/Dialect/Forge/IR/ForgeEnums.cpp.inc"
#include "forge/Dialect/Forge/IR/ForgeInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "forge/Dialect/Forge/IR/ForgeOps.cpp.inc"

void ForgeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Forge/IR/ForgeOps.cpp.inc"
      >();
  addInterface(detail::makeBytecodeInterface(*this));
}

Operation *ForgeDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  return elements && elements.getType() == type ? ConstantOp::create(builder, loc, elements) : nullptr;
}

LogicalResult forge::detail::verifyCall(Operation *op) {
  // Only inherent attributes. Discardable attributes are not printed.
  auto attributes = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!attributes)
    return success();
  for (NamedAttribute attribute : attributes) {
    SmallVector<int64_t> values;
    if (auto integer = dyn_cast<IntegerAttr>(attribute.getValue()))
      values.push_back(integer.getValue().getSExtValue());
    else if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute.getValue()))
      llvm::append_range(values, list.asArrayRef());
    for (int64_t value : values)
      if (!llvm::isInt<32>(value))
        return op->emitOpError("attribute '") << attribute.getName().getValue() << "' does not fit 32 bits: " << value;
  }
  return success();
}
