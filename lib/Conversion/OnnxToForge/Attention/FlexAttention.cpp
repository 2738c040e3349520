//===- FlexAttention.cpp - ai.onnx.preview.FlexAttention ------------------===//

#include "Attention.h"

using namespace mlir;
using namespace forge;

static void checkFlexOperands(OnnxNode &n, ArrayRef<Value> operands) {
  Type element = elementOf(operands[0]);
  auto isWrong = [&](Value x) { return !isa<FloatType>(element) || elementOf(x) != element; };
  if (llvm::any_of(operands, isWrong))
    n.refuse(Code::OperandType, "Q, K and V must have one floating-point type");
  else if (llvm::any_of(operands, [](Value x) { return rankOf(x) != 4; }))
    n.refuse(Code::RankWrong, "Q, K and V must have rank 4");
  else if (!headsFit(operands[0], operands[1], operands[2]))
    n.refuse(Code::ShapeMismatch, "the shapes of Q, K and V do not fit");
}

// The factor of both Q and K: the root of the scale, which ONNX computes in float32 for every type.
static double scaleRoot(OnnxNode &n, int64_t headSize) {
  float scale = 1 / std::sqrt(static_cast<float>(headSize));
  if (n.hasAttr("scale"))
    scale = static_cast<float>(n.floatAttr("scale"));
  if (!(scale >= 0))
    n.refuse(Code::AttributeValue, "attribute 'scale' is negative, and so has no root");
  return std::sqrt(scale);
}

// The result of the subgraph in attribute `name` for `x`; `x` without a subgraph.
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

// ai.onnx.preview.FlexAttention (since 1): prob_mod(softmax(score_mod(scale * Q K'))) V. Scores have the type of the
// operands; everything from score_mod on has the type of the softmax.
Values forge::convertFlexAttention(OnnxNode &n, ForgeBuilder &b) {
  Values operands{n.input(0), n.input(1), n.input(2)};
  auto modifiers = n.subgraphs({"prob_mod", "score_mod"});
  Type type = n.floatTypeAttr("softmax_precision");
  if (n.failed())
    return {};
  checkFlexOperands(n, operands);
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
