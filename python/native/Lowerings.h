//===- Lowerings.h - converters that are Python functions -------*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_LOWERINGS_H
#define FORGE_PYTHON_NATIVE_LOWERINGS_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

#include <nanobind/nanobind.h>

#include <exception>

/// A converter that calls `function` with a LoweringCall; it returns the results as a list. Exceptions other than
/// LoweringRefused are stored in `pending`.
forge::Converter pythonConverter(nanobind::object function, std::exception_ptr &pending);

void bindLowerings(nanobind::module_ &m);

#endif // FORGE_PYTHON_NATIVE_LOWERINGS_H
