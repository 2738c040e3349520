//===- Microsoft.cpp - onnxruntime's own ops ------------------------------===//

#include "Microsoft.h"

#include "../../Attention/Attention.h"
#include "../../Indexing/Indexing.h"
#include "../../NN/NN.h"
#include "../../Quant/Quant.h"
#include "../../RegisterAll.h"
#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

// Rows of a cos or sin table: at `positions`, or from a scalar position on. Returns (batch or 1, sequence, size).
static Value rowsAt(ForgeBuilder &b, Value cache, Value positions, int64_t sequence) {
  if (rankOf(positions) == 2)
    return takeRows(b, cache, positions);
  Value first = b.reshape(b.cast(positions, b.getI64Type()), {1, 1});
  return takeRows(b, cache, b.create<AddOp>(first, b.iota(sequence, 1, 2, b.getI64Type())));
}

// RotaryEmbedding: rotates pairs of elements of each head by the angle of their position. The operand is (batch,
// sequence, heads * size) or (batch, heads, sequence, size).
static Values convertRotary(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), positions = n.input(1), cosine = n.input(2), sine = n.input(3);
  bool interleaved = n.flagAttr("interleaved", false);
  int64_t rotated = n.intAttr("rotary_embedding_dim", 0), heads = n.intAttr("num_heads", 0);
  if (n.flagAttr("is_packed_batching", false))
    n.refuse(Code::AttributeUnsupported, "packed batches (attribute 'is_packed_batching') are not supported");
  if (n.floatAttr("scale", 1) != 1)
    n.refuse(Code::AttributeUnsupported, "attribute 'scale' must be 1: onnxruntime does not apply another one");
  if (rotated != 0 && heads < 1)
    n.refuse(Code::AttributeMismatch, "attribute 'rotary_embedding_dim' needs 'num_heads'");
  if (n.failed() || !requireFloats(n, {x, cosine, sine}) || !n.requireIntegers(positions, "the positions"))
    return {};
  int64_t rank = rankOf(x);
  ArrayRef<int64_t> cache = shapeOf(cosine);
  if ((rank != 3 && rank != 4) || cache.size() != 2 || cache[1] < 1 || cache != shapeOf(sine))
    return n.refuse(Code::RankWrong,
                    "expected an operand of rank 3 or 4 and two caches of one shape (positions, pairs), but got " +
                        shapeText(shapeOf(x)) + ", " + shapeText(cache) + " and " + shapeText(shapeOf(sine)));
  // Without num_heads the whole of each head is rotated.
  if (rank == 3)
    x = splitHeads(n, b, x, heads > 0 ? heads : shapeOf(x)[2] / (2 * cache[1]));
  if (n.failed() || !x)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (rotated == 0)
    rotated = shape[3];
  if (rotated != 2 * cache[1] || rotated > shape[3])
    return n.refuse(Code::ShapeMismatch, "expected caches with half as many values as the " + Twine(rotated) +
                                             " rotated ones of a head of " + Twine(shape[3]) + ", but got " +
                                             Twine(cache[1]));
  ArrayRef<int64_t> given = shapeOf(positions);
  if (given != ArrayRef<int64_t>{1} && given != ArrayRef<int64_t>{shape[0], shape[2]})
    return n.refuse(Code::ShapeMismatch, "expected positions of shape (1) or " + shapeText({shape[0], shape[2]}) +
                                             ", but got " + shapeText(given));
  auto lookup = [&](Value table) { return rowsAt(b, table, positions, shape[2]); };
  cosine = rotaryAngles(b, cosine, interleaved, /*isSine=*/false, lookup);
  sine = rotaryAngles(b, sine, interleaved, /*isSine=*/true, lookup);
  Value result = rotateHeads(b, x, cosine, sine, interleaved);
  return {rank == 3 ? joinHeads(b, result) : result};
}

