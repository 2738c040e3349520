//===- WeightData.cpp - the bytes of a module's weights -------------------===//

#include "WeightData.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/Support/Endian.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr int64_t kChunk = 1 << 18; // Elements that are converted at a time.

int64_t forge::storedBytes(const PlannedWeight &weight) {
  return weight.type.getNumElements() * (weight.type.getElementTypeBitWidth() / 8);
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
  double number = llvm::bit_cast<double>(read64le(&raw[8 * index]));
  float result = static_cast<float>(number);
  value = std::to_string(number);
  write32le(out, llvm::bit_cast<uint32_t>(result));
  return !(std::isinf(result) && std::isfinite(number));
}

LogicalResult ElementReader::read(int64_t first, int64_t count, Sink sink) {
  if (isStored()) {
    int64_t size = to.getIntOrFloatBitWidth() / 8;
    sink(StringRef(raw.data() + first * size, count * size));
    return success();
  }
  bool isKnown = (isa<IntegerType>(from) && (to.isF32() || to.isInteger(32))) || (from.isF64() && to.isF32());
  if (!isKnown)
    return emitError(op, Code::WeightUnfit) << "weight of type " << from << " cannot be stored as " << to;
  std::string piece, value;
  for (int64_t end = first + count; first < end; first += kChunk) {
    int64_t size = std::min(kChunk, end - first);
    piece.resize(4 * size);
    for (int64_t i = 0; i < size; ++i)
      if (!convert(first + i, &piece[4 * i], value))
        return emitError(op, Code::WeightUnfit) << "weight '" << escaped(nodeName(op->getLoc())) << "' holds " << value
                                                << ", which does not fit " << torchDtype(to);
    sink(piece);
  }
  return success();
}

// The part of a weight that `derived` names: items [begin, end) of an axis, in blocks, each among zeros.
static LogicalResult readPart(ElementReader &reader, RankedTensorType whole, RankedTensorType part,
                              ArrayRef<int64_t> derived, Sink sink) {
  int64_t axis = derived[0], begin = derived[1], end = derived[2], block = derived[3], padded = derived[4],
          offset = derived[5];
  int64_t inner = 1, outer = 1, length = whole.getDimSize(axis);
  for (int64_t size : whole.getShape().drop_front(axis + 1))
    inner *= size;
  for (int64_t size : whole.getShape().take_front(axis))
    outer *= size;
  int64_t bytes = part.getElementTypeBitWidth() / 8;
  std::string before(offset * inner * bytes, '\0'), after((padded - offset - block) * inner * bytes, '\0');
  for (int64_t row = 0; row < outer; ++row)
    for (int64_t item = begin; item < end; item += block) {
      sink(before);
      if (failed(reader.read((row * length + item) * inner, block * inner, sink)))
        return failure();
      sink(after);
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
  std::optional<ArrayRef<int64_t>> derived = parameter.getDerived();
  if (!derived)
    return reader.read(0, whole.getNumElements(), sink);
  int64_t axis = (*derived)[0];
  SmallVector<int64_t> shape(whole.getShape());
  if (axis >= whole.getRank() || (*derived)[2] > shape[axis])
    return refuse() << "of type " << whole << " has no part [" << *derived << "]";
  shape[axis] = type.getDimSize(axis);
  if (ArrayRef(shape) != type.getShape())
    return refuse() << "of type " << whole << " has no part of type " << type;
  return readPart(reader, whole, type, *derived, sink);
}

LogicalResult forge::writeWeight(const PlannedWeight &weight, Sink sink) {
  if (auto parameter = dyn_cast<ParameterOp>(weight.op))
    return writeParameter(parameter, weight.type, sink);
  ArrayRef<char> raw = cast<DenseElementsAttr>(cast<ConstantOp>(weight.op).getValue()).getRawData();
  sink(StringRef(raw.data(), storedBytes(weight)));
  return success();
}
