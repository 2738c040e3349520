//===- Shape.cpp - ONNX constants and ops on shapes -----------------------===//

#include "../RegisterAll.h"
#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"
#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "forge/Dialect/Forge/IR/Movement/SliceRange.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The same elements with the signless element type of this dialect.
static DenseElementsAttr withElementType(DenseElementsAttr value, Type element) {
  return value.getElementType() == element ? value : value.bitcast(element);
}

// An initializer: in the IR if small, otherwise a key into the importer's weight table.
static Values convertTensor(OnnxNode &n, ForgeBuilder &b, Attribute raw) {
  auto elements = dyn_cast<ElementsAttr>(raw);
  auto declared = elements ? dyn_cast<RankedTensorType>(elements.getType()) : RankedTensorType();
  Type element = declared ? convertElementType(declared.getElementType()) : Type();
  if (!element)
    return n.refuse(Code::TypeNotHeld, "attribute 'value' is not a tensor the device can hold");
  RankedTensorType type = declared.clone(element);
  if (auto dense = dyn_cast<DenseElementsAttr>(raw))
    return {b.constant(withElementType(dense, element))};
  auto resource = dyn_cast<DenseResourceElementsAttr>(raw);
  if (!resource)
    return n.refuse(Code::AttributeKind, "attribute 'value' has an unknown form");
  StringRef key = resource.getRawHandle().getKey();
  ParameterOp parameter = ParameterOp::create(b.getBuilder(), b.getLoc(), type, key);
  // forge-mlir's importer does not put the bytes into the IR.
  if (blobOf(resource))
    parameter.setBlobAttr(resource);
  return {parameter.getResult()};
}

// Constant (since 1, 9, 11, 12, 13, 19, 21, 23, 24, 25) and initializers.
static Values convertConstant(OnnxNode &n, ForgeBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  if (Attribute raw = n.rawAttr("value"))
    return convertTensor(n, b, raw);
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
    return {b.floats(static_cast<int64_t>(values.size()), values)};
  }
  if (n.hasAttr("value_string") || n.hasAttr("value_strings"))
    n.refuse(Code::TypeNotHeld, "the device cannot hold strings");
  else
    n.refuse(Code::AttributeUnsupported, "only 'value', 'value_int(s)' and 'value_float(s)' are supported");
  return {};
}

// ConstantOfShape (since 9, 20, 21, 23, 24, 25): a splat, however large.
static Values convertConstantOfShape(OnnxNode &n, ForgeBuilder &b) {
  SmallVector<int64_t> shape = n.constantInts(0, "shape");
  int64_t elements = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(elements, size, elements))
      return n.refuse(Code::SizeInvalid, "the shape has a negative size or too many elements");
  if (n.failed())
    return {};
  if (!n.hasAttr("value"))
    return {b.splat(RankedTensorType::get(shape, b.getF32Type()), 0)};
  DenseElementsAttr value = n.tensorAttr("value");
  if (!value || value.getNumElements() != 1)
    return n.refuse(Code::ElementCount, "attribute 'value' must be a tensor with one element");
  Type element = convertElementType(value.getElementType());
  if (!element)
    return n.refuse(Code::TypeNotHeld, "the device has no such element type");
  return {b.constant(withElementType(value, element).resizeSplat(RankedTensorType::get(shape, element)))};
}

// EyeLike (since 9, 22): only the shape of the operand is used.
static Values convertEyeLike(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t k = n.intAttr("k", 0);
  bool hasType = n.hasAttr("dtype");
  if (n.failed())
    return {};
  Type element = hasType ? n.declaredElementType(0) : elementOf(x);
  if (!element || rankOf(x) != 2 || numElements(x) > (1 << 24))
    return n.refuse(
        Code::RankWrong,
        "the operand must have rank 2 and not too many elements, and the result a type the device can hold");
  return {b.cast(b.diagonals(shapeOf(x)[0], shapeOf(x)[1], [&](int64_t offset) { return offset == k; }), element)};
}

