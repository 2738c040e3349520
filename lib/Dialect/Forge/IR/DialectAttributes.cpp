//===- DialectAttributes.cpp - forge.* attributes of functions and ops ----===//
//
// Attributes that other dialects' ops may have, such as forge.range of an argument of func.func. One that is not in
// this table, or has another form, would be ignored where it is read.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Partitions.h"

using namespace mlir;
using namespace forge;

namespace {
enum Place : unsigned { OfOp = 1, OfArgument = 2, OfResult = 4 };

struct KnownAttribute {
  StringRef name;
  unsigned places; ///< of Place
  StringRef form;  ///< for the error
  bool (*hasForm)(Attribute);
};
} // namespace

template <typename AttrTy>
static bool isOf(Attribute attribute) {
  return isa<AttrTy>(attribute);
}

static bool isInterval(Attribute attribute) {
  auto bounds = dyn_cast<DenseI64ArrayAttr>(attribute);
  return bounds && bounds.size() == 2 && bounds[0] <= bounds[1];
}

static bool isPartitionKind(Attribute attribute) {
  auto kind = dyn_cast<StringAttr>(attribute);
  return kind && llvm::is_contained({"device", "cpu", "driver"}, kind.getValue());
}

static constexpr StringLiteral kString = "a string", kUnit = "no value", kBounds = "[lowest, highest]";

// The last lines are what passes record for reports and other tools.
static const KnownAttribute kKnown[] = {
    {kPartitionAttr, OfOp, "\"device\", \"cpu\" or \"driver\"", isPartitionKind},
    {kCpuAttr, OfOp, kString, isOf<StringAttr>},
    {kPinnedAttr, OfOp, kUnit, isOf<UnitAttr>},
    {kMultiplyAddsAttr, OfOp, "an integer", isOf<IntegerAttr>},
    {kFlatAttr, OfOp, kUnit, isOf<UnitAttr>},
    {kRangeAttr, OfArgument, kBounds, isInterval},
    {kIndexRangeAttr, OfArgument, kBounds, isInterval},
    {kScalarAttr, OfResult, kUnit, isOf<UnitAttr>},
    {kLoopbackAttr, OfResult, kString, isOf<StringAttr>},
    {kOnnxNameAttr, OfArgument | OfResult, kString, isOf<StringAttr>},
    {kOnnxTypeAttr, OfArgument | OfResult, "a type", isOf<TypeAttr>},
    {"forge.dims", OfArgument | OfResult, "an array of names", isOf<ArrayAttr>},
    {kFileTypeAttr, OfOp, "a type", isOf<TypeAttr>},
    {kSaturatesAttr, OfOp, kUnit, isOf<UnitAttr>},
    {"forge.facts", OfOp, "a dictionary", isOf<DictionaryAttr>},
    {"forge.weights", OfOp, kString, isOf<StringAttr>},
    {"forge.interval", OfOp, kBounds, isOf<DenseF64ArrayAttr>},
    {"forge.padding", OfOp, kString, isOf<StringAttr>},
    {"forge.fill", OfOp, kString, isOf<StringAttr>},
    {"forge.slice_class", OfOp, kString, isOf<StringAttr>},
};

static LogicalResult verifyAttribute(Operation *op, NamedAttribute attribute, Place place, StringRef owner) {
  const auto *known = llvm::find_if(kKnown, [&](const KnownAttribute &each) {
    return each.name == attribute.getName().getValue() && (each.places & place) != 0;
  });
  if (known == std::end(kKnown))
    return op->emitOpError("attribute ") << attribute.getName() << " is not known for " << owner;
  if (!known->hasForm(attribute.getValue()))
    return op->emitOpError("attribute ") << attribute.getName() << " of " << owner << ": expected " << known->form
                                         << ", but got " << attribute.getValue();
  return success();
}

LogicalResult ForgeDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyAttribute(op, attribute, OfOp, "an op");
}

LogicalResult ForgeDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyAttribute(op, attribute, OfArgument, "an argument");
}

LogicalResult ForgeDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyAttribute(op, attribute, OfResult, "a result");
}
