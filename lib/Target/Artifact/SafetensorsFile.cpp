//===- SafetensorsFile.cpp - weights on disk ------------------------------===//

#include "SafetensorsFile.h"

#include "JsonText.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace forge;

static StringRef dtypeCode(Type element) {
  if (element.isF16())
    return "F16";
  if (element.isBF16())
    return "BF16";
  return isa<FloatType>(element) ? "F32" : "I32";
}

// Bytes of a file are known by where they are, as they are to the Python writer, constants by what they are, computed
// weights by how they are computed.
static Attribute identityOf(const EmissionPlan &plan, const PlannedWeight &weight) {
  if (auto constant = dyn_cast<ConstantOp>(weight.op))
    return constant.getValue();
  Builder builder(weight.op->getContext());
  auto parameter = dyn_cast<ParameterOp>(weight.op);
  if (!parameter) {
    std::string source = llvm::formatv("{0}", llvm::json::Value(weightSource(plan, weight.op)));
    return builder.getArrayAttr({builder.getStringAttr(source), TypeAttr::get(weight.type)});
  }
  Attribute place = parameter.getKeyAttr();
  auto blob = dyn_cast_or_null<DenseResourceElementsAttr>(parameter.getBlobAttr());
  if (std::optional<ArrayRef<char>> raw = blob ? blobOf(blob) : std::nullopt; raw && !raw->empty())
    place = builder.getDenseI64ArrayAttr({reinterpret_cast<intptr_t>(raw->data()), static_cast<int64_t>(raw->size())});
  return builder.getArrayAttr({place, TypeAttr::get(weight.type)});
}

StringRef SafetensorsFile::add(const EmissionPlan &plan, const PlannedWeight &weight) {
  return stored.try_emplace(identityOf(plan, weight), &weight).first->second->name;
}

static std::string headerOf(const llvm::MapVector<Attribute, const PlannedWeight *> &stored) {
  std::string header;
  llvm::raw_string_ostream os(header);
  int64_t offset = 0;
  llvm::json::OStream json(os);
  json.object([&] {
    for (const auto &[identity, weight] : stored)
      json.attributeObject(weight->name, [&] {
        int64_t end = offset + storedBytes(*weight);
        json.attribute("dtype", dtypeCode(weight->type.getElementType()));
        json.attribute("shape", llvm::json::Array(weight->storedShape));
        json.attribute("data_offsets", llvm::json::Array({offset, end}));
        offset = end;
      });
  });
  std::string text = std::string(8, '\0') + asciiJson(header);
  text.resize(llvm::alignTo(text.size(), 8), ' ');
  llvm::support::endian::write64le(text.data(), text.size() - 8);
  return text;
}

FailureOr<std::string> SafetensorsFile::write(StringRef path, Location location) const {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return emitError(location, Code::CannotWrite) << "cannot write '" << path << "': " << error.message();
  // A stream that still has an error when it is destroyed ends the process.
  llvm::scope_exit close([&] {
    file.close();
    file.clear_error();
  });
  llvm::SHA256 digest;
  int64_t written = 0;
  auto sink = [&](StringRef piece) {
    file << piece;
    digest.update(piece);
    written += piece.size();
  };
  sink(headerOf(stored));
  for (const auto &[identity, weight] : stored) {
    int64_t end = written + storedBytes(*weight);
    if (failed(writeWeight(*weight, sink)))
      return failure();
    if (written != end)
      return emitError(weight->op, Code::WeightUnfit)
             << "weight '" << escaped(weight->name) << "' has not the bytes of its type";
  }
  file.flush();
  if (file.has_error())
    return emitError(location, Code::CannotWrite) << "cannot write '" << path << "': " << file.error().message();
  return llvm::toHex(digest.final(), /*LowerCase=*/true);
}
