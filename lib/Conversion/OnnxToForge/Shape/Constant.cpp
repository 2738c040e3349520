//===- Constant.cpp - ONNX values known at compile time -------------------===//

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Dialect/Forge/IR/SliceRange.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The same numbers under this dialect's signless element type.
static DenseElementsAttr withElementType(DenseElementsAttr value, Type element) {
  return value.getElementType() == element ? value : value.bitcast(element);
}

// An initializer: in the IR when small, else a key into the importer's weight table.
static Values convertTensor(OnnxNode &n, ForgeBuilder &b, Attribute raw) {
  auto elements = dyn_cast<ElementsAttr>(raw);
  auto declared = elements ? dyn_cast<RankedTensorType>(elements.getType()) : RankedTensorType();
  Type element = declared ? convertElementType(declared.getElementType()) : Type();
  if (!element) {
    n.refuse("attribute 'value' is not a tensor the device can hold");
    return {};
  }
  RankedTensorType type = declared.clone(element);
  if (auto dense = dyn_cast<DenseElementsAttr>(raw))
    return {b.constant(withElementType(dense, element))};
  auto resource = dyn_cast<DenseResourceElementsAttr>(raw);
  if (!resource) {
    n.refuse("attribute 'value' has an unknown form");
    return {};
  }
  StringRef key = resource.getRawHandle().getKey();
  ParameterOp parameter = ParameterOp::create(b.getBuilder(), b.getLoc(), type, key);
  // forge-mlir's importer leaves the bytes where they are.
  if (blobOf(resource))
    parameter.setBlobAttr(resource);
  return {parameter.getResult()};
}

// Constant (since 1, 9, 11, 12, 13, 19, 21, 23, 24, 25) and initializers.
static Values convertConstant(OnnxNode &n, ForgeBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  if (Attribute raw = n.rawAttr("value"))
    return convertTensor(n, b, raw);
  auto vectorOf = [&](size_t size, Type type) { return RankedTensorType::get({static_cast<int64_t>(size)}, type); };
  if (n.hasAttr("value_int"))
    return {
        b.constant(DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), n.intAttr("value_int")))};
  if (n.hasAttr("value_float"))
    return {b.splat(RankedTensorType::get({}, builder.getF32Type()), n.floatAttr("value_float"))};
  if (n.hasAttr("value_ints"))
    return {b.ints(n.intsAttr("value_ints"))};
  if (n.hasAttr("value_floats")) {
    SmallVector<float> values(
        llvm::map_range(n.floatsAttr("value_floats"), [](double v) { return static_cast<float>(v); }));
    return {b.constant(DenseElementsAttr::get(vectorOf(values.size(), builder.getF32Type()), ArrayRef(values)))};
  }
  if (n.hasAttr("value_string") || n.hasAttr("value_strings"))
    n.refuse("the device cannot hold strings");
  else
    n.refuse("only 'value', 'value_int(s)' and 'value_float(s)' are supported");
  return {};
}

// ConstantOfShape (since 9, 20, 21, 23, 24, 25): a splat, however large.
static Values convertConstantOfShape(OnnxNode &n, ForgeBuilder &b) {
  SmallVector<int64_t> shape = n.constantInts(0, "shape");
  int64_t elements = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(elements, size, elements)) {
      n.refuse("the shape has a negative size or too many elements");
      return {};
    }
  if (n.failed())
    return {};
  if (!n.hasAttr("value"))
    return {b.splat(RankedTensorType::get(shape, b.getBuilder().getF32Type()), 0)};
  DenseElementsAttr value = n.tensorAttr("value");
  if (!value || value.getNumElements() != 1) {
    n.refuse("attribute 'value' must be a tensor with one element");
    return {};
  }
  Type element = convertElementType(value.getElementType());
  if (!element) {
    n.refuse("the device has no such element type");
    return {};
  }
  return {b.constant(withElementType(value, element).resizeSplat(RankedTensorType::get(shape, element)))};
}

