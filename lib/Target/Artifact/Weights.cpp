//===- Weights.cpp - recipes of weights -----------------------------------===//

#include "forge/Target/Artifact/Weights.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "forge/Support/PyLiteral.h"
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

// The value of a splat as text, because JSON has no infinity and no NaN.
static std::string splatText(DenseElementsAttr value) {
  HostTensor element = HostTensor::fromAttr(value.resizeSplat(RankedTensorType::get({1}, value.getElementType())));
  if (!element.isFloat())
    return std::to_string(element.ints.front());
  double number = element.floats.front();
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  return pyFloat(static_cast<float>(number)); // Forge has no floats wider than float32.
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
  // A dense attribute with one element (or none) is a splat too; its bytes are that element.
  return llvm::json::Object{
      {"hex", llvm::toHex(StringRef(raw.data(), value.getNumElements() == 0 ? 0 : raw.size()), /*LowerCase=*/true)}};
}

namespace {
/// Serialises the computation of a weight as steps in topological order; the last step gives the weight. Elementwise
/// steps use stored shapes, from the sources up to the first movement op; movement ops use full shapes.
class StepsWriter {
public:
  explicit StepsWriter(const ComputedWeights &computed) : computed(computed) {}

  llvm::json::Array stepsOf(Operation *op) {
    stepFor(op, /*isStored=*/true);
    return std::move(steps);
  }

private:
  // Returns the number of the step that computes `op`, in its stored or its full shape; adds it if there is none.
  int64_t stepFor(Operation *op, bool isStored) {
    RankedTensorType type = tensorType(op->getResult(0)), stored = type.clone(computed.storedShape(op));
    // Operands in stored shapes suffice for a result in its stored shape.
    bool keepsStored = (isStored || stored == type) && (isElementwiseOnWeights(op) || isa<TransposeOp>(op));
    isStored &= stored != type;
    if (auto found = stepNumbers.find({op, isStored}); found != stepNumbers.end())
      return found->second;
    bool isStep = computed.contains(op) && !isa<ScalarConstantOp>(op);
    llvm::json::Array operands;
    if (isStep)
      for (Value operand : op->getOperands())
        operands.push_back(stepFor(operand.getDefiningOp(), keepsStored));
    llvm::json::Object step = isStep ? stepJson(op, std::move(operands)) : sourceJson(op);
    steps.push_back(typed(std::move(step), isStored ? stored : type));
    return stepNumbers[{op, isStored}] = steps.size() - 1;
  }

  llvm::json::Object stepJson(Operation *op, llvm::json::Array operands) const {
    llvm::json::Object step{{"op", op->getName().stripDialect()}, {"operands", std::move(operands)}};
    for (StringRef name : cast<ForgeCallOpInterface>(op).getArgumentOrder()) {
      Attribute value = op->getInherentAttr(name).value_or(Attribute());
      if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
        step[name] = integer.getInt();
      else if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(value))
        step[name] = llvm::json::Array(list.asArrayRef());
    }
    if (op->hasAttr(kSaturatesAttr))
      step["saturates"] = true;
    return step;
  }

  const ComputedWeights &computed;
  llvm::json::Array steps;
  std::map<std::pair<Operation *, bool>, int64_t> stepNumbers;
};
} // namespace

using KnownSplats = llvm::DenseMap<Operation *, std::optional<double>>;

// The number of which the weight that `op` computes is a splat; none for other weights. `known` has earlier results.
static std::optional<double> splatOf(Operation *op, KnownSplats &known) {
  if (auto found = known.find(op); found != known.end())
    return found->second;
  SmallVector<double> x;
  for (Value operand : op->getOperands())
    if (std::optional<double> splat = splatOf(operand.getDefiningOp(), known))
      x.push_back(*splat);
  std::optional<double> result;
  if (x.size() == op->getNumOperands())
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ScalarConstantOp scalar) { result = scalar.getConstant().convertToDouble(); })
        .Case([&](ConstantOp constant) {
          if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
              splat && isa<FloatType>(splat.getElementType()))
            result = splat.getSplatValue<APFloat>().convertToDouble();
        })
        .Case([&](AddOp) { result = x[0] + x[1]; })
        .Case([&](SubtractOp) { result = x[0] - x[1]; })
        .Case([&](MultiplyOp) { result = x[0] * x[1]; })
        .Case([&](DivideOp) { result = x[0] / x[1]; })
        .Case([&](SqrtOp) { result = std::sqrt(x[0]); })
        // Other ops round, or do not only move elements.
        .Case<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, ConcatenateOp, RepeatOp>([&](auto) {
          // 0 and -0 compare equal.
          if (llvm::all_equal(x) && llvm::all_equal(llvm::map_range(x, [](double each) { return std::signbit(each); })))
            result = x[0];
        });
  return known[op] = result;
}

static std::optional<double> splatOf(Operation *op) {
  KnownSplats known;
  return splatOf(op, known);
}

llvm::json::Object forge::weightSource(const ComputedWeights &computed, Operation *op) {
  if (!computed.contains(op))
    return sourceJson(op);
  auto type = tensorType(op->getResult(0));
  if (std::optional<double> splat = splatOf(op))
    return llvm::json::Object{{"splat", splatText(splatAttr(type, *splat))}};
  llvm::json::Object source{{"steps", StepsWriter(computed).stepsOf(op)}};
  if (isComputedOnLoad(computed, op))
    source["on_load"] = true;
  return source;
}

// The type of a weight in the file of the model.
static RankedTensorType fileType(ParameterOp op) {
  auto element = op->getAttrOfType<TypeAttr>(kFileTypeAttr);
  return element ? op.getType().clone(element.getValue()) : op.getType();
}

llvm::SetVector<Operation *> forge::withSources(Operation *op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      ops.insert(operand.getDefiningOp());
  return ops;
}

bool forge::isComputedOnLoad(const ComputedWeights &computed, Operation *op) {
  if (!computed.contains(op) || splatOf(op))
    return false;
  int64_t bytes = 0;
  bool unpacks = false;
  for (Operation *each : withSources(op)) {
    if (each->getNumOperands() > 0) {
      // The ops that an emitted module can evaluate on loading.
      if (!isa<CastOp, AddOp, SubtractOp, MultiplyOp, DivideOp, SqrtOp, BitwiseAndOp, ReshapeOp, SqueezeOp, UnsqueezeOp,
               TransposeOp, IndexOp, ConcatenateOp, RepeatOp, RepeatInterleaveOp, AdvIndexOp>(each))
        return false;
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
