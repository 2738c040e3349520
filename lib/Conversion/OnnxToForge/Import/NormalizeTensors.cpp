//===- NormalizeTensors.cpp - converts blobs to dense elements and back ---===//

#include "Import.h"

#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace forge;

// Whether a tensor becomes dense elements: small tensors; larger ones of booleans and wide integers, which may be
// indices; and in subgraphs everything that may be a shape, because it cannot be passed in as a constant.
static bool isSmall(RankedTensorType type, int64_t bytes, bool isNested) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  bool mayIndex = integer && !integer.isUnsigned() && llvm::is_contained({1u, 32u, 64u}, integer.getWidth());
  return bytes <= (mayIndex ? kKnownBytes : kInlineBytes) ||
         (isNested && type.getRank() < 2 && isa<IntegerType>(type.getElementType()) &&
          !type.getElementType().isInteger(1));
}

// A blob for large dense elements; null for others and for splats.
static Attribute asWeight(DenseElementsAttr dense, StringRef name, bool isNested) {
  auto type = dyn_cast<RankedTensorType>(dense.getType());
  std::optional<int64_t> bytes = type && !dense.isSplat() ? rawBytes(type) : std::nullopt;
  if (!bytes || isSmall(type, *bytes, isNested))
    return {};
  std::vector<char> raw = rawFromDense(dense);
  return DenseResourceElementsAttr::get(type, name, HeapAsmResourceBlob::allocateAndCopyWithAlign(raw, 8));
}

// Whether all elements are equal, as in all-zero biases and all-one scales.
static bool isUniform(RankedTensorType type, ArrayRef<char> data) {
  size_t element = std::max<size_t>(type.getElementTypeBitWidth() / 8, 1);
  return data.size() <= static_cast<size_t>(kUniformBytes) && data.size() >= element &&
         data.drop_front(element) == data.drop_back(element);
}

LogicalResult forge::normalizeTensors(torch::OperatorOp op, bool keepWeights) {
  bool anyFailed = false, isNested = !isa<func::FuncOp>(op->getParentOp());
  auto normalized = [&](Attribute attr) -> Attribute {
    if (auto dense = dyn_cast<DenseElementsAttr>(attr); dense && keepWeights)
      if (Attribute weight = asWeight(dense, nodeName(op.getLoc()), isNested))
        return weight;
    auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
    auto type = resource ? dyn_cast<RankedTensorType>(resource.getType()) : RankedTensorType();
    std::optional<ArrayRef<char>> blob = type ? blobOf(resource) : std::nullopt;
    std::optional<int64_t> bytes = blob ? rawBytes(type) : std::nullopt;
    if (!bytes)
      return attr;
    // The bytecode reader pads an empty blob.
    if (*bytes != static_cast<int64_t>(blob->size()) && *bytes != 0) {
      emitError(op, Code::TensorData) << "node '" << escaped(nodeName(op.getLoc())) << "' (" << escaped(op.getName())
                                      << "): its data has " << blob->size() << " bytes, but " << type << " needs "
                                      << *bytes;
      anyFailed = true;
      return attr;
    }
    ArrayRef<char> data = blob->take_front(*bytes);
    bool inlines = isSmall(type, *bytes, isNested) || isUniform(type, data);
    DenseElementsAttr dense = inlines ? denseFromRaw(type, data) : nullptr;
    return dense ? Attribute(dense) : attr;
  };
  for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs())) {
    if (!attr.getName().strref().starts_with(torch::kAttrPrefix))
      continue;
    Attribute value = attr.getValue();
    if (auto list = dyn_cast<ArrayAttr>(value))
      value = ArrayAttr::get(op.getContext(), llvm::map_to_vector(list, normalized));
    else
      value = normalized(value);
    if (value != attr.getValue())
      op->setDiscardableAttr(attr.getName(), value);
  }
  return failure(anyFailed);
}
