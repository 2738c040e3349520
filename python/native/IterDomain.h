//===- IterDomain.h - the iteration domain library for Python ---*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_ITERDOMAIN_H
#define FORGE_PYTHON_NATIVE_ITERDOMAIN_H

#include <nanobind/nanobind.h>

/// Adds ItdError, TensorDomain, PaddingValue, PaddingState and the itd_* functions to the module.
void bindIterDomain(nanobind::module_ &m);

#endif // FORGE_PYTHON_NATIVE_ITERDOMAIN_H
