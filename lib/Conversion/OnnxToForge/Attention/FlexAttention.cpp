//===- FlexAttention.cpp - ONNX FlexAttention -----------------------------===//

#include "Attention.h"

#include "../Norm/Norm.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static void checkOperands(OnnxNode &n, ArrayRef<Value> operands) {
  Type element = elementOf(operands[0]);
  auto isWrong = [&](Value x) { return !isa<FloatType>(element) || elementOf(x) != element; };
  if (llvm::any_of(operands, isWrong))
    n.refuse(Code::OperandType, "Q, K and V must have one floating-point type");
  else if (llvm::any_of(operands, [](Value x) { return rankOf(x) != 4; }))
    n.refuse(Code::RankWrong, "Q, K and V must have rank 4");
  else if (!headsFit(operands[0], operands[1], operands[2]))
    n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V do not fit");
}

// What is multiplied to Q and to K: the root of the scale, which ONNX computes in float32 for every type.
static double scaleRoot(OnnxNode &n, int64_t headSize) {
  float scale = 1 / std::sqrt(static_cast<float>(headSize));
  if (n.hasAttr("scale"))
    scale = static_cast<float>(n.floatAttr("scale"));
  if (!(scale >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
  return std::sqrt(scale);
}

// What the subgraph of attribute `name` makes of `x`, if there is one.
static Value modified(OnnxNode &n, std::optional<unsigned> subgraph, StringRef name, Value x) {
  if (!x || !subgraph)
    return x;
  auto yields = n.inlineSubgraph(*subgraph, {x});
  if (!yields)
    return {};
  if (yields->size() == 1 && yields->front() && yields->front().getType() == x.getType())
    return yields->front();
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "subgraph '" << name << "' must give one " << x.getType() << ", but gives ";
  llvm::interleaveComma(*yields, stream, [&](Value y) { y ? stream << y.getType() : stream << "nothing"; });
  return n.refuse(Code::ResultMismatch, text);
}

// ai.onnx.preview.FlexAttention (since 1): prob_mod(softmax(score_mod(scale * Q K'))) V, where the scores are of the
// type of the operands, and all from score_mod on is of that of the softmax.
Values forge::convertFlexAttention(OnnxNode &n, ForgeBuilder &b) {
  Values operands{n.input(0), n.input(1), n.input(2)};
  auto modifiers = n.subgraphs({"prob_mod", "score_mod"});
  Type type = softmaxPrecision(n, b);
  if (n.failed())
    return {};
  checkOperands(n, operands);
  if (n.failed())
    return {};
  Value q = operands[0], k = operands[1], v = operands[2];
  double root = scaleRoot(n, shapeOf(q)[3]);
  if (n.failed())
    return {};
  Type element = elementOf(q);
  if (!type)
    type = element.isF64() ? element : b.getF32Type();
  int64_t repeats = shapeOf(q)[1] / shapeOf(k)[1];
  // The square of a float32 is exact in a double.
  Value scores = b.cast(scaledScores(b, q, repeatHeads(b, k, repeats), root * root), type);
  scores = modified(n, modifiers[1], "score_mod", scores);
  if (!scores)
    return {};
  Value weights = modified(n, modifiers[0], "prob_mod", softmax(n, b, scores, -1));
  if (!weights)
    return {};
  return {b.cast(b.matmul(weights, b.cast(repeatHeads(b, v, repeats), type)), element)};
}
