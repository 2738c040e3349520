//===- Products.cpp - local rewrites of products --------------------------===//

#include "Fusion/Monomial.h"
#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"

using namespace mlir;
using namespace forge;

// Whether `term` can be the bias operand of the product to which `sum` adds it. The device adds a bias that does not
// have one element per column in a separate kernel. Functions that it fuses into additions, but not into products,
// would need a kernel after that. A Tanh does not count, because steps of recurrent layers should take few calls.
static bool canBeBiasOf(Value term, Value sum) {
  RankedTensorType product = tensorType(sum), type = tensorType(term);
  ArrayRef<int64_t> termShape = type.getShape(), shape = product.getShape();
  bool broadcasts = !termShape.empty() && termShape.size() <= shape.size() &&
                    llvm::all_of(llvm::zip_equal(termShape, shape.take_back(termShape.size())), [](auto sizes) {
                      return std::get<0>(sizes) == 1 || std::get<0>(sizes) == std::get<1>(sizes);
                    });
  bool isFloat = type.getElementType() == product.getElementType() && isa<FloatType>(type.getElementType());
  bool isPerColumn = type.getNumElements() == 1 || type.getNumElements() == termShape.back();
  bool hasFunction = sum.hasOneUse() && isa<ReluOp, SqrtOp, ReciprocalOp>(*sum.user_begin());
  return broadcasts && isFloat && (isPerColumn || !hasFunction);
}

static bool areColumnAndRow(Value column, Value row) {
  return std::min(tensorType(column).getRank(), tensorType(row).getRank()) >= 2 && shapeOf(column).back() == 1;
}

// Whether `term`, which may be null, is a scalar constant that is broadcast over several columns of a product of type
// `product`.
static bool isScalarBiasOfSeveralColumns(Value term, RankedTensorType product) {
  return term && scalarValue(term) && tensorType(term).getNumElements() == 1 && product.getRank() > 0 &&
         product.getShape().back() != 1;
}

static bool areMeanAndScalar(Value value, Value term) {
  auto mean = value.getDefiningOp<ReduceAvgOp>();
  return mean && mean.getKeepDim() && mean.getType().getRank() >= 2 &&
         mean.getWorkAxis() == mean.getType().getRank() - 1 && scalarValue(term) && tensorType(term).getRank() <= 1;
}

// A splat constant of float32. It has no trace, because it is the value of no ONNX node.
static Value splatConstant(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, double number) {
  return ConstantOp::create(b, withoutTrace(loc), splatAttr(RankedTensorType::get(shape, b.getF32Type()), number));
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
