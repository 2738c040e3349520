//===- Constraints.td - what patterns of several passes ask ---------*- tablegen -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_CONSTRAINTS_TD
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_CONSTRAINTS_TD

include "mlir/IR/PatternBase.td"

class Holds<string test, string summary> : Constraint<CPred<test>, summary>;

def SameType : Holds<"$0.getType() == $1.getType()", "have one type">;
def IsFloat32 : Holds<"tensorType($0).getElementType().isF32()", "is Float32">;

#endif
