//===- ForgeBase.td - the forge dialect, its types and op classes -*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEBASE_TD
#define FORGE_DIALECT_FORGE_IR_FORGEBASE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "forge/Dialect/Forge/IR/ForgeInterfaces.td"

def Forge_Dialect : Dialect {
  let name = "forge";
  let cppNamespace = "::forge";
  let summary = "programs of calls to Forge, the Python API for Tenstorrent devices";
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let description = [{
    The functions of Forge are in the Python module `forge.op`. Most ops of this dialect are calls of such a function.
    The dialect is used at two levels:

    - *High level*, after the conversion from ONNX. At this level, there are also ops without a Forge call, such as
      `forge.split` and `forge.strided_slice`. Passes lower these ops.
    - *Call level*, before Python is printed. At this level, each op is printed as exactly one `forge.op.*` call. The
      exceptions are weights and constants (`forge.parameter`, `forge.constant`), calls of partitions (`forge.run`), and
      arithmetic on weights, which is evaluated when the weights file is written.

    **Calls.** The attributes of an op have the names of the keyword arguments of its call. Negative axes count from the
    last axis.

    **Constraints.** The constraints of an op are numbered (C1), (C2), ... Error messages of the verifier contain these
    numbers. A constraint has one of three reasons: Forge's Python function asserts it, the device's compiler requires
    it, or results would be wrong without it.

    Some ops cannot be used in a program, because the call raises an error, or because the device's compiler cannot
    lower it. The summary of such an op says so, and `--forge-verify-emittable` refuses the op.

    **Images.** With `channel_last`, the axes of images are (N, H, W, C), otherwise (N, C, H, W).

    **Effects.** Ops are pure, except `forge.run`, `forge.fill_cache` and `forge.update_cache`. An op that replaces a
    part of an operand (`forge.fill_cache`, `forge.update_cache`, `forge.index_copy`) implements
    `DestinationStyleOpInterface`.

    **Folding.** Two reshapes, transposes or lossless casts that undo each other are folded. Most ops that return their
    operand unchanged are folded, too, but not `forge.identity`.

    An op whose operands are constants is evaluated if its list of interfaces contains `Forge_Evaluates` or
    `Forge_KeepsElements`. In C++, both are `ConstantEvaluationOpInterface`. `forge.log` and `forge.reciprocal` are not
    evaluated, because Forge adds 1e-10 to their operand.

    **Types.** All tensors have static shapes. Elements are floats of 8, 16, 32 and 64 bits, integers of 4, 8, 16, 32
    and 64 bits, booleans (`i1`), and complex numbers. Signed integers have signless types (`i32`), and unsigned
    integers have unsigned types (`ui8`). `--forge-legalize-types` leaves only the types of the device, which are f32,
    f16, bf16 and i32, with rank 1 or more.

    **Bytecode.** The dialect has a version. Bytecode of older versions can be read. Bytecode of newer versions is
    refused.

    **Text.** An op is printed as its operands, its attributes, its discardable attributes in braces, and its types. The
    section *Syntax* of each op has these directives:

    - `custom<Flag>`: the name of a boolean attribute, printed only if the attribute is true
    - `custom<Unless>`: the name and value of an attribute, printed unless the value is the default. The last argument
      of the directive is the default
    - `custom<Word>`: a string attribute, printed without quotes
    - `custom<Range>`, `custom<Ranges>`: slices, printed as `[start:stop:stride]`, without `:stride` if it is 1
    - `custom<Types>`: one type if all operands and the result have the same type, otherwise a function type

    ```mlir
    func.func @row(%x: tensor<1x6x8xf32>) -> tensor<1x1x4xf32> {
      %0 = forge.relu %x : tensor<1x6x8xf32>
      %1 = forge.index %0 dim -1 [0:8:2] : (tensor<1x6x8xf32>) -> tensor<1x6x4xf32>
      %2 = forge.reduce_avg %1 dim -2 keep_dim : (tensor<1x6x4xf32>) -> tensor<1x1x4xf32>
      return %2 : tensor<1x1x4xf32>
    }
    ```
  }];
}

def Forge_Element : AnyTypeOf<[
  F32, F16, BF16, F64, F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ, I1, I<4>, I8, I16, I32, I64, UI<4>, UI8, UI16, UI32, UI64,
  Complex<F32>, Complex<F64>]>;
