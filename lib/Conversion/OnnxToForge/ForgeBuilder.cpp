//===- ForgeBuilder.cpp - builds forge ops inside converters --------------===//

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"
#include "forge/Dialect/Forge/IR/NamedOp.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace forge;

SmallVector<int64_t> forge::concatShapes(ArrayRef<int64_t> leading, ArrayRef<int64_t> trailing) {
  SmallVector<int64_t> shape(leading);
  llvm::append_range(shape, trailing);
  return shape;
}

SmallVector<int64_t> forge::withSize(ArrayRef<int64_t> shape, int64_t axis, int64_t size) {
  SmallVector<int64_t> result(shape);
  result[axis] = size;
  return result;
}

SmallVector<int64_t> forge::sizesAlong(int64_t rank, int64_t axis, int64_t size) {
  return withSize(SmallVector<int64_t>(rank, 1), axis, size);
}

SmallVector<int64_t> forge::withAxis(ArrayRef<int64_t> shape, int64_t axis) {
  return concatShapes(concatShapes(shape.take_front(axis), 1), shape.drop_front(axis));
}

SmallVector<int64_t> forge::withoutAxis(ArrayRef<int64_t> shape, int64_t axis) {
  return concatShapes(shape.take_front(axis), shape.drop_front(axis + 1));
}

SmallVector<int64_t> forge::flattenedAt(ArrayRef<int64_t> shape, int64_t axis) {
  return {llvm::product_of(shape.take_front(axis)), llvm::product_of(shape.drop_front(axis))};
}

DenseElementsAttr forge::knownValue(Value value) {
  DenseElementsAttr known;
  if (value)
    matchPattern(value, m_Constant(&known));
  return known;
}

static bool areCountable(ArrayRef<Type> types) {
  return llvm::all_of(types, [](Type type) { return isCountable(llvm::cast<RankedTensorType>(type).getShape()); });
}

// Whether operands are floats of different types. Some forge ops promote them; no ONNX op does.
static bool mixFloats(ValueRange operands) {
  auto first = llvm::find_if(operands, [](Value operand) { return isa<FloatType>(elementOf(operand)); });
  return llvm::any_of(operands, [&](Value operand) {
    Type element = elementOf(operand);
    return isa<FloatType>(element) && element != elementOf(*first);
  });
}

Operation *ForgeBuilder::insertInferred(OperationState &state, Infer infer) {
  state.types.clear();
  bool mixesFloats = mixFloats(state.operands);
  if (!mixesFloats && succeeded(infer(std::nullopt, state.types))) {
    if (areCountable(state.types))
      return builder.create(state);
    onError(Code::TooManyElements, "a result has 2^63 elements or more");
    return nullptr;
  }
  // Infers again, to get the reason.
  std::string reason;
  ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
    reason = diagnostic.str();
    return success();
  });
  SmallVector<Type> types;
  if (succeeded(infer(loc, types)) && mixesFloats)
    (void)Inference{loc, state.name.getStringRef()}.oneElementType(state.operands);
  onError(Code::OpConstraint, reason);
  return nullptr;
}

SmallVector<Value> ForgeBuilder::finish(Operation *op) {
  if (!op)
    return {};
  // A result without elements is constant.
  auto isEmpty = [](Type type) { return llvm::is_contained(llvm::cast<RankedTensorType>(type).getShape(), 0); };
  SmallVector<DenseElementsAttr> known = evaluate(op, foldLimit);
  if (known.empty() && !isa<ConstantOp>(op) && llvm::all_of(op->getResultTypes(), isEmpty))
    for (Type type : op->getResultTypes())
      known.push_back(splatAttr(llvm::cast<RankedTensorType>(type), 0));
  if (known.empty())
    return SmallVector<Value>(op->getResults());
  op->erase();
  return llvm::map_to_vector(known, [&](DenseElementsAttr attr) { return constant(attr); });
}

SmallVector<Value> ForgeBuilder::create(StringRef opName, ArrayRef<Value> operands, DictionaryAttr attributes) {
  if (isNull(operands))
    return {};
  std::string reason;
  FailureOr<SmallVector<Type>> types;
  {
    ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
      reason = messageOf(diagnostic);
      return success();
    });
    types = inferNamedOp(loc, opName, operands, attributes);
  }
  if (failed(types)) {
    onError(Code::OpConstraint, reason);
    return {};
  }
  if (!areCountable(*types)) {
    onError(Code::TooManyElements, "a result has 2^63 elements or more");
    return {};
  }
  OperationState state(loc, opName, operands, *types, attributes.getValue());
  return finish(builder.create(state));
}

SmallVector<Value> ForgeBuilder::split(Value operand, int64_t dim, ArrayRef<int64_t> sizes) {
  if (!operand)
    return {};
  OperationState state(loc, SplitOp::getOperationName());
  SplitOp::build(builder, state, TypeRange(), operand, dim, sizes);
  return finish(insert<SplitOp>(state));
}

Value ForgeBuilder::constant(DenseElementsAttr value) { return value ? create<ConstantOp>(value) : Value(); }

Value ForgeBuilder::splat(RankedTensorType type, double value) {
  if (auto integer = dyn_cast<IntegerType>(type.getElementType())) {
    // A number that the type does not have would wrap.
    llvm::APSInt converted(integer.getWidth(), integer.isUnsigned() || integer.getWidth() == 1);
    bool isExact = false;
    if (llvm::APFloat(value).convertToInteger(converted, llvm::APFloat::rmTowardZero, &isExact) !=
        llvm::APFloat::opOK) {
      SmallString<16> text;
      llvm::APFloat(value).toString(text);
      error(Code::ConstantRange, "the constant " + text + " does not fit " + llvm::to_string(integer));
      return {};
    }
  }
  return constant(splatAttr(type, value));
}

