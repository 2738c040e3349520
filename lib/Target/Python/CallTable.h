//===- CallTable.h - the calls of a module as JSON --------------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_CALLTABLE_H
#define FORGE_LIB_TARGET_PYTHON_CALLTABLE_H

#include "EmissionPlan.h"

namespace forge {

/// Adds the table of calls to a manifest, and the SHA-256 of the text that it belongs to.
void addCallTable(llvm::json::Object &manifest, const EmissionPlan &plan, const PrintedModule &printed);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_CALLTABLE_H