constexpr int64_t kLongestRange = 1 << 24;

// Range of integers, which doubles could not represent exactly.
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
  if (!isSound || count > kLongestRange)
    return n.refuse(Code::SizeInvalid, "the range is empty of meaning or has too many elements");
  HostTensor values{RankedTensorType::get({count}, element), {}, {}};
  for (int64_t i = 0; i < count; ++i)
    values.ints.push_back(start + i * delta);
  return b.constant(values.toAttr());
}

// Range (since 11, 27): start, limit and delta are constants; element i is start + i * delta.
static Values convertRange(OnnxNode &n, ForgeBuilder &b) {
  n.ignoreAttr("stash_type"); // The precision of a running sum; here each element is computed independently.
  Value like = n.input(0);
  double start = n.constantScalar(0, "start"), limit = n.constantScalar(1, "limit"),
         delta = n.constantScalar(2, "delta");
  if (n.failed())
    return {};
  if (isa<IntegerType>(elementOf(like)))
    return {integerRange(n, b, elementOf(like))};
  double count = std::ceil((limit - start) / delta);
  if (!(delta != 0) || !(count <= kLongestRange))
    return n.refuse(Code::SizeInvalid, "the range is empty of meaning or has too many elements");
  int64_t size = static_cast<int64_t>(std::max(0.0, count));
  HostTensor values{RankedTensorType::get({size}, elementOf(like)), {}, {}};
  for (int64_t i = 0; i < size; ++i)
    values.floats.push_back(start + static_cast<double>(i) * delta);
  return {b.constant(values.toAttr())};
}

// Shape (since 1, 13, 15, 19, 21, 23, 24, 25): shapes are static; `start` and `end` are clamped as for a slice.
static Values convertShape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  auto bound = [&](int64_t value) { return std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank); };
  int64_t start = bound(n.intAttr("start", 0)), end = bound(n.intAttr("end", rank));
  return {b.ints(start < end ? shapeOf(x).slice(start, end - start) : ArrayRef<int64_t>())};
}

static Values convertSize(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  auto type = RankedTensorType::get({}, b.getI64Type());
  return {b.constant(DenseElementsAttr::get(type, numElements(x)))};
}

static Values convertIdentity(OnnxNode &n, ForgeBuilder &) { return {n.input(0)}; }

// Reshape (since 1, 5, 13, 14, 19, 21, 23, 24, 25): 0 copies a size unless allowzero; one -1 is inferred.
static Values convertReshape(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  SmallVector<int64_t> shape = n.since() < 5 ? n.intsAttr("shape", ArrayRef<int64_t>()) : n.constantInts(1, "shape");
  n.ignoreAttr("consumed_inputs");
  bool allowZero = n.since() >= 14 && n.flagAttr("allowzero", false);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  int64_t inferred = -1, known = 1;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (size == 0 && !allowZero) {
      if (static_cast<int64_t>(i) >= type.getRank())
        return n.refuse(Code::OutOfRange,
                        "shape copies dim " + Twine(i) + " of an operand of rank " + Twine(type.getRank()));
      size = type.getDimSize(i);
    }
    if (size == -1 && inferred < 0) {
      inferred = i;
    } else if (size < 0 || llvm::MulOverflow(known, size, known))
      return n.refuse(Code::SizeInvalid, "shape has a negative size, a second -1, or too many elements");
  }
  int64_t elements = type.getNumElements();
  if (inferred >= 0) {
    if (known == 0 || elements % known != 0)
      return n.refuse(Code::SizeInvalid,
                      "the -1 of the shape cannot be inferred from " + Twine(elements) + " elements");
    shape[inferred] = elements / known;
  } else if (known != elements)
    return n.refuse(Code::SizeInvalid,
                    "shape has " + Twine(known) + " elements, but the operand has " + Twine(elements));
  return {b.reshape(x, shape)};
}

