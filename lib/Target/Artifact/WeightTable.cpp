//===- WeightTable.cpp - weights that the IR names by reference -----------===//
//
// The table is JSON (forge_mlir.compiler.stage_files writes it): the files that hold weights, as they were when the
// model was imported, and for each key the dtype, shape and place of a weight.
//
//===----------------------------------------------------------------------===//

#include "forge/Target/Artifact/Artifact.h"

#include "ElementNames.h"
#include "JsonText.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace forge;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
using Mapped = std::shared_ptr<llvm::MemoryBuffer>;

/// The weights of one table; files are mapped when the first weight in them is asked for.
class WeightTable {
public:
  static FailureOr<WeightTable> read(MLIRContext *context, StringRef file);

  bool contains(StringRef key) const { return weights.getObject(key) != nullptr; }
  /// The type that the weight has in ONNX.
  FailureOr<RankedTensorType> typeOf(StringRef key) const;
  /// Its bytes.
  FailureOr<AsmResourceBlob> blob(StringRef key);

private:
  WeightTable(MLIRContext *context, StringRef file) : context(context), file(file) {}
  InFlightDiagnostic refuse(Code code) const {
    return emitError(UnknownLoc::get(context), code) << "weight table '" << escaped(file) << "': ";
  }
  FailureOr<Mapped> map(int64_t index);

  MLIRContext *context;
  std::string file;
  llvm::json::Object weights;
  llvm::json::Array files;
  llvm::DenseMap<int64_t, Mapped> mapped;
};
} // namespace

FailureOr<WeightTable> WeightTable::read(MLIRContext *context, StringRef file) {
  WeightTable table(context, file);
  if (!fs::exists(file))
    return table.refuse(Code::ExternalDataMissing) << "is not there; put it beside the IR, or name it with --weights";
  std::optional<llvm::json::Object> read = readJson(file);
  llvm::json::Object *weights = read ? read->getObject("weights") : nullptr;
  llvm::json::Array *files = read ? read->getArray("files") : nullptr;
  if (!weights || !files)
    return table.refuse(Code::ExternalDataDamaged) << "expected a table that forge-mlir wrote";
  table.weights = std::move(*weights);
  table.files = std::move(*files);
  return table;
}

FailureOr<RankedTensorType> WeightTable::typeOf(StringRef key) const {
  const llvm::json::Object &weight = *weights.getObject(key);
  const llvm::json::Array *sizes = weight.getArray("shape");
  Type element = typeNamed(weight.getString("dtype").value_or(""), context);
  SmallVector<int64_t> shape;
  if (sizes)
    for (const llvm::json::Value &size : *sizes)
      shape.push_back(size.getAsInteger().value_or(-1));
  if (!sizes || !element || llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return refuse(Code::ExternalDataDamaged) << "weight '" << escaped(key) << "' has no type";
  return RankedTensorType::get(shape, element);
}

FailureOr<Mapped> WeightTable::map(int64_t index) {
  if (Mapped known = mapped.lookup(index))
    return known;
  const llvm::json::Object *entry =
      index >= 0 && index < static_cast<int64_t>(files.size()) ? files[index].getAsObject() : nullptr;
  std::optional<StringRef> name = entry ? entry->getString("path") : std::nullopt;
  if (!name)
    return refuse(Code::ExternalDataDamaged) << "it has no file " << index;
  SmallString<128> place(path::is_absolute(*name) ? "" : path::parent_path(file));
  path::append(place, *name);
  fs::file_status status;
  std::error_code error = fs::status(place, status);
  if (!error && !fs::is_regular_file(status))
    error = std::make_error_code(std::errc::not_supported);
  auto buffer = error ? llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>(error)
                      : llvm::MemoryBuffer::getFile(place, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return refuse(Code::ExternalDataMissing)
           << "weight file '" << escaped(place) << "' cannot be opened: " << buffer.getError().message();
  if (entry->getInteger("size") != static_cast<int64_t>((*buffer)->getBufferSize()) ||
      entry->getInteger("modified_ns") != status.getLastModificationTime().time_since_epoch().count())
    return refuse(Code::WeightsChanged) << "weight file '" << escaped(place) << "' has changed since the import";
  return mapped[index] = std::move(*buffer);
}

FailureOr<AsmResourceBlob> WeightTable::blob(StringRef key) {
  const llvm::json::Object &weight = *weights.getObject(key);
  FailureOr<RankedTensorType> type = typeOf(key);
  FailureOr<Mapped> file = failed(type) ? FailureOr<Mapped>() : map(weight.getInteger("file").value_or(-1));
  if (failed(file))
    return failure();
  int64_t size = (*file)->getBufferSize(), offset = weight.getInteger("offset").value_or(-1);
  std::optional<int64_t> bytes = rawBytes(*type);
  if (!bytes || offset < 0 || offset > size || *bytes > size - offset)
    return refuse(Code::ExternalDataDamaged) << "weight '" << escaped(key) << "' lies outside of its file";
  ArrayRef<char> data((*file)->getBufferStart() + offset, *bytes);
  auto keepAlive = [owner = *file](void *, size_t, size_t) {};
  return AsmResourceBlob(data, /*dataAlignment=*/1, keepAlive, /*dataIsMutable=*/false);
}

// A handle of an importer's constant.
static LogicalResult attachToHandle(DenseResourceElementsAttr attr, WeightTable &table) {
  auto *entry = attr.getRawHandle().getResource();
  if (entry->getBlob() || !table.contains(entry->getKey()))
    return success();
  FailureOr<AsmResourceBlob> blob = table.blob(entry->getKey());
  if (succeeded(blob))
    entry->setBlob(std::move(*blob));
  return blob;
}

static LogicalResult attachToParameter(ParameterOp parameter, WeightTable &table) {
  StringRef key = parameter.getKey();
  if (parameter.getBlobAttr() || !table.contains(key))
    return success();
  FailureOr<RankedTensorType> type = table.typeOf(key);
  FailureOr<AsmResourceBlob> blob = failed(type) ? FailureOr<AsmResourceBlob>() : table.blob(key);
  if (failed(blob))
    return failure();
  parameter.setBlobAttr(DenseResourceElementsAttr::get(*type, key, std::move(*blob)));
  return success();
}

LogicalResult forge::attachWeights(ModuleOp module, StringRef directory, StringRef tableFile) {
  SmallString<128> place(tableFile);
  if (place.empty()) {
    auto named = module->getAttrOfType<StringAttr>(kWeightsAttr);
    if (!named)
      return success();
    // The IR may be anyone's: it names a file beside it and no other.
    if (named.getValue().empty() || path::filename(named.getValue()) != named.getValue())
      return emitError(module, Code::ExternalDataEscapes)
             << "expected " << kWeightsAttr << " to name a file beside the IR, but got '" << escaped(named.getValue())
             << "'";
    place = directory;
    path::append(place, named.getValue());
  }
  FailureOr<WeightTable> table = WeightTable::read(module.getContext(), place);
  if (failed(table))
    return failure();
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto parameter = dyn_cast<ParameterOp>(op))
      return failed(attachToParameter(parameter, *table)) ? WalkResult::interrupt() : WalkResult::advance();
    for (NamedAttribute attribute : op->getAttrs())
      if (auto handle = dyn_cast<DenseResourceElementsAttr>(attribute.getValue()))
        if (failed(attachToHandle(handle, *table)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
