//===- MultiHeadAttention.cpp - com.microsoft.MultiHeadAttention ----------===//

#include "Microsoft.h"

using namespace mlir;
using namespace forge;

// Unpacks packed Q, K and V, or packed K and V: (batch, sequence, heads, parts, size) to a tensor (batch, sequence,
// heads * size) per part.
static void unpackOperands(OnnxNode &n, ForgeBuilder &b, microsoft::AttentionOperands &in) {
  auto rank = [](Value value) { return value ? rankOf(value) : 0; };
  int64_t q = rank(in.q), k = rank(in.k), v = rank(in.v);
  SmallVector<Value *> parts;
  if (q == 5 && !in.k && !in.v)
    parts = {&in.q, &in.k, &in.v};
  else if (q == 3 && k == 5 && !in.v)
    parts = {&in.k, &in.v};
  else if (q != 3 || k != v || (k != 3 && k != 4))
    n.refuse(Code::VariantUnsupported, "query, key and value of ranks " + Twine(q) + ", " + Twine(k) + " and " +
                                           Twine(v) +
                                           " are not supported; 3, 3, 3 and 3, 4, 4 and packed ones (5 and 3, 5) are");
  if (parts.empty())
    return;
  Value packed = *parts.front();
  SmallVector<int64_t> shape(shapeOf(packed));
  int64_t count = parts.size();
  if (shape[2] != in.heads || shape[3] != count)
    n.refuse(Code::ShapeMismatch, "expected packed operands (batch, sequence, " + Twine(in.heads) + ", " +
                                      Twine(count) + ", size), but got " + shapeText(shape));
  for (int64_t i = 0; i < count && !n.failed(); ++i)
    *parts[i] = b.reshape(b.slice(packed, 3, i, i + 1), {shape[0], shape[1], in.heads * shape[4]});
}

// Converts all layouts of Q, K and V to heads: all packed, K and V packed, K and V already in heads.
static void splitOperands(OnnxNode &n, ForgeBuilder &b, microsoft::AttentionOperands &in, Value bias) {
  bool byHeads = in.k && rankOf(in.k) == 4;
  unpackOperands(n, b, in);
  if (n.failed() || !in.q || !in.k || !in.v)
    return;
  // Keys and values in heads come from a cache and include their bias.
  SmallVector<Value *> parts{&in.q};
  if (!byHeads)
    parts.append({&in.k, &in.v});
  if (bias) {
    // A slice of the bias for each of Q, K and V.
    ArrayRef<int64_t> v = shapeOf(in.v);
    SmallVector<int64_t> sizes{shapeOf(in.q)[2], shapeOf(in.q)[2], byHeads ? v[1] * v[3] : v[2]};
    if (int64_t total = llvm::sum_of(sizes); shapeOf(bias) != ArrayRef(total)) {
      n.refuse(Code::ShapeMismatch,
               "expected a bias of " + Twine(total) + " values, but got shape " + shapeText(shapeOf(bias)));
      return;
    }
    int64_t begin = 0;
    for (auto [part, size] : llvm::zip(parts, sizes)) {
      *part = b.create<AddOp>(*part, b.slice(bias, 0, begin, begin + size));
      begin += size;
    }
  }
  for (Value *part : parts)
    *part = splitHeads(n, b, *part, in.heads);
}

Values forge::microsoft::convertMultiHeadAttention(OnnxNode &n, ForgeBuilder &b) {
  AttentionOperands in{n.input(0),         n.optionalInput(1), n.optionalInput(2), n.optionalInput(6),
                       n.optionalInput(7), n.optionalInput(4), n.optionalInput(5)};
  Value bias = n.optionalInput(3);
  readOptions(n, in);
  if (n.hasInput(8) || n.hasInput(9))
    n.refuse(Code::VariantUnsupported, "a buffer that past and present share, or beams, are not supported");
  if (n.failed() || !requireFloats(n, {in.q, in.k, in.v, in.pastKey, in.pastValue, in.bias, bias}))
    return {};
  Type element = elementOf(in.q), f32 = b.getF32Type();
  for (Value *operand : {&in.q, &in.k, &in.v, &bias})
    *operand = b.cast(*operand, f32);
  splitOperands(n, b, in, bias);
  Values results = attended(n, b, in);
  for (Value &result : results)
    result = b.cast(result, element);
  return results;
}
