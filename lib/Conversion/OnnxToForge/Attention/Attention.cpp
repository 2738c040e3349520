//===- Attention.cpp - ONNX Attention -------------------------------------===//

#include "Attention.h"

#include "../Norm/Norm.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Elements of a mask that is made at compile time.
static constexpr int64_t kMostMaskElements = 1 << 22;

Value forge::splitHeads(OnnxNode &n, ForgeBuilder &b, Value x, int64_t heads) {
  if (!x)
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape.size() != 3 || heads < 1 || shape[2] % heads != 0) {
    n.refuse("an operand does not split into " + Twine(heads) + " heads");
    return {};
  }
  return b.transpose(b.reshape(x, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

Value forge::joinHeads(ForgeBuilder &b, Value x) {
  if (!x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  return b.reshape(b.transpose(x, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

Value forge::repeatHeads(ForgeBuilder &b, Value x, int64_t count) {
  if (!x || count == 1)
    return x;
  SmallVector<int64_t> shape(shapeOf(x)), open(shape), wide, closed(shape);
  open.insert(open.begin() + 2, 1);
  wide = open;
  wide[2] = count;
  closed[1] *= count;
  return b.reshape(b.expand(b.reshape(x, open), wide), closed);
}

Value forge::countAlong(ForgeBuilder &b, int64_t begin, int64_t size, int64_t axis, int64_t rank) {
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = size;
  return b.reshape(b.ints(llvm::to_vector(llvm::seq<int64_t>(begin, begin + size))), shape);
}

namespace {
struct Operands {
  Value q, k, v, mask, pastKey, pastValue, lengths;
};

struct Options {
  double scale = 1, softcap = 0;
  bool causal = false;
  int64_t left = -1, right = -1; // Bounds of the window, -1 for none.
  int64_t mode = 0;
  Type softmaxType;
};
} // namespace

// Which keys a query may see by its position: key j for query i unless j lies beyond i + offset + right or before
// i + offset - left. A static offset makes a constant.
static Value positionBias(OnnxNode &n, ForgeBuilder &b, const Options &o, RankedTensorType scores, int64_t offset) {
  int64_t queries = scores.getDimSize(2), keys = scores.getDimSize(3);
  if (queries > kMostMaskElements / std::max<int64_t>(keys, 1)) {
    n.refuse("the causal mask has too many elements");
    return {};
  }
  HostTensor bias{RankedTensorType::get({queries, keys}, scores.getElementType()), {}, {}};
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j) {
      int64_t ahead = j - (i + offset);
      bool hidden = (o.causal && ahead > 0) || (o.right >= 0 && ahead > o.right) || (o.left >= 0 && -ahead > o.left);
      bias.floats.push_back(hidden ? -kInfinity : 0);
    }
  return b.constant(bias.toAttr());
}

// 0 where a boolean holds, else minus infinity.
static Value biasWhere(ForgeBuilder &b, Value allowed, Type element) {
  auto scalar = RankedTensorType::get({}, element);
  return b.create<WhereOp>(allowed, b.splat(scalar, 0), b.splat(scalar, -kInfinity));
}

// The same with an offset per batch row, and the keys beyond each row's length hidden.
static Value lengthBias(ForgeBuilder &b, const Options &o, RankedTensorType scores, Value lengths) {
  Type element = scores.getElementType();
  int64_t queries = scores.getDimSize(2), keys = scores.getDimSize(3);
  lengths = b.cast(b.reshape(lengths, {scores.getDimSize(0), 1, 1, 1}), b.getBuilder().getI64Type());
  Value key = countAlong(b, 0, keys, 3, 4);
  Value bias = biasWhere(b, b.compare<LessOp>(key, lengths), element);
  // Query i stands at length - queries + i.
  Value position = b.create<AddOp>(lengths, countAlong(b, -queries, queries, 2, 4));
  auto restrict = [&](Value allowed) { bias = b.create<AddOp>(bias, biasWhere(b, allowed, element)); };
  auto shifted = [&](int64_t by) { return b.create<AddOp>(position, b.scalarLike(position, static_cast<double>(by))); };
  if (o.causal)
    restrict(b.compare<LessEqualOp>(key, position));
  if (o.right >= 0)
    restrict(b.compare<LessEqualOp>(key, shifted(o.right)));
  if (o.left >= 0)
    restrict(b.compare<GreaterEqualOp>(key, shifted(-o.left)));
  return bias;
}

// The mask as numbers to add, its last axis filled up to the number of keys.
static Value maskBias(OnnxNode &n, ForgeBuilder &b, Value mask, RankedTensorType scores) {
  Type element = scores.getElementType();
  if (tensorType(mask).getElementType().isInteger(1))
    mask = biasWhere(b, mask, element);
  mask = b.cast(mask, element);
  if (!mask)
    return {};
  int64_t rank = tensorType(mask).getRank(), keys = scores.getDimSize(3);
  if (rank >= 1 && shapeOf(mask).back() < keys) {
    SmallVector<int64_t> missing(shapeOf(mask));
    missing.back() = keys - missing.back();
    mask = b.concatenate({mask, b.splat(tensorType(mask).clone(missing), -kInfinity)}, rank - 1);
  }
  auto fits = Inference{std::nullopt, ""}.broadcastShapes(shapeOf(mask), scores.getShape());
  if (failed(fits) || ArrayRef(*fits) != scores.getShape()) {
    n.refuse("the mask does not fit the scores");
    return {};
  }
  return mask;
}

static Value sum(ForgeBuilder &b, Value x, Value y) { return x && y ? b.create<AddOp>(x, y) : x ? x : y; }

// The additive bias of all masks together; null when there is none.
static Value allBiases(OnnxNode &n, ForgeBuilder &b, const Operands &in, const Options &o, RankedTensorType scores) {
  Value bias;
  if (in.mask)
    bias = maskBias(n, b, in.mask, scores);
  bool positional = o.causal || o.left >= 0 || o.right >= 0;
  if (in.lengths)
    return sum(b, bias, lengthBias(b, o, scores, in.lengths));
  if (positional)
    bias = sum(b, bias, positionBias(n, b, o, scores, in.pastKey ? shapeOf(in.pastKey)[2] : 0));
  return bias;
}

// Zeroes the rows whose keys are all hidden: their softmax has no value.
static Value guardRows(ForgeBuilder &b, Value weights, Value bias) {
  if (!weights || !bias)
    return weights;
  int64_t last = tensorType(bias).getRank() - 1;
  if (last < 0)
    return weights;
  Value highest = b.reduce<ReduceMaxOp>(bias, {last}, /*keepDims=*/true);
  Value hidden = b.compare<EqualOp>(highest, b.scalarLike(highest, -kInfinity));
  DenseElementsAttr known;
  if (hidden && matchPattern(hidden, m_Constant(&known)) &&
      llvm::all_of(intValues(known), [](int64_t row) { return row == 0; }))
    return weights;
  return b.create<WhereOp>(hidden, b.scalarLike(weights, 0), weights);
}

// softmax(softcap(scale * Q K') + bias) V, with the scores at the stage that `mode` names.
static Values attend(OnnxNode &n, ForgeBuilder &b, const Operands &in, const Options &o) {
  Type element = tensorType(in.q).getElementType();
  int64_t repeats = shapeOf(in.q)[1] / shapeOf(in.k)[1];
  Value k = repeatHeads(b, in.k, repeats), v = repeatHeads(b, in.v, repeats);
  // The root of the scale on both sides keeps the scores of narrow types in range.
  Value root = b.scalarLike(in.q, std::sqrt(o.scale));
  Value scores = b.create<MatmulOp>(b.create<MultiplyOp>(in.q, root),
                                    b.create<MultiplyOp>(b.transpose(k, {0, 1, 3, 2}), root), OptionalOperand());
  if (!scores)
    return {};
  Value shown = scores;
  if (o.softcap > 0) {
    Value cap = b.scalarLike(scores, o.softcap);
    scores = b.create<MultiplyOp>(b.create<TanhOp>(b.create<DivideOp>(scores, cap)), cap);
  }
  if (o.mode == 1)
    shown = scores;
  Value bias = allBiases(n, b, in, o, tensorType(scores));
  if (n.failed())
    return {};
  scores = sum(b, scores, bias);
  if (o.mode == 2)
    shown = scores;
  Value weights = softmax(n, b, b.cast(scores, o.softmaxType), -1);
  weights = b.cast(guardRows(b, weights, bias), element);
  if (o.mode == 3)
    shown = weights;
  return {b.create<MatmulOp>(weights, v, OptionalOperand()), shown};
}

static Options readOptions(OnnxNode &n, ForgeBuilder &b) {
  Options o;
  o.causal = n.flagAttr("is_causal", false);
  o.softcap = n.floatAttr("softcap", 0);
  o.mode = n.intAttr("qk_matmul_output_mode", 0);
  if (n.since() >= 25) {
    o.left = n.intAttr("left_window_size", -1);
    o.right = n.intAttr("right_window_size", -1);
  }
  if (int64_t code = n.intAttr("softmax_precision", 0)) {
    o.softmaxType = elementTypeOfCode(code, b.getBuilder().getContext());
    if (!isa_and_nonnull<FloatType>(o.softmaxType))
      n.refuse("attribute 'softmax_precision' is no floating-point type");
  }
  if (o.mode < 0 || o.mode > 3)
    n.refuse("attribute 'qk_matmul_output_mode' must be 0, 1, 2 or 3");
  if (o.softcap < 0 || o.left < -1 || o.right < -1)
    n.refuse("attribute 'softcap' or a window size is negative");
  return o;
}

// Attention (since 23, 24, 25).
static Values convertAttention(OnnxNode &n, ForgeBuilder &b) {
  Operands in{n.input(0), n.input(1), n.input(2), n.optionalInput(3), n.optionalInput(4), n.optionalInput(5), {}};
  if (n.since() >= 24)
    in.lengths = n.optionalInput(6);
  Options o = readOptions(n, b);
  int64_t queryHeads = n.intAttr("q_num_heads", 0), keyHeads = n.intAttr("kv_num_heads", 0);
  bool hasScale = n.hasAttr("scale");
  double scale = n.floatAttr("scale", 0);
  if (n.failed())
    return {};
  int64_t rank = tensorType(in.q).getRank();
  if ((rank != 3 && rank != 4) || tensorType(in.k).getRank() != rank || tensorType(in.v).getRank() != rank)
    n.refuse("Q, K and V must have one rank, 3 or 4");
  if (!in.pastKey != !in.pastValue || (in.pastKey && in.lengths))
    n.refuse("past key and past value come together, and without lengths");
  if (n.failed())
    return {};
  if (rank == 3) {
    in.q = splitHeads(n, b, in.q, queryHeads);
    in.k = splitHeads(n, b, in.k, keyHeads);
    in.v = splitHeads(n, b, in.v, keyHeads);
    if (n.failed())
      return {};
  }
  if (in.pastKey) {
    if (tensorType(in.pastKey).getRank() != 4 || tensorType(in.pastValue).getRank() != 4) {
      n.refuse("past key and past value must have rank 4");
      return {};
    }
    in.k = b.concatenate({in.pastKey, in.k}, 2);
    in.v = b.concatenate({in.pastValue, in.v}, 2);
  }
  if (!in.q || !in.k || !in.v)
    return {};
  ArrayRef<int64_t> q = shapeOf(in.q), k = shapeOf(in.k), v = shapeOf(in.v);
  if (k[1] < 1 || q[1] % k[1] != 0 || k[1] != v[1] || k[2] != v[2] || k[3] != q[3] || k[0] != q[0] || v[0] != q[0] ||
      llvm::is_contained(q, 0) || llvm::is_contained(k, 0) || llvm::is_contained(v, 0)) {
    n.refuse("the shapes of Q, K and V do not fit");
    return {};
  }
  if (in.lengths && tensorType(in.lengths).getNumElements() != q[0]) {
    n.refuse("there must be one length per batch row");
    return {};
  }
  o.scale = hasScale ? scale : 1 / std::sqrt(static_cast<double>(q[3]));
  if (!(o.scale >= 0)) {
    n.refuse("attribute 'scale' is negative, and so has no root");
    return {};
  }
  if (!o.softmaxType)
    o.softmaxType = tensorType(in.q).getElementType();
  Values attended = attend(n, b, in, o);
  if (attended.empty() || !attended[0])
    return {};
  Value y = rank == 3 ? joinHeads(b, attended[0]) : attended[0];
  return {y, in.k, in.v, attended[1]};
}

void forge::registerScaledDotProductOps(OnnxRegistry &r) { r.add("Attention", {23, 24, 25}, convertAttention); }

void forge::registerAttentionOps(OnnxRegistry &r) {
  registerScaledDotProductOps(r);
  registerLinearAttentionOps(r);
  registerPositionOps(r);
}