// Shape (since 1, 13, 15, 19, 21, 23, 24, 25): shapes are static here; `start` and `end` clamp like a slice.
static Values convertShape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = tensorType(x).getRank();
  auto bound = [&](int64_t value) { return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank); };
  int64_t start = bound(n.intAttr("start", 0)), end = bound(n.intAttr("end", rank));
  return {b.ints(start < end ? shapeOf(x).slice(start, end - start) : ArrayRef<int64_t>())};
}

static Values convertSize(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  auto type = RankedTensorType::get({}, b.getBuilder().getI64Type());
  return {b.constant(DenseElementsAttr::get(type, tensorType(x).getNumElements()))};
}

constexpr int64_t kLongestRange = 1 << 24;

// Exact where doubles would not be.
static Value integerRange(OnnxNode &n, ForgeBuilder &b, Type element) {
  int64_t bounds[3], length;
  for (unsigned i : {0, 1, 2}) {
    SmallVector<int64_t> values = n.constantInts(i, "bound");
    if (n.failed())
      return {};
    bounds[i] = values.front();
  }
  auto [start, limit, delta] = bounds;
  limit = delta > 0 ? std::max(start, limit) : std::min(start, limit);
  bool isSound = delta != 0 && !llvm::SubOverflow(limit, start, length);
  int64_t count = isSound ? SliceRange{start, limit, delta}.count() : 0;
  if (!isSound || count > kLongestRange) {
    n.refuse("the range is empty of meaning or has too many elements");
    return {};
  }
  HostTensor values{RankedTensorType::get({count}, element), {}, {}};
  for (int64_t i = 0; i < count; ++i)
    values.ints.push_back(start + i * delta);
  return b.constant(values.toAttr());
}

// Range (since 11, 27): start, limit and delta are constants; element i is start + i * delta.
static Values convertRange(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("stash_type"); // The precision of the accumulation; element i is computed directly here.
  Value like = n.input(0);
  double start = n.constantScalar(0, "start"), limit = n.constantScalar(1, "limit"),
         delta = n.constantScalar(2, "delta");
  if (n.failed())
    return {};
  if (isa<IntegerType>(tensorType(like).getElementType()))
    return {integerRange(n, b, tensorType(like).getElementType())};
  double count = std::ceil((limit - start) / delta);
  if (!(delta != 0) || !(count <= kLongestRange)) {
    n.refuse("the range is empty of meaning or has too many elements");
    return {};
  }
  int64_t size = static_cast<int64_t>(std::max(0.0, count));
  HostTensor values{RankedTensorType::get({size}, tensorType(like).getElementType()), {}, {}};
  for (int64_t i = 0; i < size; ++i)
    values.floats.push_back(start + static_cast<double>(i) * delta);
  return {b.constant(values.toAttr())};
}

// OptionalHasElement (since 15, 18, 28): a tensor that is there is an element; an absent one is none.
static Values convertOptionalHasElement(OnnxNode &n, ForgeBuilder &b) {
  bool has = n.hasInput(0);
  if (has && !n.input(0))
    return {};
  return {b.splat(RankedTensorType::get({}, b.getBuilder().getI1Type()), has)};
}

// OptionalGetElement (since 15, 18, 28): of a tensor, the tensor.
static Values convertOptionalGetElement(OnnxNode &n, ForgeBuilder &) { return {n.input(0)}; }

void forge::registerConstantOps(OnnxRegistry &r) {
  r.add("Constant", {1, 9, 11, 12, 13, 19, 21, 23, 24, 25}, convertConstant);
  r.add("ConstantOfShape", {9, 20, 21, 23, 24, 25}, convertConstantOfShape);
  r.add("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, convertShape);
  r.add("Size", {1, 13, 19, 21, 23, 24, 25}, convertSize);
  r.add("Range", {11, 27}, convertRange);
  r.add("OptionalHasElement", {15, 18, 28}, convertOptionalHasElement);
  r.add("OptionalGetElement", {15, 18, 28}, convertOptionalGetElement);
}
