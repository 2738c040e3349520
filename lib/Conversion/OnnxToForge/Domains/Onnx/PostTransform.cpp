//===- PostTransform.cpp - attribute 'post_transform' of ai.onnx.ml -------===//

#include "Onnx.h"

#include "../../Norm/Norm.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

size_t forge::readChoice(OnnxNode &n, StringRef name, ArrayRef<StringRef> names, size_t fallback, bool isNumber) {
  if (isNumber) {
    int64_t number = n.intAttr(name, fallback);
    if (number >= 0 && number < static_cast<int64_t>(names.size()))
      return number;
    n.refuse(Code::AttributeValue,
             "attribute '" + name + "' must be below " + Twine(names.size()) + ", but is " + Twine(number));
    return fallback;
  }
  StringRef text = n.stringAttr(name, names[fallback]);
  size_t at = llvm::find(names, text) - names.begin();
  if (at == names.size())
    n.refuse(Code::AttributeValue, "attribute '" + name + "' must be one of " + llvm::join(names, ", "));
  return at == names.size() ? fallback : at;
}

static constexpr StringRef kTransforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};

Transform forge::readTransform(OnnxNode &n, bool isNumber) {
  return static_cast<Transform>(readChoice(n, "post_transform", kTransforms, 0, isNumber));
}

// exp(x - max) / sum over the targets; a score of 0 stays 0 and is not part of the sum.
static Expr softmaxZero(ForgeBuilder &b, Expr x) {
  Expr greatest(b, b.reduce<ReduceMaxOp>(x, {1}, /*keepDims=*/true));
  Expr counts = abs(x) > static_cast<double>(1e-7f);
  Expr powers = select(counts, exp(x - greatest), x * exp(-greatest));
  Expr sum(b, b.reduce<ReduceSumOp>(select(counts, powers, 0.0), {1}, /*keepDims=*/true));
  return powers / sum;
}

// The quantile function of the normal distribution. Uses the approximation of the inverse error function that ONNX's
// reference and onnxruntime use, sqrt(sqrt(v^2 - w) - v), without its cancellation.
static Expr probit(Expr score) {
  constexpr double a = 0.147, pi = 3.14159;
  Expr x = score * 2 - 1.0;
  Expr logarithm = log((1.0 - x) * (x + 1.0));
  Expr v = logarithm * 0.5 + 2 / (pi * a), w = logarithm * (1 / a), root = sqrt(v * v - w);
  // For large arguments v is negative, so that the difference does not cancel.
  Expr size = sqrt(select(v > 0.0, -w / (v + root), root - v));
  return select(x < 0.0, -size, size) * 1.41421356;
}

Value forge::transformed(OnnxNode &n, ForgeBuilder &b, Expr scores, Transform transform) {
  switch (transform) {
  case Transform::None: return scores;
  case Transform::Softmax: return softmax(n, b, scores, -1);
  case Transform::Logistic: return sigmoid(scores);
  case Transform::SoftmaxZero: return softmaxZero(b, scores);
  case Transform::Probit: return probit(scores);
  }
  llvm_unreachable("all transforms");
}
