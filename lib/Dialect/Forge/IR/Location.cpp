//===- Location.cpp - the ONNX node behind an op --------------------------===//

#include "forge/Dialect/Forge/IR/Location.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

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

// The traces of a location: for each result of the op the names of the ONNX values that it is.
static ArrayAttr tracesOf(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
}

Location forge::withoutTrace(Location loc) { return tracesOf(loc) ? cast<FusedLoc>(loc).getLocations().front() : loc; }

static Location withTraces(Location loc, ArrayRef<Attribute> traces) {
  return FusedLoc::get({forge::withoutTrace(loc)}, ArrayAttr::get(loc.getContext(), traces), loc.getContext());
}

void forge::traceValue(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  Builder builder(op->getContext());
  SmallVector<Attribute> traces(op->getNumResults(), builder.getArrayAttr({}));
  SmallVector<Attribute> names;
  if (ArrayAttr known = tracesOf(op->getLoc()); known && known.size() == traces.size()) {
    traces.assign(known.begin(), known.end());
    names.append(cast<ArrayAttr>(traces[result.getResultNumber()]).begin(),
                 cast<ArrayAttr>(traces[result.getResultNumber()]).end());
  }
  names.push_back(builder.getStringAttr(name));
  traces[result.getResultNumber()] = builder.getArrayAttr(names);
  op->setLoc(withTraces(op->getLoc(), traces));
}

SmallVector<StringRef> forge::tracedValues(Location loc, unsigned index) {
  SmallVector<StringRef> names;
  ArrayAttr traces = tracesOf(loc);
  auto values = traces && index < traces.size() ? dyn_cast<ArrayAttr>(traces[index]) : ArrayAttr();
  if (values)
    for (Attribute entry : values)
      if (auto name = dyn_cast<StringAttr>(entry))
        names.push_back(name.getValue());
  return names;
}

void forge::traceAxes(Operation *op, ArrayRef<int64_t> axes) {
  ArrayAttr known = tracesOf(op->getLoc());
  if (!known || known.size() != 1 || tracedValues(op->getLoc()).empty())
    return;
  SmallVector<Attribute> entries;
  for (StringRef name : tracedValues(op->getLoc()))
    entries.push_back(StringAttr::get(op->getContext(), name));
  entries.push_back(DenseI64ArrayAttr::get(op->getContext(), axes));
  op->setLoc(withTraces(op->getLoc(), ArrayAttr::get(op->getContext(), entries)));
}

SmallVector<int64_t> forge::tracedAxes(Location loc) {
  ArrayAttr traces = tracesOf(loc);
  auto values = traces && traces.size() == 1 ? dyn_cast<ArrayAttr>(traces[0]) : ArrayAttr();
  if (values)
    for (Attribute entry : values)
      if (auto axes = dyn_cast<DenseI64ArrayAttr>(entry))
        return SmallVector<int64_t>(axes.asArrayRef());
  return {};
}

Location forge::locationOfResult(Location loc, unsigned index) {
  ArrayAttr traces = tracesOf(loc);
  return traces && index < traces.size() ? withTraces(loc, traces[index]) : loc;
}

void forge::takeTrace(Value value, Value replaced) {
  auto result = dyn_cast<OpResult>(value), old = dyn_cast<OpResult>(replaced);
  if (!result || !old)
    return;
  // An op says one order of axes: what it holds in another one stays, and the new names go.
  SmallVector<int64_t> axes = tracedAxes(old.getOwner()->getLoc());
  Location loc = result.getOwner()->getLoc();
  if (!tracedValues(loc, result.getResultNumber()).empty() && tracedAxes(loc) != axes)
    return;
  for (StringRef name : tracedValues(old.getOwner()->getLoc(), old.getResultNumber()))
    traceValue(result, name);
  if (!axes.empty())
    traceAxes(result.getOwner(), axes);
}

std::string forge::escaped(StringRef text) {
  constexpr size_t kLongest = 200;
  std::string result;
  for (char c : text.take_front(kLongest)) {
    if (llvm::isPrint(c) && c != '\\')
      result += c;
    else if (c == '\\')
      result += "\\\\";
    else
      result += "\\x" + llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
  }
  return text.size() > kLongest ? result + "..." : result;
}
