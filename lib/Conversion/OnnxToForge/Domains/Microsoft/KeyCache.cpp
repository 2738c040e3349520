//===- KeyCache.cpp - a cache of keys or values ---------------------------===//

#include "KeyCache.h"

#include "../../Attention/Attention.h"
#include "../../Indexing/Indexing.h"
#include "Microsoft.h"

using namespace mlir;
using namespace forge;

static std::optional<int64_t> commonValue(Value value) {
  DenseElementsAttr known = knownValue(value);
  if (!known || known.empty())
    return std::nullopt;
  SmallVector<int64_t> values = intValues(known);
  return llvm::all_equal(values) ? std::optional(values.front()) : std::nullopt;
}

CacheFill forge::readCacheFill(OnnxNode &n, ForgeBuilder &b, Value past, Value lastIndices, int64_t batch,
                               int64_t fresh) {
  CacheFill fill;
  // The importer's, of a program that generates tokens: onnxruntime knows it by the addresses of its buffers.
  fill.shared = n.flagAttr("shared_buffer", false);
  fill.total = n.constantInt(6, "the total sequence length");
  if (n.failed() || !n.requireIntegers(lastIndices, "the lengths of the keys"))
    return fill;
  int64_t capacity = past ? shapeOf(past)[2] : 0;
  if (numElements(lastIndices) != batch)
    n.refuse(Code::ShapeMismatch, "expected one length per batch row, " + Twine(batch) + ", but got shape " +
                                      shapeText(shapeOf(lastIndices)));
  if (fill.total < fresh || (fill.total > capacity && fill.total != capacity + fresh))
    n.refuse(Code::ShapeMismatch, "a total sequence length of " + Twine(fill.total) + " does not fit " + Twine(fresh) +
                                      " new keys and " + Twine(capacity) + " past ones");
  if (n.failed())
    return fill;
  fill.rows = std::max(capacity, fill.total);
  fill.prompt = fill.total == fresh;
  lastIndices = b.reshape(b.cast(lastIndices, b.getI64Type()), {batch, 1, 1, 1});
  fill.lengths = b.create<AddOp>(lastIndices, b.scalarLike(lastIndices, 1));
  fill.length = commonValue(fill.lengths);
  if (fill.prompt) {
    fill.past = 0;
  } else {
    fill.pastPerRow = b.create<SubtractOp>(fill.lengths, b.scalarLike(fill.lengths, static_cast<double>(fresh)));
    fill.past = commonValue(fill.pastPerRow);
  }
  if (fill.length && (*fill.length < 1 || *fill.length > fill.total || *fill.past < 0))
    n.refuse(Code::ShapeMismatch,
             "keys of length " + Twine(*fill.length) + " do not fit a total sequence length of " + Twine(fill.total));
  return fill;
}

Value forge::extendedCache(OnnxNode &n, ForgeBuilder &b, Value past, Value fresh, const CacheFill &fill) {
  if (!fresh)
    return {};
  SmallVector<int64_t> shape(shapeOf(fresh));
  int64_t count = shape[2];
  auto zeros = [&](int64_t rows) {
    shape[2] = rows;
    return b.splat(tensorType(fresh).clone(shape), 0);
  };
  if (fill.past) {
    Values parts{fresh};
    if (*fill.past > 0)
      parts.insert(parts.begin(), b.slice(past, 2, 0, *fill.past));
    if (int64_t missing = fill.rows - *fill.past - count)
      parts.push_back(zeros(missing));
    return b.concatenate(parts, 2);
  }
  if (fill.shared && count == 1 && shapeOf(past)[2] == fill.rows) {
    Value index = b.reshape(fill.pastPerRow, {shape[0]});
    return b.create<UpdateCacheOp>(past, fresh, b.cast(index, b.getI32Type()), 0);
  }
  if (int64_t missing = fill.rows - shapeOf(past)[2])
    past = b.concatenate({past, zeros(missing)}, 2);
  Value filled = b.compare<LessOp>(b.iota(fill.rows, 2, 4, b.getI64Type()), fill.pastPerRow);
  Value kept = b.create<WhereOp>(filled, past, b.scalarLike(past, 0));
  return overwriteRows(n, b, kept, fresh, fill.pastPerRow, 2);
}

Value forge::newPositions(OnnxNode &n, ForgeBuilder &b, Value given, const CacheFill &fill, int64_t batch,
                          int64_t fresh) {
  if (!given)
    return fill.past ? b.iota(fresh, 1, 2, b.getI64Type(), *fill.past)
                     : b.create<AddOp>(b.reshape(fill.pastPerRow, {batch, 1}), b.iota(fresh, 1, 2, b.getI64Type()));
  if (n.failed() || !n.requireIntegers(given, "the positions"))
    return {};
  if (shapeOf(given) != ArrayRef<int64_t>{batch, fresh})
    return n.refuse(Code::ShapeMismatch, "expected positions of shape " + shapeText({batch, fresh}) + ", but got " +
                                             shapeText(shapeOf(given)));
  given = b.cast(given, b.getI64Type());
  if (!fill.prompt)
    return given;
  // onnxruntime takes a prompt's first position and counts on.
  Value first = b.reshape(b.slice(b.slice(given, 0, 0, 1), 1, 0, 1), {1, 1});
  return b.create<AddOp>(first, b.iota(fresh, 1, 2, b.getI64Type()));
}
