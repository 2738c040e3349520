//===- ArtifactDirectory.cpp - where a compiled model is written ----------===//

#include "forge/Target/Artifact/ArtifactDirectory.h"

#include "JsonText.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>

using namespace forge;
namespace fs = llvm::sys::fs;
using llvm::StringRef;

static constexpr StringRef kStagingSuffix = ".staging";

std::string forge::sha256Of(StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

static std::string inDirectory(StringRef directory, StringRef file) {
  llvm::SmallString<128> result(directory);
  llvm::sys::path::append(result, file);
  return result.str().str();
}

// Empty for a file that cannot be read.
static std::string sha256OfFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? sha256Of((*buffer)->getBuffer()) : "";
}

// Whether something has this name, be it a link to nowhere.
static bool isThere(const std::string &path) {
  fs::file_status status;
  return !fs::status(path, status, /*follow=*/false);
}

static llvm::Expected<std::vector<std::string>> filesIn(StringRef directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error, /*follow_symlinks=*/false), end; !error && it != end;
       it.increment(error))
    names.push_back(llvm::sys::path::filename(it->path()).str());
  if (error)
    return llvm::errorCodeToError(error);
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// What an earlier compilation wrote
//===----------------------------------------------------------------------===//

struct forge::OwnedFiles : llvm::StringSet<> {
  /// The module, weights or manifest that somebody edited since, or the module of another artifact; then nothing is
  /// owned.
  std::string edited, foreign;
};

// Of a partition or a shape set: `<name>_cpu0.onnx`, `<name>_decode.py` and the like.
static bool isPartFile(StringRef file, StringRef name) {
  auto [stem, suffix] = file.rsplit('.');
  if (!stem.consume_front(name) || !llvm::is_contained({"py", "json", "onnx"}, suffix))
    return false;
  return stem.empty() || (stem.size() > 1 && stem.starts_with("_") &&
                          llvm::all_of(stem, [](char c) { return llvm::isAlnum(c) || c == '_'; }));
}

