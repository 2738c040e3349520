//===- Location.cpp - the ONNX node that an op is from --------------------===//

#include "forge/Dialect/Forge/IR/Location.h"

#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using forge::TracedName;

StringRef forge::nodeName(Location loc) {
  return llvm::TypeSwitch<LocationAttr, StringRef>(loc)
      .Case([](NameLoc named) { return named.getName().getValue(); })
      .Case([](FusedLoc fused) -> StringRef {
        for (Location part : fused.getLocations())
          if (StringRef name = nodeName(part); !name.empty())
            return name;
        return "";
      })
      .Case([](CallSiteLoc call) { return nodeName(call.getCallee()); })
      .Default([](LocationAttr) { return ""; });
}

// The traces of a location: for each result of the op, the ONNX values that it holds.
static ArrayAttr tracesOf(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
}

Location forge::withoutTrace(Location loc) { return tracesOf(loc) ? cast<FusedLoc>(loc).getLocations().front() : loc; }

static Location withTraces(Location loc, ArrayRef<Attribute> traces) {
  return FusedLoc::get({forge::withoutTrace(loc)}, ArrayAttr::get(loc.getContext(), traces), loc.getContext());
}

// Encodes a TracedName as a name, or as a name, a shape and a scale.
static Attribute entryOf(MLIRContext *context, TracedName traced) {
  Attribute name = StringAttr::get(context, traced.name);
  if (traced.shape.empty() && traced.scale == 1)
    return name;
  return ArrayAttr::get(context, {name, DenseI64ArrayAttr::get(context, traced.shape),
                                  FloatAttr::get(Float64Type::get(context), traced.scale)});
}

static ArrayRef<Attribute> entriesOf(Location loc, unsigned index) {
  ArrayAttr traces = tracesOf(loc);
  auto entries = traces && index < traces.size() ? dyn_cast<ArrayAttr>(traces[index]) : ArrayAttr();
  return entries ? entries.getValue() : ArrayRef<Attribute>();
}

void forge::traceValue(OpResult result, TracedName traced) {
  Operation *op = result.getOwner();
  Builder builder(op->getContext());
  SmallVector<Attribute> traces(op->getNumResults(), builder.getArrayAttr({}));
  if (ArrayAttr known = tracesOf(op->getLoc()); known && known.size() == traces.size())
    traces.assign(known.begin(), known.end());
  SmallVector<Attribute> entries(entriesOf(op->getLoc(), result.getResultNumber()));
  if (Attribute entry = entryOf(op->getContext(), traced); !llvm::is_contained(entries, entry))
    entries.push_back(entry);
  traces[result.getResultNumber()] = builder.getArrayAttr(entries);
  op->setLoc(withTraces(op->getLoc(), traces));
}

SmallVector<TracedName> forge::tracedValues(Location loc, unsigned index) {
  SmallVector<TracedName> values;
  for (Attribute entry : entriesOf(loc, index)) {
    if (auto name = dyn_cast<StringAttr>(entry))
      values.push_back({name.getValue(), {}});
    auto parts = dyn_cast<ArrayAttr>(entry);
    if (!parts || parts.size() != 3)
      continue;
    auto name = dyn_cast<StringAttr>(parts[0]);
    auto shape = dyn_cast<DenseI64ArrayAttr>(parts[1]);
    auto scale = dyn_cast<FloatAttr>(parts[2]);
    if (name && shape && scale)
      values.push_back({name.getValue(), shape.asArrayRef(), scale.getValueAsDouble()});
  }
  return values;
}

void forge::scaleTrace(Operation *op, double factor) {
  SmallVector<TracedName> values = tracedValues(op->getLoc());
  SmallVector<int64_t> axes = tracedAxes(op->getLoc());
  op->setLoc(withoutTrace(op->getLoc()));
  for (TracedName traced : values)
    traceValue(op->getResult(0), {traced.name, traced.shape, traced.scale * factor});
  traceAxes(op, axes);
}

void forge::traceAxes(Operation *op, ArrayRef<int64_t> axes) {
  SmallVector<TracedName> values = tracedValues(op->getLoc());
  if (values.empty() || axes.empty() || op->getNumResults() != 1)
    return;
  auto entries = llvm::map_to_vector(values, [&](TracedName traced) { return entryOf(op->getContext(), traced); });
  entries.push_back(DenseI64ArrayAttr::get(op->getContext(), axes));
  op->setLoc(withTraces(op->getLoc(), ArrayAttr::get(op->getContext(), entries)));
}

SmallVector<int64_t> forge::tracedAxes(Location loc) {
  for (Attribute entry : entriesOf(loc, 0))
    if (auto axes = dyn_cast<DenseI64ArrayAttr>(entry))
      return SmallVector<int64_t>(axes.asArrayRef());
  return {};
}

Location forge::locationOfResult(Location loc, unsigned index) {
  ArrayAttr traces = tracesOf(loc);
  return traces && index < traces.size() ? withTraces(loc, traces[index]) : loc;
}

