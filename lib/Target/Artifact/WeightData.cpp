//===- WeightData.cpp - the bytes of a module's weights -------------------===//

#include "WeightData.h"

#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/Support/Endian.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace forge;

static constexpr int64_t kChunk = 1 << 18; // Elements that are converted at a time.

int64_t forge::storedBytes(const PlannedWeight &weight) {
  return ShapedType::getNumElements(weight.storedShape) * (weight.type.getElementTypeBitWidth() / 8);
}

namespace {
/// Elements of a raw tensor, as little-endian elements of the stored type.
class ElementReader {
public:
  ElementReader(Operation *op, ArrayRef<char> raw, Type from, Type to) : op(op), raw(raw), from(from), to(to) {}

  /// Gives `sink` the elements [first, first + count).
  LogicalResult read(int64_t first, int64_t count, Sink sink);

private:
  bool isStored() const {
    return isa<FloatType>(from)
               ? from == to
               : isa<IntegerType>(to) && from.getIntOrFloatBitWidth() == 32 && !from.isUnsignedInteger();
  }
  bool convert(int64_t index, char *out, std::string &value) const;

  Operation *op;
  ArrayRef<char> raw;
  Type from, to;
};
} // namespace

static double largestOf(Type format) {
  APFloat largest = APFloat::getLargest(cast<FloatType>(format).getFloatSemantics());
  bool losesInfo;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return largest.convertToDouble();
}

