//===- Location.cpp - the ONNX node behind an op --------------------------===//

#include "forge/Dialect/Forge/IR/Location.h"

#include "mlir/IR/BuiltinAttributes.h"
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