def Forge_Tensor : ConfinedType<
    StaticShapeTensorOf<[Forge_Element]>,
    [CPred<"::forge::isCountable(::llvm::cast<::mlir::RankedTensorType>($_self).getShape())">],
    "statically shaped tensor of a supported element type, with fewer than 2^63 elements", "::mlir::RankedTensorType">;

// A signed integer. The C++ getter of MLIR's own I64Attr is unsigned.
def Forge_IntAttr : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit signed integer attribute"> {
  let convertFromStorage = "$_self.getInt()";
}

class Forge_Enum<string name, string summary, list<I32EnumCase> cases> : I32Enum<name, summary, cases> {
  let cppNamespace = "::forge";
}

// An attribute with one of the cases of an enum. C++ reads and builds it as the enum. It is stored as the word of the
// case, because IR in which this dialect is not registered, as that of the Python bindings, has no other name for it.
// Types are inferred before attributes are verified; until the verifier refuses it, an unknown word is the first case.
class Forge_EnumAttr<EnumInfo info> : ConfinedAttr<StrAttr, [AttrConstraint<
  CPred<info.cppNamespace # "::" # info.stringToSymbolFnName #
        "(::llvm::cast<::mlir::StringAttr>($_self).getValue()).has_value()">,
  "one of '" # !interleave(!foreach(each, info.enumerants, each.str), "', '") # "'">]> {
  string cppEnum = info.cppNamespace # "::" # info.className;
  let returnType = cppEnum;
  let convertFromStorage = info.cppNamespace # "::" # info.stringToSymbolFnName # "($_self.getValue()).value_or(" #
                           cppEnum # "())";
  let constBuilderCall = "$_builder.getStringAttr(" # info.cppNamespace # "::" # info.symbolToStringFnName # "($0))";
}

// An attribute that is not printed if it has this default `value`, a C++ expression.
class Forge_Unless<Attr attr, string value> : ConfinedAttr<attr, []> {
  string usual = value;
}

// How an attribute is printed in the text of its op: `name value`, or `name` alone for a boolean that is true.
class Forge_AttrText<string name, Constraint constraint> {
  string text = !cond(
    !not(!isa<Attr>(constraint)) : "",
    !eq(constraint, BoolAttr) : "`` custom<Flag>($" # name # ", \"\\\"" # name # "\\\"\") ",
    !isa<Forge_Unless>(constraint) : "`` custom<Unless>($" # name # ", \"\\\"" # name # "\\\"\", \"" #
                                     !cast<Forge_Unless>(constraint).usual # "\") ",
    !isa<Forge_EnumAttr>(constraint) : "`" # name # "` custom<Word>($" # name # ") ",
    !isa<OptionalAttr>(constraint) : "(`" # name # "` $" # name # "^)? ",
    true : "`" # name # "` $" # name # " ");
}

// The assembly format of an op: operands, attributes in the order of the record, discardable attributes and types. Equal
// types are printed once; variadic ops always have a function type.
class Forge_OpText<dag arguments> {
  list<int> all = !range(!size(arguments));
  string attributes = !interleave(
    !foreach(i, all, Forge_AttrText<!getdagname(arguments, i), !getdagarg<Constraint>(arguments, i)>.text), "");
  list<int> operands = !filter(i, all, !not(!isa<Attr>(!getdagarg<Constraint>(arguments, i))));
  bit hasAttributes = !lt(!size(operands), !size(all));
  string start = !if(!empty(operands), "", "operands ");
  bit isFixed = !empty(!filter(i, operands, !ne(!getdagarg<Constraint>(arguments, i), Forge_Tensor)));
  string types = !if(isFixed,
    "custom<Types>(" # !interleave(!foreach(i, operands, "type($" # !getdagname(arguments, i) # "), "), "") #
      "type($result))",
    "functional-type(operands, results)");
}

// Writes attributes to bytecode by name, so that attributes can be added to a record.
class Forge_Bytecode<bit hasAttributes> {
  code definition = !if(hasAttributes, [{
    ::llvm::LogicalResult $cppClass::readProperties(::mlir::DialectBytecodeReader &reader, ::mlir::OperationState &state) {
      return ::forge::detail::readProperties<$cppClass>(reader, state);
    }
    void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
      ::forge::detail::writeProperties(writer, getOperation());
    }
  }], "");
}

