//===- Products.cpp - products, sums and quotients in other forms ---------===//

#include "Fusion/Monomial.h"
#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/PassReport.h"

using namespace mlir;
using namespace forge;

// Whether a product of type `product` takes `term` as its third operand.
static bool isTermOf(Value term, RankedTensorType product) {
  ArrayRef<int64_t> own = shapeOf(term), shape = product.getShape();
  bool broadcasts = !own.empty() && own.size() <= shape.size() &&
                    llvm::all_of(llvm::zip_equal(own, shape.take_back(own.size())), [](auto sizes) {
                      return std::get<0>(sizes) == 1 || std::get<0>(sizes) == std::get<1>(sizes);
                    });
  return broadcasts && tensorType(term).getElementType() == product.getElementType() &&
         isa<FloatType>(product.getElementType());
}

static bool areColumnAndRow(Value column, Value row) {
  return std::min(tensorType(column).getRank(), tensorType(row).getRank()) >= 2 && shapeOf(column).back() == 1;
}

namespace {
#include "Products.cpp.inc"
} // namespace

void forge::populateProductForms(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.addWithLabel<ProductWithWeight, ProductBehindWeight>({"terms-joined", kRecord}, context);
  patterns.addWithLabel<ProductWithSum, ProductBehindSum>({"sums-joined", kRecord}, context);
  patterns.addWithLabel<ProductWithInverse, ProductOfInverse>({"products-as-quotients", kRecord}, context);
}

void forge::populateProductsOfWeights(RewritePatternSet &patterns) {
  patterns.addWithLabel<ColumnTimesRow>({"weights-multiplied", kRecord}, patterns.getContext());
}
