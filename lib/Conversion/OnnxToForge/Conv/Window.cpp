//===- Window.cpp - the windows of convolutions and pools -----------------===//

#include "Conv.h"

using namespace mlir;
using namespace forge;

// Refuses an attribute that does not have one number in [`minimum`, 2^31) for each of `count` entries.
static void checkEntries(OnnxNode &n, ArrayRef<int64_t> values, StringRef name, size_t count, int64_t minimum,
                         size_t rank) {
  if (values.size() != count)
    n.refuse(Code::AttributeMismatch,
             "attribute '" + name + "' has " + Twine(values.size()) + " values for " + Twine(rank) + " spatial axes");
  else if (llvm::any_of(values, [&](int64_t value) { return value < minimum || value > INT32_MAX; }))
    n.refuse(Code::AttributeValue,
             "attribute '" + name + "' has a value below " + Twine(minimum) + " or beyond 32 bits");
}

void forge::readSteps(OnnxNode &n, size_t rank, Window &window) {
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  window.strides = n.intsAttr("strides", ArrayRef(ones));
  window.dilations = n.intsAttr("dilations", ArrayRef(ones));
  SmallVector<int64_t> pads = n.intsAttr("pads", ArrayRef(zeros));
  checkEntries(n, window.strides, "strides", rank, 1, rank);
  checkEntries(n, window.dilations, "dilations", rank, 1, rank);
  checkEntries(n, pads, "pads", 2 * rank, 0, rank);
  if (n.failed())
    return;
  window.padBegin.assign(pads.begin(), pads.begin() + rank);
  window.padEnd.assign(pads.begin() + rank, pads.end());
}

Window forge::readWindow(OnnxNode &n, ArrayRef<int64_t> spatial, ArrayRef<int64_t> kernel) {
  size_t rank = spatial.size();
  Window window;
  window.kernel = kernel.empty() ? n.intsAttr("kernel_shape") : n.intsAttr("kernel_shape", kernel);
  checkEntries(n, window.kernel, "kernel_shape", rank, 1, rank);
  readSteps(n, rank, window);
  StringRef autoPad = n.choiceAttr("auto_pad", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"});
  if (!kernel.empty() && !n.failed() && ArrayRef(window.kernel) != kernel)
    n.refuse(Code::AttributeMismatch, "attribute 'kernel_shape' differs from the weights");
  if (n.failed() || autoPad == "NOTSET")
    return window;
  for (size_t i = 0; i < rank; ++i) {
    int64_t outputs = llvm::divideCeil(spatial[i], window.strides[i]), total = 0;
    if (autoPad != "VALID")
      total = std::max<int64_t>(0, (outputs - 1) * window.strides[i] + window.span(i) - spatial[i]);
    window.padBegin[i] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
    window.padEnd[i] = total - window.padBegin[i];
  }
  return window;
}

Value forge::raisedTo2d(ForgeBuilder &b, Value value) {
  return value ? b.reshape(value, withAxis(shapeOf(value), 2)) : Value();
}

Value forge::loweredTo1d(ForgeBuilder &b, Value value) {
  return value ? b.reshape(value, withoutAxis(shapeOf(value), 2)) : Value();
}

void forge::raiseTo2d(Window &window) {
  for (auto *list : {&window.kernel, &window.strides, &window.dilations})
    list->insert(list->begin(), 1);
  for (auto *list : {&window.padBegin, &window.padEnd})
    list->insert(list->begin(), 0);
}

void forge::raiseTo2d(ForgeBuilder &b, Value &x, Value &weights, Window &window) {
  x = raisedTo2d(b, x);
  weights = raisedTo2d(b, weights);
  raiseTo2d(window);
}

Window forge::planeOf(const Window &w) {
  Window plane = w;
  for (auto *list : {&plane.kernel, &plane.strides, &plane.dilations, &plane.padBegin, &plane.padEnd})
    list->erase(list->begin());
  return plane;
}

Window forge::depthOf(const Window &w) {
  return {{w.kernel[0], 1}, {w.strides[0], 1}, {w.dilations[0], 1}, {w.padBegin[0], 0}, {w.padEnd[0], 0}};
}