// Flatten (since 1, 9, 11, 13, 21, 23, 24, 25): merges the axes before `axis`, and those from it on; it may equal the
// rank.
static Values convertFlatten(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  int64_t axis = n.intAttr("axis", 1);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  if (axis < -rank || axis > rank || (axis < 0 && n.since() < 11))
    return n.refuse(Code::OutOfRange, "attribute 'axis' " + Twine(axis) + " is outside rank " + Twine(rank));
  axis = axis < 0 ? axis + rank : axis;
  auto product = [](ArrayRef<int64_t> sizes) {
    int64_t result = 1;
    for (int64_t size : sizes)
      result *= size;
    return result;
  };
  return {b.reshape(x, {product(shapeOf(x).take_front(axis)), product(shapeOf(x).drop_front(axis))})};
}

// The axes of Squeeze and Unsqueeze: an attribute, an input since 13; nullopt if absent.
static std::optional<SmallVector<int64_t>> axesOf(OnnxNode &n) {
  if (n.since() < 13)
    return n.hasAttr("axes") ? std::optional(n.intsAttr("axes")) : std::nullopt;
  return n.hasInput(1) ? std::optional(n.constantInts(1, "axes")) : std::nullopt;
}

static Values convertSqueeze(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> axes = axesOf(n);
  if (n.failed())
    return {};
  RankedTensorType type = tensorType(x);
  SmallVector<int64_t> dropped = axes ? n.axes(*axes, type.getRank()) : SmallVector<int64_t>();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    bool drop = axes ? llvm::is_contained(dropped, static_cast<int64_t>(i)) : size == 1;
    if (drop && size != 1)
      n.refuse(Code::SizeInvalid, "axis " + Twine(i) + " has size " + Twine(size) + ", so it cannot be squeezed");
    if (!drop)
      shape.push_back(size);
  }
  if (n.failed())
    return {};
  return {b.reshape(x, shape)};
}

static Values convertUnsqueeze(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  std::optional<SmallVector<int64_t>> axes = axesOf(n);
  if (!axes)
    n.refuse(Code::OperandMissing, "axes are missing");
  if (n.failed())
    return {};
  int64_t rank = rankOf(x) + axes->size();
  SmallVector<int64_t> added = n.axes(*axes, rank);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape;
  auto next = shapeOf(x).begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(added, i) ? 1 : *next++);
  return {b.reshape(x, shape)};
}

// OptionalHasElement (since 15, 18, 28): true for a tensor, false for an absent input.
static Values convertOptionalHasElement(OnnxNode &n, ForgeBuilder &b) {
  bool has = n.hasInput(0);
  if (has && !n.input(0))
    return {};
  return {b.splat(RankedTensorType::get({}, b.getI1Type()), has)};
}

// OptionalGetElement (since 15, 18, 28) of a tensor is the tensor.
static Values convertOptionalGetElement(OnnxNode &n, ForgeBuilder &) { return {n.input(0)}; }

void forge::registerShapeOps(OnnxRegistry &registry) {
  registry.add({
      {"Constant", {1, 9, 11, 12, 13, 19, 21, 23, 24, 25}, convertConstant},
      {"ConstantOfShape", {9, 20, 21, 23, 24, 25}, convertConstantOfShape},
      {"Range", {11, 27}, convertRange},
      {"EyeLike", {9, 22}, convertEyeLike},
      {"Shape", {1, 13, 15, 19, 21, 23, 24, 25}, convertShape},
      {"Size", {1, 13, 19, 21, 23, 24, 25}, convertSize},
      {"Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, convertIdentity},
      {"Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, convertReshape},
      {"Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, convertFlatten},
      {"Squeeze", {1, 11, 13, 21, 23, 24, 25}, convertSqueeze},
      {"Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, convertUnsqueeze},
      {"OptionalHasElement", {15, 18, 28}, convertOptionalHasElement},
      {"OptionalGetElement", {15, 18, 28}, convertOptionalGetElement},
  });
}
