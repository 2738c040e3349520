//===- Version.h - what this is a version of --------------------*- C++ -*-===//

#ifndef FORGE_SUPPORT_VERSION_H
#define FORGE_SUPPORT_VERSION_H

namespace forge {

/// The version of this project, as pyproject.toml has it.
extern const char *const kVersion;
/// The version of the MLIR that it was built with.
extern const char *const kMLIRVersion;

} // namespace forge

#endif // FORGE_SUPPORT_VERSION_H
