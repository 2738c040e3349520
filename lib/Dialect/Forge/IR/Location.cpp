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

// The trace of a location: for each result of the op the names of the ONNX values that it is.
static ArrayAttr marksOf(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
}

Location forge::unmarked(Location loc) { return marksOf(loc) ? cast<FusedLoc>(loc).getLocations().front() : loc; }

static Location withMarks(Location loc, ArrayRef<Attribute> marks) {
  return FusedLoc::get({forge::unmarked(loc)}, ArrayAttr::get(loc.getContext(), marks), loc.getContext());
}

void forge::markValue(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  Builder builder(op->getContext());
  SmallVector<Attribute> marks(op->getNumResults(), builder.getArrayAttr({}));
  SmallVector<Attribute> names;
  if (ArrayAttr known = marksOf(op->getLoc()); known && known.size() == marks.size()) {
    marks.assign(known.begin(), known.end());
    names.append(cast<ArrayAttr>(marks[result.getResultNumber()]).begin(),
                 cast<ArrayAttr>(marks[result.getResultNumber()]).end());
  }
  names.push_back(builder.getStringAttr(name));
  marks[result.getResultNumber()] = builder.getArrayAttr(names);
  op->setLoc(withMarks(op->getLoc(), marks));
}

SmallVector<StringRef> forge::markedValues(Location loc, unsigned index) {
  SmallVector<StringRef> names;
  ArrayAttr marks = marksOf(loc);
  auto values = marks && index < marks.size() ? dyn_cast<ArrayAttr>(marks[index]) : ArrayAttr();
  if (values)
    for (auto name : values.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  return names;
}

Location forge::locationOfResult(Location loc, unsigned index) {
  ArrayAttr marks = marksOf(loc);
  return marks && index < marks.size() ? withMarks(loc, marks[index]) : loc;
}

void forge::takeMarks(Value value, Value replaced) {
  auto result = dyn_cast<OpResult>(value), old = dyn_cast<OpResult>(replaced);
  if (!result || !old)
    return;
  for (StringRef name : markedValues(old.getOwner()->getLoc(), old.getResultNumber()))
    markValue(result, name);
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
