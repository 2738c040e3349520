//===- Window.cpp - the windows of convolutions and pools -----------------===//

#include "NN.h"

using namespace mlir;
using namespace forge;

Window forge::readWindow(OnnxNode &n, ArrayRef<int64_t> spatial, ArrayRef<int64_t> kernel) {
  size_t rank = spatial.size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  Window window;
  window.kernel = kernel.empty() ? n.intsAttr("kernel_shape") : n.intsAttr("kernel_shape", kernel);
  window.strides = n.intsAttr("strides", ArrayRef(ones));
  window.dilations = n.intsAttr("dilations", ArrayRef(ones));
  SmallVector<int64_t> pads = n.intsAttr("pads", ArrayRef(zeros));
  StringRef autoPad = n.choiceAttr("auto_pad", {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"});
  auto check = [&](ArrayRef<int64_t> values, StringRef name, size_t count, int64_t minimum) {
    if (values.size() != count)
      n.refuse(Code::AttributeMismatch,
               "attribute '" + name + "' has " + Twine(values.size()) + " values for " + Twine(rank) + " spatial axes");
    else if (llvm::any_of(values, [&](int64_t value) { return value < minimum || value > INT32_MAX; }))
      n.refuse(Code::AttributeValue,
               "attribute '" + name + "' has a value below " + Twine(minimum) + " or beyond 32 bits");
  };
  check(window.kernel, "kernel_shape", rank, 1);
  check(window.strides, "strides", rank, 1);
  check(window.dilations, "dilations", rank, 1);
  check(pads, "pads", 2 * rank, 0);
  if (!kernel.empty() && !n.failed() && ArrayRef(window.kernel) != kernel)
    n.refuse(Code::AttributeMismatch, "attribute 'kernel_shape' differs from the weights");
  if (n.failed())
    return window;
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
    for (size_t i = 0; i < rank; ++i) {
      int64_t outputs = (spatial[i] + window.strides[i] - 1) / window.strides[i];
      int64_t total = std::max<int64_t>(0, (outputs - 1) * window.strides[i] + window.span(i) - spatial[i]);
      int64_t smaller = total / 2;
      window.padBegin.push_back(autoPad == "SAME_UPPER" ? smaller : total - smaller);
      window.padEnd.push_back(total - window.padBegin.back());
    }
    return window;
  }
  ArrayRef<int64_t> given = autoPad == "VALID" ? ArrayRef(zeros) : ArrayRef(pads);
  window.padBegin.assign(given.begin(), given.begin() + rank);
  window.padEnd.assign(given.begin() + rank, given.end());
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