static OwnedFiles ownedFiles(StringRef directory, StringRef name) {
  std::string module = (name + ".py").str(), weights = (name + ".safetensors").str(), facts = (name + ".json").str();
  OwnedFiles owned;
  std::optional<llvm::json::Object> manifest = readJson(inDirectory(directory, facts));
  std::optional<StringRef> digest = manifest ? manifest->getString("python_sha256") : std::nullopt;
  std::optional<StringRef> weightsFile = manifest ? manifest->getString("weights_file") : std::nullopt;
  std::string modulePath = inDirectory(directory, module);
  // What `forge-mlir reseal` accepted is the user's.
  llvm::StringSet<> edited;
  if (const llvm::json::Array *files = manifest ? manifest->getArray("edited") : nullptr)
    for (const llvm::json::Value &file : *files)
      edited.insert(file.getAsString().value_or(""));
  if (!digest || !weightsFile)
    return owned;
  if (edited.contains(module) || (isThere(modulePath) && *digest != sha256OfFile(modulePath))) {
    owned.edited = modulePath;
    return owned;
  }
  // A shape set or a partition has the weights of the artifact that it is part of.
  if (*weightsFile != weights) {
    owned.foreign = modulePath;
    return owned;
  }
  std::string factsPath = inDirectory(directory, facts);
  auto text = llvm::MemoryBuffer::getFile(factsPath);
  if (edited.contains(facts) || !text || !isAsSealed((*text)->getBuffer(), *manifest)) {
    owned.edited = factsPath;
    return owned;
  }
  std::string weightsPath = inDirectory(directory, weights);
  std::optional<StringRef> weightsDigest = manifest->getString("weights_sha256");
  if (edited.contains(weights) ||
      (isThere(weightsPath) && weightsDigest && *weightsDigest != sha256OfFile(weightsPath))) {
    owned.edited = weightsPath;
    return owned;
  }
  owned.insert(facts);
  owned.insert(module);
  owned.insert(weights);
  if (const llvm::json::Object *files = manifest->getObject("files"))
    for (const auto &[file, expected] : *files)
      if (isPartFile(file, name) && !edited.contains(file) &&
          expected.getAsString() == sha256OfFile(inDirectory(directory, file)))
        owned.insert(file);
  return owned;
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

// `.<name>.<random>.<process>.staging` of a process that is gone.
static bool isStale(StringRef file) {
  StringRef number = file;
  pid_t process;
  if (!file.starts_with(".") || !number.consume_back(kStagingSuffix))
    return false;
  number = number.rsplit('.').second;
  return !number.empty() && llvm::all_of(number, llvm::isDigit) && !number.getAsInteger(10, process) && process > 0 &&
         kill(process, 0) != 0 && errno == ESRCH;
}

static void removeDirectory(const std::string &path) {
  fs::file_status status;
  if (!fs::status(path, status, /*follow=*/false) && fs::is_directory(status))
    fs::remove_directories(path);
}

std::string ArtifactDirectory::path(StringRef file) const { return inDirectory(directory, file); }

llvm::Error ArtifactDirectory::cannotWrite(std::error_code error) const {
  return llvm::createStringError(error, "cannot write to '" + escaped(directory) + "': " + error.message());
}

llvm::Error ArtifactDirectory::open() {
  if (std::error_code error = fs::create_directories(directory, /*IgnoreExisting=*/true, fs::all_all))
    return cannotWrite(error);
  llvm::Expected<std::vector<std::string>> files = filesIn(directory);
  if (!files)
    return cannotWrite(llvm::errorToErrorCode(files.takeError()));
  for (const std::string &file : *files)
    if (isStale(file))
      removeDirectory(path(file));
  llvm::SmallString<128> model(path("." + name + ".%%%%%%%%." + std::to_string(getpid()) + kStagingSuffix.str())), made;
  std::error_code error;
  for (int tries = 0; tries < 8; ++tries) {
    fs::createUniquePath(model, made, /*MakeAbsolute=*/false);
    error = fs::create_directory(made, /*IgnoreExisting=*/false, fs::owner_all);
    if (error != std::errc::file_exists)
      break;
  }
  if (error)
    return cannotWrite(error);
  stagingPath = made.str().str();
  return llvm::Error::success();
}

void ArtifactDirectory::close() {
  if (!stagingPath.empty())
    removeDirectory(stagingPath);
  stagingPath.clear();
}

llvm::Error ArtifactDirectory::move(llvm::ArrayRef<std::string> written, const OwnedFiles &owned) const {
  std::string module = name + ".py";
  // Should this process die now, the rest is known not to be whole.
  if (owned.contains(module))
    if (std::error_code error = fs::remove(path(module)))
      return cannotWrite(error);
  std::vector<std::string> order(written);
  std::stable_partition(order.begin(), order.end(), [&](const std::string &file) { return file != module; });
  for (const std::string &file : order)
    if (std::error_code error = fs::rename(inDirectory(stagingPath, file), path(file)))
      return cannotWrite(error);
  for (const auto &entry : owned)
    if (!llvm::is_contained(written, entry.getKey()))
      if (std::error_code error = fs::remove(path(entry.getKey())))
        return cannotWrite(error);
  return llvm::Error::success();
}

llvm::Error ArtifactDirectory::publish(bool force) {
  llvm::Expected<std::vector<std::string>> written = filesIn(stagingPath);
  if (!written)
    return cannotWrite(llvm::errorToErrorCode(written.takeError()));
  OwnedFiles owned = ownedFiles(directory, name);
  for (const std::string &file : *written) {
    if (force || owned.contains(file) || !isThere(path(file)))
      continue;
    std::string reason = escaped(path(file)) + ": is there and was not written by forge-mlir, or has changed since";
    if (!owned.edited.empty())
      reason = escaped(owned.edited) + ": has changed since forge-mlir wrote it";
    else if (!owned.foreign.empty())
      reason = escaped(owned.foreign) + ": is a module of another artifact in this directory";
    return llvm::createStringError(std::make_error_code(std::errc::file_exists),
                                   reason + "; move it away, or give --force");
  }
  return move(*written, owned);
}
