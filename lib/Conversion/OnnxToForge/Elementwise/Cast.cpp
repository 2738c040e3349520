//===- Cast.cpp - ONNX Cast, CastLike and BitCast -------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace forge;

bool forge::computesDirectly(Type element) {
  return isa<FloatType>(element) || element.isSignlessInteger(32) || element.isSignlessInteger(64);
}

Expr forge::asInt32(Expr x) {
  DenseElementsAttr known = knownValue(x);
  if (known && !Interval::int32().contains(Interval::ofConstant(known))) {
    x.getBuilder().error(Code::ConstantRange, "a constant operand does not fit Int32 on the device");
    return {x.getBuilder(), Value()};
  }
  return x.cast(x.getBuilder().getI32Type());
}

// Refuses a result of unsigned 32 or 64 bits that may not fit Int32, unless it is only a graph output.
static void refuseWideUnsigned(OnnxNode &n, Type element) {
  if (!element.isUnsignedInteger() || element.getIntOrFloatBitWidth() < 32)
    return;
  // Graph outputs are reinterpreted as unsigned on reading; any other user would see a large value as negative.
  bool leaves =
      llvm::all_of(n.getOp().getResult(0).getUsers(), [](Operation *user) { return isa<func::ReturnOp>(user); });
  if (!leaves)
    n.refuse(Code::IntegerRange,
             "a result of type " + llvm::to_string(element) + " may not fit Int32 on the device; cast to int32 first");
}

Value forge::wrapTo(OnnxNode &n, Expr x, Type element) {
  if (!x)
    return {};
  unsigned width = element.getIntOrFloatBitWidth();
  if (width < 32) {
    double range = static_cast<double>(int64_t(1) << width), half = range / 2;
    x = bitwiseAnd(x, range - 1);
    if (!element.isUnsignedInteger()) // Extends the sign; with the bits above already 0, the sum fits Int32.
      x = bitwiseAnd(x + half, range - 1) - half;
  }
  // The low 32 bits do not determine the high ones.
  if (element.isUnsignedInteger() && width == 64)
    n.refuse(Code::IntegerRange,
             "results in uint64 may not fit Int32, in which the device computes; cast to int32 first");
  refuseWideUnsigned(n, element);
  return x.cast(element);
}

// The names of the types of ONNX's TensorProto.DataType, by their codes. Version 1 of Cast has these names, up to
// UINT64.
static constexpr StringRef kTypeNames[] = {
    "UNDEFINED",  "FLOAT",        "UINT8",          "INT8",       "UINT16",         "INT16",  "INT32",     "INT64",
    "STRING",     "BOOL",         "FLOAT16",        "DOUBLE",     "UINT32",         "UINT64", "COMPLEX64", "COMPLEX128",
    "BFLOAT16",   "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "UINT4",  "INT4",      "FLOAT4E2M1",
    "FLOAT8E8M0", "UINT2",        "INT2",           "FLOAT6E2M3", "FLOAT6E3M2"};

// The code of a type that version 1 of Cast names; 0 for a name that is not known.
static int64_t typeCodeOf(StringRef name) {
  auto names = ArrayRef(kTypeNames).take_front(14);
  const StringRef *found = llvm::find(names, name);
  return found == names.end() ? 0 : found - names.begin();
}

// The name of the type with the code `code`, or the code if there is none.
static std::string typeName(int64_t code) {
  bool isNamed = 0 <= code && code < int64_t(std::size(kTypeNames));
  return isNamed ? kTypeNames[code].str() : std::to_string(code);
}

// Whether all values of `from` are values of `to`.
static bool holdsAll(IntegerType to, IntegerType from) {
  bool fromUnsigned = from.isUnsigned() || from.getWidth() == 1;
  if (to.isUnsigned())
    return fromUnsigned && from.getWidth() <= to.getWidth();
  return fromUnsigned ? from.getWidth() < to.getWidth() : from.getWidth() <= to.getWidth();
}

// Casts `x` as ONNX does: booleans are `x != 0`, narrow integers wrap.
static Value castAsOnnx(OnnxNode &n, ForgeBuilder &b, Value x, Type target) {
  if (!x)
    return {};
  auto from = dyn_cast<IntegerType>(elementOf(x));
  auto to = dyn_cast<IntegerType>(target);
  if (!to || to.getWidth() == 1 || (from && holdsAll(to, from)))
    return b.cast(x, target);
  if (Value folded = foldedConstant(x, x, [&] { return b.cast(x, target); }))
    return folded;
  if (to.getWidth() < 32)
    return wrapTo(n, asInt32({b, x}), target);
  // ONNX does not define the result for a float out of range, but it does for a negative integer.
  if (from && !from.isUnsigned())
    refuseWideUnsigned(n, target);
  return b.cast(x, target);
}

static void ignoreFloat8Attrs(OnnxNode &n) {
  n.ignoreAttr("saturate");
  n.ignoreAttr("round_mode");
}

// Cast (since 1, 6, 9, 13, 19, 21, 23, 24, 25, 28). `saturate` and `round_mode` matter for 8-bit floats only.
Values forge::convertCast(OnnxNode &n, ForgeBuilder &b) {
  int64_t to = n.since() < 6 ? typeCodeOf(n.stringAttr("to")) : n.intAttr("to");
  ignoreFloat8Attrs(n);
  Type target = elementTypeOfCode(to, b.getBuilder().getContext());
  if (!target)
    return n.refuse(Code::TypeNotHeld, "the device has no type for 'to' = " + typeName(to));
  return {castAsOnnx(n, b, n.input(0), target)};
}

Values forge::convertCastLike(OnnxNode &n, ForgeBuilder &b) {
  ignoreFloat8Attrs(n);
  Value x = n.input(0), like = n.input(1);
  return {x && like ? castAsOnnx(n, b, x, elementOf(like)) : Value()};
}

// BitCast (since 26): supported between integers of one width that differ only in their sign.
Values forge::convertBitCast(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  Type to = elementTypeOfCode(n.intAttr("to"), b.getBuilder().getContext());
  if (n.failed())
    return {};
  Type from = elementOf(x);
  auto source = dyn_cast<IntegerType>(from), target = dyn_cast_or_null<IntegerType>(to);
  if (to == from)
    return {x};
  Type i32 = b.getI32Type();
  if (source && source.getWidth() == 1 && target && target.getWidth() == 8)
    return {b.cast(x, to)};
  if (!source || !target || source.getWidth() != target.getWidth() || source.getWidth() > 16)
    return n.refuse(Code::OperandType,
                    "only booleans and integers of 8 or 16 bits can be reinterpreted as another type on the device");
  Value number = b.cast(x, i32);
  int64_t range = int64_t(1) << source.getWidth();
  bool toUnsigned = target.isUnsigned();
  Value wraps = toUnsigned ? b.compare<LessOp>(number, b.scalarLike(number, 0))
                           : b.compare<GreaterEqualOp>(number, b.scalarLike(number, range / 2));
  Value moved = b.create<AddOp>(number, b.scalarLike(number, toUnsigned ? range : -range));
  return {b.cast(b.create<WhereOp>(wraps, moved, number), to)};
}