static double rawFloat(ArrayRef<char> raw, FloatType type, int64_t index) {
  using namespace llvm::support::endian;
  unsigned width = type.getWidth();
  const char *at = raw.data() + index * (width / 8);
  uint64_t bits = width == 64 ? read64le(at) : width == 32 ? read32le(at) : read16le(at);
  APFloat number(type.getFloatSemantics(), APInt(width, bits));
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

// False, with the value as text, for one that does not fit.
bool ElementReader::convert(int64_t index, char *out, std::string &value) const {
  using namespace llvm::support::endian;
  if (auto integer = dyn_cast<IntegerType>(from)) {
    int64_t number = rawInteger(raw, integer, index);
    bool wraps = integer.isUnsigned() && integer.getWidth() == 64 && number < 0;
    value = wraps ? std::to_string(static_cast<uint64_t>(number)) : std::to_string(number);
    if (to.isF32()) {
      float result = static_cast<float>(number);
      write32le(out, llvm::bit_cast<uint32_t>(result));
      return !wraps && std::abs(number) <= int64_t(1) << 24;
    }
    write32le(out, static_cast<uint32_t>(number));
    return !wraps && number == static_cast<int32_t>(number);
  }
  double number = rawFloat(raw, cast<FloatType>(from), index);
  value = std::to_string(number);
  float result = static_cast<float>(number);
  bool fits = !(std::isinf(result) && std::isfinite(number));
  if (to.isF32()) {
    write32le(out, llvm::bit_cast<uint32_t>(result));
    return fits;
  }
  // A mask of -3.4e38 becomes the largest number of bfloat16, not an infinity.
  APFloat rounded(number);
  if (to.isBF16() && fits && std::isfinite(number)) {
    double most = largestOf(to);
    rounded = APFloat(std::clamp(number, -most, most));
  }
  bool losesInfo;
  rounded.convert(cast<FloatType>(to).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  write16le(out, static_cast<uint16_t>(rounded.bitcastToAPInt().getZExtValue()));
  return !(rounded.isInfinity() && std::isfinite(number));
}

LogicalResult ElementReader::read(int64_t first, int64_t count, Sink sink) {
  if (isStored()) {
    int64_t size = to.getIntOrFloatBitWidth() / 8;
    sink(StringRef(raw.data() + first * size, count * size));
    return success();
  }
  auto isConverted = [](Type type) { return type.isF64() || type.isF32() || type.isF16() || type.isBF16(); };
  bool isKnown =
      isa<IntegerType>(from) ? to.isF32() || to.isInteger(32) : isConverted(from) && isConverted(to) && !to.isF64();
  if (!isKnown)
    return emitError(op, Code::WeightUnfit) << "weight of type " << from << " cannot be stored as " << to;
  std::string piece, value;
  int64_t width = to.getIntOrFloatBitWidth() / 8;
  for (int64_t end = first + count; first < end; first += kChunk) {
    int64_t size = std::min(kChunk, end - first);
    piece.resize(width * size);
    for (int64_t i = 0; i < size; ++i)
      if (!convert(first + i, &piece[width * i], value))
        return emitError(op, Code::WeightUnfit) << "weight '" << escaped(nodeName(op->getLoc())) << "' holds " << value
                                                << ", which does not fit " << torchDtype(to);
    sink(piece);
  }
  return success();
}

static LogicalResult writeParameter(ParameterOp parameter, RankedTensorType type, Sink sink) {
  auto refuse = [&] {
    return emitError(parameter, Code::WeightUnfit)
           << "weight '" << escaped(nodeName(parameter.getLoc())) << "' (key '" << escaped(parameter.getKey()) << "') ";
  };
  auto blob = dyn_cast_or_null<DenseResourceElementsAttr>(parameter.getBlobAttr());
  std::optional<ArrayRef<char>> raw = blob ? blobOf(blob) : std::nullopt;
  if (!raw)
    return refuse() << "has no data in the IR: it was imported by reference; give its table with --weights, or compile "
                       "the model with forge-mlir";
  auto whole = dyn_cast<RankedTensorType>(blob.getType());
  std::optional<int64_t> bytes = whole ? rawBytes(whole) : std::nullopt;
  if (!bytes || *bytes != static_cast<int64_t>(raw->size()))
    return refuse() << "has " << raw->size() << " bytes of data, which do not fit " << blob.getType();
  ElementReader reader(parameter, *raw, whole.getElementType(), type.getElementType());
  if (whole.getNumElements() != type.getNumElements())
    return refuse() << "of type " << whole << " does not fit " << type;
  return ElementReader(parameter, *raw, whole.getElementType(), type.getElementType())
      .read(0, whole.getNumElements(), sink);
}

//===----------------------------------------------------------------------===//
// Computed weights
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(Type type) { return cast<FloatType>(type).getFloatSemantics(); }

// Elements of a stored type, from their bytes.
static HostTensor decoded(RankedTensorType type, StringRef bytes) {
  HostTensor result{type, {}, {}};
  unsigned width = type.getElementTypeBitWidth();
  for (size_t at = 0; at < bytes.size(); at += width / 8) {
    const char *element = bytes.data() + at;
    uint64_t bits = width == 16 ? llvm::support::endian::read16le(element) : llvm::support::endian::read32le(element);
    if (isa<FloatType>(type.getElementType()))
      result.floats.push_back(APFloat(semanticsOf(type.getElementType()), APInt(width, bits)).convertToDouble());
    else
      result.ints.push_back(static_cast<int32_t>(bits));
  }
  return result;
}

static std::string encoded(const HostTensor &value) {
  using namespace llvm::support::endian;
  Type element = value.type.getElementType();
  unsigned width = element.getIntOrFloatBitWidth();
  std::string bytes(value.type.getNumElements() * (width / 8), '\0');
  for (int64_t i = 0; i < value.type.getNumElements(); ++i) {
    uint64_t bits;
    if (value.isFloat()) {
      APFloat number(value.floats[i]);
      bool losesInfo;
      number.convert(semanticsOf(element), APFloat::rmNearestTiesToEven, &losesInfo);
      bits = number.bitcastToAPInt().getZExtValue();
    } else {
      bits = static_cast<uint32_t>(value.ints[i]);
    }
    if (width == 16)
      write16le(&bytes[2 * i], static_cast<uint16_t>(bits));
    else
      write32le(&bytes[4 * i], static_cast<uint32_t>(bits));
  }
  return bytes;
}

namespace {
/// Computes weights, each op once. Arithmetic is in double and rounds at the end.
class WeightComputer {
public:
  /// The elements of a weight, a constant, or what is computed from such; null after an error.
  const HostTensor *valueOf(Operation *op);

private:
  FailureOr<HostTensor> sourceOf(Operation *op, RankedTensorType type);
  FailureOr<HostTensor> resultOf(Operation *op, RankedTensorType type);

  std::map<Operation *, HostTensor> known;
};
} // namespace

const HostTensor *WeightComputer::valueOf(Operation *op) {
  auto found = known.find(op);
  if (found != known.end())
    return &found->second;
  RankedTensorType type = tensorType(op->getResult(0));
  FailureOr<HostTensor> value = op->getNumOperands() == 0 ? sourceOf(op, type) : resultOf(op, type);
  return succeeded(value) ? &known.emplace(op, std::move(*value)).first->second : nullptr;
}

FailureOr<HostTensor> WeightComputer::sourceOf(Operation *op, RankedTensorType type) {
  if (auto scalar = dyn_cast<ScalarConstantOp>(op))
    return HostTensor::fromAttr(splatAttr(type, scalar.getConstant().convertToDouble()));
  if (auto constant = dyn_cast<ConstantOp>(op))
    return HostTensor::fromAttr(cast<DenseElementsAttr>(constant.getValue()));
  std::string bytes;
  if (failed(writeParameter(cast<ParameterOp>(op), type, [&](StringRef piece) { bytes += piece; })))
    return failure();
  return decoded(type, bytes);
}

FailureOr<HostTensor> WeightComputer::resultOf(Operation *op, RankedTensorType type) {
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    const HostTensor *value = valueOf(operand.getDefiningOp());
    if (!value)
      return failure();
    operands.push_back(*value);
  }
  auto evaluator = cast<ConstantEvaluationOpInterface>(op);
  if (evaluator.keepsElements()) {
    operands[0].type = type;
    return operands[0];
  }
  SmallVector<HostTensor> results = evaluator.evaluate(operands);
  if (results.empty())
    return emitError(op, Code::WeightUnfit) << "'" << op->getName() << "' cannot be computed with the weights";
  // Casts round where they stand.
  return isa<CastOp>(op) ? decoded(type, encoded(results[0])) : std::move(results[0]);
}

LogicalResult forge::writeWeight(const PlannedWeight &weight, Sink sink) {
  if (auto parameter = dyn_cast<ParameterOp>(weight.op))
    return writeParameter(parameter, weight.type, sink);
  if (auto constant = dyn_cast<ConstantOp>(weight.op)) {
    ArrayRef<char> raw = cast<DenseElementsAttr>(constant.getValue()).getRawData();
    sink(StringRef(raw.data(), storedBytes(weight)));
    return success();
  }
  WeightComputer computer;
  const HostTensor *value = computer.valueOf(weight.op);
  if (!value)
    return failure();
  // The first elements along axes where all are equal.
  sink(encoded(value->remap(weight.storedShape, [](SmallVectorImpl<int64_t> &) {})));
  return success();
}
