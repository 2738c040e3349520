//===- OnnxNode.cpp - a typed view of one ONNX node -----------------------===//

#include "forge/Conversion/OnnxToForge/OnnxNode.h"

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"
#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value OnnxNode::input(unsigned i) {
  if (Value value = optionalInput(i))
    return value;
  if (!sawRefused)
    refuse(Code::OperandMissing, "input " + Twine(i) + " is missing");
  return {};
}

Value OnnxNode::optionalInput(unsigned i) {
  if (i >= operands.size())
    return {};
  sawRefused |= refused[i];
  return operands[i];
}

SmallVector<Value> OnnxNode::inputs() {
  SmallVector<Value> values;
  for (unsigned i = 0; i < numInputs(); ++i)
    values.push_back(input(i));
  return values;
}

bool OnnxNode::requireIntegers(Value value, StringRef what) {
  if (value && !isa<IntegerType>(elementOf(value)))
    refuse(Code::OperandType, what + " must be integers");
  return !failed();
}

// Whether a value depends on the placeholder for the result of a refused node, which has been reported already.
static bool comesFromRefused(Value value) {
  SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size(); ++next) // `seen` grows.
    if (Operation *producer = seen[next].getDefiningOp()) {
      if (isa<UnrealizedConversionCastOp>(producer))
        return true;
      seen.insert(producer->operand_begin(), producer->operand_end());
    }
  return false;
}

DenseElementsAttr OnnxNode::constant(unsigned i, StringRef what) {
  Value value = input(i);
  DenseElementsAttr attr;
  if (value && !matchPattern(value, m_Constant(&attr)))
    refuseUnknown(i, what + " (input " + Twine(i) + ") must be known at compile time");
  return attr;
}

Refused OnnxNode::refuseUnknown(unsigned i, const Twine &reason) {
  if (comesFromRefused(operands[i])) {
    sawRefused = true;
    return {};
  }
  // The importer leaves the bytes of larger weights in their file; no input that could be bound decides them.
  if (operands[i] && operands[i].getDefiningOp<ParameterOp>())
    return refuse(Code::TooManyElements, reason + ", but is a weight of " + Twine(numElements(operands[i])) +
                                             " elements; weights of up to 1 KiB are read, and int32, int64 and bool of "
                                             "up to 1 MiB");
  unknownOperands.push_back(i);
  return refuse(Code::OperandUnknown, reason);
}

SmallVector<int64_t> OnnxNode::constantInts(unsigned i, StringRef what) {
  DenseElementsAttr attr = constant(i, what);
  if (!attr)
    return {};
  if (!isa<IntegerType>(attr.getElementType()) || attr.getType().getRank() > 1)
    return refuse(Code::ElementCount, what + " (input " + Twine(i) + ") must be integers of rank 0 or 1");
  return intValues(attr);
}

double OnnxNode::constantScalar(unsigned i, StringRef what) {
  DenseElementsAttr attr = constant(i, what);
  if (!attr)
    return 0;
  if (attr.getNumElements() != 1)
    return refuse(Code::ElementCount,
                  what + " (input " + Twine(i) + ") must have one element, but has " + Twine(attr.getNumElements()));
  return numberValues(attr).front();
}

int64_t OnnxNode::constantInt(unsigned i, StringRef what) {
  double number = constantScalar(i, what);
  if (failed())
    return 0;
  // The double may be a rounded integer.
  if (DenseElementsAttr attr = constant(i, what); isa<IntegerType>(attr.getElementType()))
    return intValues(attr).front();
  if (number != std::trunc(number) || std::abs(number) >= 0x1p63) { // NaN is not equal to itself
    refuse(Code::SizeInvalid, what + " (input " + Twine(i) + ") must be a whole number");
    return 0;
  }
  return static_cast<int64_t>(number);
}