// Gelu and BiasGelu (with erf) and FastGelu (with tanh); the bias is added first.
template <bool HasBias>
static Values gelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), bias = HasBias ? n.optionalInput(1) : Value();
  StringRef form = n.opType() == "FastGelu" ? "tanh" : "none";
  if (n.failed())
    return {};
  return {b.create<GeluOp>(bias ? b.create<AddOp>(x, bias) : x, form)};
}

// QuickGelu: x * sigmoid(alpha * x).
static Values convertQuickGelu(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1.702);
  return {b.create<MultiplyOp>(x, b.create<SigmoidOp>(b.create<MultiplyOp>(x, b.scalarLike(x, alpha))))};
}

// Applies transBatch, which moves the first axis after the other batch axes, and then trans, which swaps the last two.
static Value transposed(OnnxNode &n, ForgeBuilder &b, Value x, bool batch, bool matrix) {
  int64_t rank = rankOf(x);
  if (batch && rank < 3)
    return n.refuse(Code::RankWrong,
                    "a transposed batch needs an operand of rank 3 or more, but got rank " + Twine(rank));
  // onnxruntime ignores the attributes for a vector.
  if (rank < 2)
    return x;
  SmallVector<int64_t> perm(allAxes(rank));
  if (batch)
    std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (matrix)
    std::swap(perm[rank - 2], perm[rank - 1]);
  return b.transpose(x, perm);
}

// FusedMatMul, and TransposeMatMul before it: alpha * A' * B'.
static Values convertFusedMatMul(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), y = n.input(1);
  double alpha = n.floatAttr("alpha", 1);
  bool transA = n.flagAttr("transA", false), transB = n.flagAttr("transB", false);
  bool batchA = n.flagAttr("transBatchA", false), batchB = n.flagAttr("transBatchB", false);
  if (n.failed() || !requireFloats(n, {x, y}))
    return {};
  Value product = matmul(n, b, transposed(n, b, x, batchA, transA), transposed(n, b, y, batchB, transB));
  return {alpha == 1 ? product : b.create<MultiplyOp>(product, b.scalarLike(product, alpha))};
}

// An activation by its name in the default domain. `parameters` are its attributes in the order of its schema.
static Value activate(OnnxNode &n, ForgeBuilder &b, Value x, StringRef name, ArrayRef<double> parameters) {
  size_t expected = llvm::StringSwitch<size_t>(name)
                        .Case("LeakyRelu", 1)
                        .Cases({"Clip", "HardSigmoid"}, 2)
                        .Cases({"Relu", "Sigmoid", "Tanh"}, 0)
                        .Default(SIZE_MAX);
  if (expected == SIZE_MAX)
    n.refuse(Code::AttributeUnsupported,
             "activation '" + name + "' is not supported; Relu, Sigmoid, Tanh, LeakyRelu, Clip and HardSigmoid are");
  else if (parameters.size() != expected)
    n.refuse(Code::AttributeMismatch, "expected " + Twine(expected) + " parameters for activation '" + name +
                                          "', but got " + Twine(parameters.size()));
  if (n.failed() || !x)
    return {};
  if (name == "LeakyRelu")
    return b.create<LeakyReluOp>(x, f32(parameters[0]));
  if (name == "Clip")
    return b.create<ClipOp>(x, f32(parameters[0]), f32(parameters[1]));
  if (name == "HardSigmoid")
    return inFloat32({b, x}, [&](Expr x) { return max(min(parameters[0] * x + parameters[1], 1.0), 0.0); });
  if (name == "Relu")
    return b.create<ReluOp>(x);
  return name == "Tanh" ? b.create<TanhOp>(x) : b.create<SigmoidOp>(x);
}

