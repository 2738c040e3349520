//===- Version.h - versions of the project and of MLIR ----------*- C++ -*-===//

#ifndef FORGE_SUPPORT_VERSION_H
#define FORGE_SUPPORT_VERSION_H

namespace forge {

/// The version of this project, from pyproject.toml.
extern const char *const kVersion;
/// The version of MLIR that this project was built with.
extern const char *const kMLIRVersion;

} // namespace forge

#endif // FORGE_SUPPORT_VERSION_H
