//===- RawTensor.cpp - tensors in the raw layout of ONNX ------------------===//

#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

std::optional<int64_t> forge::rawBytes(ShapedType type) {
  int64_t bits = 0, elements = 1, total;
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType(), elements = 2;
  if (element.isIntOrFloat())
    bits = element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
  if (!type.hasStaticShape() || !llvm::is_contained({4, 8, 16, 32, 64}, bits))
    return std::nullopt;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(elements, size, elements))
      return std::nullopt;
  if (llvm::MulOverflow(elements, bits, total) || llvm::AddOverflow(total, int64_t(7), total))
    return std::nullopt;
  return total / 8;
}

std::optional<ArrayRef<char>> forge::blobOf(DenseResourceElementsAttr attr) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  return blob ? std::optional(blob->getData()) : std::nullopt;
}

// Integer `index` of a raw tensor of integers of 1 or 4 bits.
static uint64_t rawInteger(ArrayRef<char> raw, unsigned width, int64_t index) {
  return width == 1 ? raw[index] != 0 : raw[index / 2] >> (index % 2 * 4) & 0xF;
}

DenseElementsAttr forge::denseFromRaw(RankedTensorType type, ArrayRef<char> raw) {
  std::optional<int64_t> bytes = rawBytes(type);
  if (!bytes || *bytes != static_cast<int64_t>(raw.size()))
    return {};
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  if (!integer || integer.getWidth() >= 8 || type.getNumElements() == 0)
    return DenseElementsAttr::getFromRawBuffer(type, raw);
  SmallVector<APInt> values;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.emplace_back(integer.getWidth(), rawInteger(raw, integer.getWidth(), i));
  return DenseElementsAttr::get(type, values);
}

std::vector<char> forge::rawFromDense(DenseElementsAttr dense) {
  auto integer = dyn_cast<IntegerType>(dense.getElementType());
  std::vector<char> raw(*rawBytes(dense.getType()), 0);
  if (!integer || integer.getWidth() >= 8) {
    ArrayRef<char> stored = dense.getRawData(); // a splat stores one element
    for (size_t i = 0; i < raw.size(); i += stored.size())
      llvm::copy(stored, raw.begin() + i);
    return raw;
  }
  for (auto [i, value] : llvm::enumerate(dense.getValues<APInt>())) {
    if (integer.getWidth() == 1)
      raw[i] = static_cast<char>(value.getZExtValue());
    else
      raw[i / 2] |= static_cast<char>(value.getZExtValue() << (i % 2 * 4));
  }
  return raw;
}
