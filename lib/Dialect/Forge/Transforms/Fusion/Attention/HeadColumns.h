//===- HeadColumns.h - weight columns of queries, keys and values -*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_ATTENTION_HEADCOLUMNS_H
#define FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_ATTENTION_HEADCOLUMNS_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// A pattern that gives the columns of queries, keys and values, head by head, the order of their own.
void populateHeadColumns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_TRANSFORMS_FUSION_ATTENTION_HEADCOLUMNS_H
