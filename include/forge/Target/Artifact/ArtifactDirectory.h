//===- ArtifactDirectory.h - where a compiled model is written --*- C++ -*-===//
//
// The rules by which files of a compiled model appear; forge_mlir.artifact.staging has them from here.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_TARGET_ARTIFACT_ARTIFACTDIRECTORY_H
#define FORGE_TARGET_ARTIFACT_ARTIFACTDIRECTORY_H

#include "llvm/Support/Error.h"

#include <string>

namespace forge {

/// A directory in which files appear together or not at all, and never in place of a file that is not ours.
///
/// Files are written into `staging()` first. What an earlier compilation of the same name wrote is replaced: its
/// manifest describes the module beside it, or there is no module, because a compilation was killed; files of
/// partitions must be what it wrote, and weights are taken for ours by their name, for hashing takes long.
class ArtifactDirectory {
public:
  ArtifactDirectory(llvm::StringRef directory, llvm::StringRef name) : directory(directory), name(name) {}

  /// Makes the directory and the staging directory in it; staging directories of processes that are gone are removed.
  llvm::Error open();
  llvm::StringRef staging() const { return stagingPath; }
  /// Goes on with a staging directory that `open` made.
  void resume(llvm::StringRef path) { stagingPath = path.str(); }
  /// Moves the files out of the staging directory, `<name>.py` last: where it is, the files it needs are too. With
  /// `force` files that are not ours are replaced too.
  llvm::Error publish(bool force);
  /// Removes the staging directory with what is in it.
  void close();

private:
  std::string path(llvm::StringRef file) const;
  llvm::Error cannotWrite(std::error_code error) const;
  llvm::Error move(llvm::ArrayRef<std::string> written, const struct OwnedFiles &owned) const;

  std::string directory, name, stagingPath;
};

/// The SHA-256 of some text in hexadecimal digits.
std::string sha256Of(llvm::StringRef text);

} // namespace forge

#endif // FORGE_TARGET_ARTIFACT_ARTIFACTDIRECTORY_H
