//===- Labels.cpp - labels of the classifiers of ai.onnx.ml ---------------===//

#include "Onnx.h"

#include "../../Indexing/Indexing.h"

using namespace mlir;
using namespace forge;

SmallVector<int64_t> forge::readLabels(OnnxNode &n, StringRef name) {
  if (n.hasAttr("classlabels_strings")) {
    n.refuse(Code::AttributeUnsupported, "attribute 'classlabels_strings': the device has no strings; export int64 "
                                         "labels, or use --fallback=cpu");
    return {};
  }
  SmallVector<int64_t> labels = n.intsAttr(name);
  if (!n.failed() && labels.size() < 2)
    n.refuse(Code::AttributeUnsupported, "attribute '" + name + "' must have two labels or more");
  return labels;
}

Value forge::labelsOf(OnnxNode &n, ForgeBuilder &b, Value index, ArrayRef<int64_t> labels) {
  if (!index)
    return {};
  Value flat = b.cast(b.reshape(index, {shapeOf(index)[0]}), b.getI64Type());
  if (llvm::equal(labels, llvm::seq<int64_t>(0, labels.size())))
    return flat;
  return takeRows(b, b.ints(labels), flat);
}