Type OnnxNode::declaredElementType(unsigned i) const {
  if (i >= numOutputs())
    return {};
  auto type = dyn_cast<torch::ValueTensorType>(getOp().getResult(i).getType());
  return type ? convertElementType(type.getDtype()) : Type();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute OnnxNode::rawAttr(StringRef name) {
  read.insert(name);
  return op->getDiscardableAttr((torch::kAttrPrefix + name).str());
}

bool OnnxNode::hasAttr(StringRef name) { return static_cast<bool>(rawAttr(name)); }

// The attribute as `AttrT`; null, with a reason, if it has another type, or is missing and has no default.
template <typename AttrT>
static AttrT typedAttr(OnnxNode &node, StringRef name, StringRef kind, bool required) {
  Attribute raw = node.rawAttr(name);
  if (!raw) {
    if (required)
      node.refuse(Code::AttributeMissing, "attribute '" + name + "' is missing");
    return {};
  }
  auto attr = dyn_cast<AttrT>(raw);
  if (!attr)
    node.refuse(Code::AttributeKind, "attribute '" + name + "' is not " + kind);
  return attr;
}

int64_t OnnxNode::intAttr(StringRef name, std::optional<int64_t> fallback) {
  auto attr = typedAttr<IntegerAttr>(*this, name, "an integer", !fallback);
  if (!attr)
    return fallback.value_or(0);
  std::optional<int64_t> value = attr.getValue().trySExtValue();
  if (!value)
    refuse(Code::AttributeKind, "attribute '" + name + "' does not fit 64 bits");
  return value.value_or(0);
}

double OnnxNode::floatAttr(StringRef name, std::optional<double> fallback) {
  auto attr = typedAttr<FloatAttr>(*this, name, "a float", !fallback);
  return attr ? attr.getValueAsDouble() : fallback.value_or(0);
}

StringRef OnnxNode::stringAttr(StringRef name, std::optional<StringRef> fallback) {
  auto attr = typedAttr<StringAttr>(*this, name, "a string", !fallback);
  return attr ? attr.getValue() : fallback.value_or("");
}

// A list attribute, whose elements `numberOf` converts; it returns nullopt for an element of another type.
template <typename Number>
static SmallVector<Number> listAttr(OnnxNode &node, StringRef name, StringRef kind,
                                    std::optional<ArrayRef<Number>> fallback,
                                    std::optional<Number> (*numberOf)(Attribute)) {
  auto attr = typedAttr<ArrayAttr>(node, name, kind, !fallback);
  if (!attr)
    return SmallVector<Number>(fallback.value_or(ArrayRef<Number>()));
  SmallVector<Number> values;
  for (Attribute element : attr) {
    std::optional<Number> value = numberOf(element);
    if (!value)
      return node.refuse(Code::AttributeKind, "attribute '" + name + "' is not " + kind);
    values.push_back(*value);
  }
  return values;
}

SmallVector<int64_t> OnnxNode::intsAttr(StringRef name, std::optional<ArrayRef<int64_t>> fallback) {
  return listAttr<int64_t>(*this, name, "a list of integers", fallback, [](Attribute element) {
    auto integer = dyn_cast<IntegerAttr>(element);
    return integer ? integer.getValue().trySExtValue() : std::nullopt;
  });
}

SmallVector<double> OnnxNode::floatsAttr(StringRef name, std::optional<ArrayRef<double>> fallback) {
  return listAttr<double>(*this, name, "a list of floats", fallback, [](Attribute element) {
    auto number = dyn_cast<FloatAttr>(element);
    return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
  });
}

SmallVector<int64_t> OnnxNode::intsOrInput(StringRef name, unsigned i, int64_t inputSince) {
  return since() < inputSince ? intsAttr(name) : constantInts(i, name);
}

std::optional<SmallVector<int64_t>> OnnxNode::optionalIntsOrInput(StringRef name, unsigned i, int64_t inputSince) {
  bool isPresent = since() < inputSince ? hasAttr(name) : hasInput(i);
  return isPresent ? std::optional(intsOrInput(name, i, inputSince)) : std::nullopt;
}

int64_t OnnxNode::axisAttr(Value x, std::optional<int64_t> fallback) {
  int64_t given = intAttr("axis", fallback);
  return failed() ? 0 : axis(given, rankOf(x));
}

Type OnnxNode::floatTypeAttr(StringRef name, int64_t fallback) {
  int64_t code = intAttr(name, fallback);
  if (code == 0 && fallback == 0)
    return {};
  Type type = elementTypeOfCode(code, op->getContext());
  if (!isa_and_nonnull<FloatType>(type))
    refuse(Code::AttributeValue, "attribute '" + name + "' is no floating-point type");
  return type;
}

DenseElementsAttr OnnxNode::tensorAttr(StringRef name) {
  return typedAttr<DenseElementsAttr>(*this, name, "a tensor in the IR", /*required=*/true);
}

bool OnnxNode::flagAttr(StringRef name, bool fallback) {
  int64_t value = intAttr(name, fallback);
  if (value != 0 && value != 1)
    refuse(Code::AttributeValue, "attribute '" + name + "' must be 0 or 1, but is " + Twine(value));
  return value == 1;
}

StringRef OnnxNode::choiceAttr(StringRef name, ArrayRef<StringRef> choices, bool required) {
  StringRef value = stringAttr(name, required ? std::nullopt : std::optional(choices.front()));
  if (hasAttr(name) && !llvm::is_contained(choices, value))
    refuse(Code::AttributeValue, "attribute '" + name + "' must be " + llvm::join(choices.drop_back(), ", ") + " or " +
                                     choices.back() + ", but is '" + escaped(value) + "'");
  return value;
}

SmallVector<StringRef> OnnxNode::unreadAttributes() const {
  SmallVector<StringRef> names;
  // Before opset 6 'consumed_inputs' is a hint for execution in place, which does not change results.
  for (NamedAttribute attr : getOp()->getDiscardableAttrs())
    if (StringRef name = attr.getName();
        name.consume_front(torch::kAttrPrefix) && !read.contains(name) && name != "consumed_inputs")
      names.push_back(name);
  return names;
}

SmallVector<std::optional<unsigned>> OnnxNode::subgraphs(ArrayRef<StringRef> names) {
  SmallVector<std::optional<unsigned>> indices(names.size());
  unsigned count = numSubgraphs();
  auto given = op->getAttrOfType<ArrayAttr>(torch::kSubgraphsAttr);
  if (!given && count == names.size()) {
    std::iota(indices.begin(), indices.end(), 0u);
    return indices;
  }
  if ((given ? given.size() : 0) != count) {
    refuse(Code::NotImported, "the IR does not say which of '" + Twine(llvm::join(names, "' and '")) +
                                  "' its subgraphs are; set " + Twine(torch::kSubgraphsAttr) +
                                  ", or import the model with forge-mlir");
    return indices;
  }
  for (unsigned i = 0; i < count; ++i) {
    auto attr = dyn_cast<StringAttr>(given[i]);
    StringRef name = attr ? attr.getValue() : "";
    const auto *found = llvm::find(names, name);
    if (found == names.end() || indices[found - names.begin()])
      refuse(Code::SubgraphUnknown, "subgraph '" + escaped(name) + "' is not known to this converter");
    else
      indices[found - names.begin()] = i;
  }
  return indices;
}

std::optional<SmallVector<Value>> OnnxNode::inlineSubgraph(unsigned i, ArrayRef<Value> arguments) {
  if (i >= numSubgraphs())
    return refuse(Code::Arity, "subgraph " + Twine(i) + " is missing");
  SmallVector<Value> yields;
  std::optional<Refusal> refusal;
  if (succeeded(inliner(op->getRegion(i), arguments, yields, refusal)))
    return yields;
  if (refusal)
    refusals.push_back(*refusal);
  else
    sawRefused = true;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Checks and conversions
//===----------------------------------------------------------------------===//

int64_t OnnxNode::axis(int64_t axis, int64_t rank, StringRef what) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  return refuse(Code::OutOfRange, what + " " + Twine(axis) + " is outside rank " + Twine(rank));
}

SmallVector<int64_t> OnnxNode::axes(ArrayRef<int64_t> axes, int64_t rank, StringRef what) {
  SmallVector<int64_t> result;
  for (int64_t value : axes) {
    int64_t normal = axis(value, rank, what);
    if (!failed() && llvm::is_contained(result, normal))
      refuse(Code::OutOfRange, what + " name axis " + Twine(normal) + " twice");
    result.push_back(normal);
  }
  return result;
}

SmallVector<int64_t> forge::intValues(DenseElementsAttr value) {
  return llvm::to_vector(HostTensor::fromAttr(value).ints);
}

SmallVector<double> forge::numberValues(DenseElementsAttr value) {
  HostTensor tensor = HostTensor::fromAttr(value);
  if (tensor.isFloat())
    return llvm::to_vector(tensor.floats);
  return llvm::map_to_vector(tensor.ints, [](int64_t element) { return static_cast<double>(element); });
}

Type forge::elementTypeOfCode(int64_t code, MLIRContext *context) {
  Builder b(context);
  switch (code) {
  case 1: return b.getF32Type();
  case 2: return b.getIntegerType(8, /*isSigned=*/false);
  case 3: return b.getIntegerType(8);
  case 4: return b.getIntegerType(16, /*isSigned=*/false);
  case 5: return b.getIntegerType(16);
  case 6: return b.getI32Type();
  case 7: return b.getI64Type();
  case 9: return b.getI1Type();
  case 10: return b.getF16Type();
  case 11: return b.getF64Type();
  case 12: return b.getIntegerType(32, /*isSigned=*/false);
  case 13: return b.getIntegerType(64, /*isSigned=*/false);
  case 16: return b.getBF16Type();
  case 21: return b.getIntegerType(4, /*isSigned=*/false);
  case 22: return b.getIntegerType(4);
  default: return {};
  }
}

Type forge::convertElementType(Type dtype) {
  if (auto integer = dyn_cast<IntegerType>(dtype)) {
    if (!llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth()))
      return {};
    return integer.isSigned() ? IntegerType::get(dtype.getContext(), integer.getWidth()) : dtype;
  }
  // Complex numbers are not supported.
  return isa<FloatType>(dtype) && dtype.getIntOrFloatBitWidth() <= 64 ? dtype : Type();
}