// Whether the reshape of a value of shape `from` commutes with the permutation `axes`: to `between` if it is applied
// before the permutation, and to `to` if it is applied after it.
static bool reshapeCommutes(ArrayRef<int64_t> from, ArrayRef<int64_t> axes, ArrayRef<int64_t> between,
                            ArrayRef<int64_t> to) {
  forge::IndexMap first(from), last(from);
  return first.reshape(between) && first.permute(axes) && last.permute(axes) && last.reshape(to) && first == last;
}

// Traces `result` as a reshape of result `index`, which has shape `from`, of an op at `loc`.
static void traceReshaped(OpResult result, Location loc, unsigned index, ArrayRef<int64_t> from) {
  ArrayRef<int64_t> to = cast<ShapedType>(result.getType()).getShape();
  // The shape of the ONNX value, before it is reshaped.
  SmallVector<int64_t> axes = forge::tracedAxes(loc), permuted(from);
  if (axes.size() == from.size())
    for (auto [i, axis] : llvm::enumerate(axes))
      permuted[i] = from[axis];
  // With permuted axes, the trace can only be kept if the result has another rank, or if the permutation and the
  // reshape commute.
  bool isReordered = !axes.empty() && to != from;
  bool isSameRank = isReordered && to.size() == axes.size();
  if (isReordered && (from.size() != axes.size() || (isSameRank && !reshapeCommutes(to, axes, from, permuted))))
    return;
  for (TracedName traced : forge::tracedValues(loc, index)) {
    ArrayRef<int64_t> shape = traced.shape.empty() ? ArrayRef(permuted) : traced.shape;
    if (axes.empty())
      forge::traceValue(result, {traced.name, shape == to ? ArrayRef<int64_t>() : shape, traced.scale});
    else if (to == from)
      forge::traceValue(result, traced);
    else if (isSameRank || shape == ArrayRef(permuted))
      forge::traceValue(result, {traced.name, shape, traced.scale});
  }
  forge::traceAxes(result.getOwner(), axes);
}

// Traces `result` as a permutation by `axes` of the value that `old` is a reshape of, or is traced to.
static void tracePermuted(OpResult result, OpResult old, ArrayRef<int64_t> axes) {
  ArrayRef<int64_t> to = cast<ShapedType>(result.getType()).getShape();
  // The result of a reshape may have another rank than the permutation.
  SmallVector<int64_t> permuted;
  if (axes.size() == to.size())
    permuted = llvm::map_to_vector(axes, [&](int64_t axis) { return to[axis]; });
  for (forge::TracedName traced : forge::tracedValues(old.getOwner()->getLoc(), old.getResultNumber())) {
    ArrayRef<int64_t> shape = traced.shape.empty() ? cast<ShapedType>(old.getType()).getShape() : traced.shape;
    forge::traceValue(result, {traced.name, shape == ArrayRef(permuted) ? ArrayRef<int64_t>() : shape, traced.scale});
  }
  forge::traceAxes(result.getOwner(), axes);
}

void forge::takeTrace(Value value, Value replaced, ArrayRef<int64_t> permutation) {
  auto result = dyn_cast<OpResult>(value), old = dyn_cast<OpResult>(replaced);
  if (!result || !old)
    return;
  SmallVector<int64_t> axes = tracedAxes(old.getOwner()->getLoc());
  if (!permutation.empty()) {
    if (!axes.empty())
      return;
    axes.assign(permutation.begin(), permutation.end());
  }
  // A location has one permutation. If the result is traced with another one already, that trace is kept.
  Location loc = result.getOwner()->getLoc();
  if (!tracedValues(loc, result.getResultNumber()).empty() && tracedAxes(loc) != axes)
    return;
  if (permutation.empty())
    traceReshaped(result, old.getOwner()->getLoc(), old.getResultNumber(), cast<ShapedType>(old.getType()).getShape());
  else
    tracePermuted(result, old, axes);
}

void forge::reshapeResult(Operation *op, ArrayRef<int64_t> shape) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  Location loc = op->getLoc();
  op->setLoc(withoutTrace(loc));
  op->getResult(0).setType(type.clone(shape));
  traceReshaped(cast<OpResult>(op->getResult(0)), loc, 0, type.getShape());
}

std::string forge::escaped(StringRef text) {
  constexpr size_t kLongest = 200;
  std::string result;
  llvm::raw_string_ostream out(result);
  auto next = text.bytes_begin(), end = next + std::min(text.size(), kLongest);
  while (next != end) {
    llvm::UTF32 c = *next;
    // A byte that begins no character is written as such.
    if (llvm::convertUTF8Sequence(&next, end, &c, llvm::strictConversion) != llvm::conversionOK)
      ++next;
    static constexpr StringRef kNamed = "\t\n\r\\", kNames = "tnr\\";
    if (size_t at = c < 0x80 ? kNamed.find(c) : StringRef::npos; at != StringRef::npos)
      out << '\\' << kNames[at];
    else if (c < 0x80 && llvm::isPrint(c))
      out << static_cast<char>(c);
    else
      out << (c < 0x100     ? llvm::formatv("\\x{0:x-2}", c)
              : c < 0x10000 ? llvm::formatv("\\u{0:x-4}", c)
                            : llvm::formatv("\\U{0:x-8}", c));
  }
  return text.size() > kLongest ? result + "..." : result;
}
