//===- Weights.cpp - where the bytes of weights come from -----------------===//

#include "forge/Target/Artifact/Weights.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "forge/Support/PyLiteral.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace forge;

std::string forge::numpyName(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 ? "bool"
                                   : (integer.isUnsigned() ? "uint" : "int") + std::to_string(integer.getWidth());
  if (type.isBF16())
    return "bfloat16";
  return isa<FloatType>(type) ? "float" + std::to_string(type.getIntOrFloatBitWidth()) : "unknown";
}

llvm::json::Object forge::typed(llvm::json::Object facts, RankedTensorType type) {
  facts["dtype"] = numpyName(type.getElementType());
  facts["shape"] = llvm::json::Array(type.getShape());
  return facts;
}

// The one value of a splat as text: JSON has no infinity and no NaN.
static std::string splatText(DenseElementsAttr value) {
  HostTensor element = HostTensor::fromAttr(value.resizeSplat(RankedTensorType::get({1}, value.getElementType())));
  if (!element.isFloat())
    return std::to_string(element.ints.front());
  double number = element.floats.front();
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  return pyFloat(static_cast<float>(number)); // Forge holds at most float32.
}

static llvm::json::Object sourceJson(Operation *op) {
  if (auto parameter = dyn_cast<ParameterOp>(op))
    return llvm::json::Object{{"key", llvm::json::fixUTF8(parameter.getKey())}};
  if (auto scalar = dyn_cast<ScalarConstantOp>(op))
    return llvm::json::Object{
        {"splat", splatText(splatAttr(scalar.getType(), scalar.getConstant().convertToDouble()))}};
  auto value = cast<DenseElementsAttr>(cast<ConstantOp>(op).getValue());
  if (value.isSplat() && value.getNumElements() > 1)
    return llvm::json::Object{{"splat", splatText(value)}};
  ArrayRef<char> raw = value.getRawData();
  // A dense attribute of one element (or none) is a splat too; its data is that element.
  return llvm::json::Object{
      {"hex", llvm::toHex(StringRef(raw.data(), value.getNumElements() == 0 ? 0 : raw.size()), /*LowerCase=*/true)}};
}

namespace {
/// Lists what a computed weight is made of, each op once, so that the last step makes it. Arithmetic is done in stored
/// shapes, from the weights up to the first movement; movement is done on whole tensors.
class StepsWriter {
public:
  explicit StepsWriter(const ComputedWeights &computed) : computed(computed) {}

  llvm::json::Array stepsOf(Operation *op) {
    place(op, /*isStored=*/true);
    return std::move(steps);
  }

private:
  int64_t place(Operation *op, bool isStored);
  llvm::json::Object stepJson(Operation *op, llvm::json::Array operands) const;

  const ComputedWeights &computed;
  llvm::json::Array steps;
  std::map<std::pair<Operation *, bool>, int64_t> places;
};
} // namespace

llvm::json::Object StepsWriter::stepJson(Operation *op, llvm::json::Array operands) const {
  llvm::json::Object step{{"op", op->getName().stripDialect()}, {"operands", std::move(operands)}};
  for (StringRef name : cast<ForgeCallOpInterface>(op).getArgumentOrder()) {
    Attribute value = op->getInherentAttr(name).value_or(Attribute());
    if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
      step[name] = integer.getInt();
    else if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(value))
      step[name] = llvm::json::Array(list.asArrayRef());
  }
  return step;
}

// The step whose result is that of `op`, in its stored shape or whole.
int64_t StepsWriter::place(Operation *op, bool isStored) {
  RankedTensorType type = tensorType(op->getResult(0)), stored = type.clone(computed.storedShape(op));
  // Operands in stored shapes give no more than the stored shape.
  bool keepsStored = (isStored || stored == type) && (isElementwiseOnWeights(op) || isa<TransposeOp>(op));
  isStored &= stored != type;
  if (auto found = places.find({op, isStored}); found != places.end())
    return found->second;
  bool isStep = computed.contains(op) && !isa<ScalarConstantOp>(op);
  llvm::json::Array operands;
  if (isStep)
    for (Value operand : op->getOperands())
      operands.push_back(place(operand.getDefiningOp(), keepsStored));
  llvm::json::Object step = isStep ? stepJson(op, std::move(operands)) : sourceJson(op);
  steps.push_back(typed(std::move(step), isStored ? stored : type));
  return places[{op, isStored}] = steps.size() - 1;
}