// FusedConv: Conv, a residual (input 3) and an activation.
static Values convertFusedConv(OnnxNode &n, ForgeBuilder &b) {
  Value residual = n.optionalInput(3);
  StringRef activation = n.stringAttr("activation", "");
  SmallVector<double> parameters;
  if (n.hasAttr("activation_params"))
    parameters = n.floatsAttr("activation_params");
  Values result = convertConv(n, b);
  if (n.failed() || result.empty() || !result[0])
    return {};
  if (residual && residual.getType() != result[0].getType())
    return n.refuse(Code::ShapeMismatch, "expected a residual of shape " + shapeText(shapeOf(result[0])) +
                                             ", but got " + shapeText(shapeOf(residual)));
  if (residual)
    result[0] = b.create<AddOp>(result[0], residual);
  return {activation.empty() ? result[0] : activate(n, b, result[0], activation, parameters)};
}

// FusedGemm: Gemm and an activation.
static Values convertFusedGemm(OnnxNode &n, ForgeBuilder &b) {
  StringRef activation = n.stringAttr("activation", "");
  SmallVector<double> parameters;
  for (StringRef name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (n.hasAttr(name))
      parameters.push_back(n.floatAttr(name));
  // onnxruntime leaves parameters on other activations too, which ignore them.
  if (activation != "LeakyRelu" && activation != "HardSigmoid")
    parameters.clear();
  Value result = gemm(n, b, n.optionalInput(2), /*broadcast=*/true);
  return {activation.empty() ? result : activate(n, b, result, activation, parameters)};
}

// NhwcMaxPool (since 1): MaxPool of 8-bit integers with channels last.
static Values convertNhwcMaxPool(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (!x)
    return {};
  int64_t rank = rankOf(x);
  if (rank < 3)
    return n.refuse(Code::RankWrong, "the operand must have rank 3 or more");
  SmallVector<int64_t> toFirst{0, rank - 1}, toLast{0};
  llvm::append_range(toFirst, llvm::seq<int64_t>(1, rank - 1));
  llvm::append_range(toLast, llvm::seq<int64_t>(2, rank));
  toLast.push_back(1);
  std::optional<PoolNd> pool = readPoolNd(n, b.transpose(x, toFirst), /*firstCeilMode=*/1);
  if (!pool)
    return {};
  Value result = maxPool(n, b, *pool);
  return {result ? b.transpose(result, toLast) : Value()};
}

bool forge::requireFloats(OnnxNode &n, ArrayRef<Value> values) {
  for (Value value : values)
    if (value && !(isa<FloatType>(elementOf(value)) && elementOf(value).getIntOrFloatBitWidth() <= 32))
      return n.refuse(Code::OperandType, "expected floats of at most 32 bits");
  return !n.failed();
}

std::string forge::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "(";
  llvm::interleaveComma(shape, stream);
  stream << ")";
  return text;
}

void forge::registerMicrosoftOps(OnnxRegistry &registry) {
  using namespace microsoft;
  registerNorms(registry);
  registerQLinearOps(registry);
  registry.add(
      {
          {"Attention", {1}, convertAttention},
          {"MultiHeadAttention", {1}, convertMultiHeadAttention},
          {"GroupQueryAttention", {1}, convertGroupQueryAttention},
          {"RotaryEmbedding", {1}, convertRotary},
          {"Gelu", {1}, gelu<false>},
          {"BiasGelu", {1}, gelu<true>},
          {"FastGelu", {1}, gelu<true>},
          {"QuickGelu", {1}, convertQuickGelu},
          {"FusedMatMul", {1}, convertFusedMatMul},
          {"TransposeMatMul", {1}, convertFusedMatMul},
          {"MatMulNBits", {1}, convertMatMulNBits},
          {"GatherBlockQuantized", {1}, convertGatherBlockQuantized},
          {"NhwcMaxPool", {1}, convertNhwcMaxPool},
          {"FusedConv", {1}, convertFusedConv},
          {"FusedGemm", {1}, convertFusedGemm},
          {"QuantizeLinear", {1}, convertQuantizeLinear},
          {"DequantizeLinear", {1}, convertDequantizeLinear},
      },
      kMicrosoft);
}
