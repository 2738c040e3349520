//===- Optimizers.cpp - update rules of ai.onnx.preview.training ----------===//

#include "Onnx.h"

#include "forge/Conversion/OnnxToForge/Expr.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Applies `update` to each tensor of an optimiser: operands are the rate, the count of updates so far, and then lists
// of as many tensors each: values, gradients, and what is kept between updates. All results of one kind come together.
static Values forEachTensor(OnnxNode &n, ForgeBuilder &b, unsigned lists,
                            llvm::function_ref<SmallVector<Expr>(Expr rate, ArrayRef<Expr> tensor)> update) {
  Values operands = n.inputs();
  if (n.failed())
    return {};
  if (operands.size() <= 2 || (operands.size() - 2) % lists != 0) {
    n.refuse(Code::Arity, "expected a rate, a count, and lists of as many tensors each");
    return {};
  }
  unsigned count = (operands.size() - 2) / lists;
  Values results(count * (lists - 1));
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Expr> tensor;
    for (unsigned list = 0; list < lists; ++list)
      tensor.push_back({b, operands[2 + list * count + i]});
    Expr rate(b, b.cast(b.reshape(operands[0], {}), tensor.front().elementType()));
    for (auto [list, result] : llvm::enumerate(update(rate, tensor)))
      results[list * count + i] = result;
  }
  return results;
}

// The count of updates so far, as a number of the type of the tensors.
static Expr countOf(OnnxNode &n, ForgeBuilder &b) {
  Value count = n.input(1), value = n.input(2);
  if (n.failed())
    return {b, {}};
  return {b, b.cast(b.reshape(count, {}), tensorType(value).getElementType())};
}

// ai.onnx.preview.training.Adagrad (since 1).
Values forge::convertAdagrad(OnnxNode &n, ForgeBuilder &b) {
  double decay = n.floatAttr("decay_factor", 0), epsilon = n.floatAttr("epsilon", 0);
  double norm = n.floatAttr("norm_coefficient", 0);
  Expr count = countOf(n, b);
  return forEachTensor(n, b, 3, [&](Expr rate, ArrayRef<Expr> t) -> SmallVector<Expr> {
    Expr gradient = t[0] * norm + t[1], squares = t[2] + gradient * gradient;
    return {t[0] - rate / (count * decay + 1.0) * gradient / (sqrt(squares) + epsilon), squares};
  });
}

// ai.onnx.preview.training.Adam (since 1).
Values forge::convertAdam(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 0.9f), beta = n.floatAttr("beta", 0.999f), epsilon = n.floatAttr("epsilon", 0);
  double norm = n.floatAttr("norm_coefficient", 0), normAfter = n.floatAttr("norm_coefficient_post", 0);
  if (!(alpha > 0 && alpha < 1 && beta > 0 && beta < 1)) {
    n.refuse(Code::AttributeValue, "attributes 'alpha' and 'beta' must be between 0 and 1");
    return {};
  }
  Expr count = countOf(n, b);
  return forEachTensor(n, b, 4, [&](Expr rate, ArrayRef<Expr> t) -> SmallVector<Expr> {
    Expr gradient = t[0] * norm + t[1];
    Expr mean = t[2] * alpha + gradient * (1 - alpha), squares = t[3] * beta + gradient * gradient * (1 - beta);
    // The first means are too small, by what has not been counted yet.
    Expr corrected = rate * sqrt(1.0 - exp(count * std::log(beta))) / (1.0 - exp(count * std::log(alpha)));
    Expr step = select(count > 0.0, corrected, rate);
    return {(t[0] - step * (mean / (sqrt(squares) + epsilon))) * (1 - normAfter), mean, squares};
  });
}

// ai.onnx.preview.training.Momentum (since 1): standard, or Nesterov's.
Values forge::convertMomentum(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha"), beta = n.floatAttr("beta"), norm = n.floatAttr("norm_coefficient");
  StringRef mode = n.stringAttr("mode");
  if (!n.failed() && mode != "standard" && mode != "nesterov")
    n.refuse(Code::AttributeValue, "attribute 'mode' must be standard or nesterov");
  Expr count = countOf(n, b);
  return forEachTensor(n, b, 3, [&](Expr rate, ArrayRef<Expr> t) -> SmallVector<Expr> {
    Expr gradient = t[0] * norm + t[1];
    // The first gradient counts whole.
    Expr velocity = t[2] * alpha + gradient * select(count > 0.0, beta, count.number(1));
    Expr direction = mode == "nesterov" ? gradient + velocity * alpha : velocity;
    return {t[0] - rate * direction, velocity};
  });
}
