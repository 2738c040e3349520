//===- LabelEncoder.cpp - ai.onnx.ml.LabelEncoder -------------------------===//

#include "Onnx.h"

#include "../../Indexing/Indexing.h"

using namespace mlir;
using namespace forge;

namespace {
/// Numbers of one type; those of the other list are absent.
struct Numbers {
  Type element;
  SmallVector<double> floats;
  SmallVector<int64_t> ints;

  size_t size() const { return floats.size() + ints.size(); }
  Value constant(ForgeBuilder &b) const {
    SmallVector<float> narrow(floats.begin(), floats.end());
    int64_t count = size();
    return ints.empty() ? b.floats(count, narrow) : b.cast(b.ints(ints), element);
  }
};
} // namespace

// The numbers of a tensor; refuses types that the table of the device cannot hold exactly.
static Numbers readTensor(OnnxNode &n, const Twine &name) {
  DenseElementsAttr tensor = n.tensorAttr(name.str());
  Type element = tensor ? convertElementType(tensor.getElementType()) : Type();
  if (element && element.isF32())
    return {element, numberValues(tensor), {}};
  if (element && (element.isSignlessInteger(32) || element.isSignlessInteger(64)))
    return {element, {}, intValues(tensor)};
  n.refuse(Code::OperandType, "attribute '" + name + "' must have elements of float32, int32 or int64");
  return {};
}

// The keys or the values of the table, of which a node has one list.
static Numbers readList(OnnxNode &n, ForgeBuilder &b, const Twine &name) {
  auto has = [&](StringRef suffix) { return n.hasAttr((name + suffix).str()); };
  if (has("_strings"))
    n.refuse(Code::AttributeUnsupported, "attribute '" + name +
                                             "_strings': the device has no strings; export numbers, or use "
                                             "--fallback=cpu");
  if (has("_tensor"))
    return readTensor(n, name + "_tensor");
  if (has("_floats"))
    return {b.getF32Type(), n.floatsAttr((name + "_floats").str()), {}};
  return {b.getI64Type(), {}, n.failed() ? SmallVector<int64_t>() : n.intsAttr((name + "_int64s").str())};
}

// Appends the value of elements that are not a key.
static void addDefault(OnnxNode &n, Numbers &values) {
  double number = n.floatAttr("default_float", -0.0);
  int64_t integer = n.intAttr("default_int64", -1);
  n.ignoreAttr("default_string");
  bool isFloat = values.ints.empty();
  if (!n.hasAttr("default_tensor")) {
    isFloat ? values.floats.push_back(number) : values.ints.push_back(integer);
    return;
  }
  Numbers given = readTensor(n, "default_tensor");
  if (n.failed())
    return;
  if (given.size() != 1 || given.element != values.element)
    n.refuse(Code::AttributeMismatch, "attribute 'default_tensor' must be one element of the type of the values");
  llvm::append_range(values.floats, given.floats);
  llvm::append_range(values.ints, given.ints);
}

// Whether a key occurs twice, or is NaN, which is equal to no element.
template <typename T>
static bool isAmbiguous(ArrayRef<T> keys) {
  if (llvm::any_of(keys, [](T key) { return key != key; }))
    return true; // The sort needs an order of all keys.
  SmallVector<T> sorted(keys);
  llvm::sort(sorted);
  return llvm::adjacent_find(sorted) != sorted.end();
}

// ai.onnx.ml.LabelEncoder (since 1, 2, 4): looks numbers up in a table. The position of the key that is equal to an
// element is the sum of the positions of all equal keys, which is exact, and selects the value.
Values forge::convertLabelEncoder(OnnxNode &n, ForgeBuilder &b) {
  if (n.since() < 2)
    return n.refuse(Code::AttributeUnsupported,
                    "before opset 2 the labels are strings, which the device does not have; "
                    "use --fallback=cpu");
  Expr x(b, n.input(0));
  Numbers keys = readList(n, b, "keys"), values = readList(n, b, "values");
  if (n.failed())
    return {};
  int64_t count = keys.size(), last = rankOf(x);
  if (static_cast<size_t>(count) != values.size() || count == 0)
    return n.refuse(Code::AttributeMismatch,
                    "expected as many values as keys, but got " + Twine(values.size()) + " and " + Twine(count));
  if (keys.element != x.elementType())
    return n.refuse(Code::OperandType, "the keys do not have the type of the operand");
  if (isAmbiguous(ArrayRef(keys.floats)) || isAmbiguous(ArrayRef(keys.ints)))
    return n.refuse(Code::ResultUndefined, "a key is NaN or occurs twice: onnx.reference and onnxruntime differ");
  addDefault(n, values);
  constexpr int64_t kMostComparisons = 1 << 24;
  if (numElements(x) > kMostComparisons / count)
    return n.refuse(Code::TooManyElements, Twine(numElements(x)) + " elements and " + Twine(count) +
                                               " keys take more than " + Twine(kMostComparisons) + " comparisons");
  if (n.failed())
    return {};
  Expr column(b, b.reshape(x, concatShapes(shapeOf(x), 1)));
  Expr number(b, b.iota(count, last, last + 1, b.getI32Type()));
  // The default is the last value.
  Expr shifted = select(column == Expr(b, keys.constant(b)), number - static_cast<double>(count), 0.0);
  Value position = b.create<ReduceSumOp>(Value(shifted), int64_t(-1), /*keep_dim=*/false);
  Value index = (Expr(b, position) + static_cast<double>(count)).cast(b.getI32Type());
  return {takeRows(b, values.constant(b), index)};
}
