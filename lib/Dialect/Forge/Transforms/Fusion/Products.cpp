//===- Products.cpp - local rewrites of products --------------------------===//

#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"

using namespace mlir;
using namespace forge;

// Whether `op` is a function that the device fuses into an addition before it, but not into a product with a bias. Tanh
// is such a function, too, but does not count: it is in each step of recurrent layers, which should take few calls.
static bool isFusedIntoAddition(Operation *op) { return isa<ReluOp, SqrtOp, ReciprocalOp>(op); }

// Whether `addend` should be the bias operand of the product to which `sum` adds it. The addend has to broadcast to the
// sum, and to have the same float type. The kernel of the product adds a bias with one element per column, and a scalar
// constant is made one (ScalarBiasPerColumn). Any other bias takes a kernel of its own, as the addition does: then the
// addition remains if a function is fused into it.
static bool canBeBiasOf(Value addend, Value sum) {
  RankedTensorType sumType = tensorType(sum), type = tensorType(addend);
  ArrayRef<int64_t> addendShape = type.getShape(), shape = sumType.getShape();
  bool broadcasts = !addendShape.empty() && addendShape.size() <= shape.size() &&
                    llvm::equal(addendShape, shape.take_back(addendShape.size()),
                                [](int64_t from, int64_t to) { return from == 1 || from == to; });
  bool isFloat = type.getElementType() == sumType.getElementType() && isa<FloatType>(type.getElementType());
  bool isPerColumn = type.getNumElements() == 1 || type.getNumElements() == addendShape.back();
  bool hasFusedFunction = sum.hasOneUse() && isFusedIntoAddition(*sum.user_begin());
  return broadcasts && isFloat && (isPerColumn || !hasFusedFunction);
}

// Whether the matrix product of `column`, [..., n, 1], and `row`, [..., 1, m], is a multiplication that broadcasts
// both: each of its elements is one product and no sum of several.
static bool areColumnAndRow(Value column, Value row) {
  return std::min(tensorType(column).getRank(), tensorType(row).getRank()) >= 2 && shapeOf(column).back() == 1;
}

// Whether `bias`, which may be null, is a scalar constant that is broadcast over several columns of a product of type
// `type`.
static bool isScalarBiasOfSeveralColumns(Value bias, RankedTensorType type) {
  return bias && scalarValue(bias) && type.getRank() > 0 && type.getShape().back() != 1;
}

// Whether `value` is a mean of the trailing axis, which a matrix product with a column of 1 / size computes too, and
// `scalar` is a scalar constant that can be the bias of that product, because it does not add axes to it. The mean of
// an axis without elements is NaN, but such a product is 0.
static bool areMeanAndScalar(Value value, Value scalar) {
  Value x = meanOperand(value);
  return x && tensorType(x).getRank() >= 2 && shapeOf(x).back() > 0 && scalarValue(scalar) &&
         tensorType(scalar).getRank() <= 1;
}

// A splat constant of float32. It has no trace, because it is the value of no ONNX node.
static Value splatConstant(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, double element) {
  return ConstantOp::create(b, withoutTrace(loc), splatAttr(RankedTensorType::get(shape, b.getF32Type()), element));
}

namespace {
#include "Products.cpp.inc"
} // namespace

void forge::populateProductForms(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.addWithLabel<AddToMatmul, AddToMatmulCommuted, ScalarBiasPerColumn>({"biases-fused", kRecord}, context);
  patterns.addWithLabel<AddToMean, AddToMeanCommuted>({"means-as-products", kRecord}, context);
  patterns.addWithLabel<MultiplyByReciprocal, MultiplyByReciprocalCommuted>({"products-as-quotients", kRecord},
                                                                            context);
}

void forge::populateProductsOfWeights(RewritePatternSet &patterns) {
  patterns.addWithLabel<OuterProductOfWeights>({"weights-multiplied", kRecord}, patterns.getContext());
}
