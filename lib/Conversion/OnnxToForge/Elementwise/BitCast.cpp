//===- BitCast.cpp - ONNX BitCast -----------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace forge;

// BitCast (since 26): bits stay, so only integers of one width that the device holds as numbers can change their sign.
Values forge::convertBitCast(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  (void)n.intAttr("to");
  Type to = n.declaredElementType(0);
  if (n.failed())
    return {};
  Type from = tensorType(x).getElementType();
  auto source = dyn_cast<IntegerType>(from), target = dyn_cast_or_null<IntegerType>(to);
  if (to == from)
    return {x};
  Type i32 = b.getBuilder().getI32Type();
  if (source && source.getWidth() == 1 && target && target.getWidth() == 8)
    return {b.cast(x, to)};
  if (!source || !target || source.getWidth() != target.getWidth() || source.getWidth() > 16) {
    n.refuse(Code::OperandType,
             "only integers of 8 or 16 bits and booleans can be taken for another type on the device");
    return {};
  }
  Value number = b.cast(x, i32);
  int64_t range = int64_t(1) << source.getWidth();
  bool toUnsigned = target.isUnsigned();
  Value wraps = toUnsigned ? b.compare<LessOp>(number, b.scalarLike(number, 0))
                           : b.compare<GreaterEqualOp>(number, b.scalarLike(number, static_cast<double>(range / 2)));
  Value moved = b.create<AddOp>(number, b.scalarLike(number, static_cast<double>(toUnsigned ? range : -range)));
  return {b.cast(b.create<WhereOp>(wraps, moved, number), to)};
}