Value ForgeBuilder::scalarLike(Value like, double value) {
  return like ? splat(RankedTensorType::get({}, elementOf(like)), value) : Value();
}

Value ForgeBuilder::ints(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, builder.getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value ForgeBuilder::floats(ArrayRef<int64_t> shape, ArrayRef<float> values) {
  return constant(DenseElementsAttr::get(RankedTensorType::get(shape, getF32Type()), values));
}

Value ForgeBuilder::cast(Value operand, Type elementType) {
  if (!operand || elementOf(operand) == elementType)
    return operand;
  return create<CastOp>(operand, elementType);
}

Value ForgeBuilder::reshape(Value operand, ArrayRef<int64_t> shape) {
  if (!operand || shapeOf(operand) == shape)
    return operand;
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return create<ReshapeOp>(operand, shape); // It refuses the shape.
  // Forge has no empty shapes; a tensor without elements is a constant.
  if (llvm::is_contained(shape, 0) && llvm::is_contained(shapeOf(operand), 0))
    return splat(tensorType(operand).clone(shape), 0);
  if (DenseElementsAttr known = knownValue(operand); known && ShapedType::getNumElements(shape) == numElements(operand))
    return constant(known.reshape(tensorType(operand).clone(shape)));
  return create<ReshapeOp>(operand, shape);
}

Value ForgeBuilder::transpose(Value operand, ArrayRef<int64_t> perm) {
  int64_t rank = perm.size();
  SmallVector<int64_t> current = allAxes(rank);
  for (int64_t i = 0; i < rank && operand; ++i) {
    if (current[i] == perm[i])
      continue;
    int64_t j = llvm::find(current, perm[i]) - current.begin();
    std::swap(current[i], current[j]);
    operand = create<TransposeOp>(operand, i - rank, j - rank);
  }
  return operand;
}

Value ForgeBuilder::swapAxes(Value operand, int64_t first, int64_t second) {
  if (!operand || first == second)
    return operand;
  int64_t rank = rankOf(operand);
  return create<TransposeOp>(operand, std::min(first, second) - rank, std::max(first, second) - rank);
}

Value ForgeBuilder::expand(Value operand, ArrayRef<int64_t> shape) {
  if (!operand || shapeOf(operand) == shape)
    return operand;
  if (llvm::is_contained(shape, 0))
    return splat(tensorType(operand).clone(shape), 0);
  SmallVector<int64_t> from(shapeOf(operand));
  from.insert(from.begin(), shape.size() - from.size(), 1);
  SmallVector<int64_t> repeats;
  for (auto [size, target] : llvm::zip_equal(from, shape))
    repeats.push_back(size == target ? 1 : target);
  operand = reshape(operand, from);
  return llvm::all_of(repeats, [](int64_t n) { return n == 1; }) ? operand : create<RepeatOp>(operand, repeats);
}

Value ForgeBuilder::concatenate(ArrayRef<Value> operands, int64_t axis) {
  if (isNull(operands))
    return {};
  SmallVector<Value> filled(llvm::make_filter_range(operands, [&](Value value) { return shapeOf(value)[axis] != 0; }));
  if (filled.size() <= 1)
    return filled.empty() ? operands.front() : filled.front();
  return create<ConcatenateOp>(filled, axis - rankOf(filled.front()));
}

Value ForgeBuilder::slice(Value operand, int64_t axis, int64_t begin, int64_t end) {
  if (!operand || (begin == 0 && end == shapeOf(operand)[axis]))
    return operand;
  return create<StridedSliceOp>(operand, ArrayRef{axis}, ArrayRef{begin}, ArrayRef{end}, ArrayRef<int64_t>{1});
}

SmallVector<Value> ForgeBuilder::slices(Value operand, int64_t axis, ArrayRef<int64_t> sizes) {
  int64_t begin = 0;
  return llvm::map_to_vector(sizes, [&](int64_t size) {
    begin += size;
    return slice(operand, axis, begin - size, begin);
  });
}

Value ForgeBuilder::pad(Value operand, ArrayRef<int64_t> before, ArrayRef<int64_t> after, double value) {
  size_t rank = before.size();
  // forge.pad pads the last two axes only; other axes are padded by concatenation.
  for (size_t axis = 0; axis + 2 < rank && operand; ++axis) {
    auto block = [&](int64_t size) {
      return splat(tensorType(operand).clone(withSize(shapeOf(operand), axis, size)), value);
    };
    operand = concatenate({block(before[axis]), operand, block(after[axis])}, axis);
  }
  if (!operand)
    return {};
  SmallVector<int64_t> last;
  if (rank >= 1)
    last.append({before[rank - 1], after[rank - 1]});
  if (rank >= 2 && (before[rank - 2] != 0 || after[rank - 2] != 0))
    last.append({before[rank - 2], after[rank - 2]});
  if (llvm::all_of(last, [](int64_t n) { return n == 0; }))
    return operand;
  return create<PadOp>(operand, last, PadMode::Constant, llvm::APFloat(static_cast<float>(value)), false);
}

Value ForgeBuilder::logicalNot(Value operand) {
  // A boolean is 0 or 1, so "not" is "equals 0".
  Value number = cast(operand, builder.getI32Type());
  return compare<EqualOp>(number, scalarLike(number, 0));
}
