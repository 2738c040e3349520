//===- HeadColumns.h - weight columns of queries, keys and values -*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_ATTENTION_HEADCOLUMNS_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_ATTENTION_HEADCOLUMNS_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// A pattern that permutes the columns of a merged projection from [head, part, D] to [part, head, D], where the parts
/// are queries, keys and values.
void populateHeadColumns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_ATTENTION_HEADCOLUMNS_H