// Every op infers its result type. `inferType` checks the numbered constraints, and the verifier calls it.
//   range       the interval of the results as a C++ expression (Interval.h) of those of the `operands`. By default it is
//               unbounded, so that integers may overflow
class Forge_Op<string opMnemonic, list<Trait> traits = [], list<Trait> effects = [Pure]>
    : Op<Forge_Dialect, opMnemonic, traits # effects # [IntervalOpInterface]> {
  let results = (outs Forge_Tensor:$result);
  string attributesText = Forge_OpText<arguments>.attributes;
  string typesText = Forge_OpText<arguments>.types;
  let assemblyFormat = Forge_OpText<arguments>.start # attributesText # "attr-dict `:` " # typesText;
  let useCustomPropertiesEncoding = 1;
  code defineBytecode = Forge_Bytecode<Forge_OpText<arguments>.hasAttributes>.definition;
  let hasFolder = 1;
  code defineFold = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::forge::detail::fold(getOperation(), adaptor.getOperands());
    }
  }];
  code declareInferType = [{
    // The result type, or a diagnostic that names the broken constraint.
    static ::mlir::FailureOr<::mlir::RankedTensorType> inferType(Adaptor op, const ::forge::Inference &infer);
  }];
  string range = "::forge::Interval()";
  code declareRange = [{
    ::forge::Interval inferRange([[maybe_unused]] ::llvm::ArrayRef<::forge::Interval> operands) {
      return }] # range # [{;
    }
  }];
  let extraClassDeclaration = declareRange;
  code defineOp = defineBytecode # defineFold # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> location,
                                                      Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      auto type = inferType(adaptor, {location, getOperationName()});
      if (failed(type))
        return ::mlir::failure();
      types.assign({*type});
      return ::mlir::success();
    }
  }];
}

class Forge_InferOp<string opMnemonic, list<Trait> traits = []> : Forge_Op<opMnemonic, traits # [InferTypeOpAdaptor]> {
  let extraClassDeclaration = declareInferType # declareRange;
  let extraClassDefinition = defineOp;
}

// Each element of the result depends on one element of each operand, with broadcasting. Dropout does not have this
// trait, because its random elements depend on their number, nor has identity, which names a tensor.
def Forge_Elementwise : NativeOpTrait<"Elementwise"> { let cppNamespace = "::forge::traits"; }

// An op that is one call of a Forge function.
//   function    the Python callee, below `forge.op`
//   lowering    the TTIR op to which the device's compiler lowers it, or "" if it cannot
//   tuples      integer-list arguments that Forge requires as tuples; the others are printed as lists
//   padding     how its kernel treats tile padding (a TilePaddingRow); Opaque assumes nothing. An op whose kernel is
//               elementwise has the trait Elementwise.
//   kernels     the number of TTNN calls of the op alone, with changes of layout (docs/cost.md)
class Forge_CallOp<string opMnemonic, string function, string lowering, list<Trait> own = [],
                   list<Trait> effects = [Pure]>
    : Forge_Op<opMnemonic, own # [InferTypeOpAdaptor, ForgeCallOpInterface, TilePaddingOpInterface], effects> {
  list<string> tuples = [];
  string padding = "Opaque";
  bit isElementwise = !or(!eq(padding, "Elementwise"), !eq(padding, "IntegerDivision"));
  let traits = own # effects #
               [IntervalOpInterface, InferTypeOpAdaptor, ForgeCallOpInterface, TilePaddingOpInterface] #
               !if(isElementwise, [Forge_Elementwise], []);
  int kernels = 1;
  code declareCall = [{
    static ::llvm::StringRef getCallee() { return "forge.op.}] # function # [{"; }
    static ::llvm::StringRef getDeviceLowering() { return "}] # lowering # [{"; }
    static ::llvm::ArrayRef<::llvm::StringRef> getArgumentOrder() {
      static constexpr ::llvm::StringLiteral names[] = {"}] #
        !interleave(!foreach(i, !range(!size(arguments)), !getdagname(arguments, i)), "\", \"") # [{"};
      static const ::llvm::SmallVector<::llvm::StringRef> order(std::begin(names), std::end(names));
      return order;
    }
    static bool isTuple(::llvm::StringRef argument) {
      return argument == "}] # !interleave(tuples, "\" || argument == \"") # [{";
    }
    static ::forge::TilePaddingRow getTilePaddingRow() { return ::forge::TilePaddingRow::}] # padding # [{; }
    static int64_t getKernels() { return }] # kernels # [{; }
  }];
  let extraClassDeclaration = declareInferType # declareRange # declareCall;
  let extraClassDefinition = defineOp;
}

#endif