namespace {
/// Finds the one value that all elements of a computed weight have because its sources are splats.
class SplatFinder {
public:
  std::optional<double> valueOf(Operation *op) {
    auto found = known.find(op);
    if (found == known.end())
      found = known.insert({op, op->getNumOperands() == 0 ? sourceOf(op) : resultOf(op)}).first;
    return found->second;
  }

private:
  std::optional<double> sourceOf(Operation *op);
  std::optional<double> resultOf(Operation *op);

  std::map<Operation *, std::optional<double>> known;
};
} // namespace

std::optional<double> SplatFinder::sourceOf(Operation *op) {
  if (auto scalar = dyn_cast<ScalarConstantOp>(op))
    return scalar.getConstant().convertToDouble();
  auto constant = dyn_cast<ConstantOp>(op);
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  bool isReal = splat && isa<FloatType>(splat.getElementType());
  return isReal ? std::optional(splat.getSplatValue<APFloat>().convertToDouble()) : std::nullopt;
}

std::optional<double> SplatFinder::resultOf(Operation *op) {
  SmallVector<double> operands;
  for (Value operand : op->getOperands()) {
    std::optional<double> value = valueOf(operand.getDefiningOp());
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
      .Case([&](AddOp) { return operands[0] + operands[1]; })
      .Case([&](SubtractOp) { return operands[0] - operands[1]; })
      .Case([&](MultiplyOp) { return operands[0] * operands[1]; })
      .Case([&](DivideOp) { return operands[0] / operands[1]; })
      .Case([&](SqrtOp) { return std::sqrt(operands[0]); })
      .Case<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, ConcatenateOp, RepeatOp>(
          [&](auto) { return llvm::all_equal(operands) ? std::optional(operands[0]) : std::nullopt; })
      // Others round, or do more than move elements.
      .Default([](Operation *) { return std::nullopt; });
}

llvm::json::Object forge::weightSource(const ComputedWeights &computed, Operation *op) {
  if (!computed.contains(op))
    return sourceJson(op);
  auto type = tensorType(op->getResult(0));
  if (std::optional<double> splat = SplatFinder().valueOf(op))
    return llvm::json::Object{{"splat", splatText(splatAttr(type, *splat))}};
  llvm::json::Object source{{"steps", StepsWriter(computed).stepsOf(op)}};
  if (isComputedOnLoad(computed, op))
    source["on_load"] = true;
  return source;
}

// The type that a weight of the model has in its file.
static RankedTensorType fileType(ParameterOp op) {
  auto element = op->getAttrOfType<TypeAttr>(kFileTypeAttr);
  return element ? op.getType().clone(element.getValue()) : op.getType();
}

bool forge::isComputedOnLoad(const ComputedWeights &computed, Operation *op) {
  if (!computed.contains(op) || SplatFinder().valueOf(op))
    return false;
  llvm::SetVector<Operation *> below;
  below.insert(op);
  int64_t bytes = 0;
  bool unpacks = false;
  for (size_t i = 0; i < below.size(); ++i) {
    Operation *each = below[i];
    if (computed.contains(each) && each->getNumOperands() > 0) {
      // Those that the emitted module can compute.
      if (!isa<CastOp, AddOp, SubtractOp, MultiplyOp, DivideOp, SqrtOp, BitwiseAndOp, ReshapeOp, SqueezeOp, UnsqueezeOp,
               TransposeOp, IndexOp, ConcatenateOp, RepeatOp, RepeatInterleaveOp, AdvIndexOp>(each))
        return false;
      for (Value operand : each->getOperands())
        below.insert(operand.getDefiningOp());
      continue;
    }
    auto parameter = dyn_cast<ParameterOp>(each);
    RankedTensorType type = parameter ? fileType(parameter) : tensorType(each->getResult(0));
    bytes += rawBytes(type).value_or(0);
    int64_t width = type.getElementTypeBitWidth();
    unpacks |= parameter && type.getElementType().isInteger() && width > 1 && width <= 8;
  }
  return unpacks && bytes < rawBytes(tensorType(op->getResult(0)).clone(computed.storedShape(op))).value_or(0);
}
