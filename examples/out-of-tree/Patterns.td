//===- Patterns.td - rewrites of forge ops ------------------------*- tablegen -*-===//

include "mlir/IR/PatternBase.td"
include "forge/Dialect/Forge/IR/ForgeOps.td"

// A number that is not negative stays what it is.
def ReluOfRelu : Pat<(Forge_ReluOp (Forge_ReluOp:$inner $x)), (replaceWithValue $inner)>;
def ReluOfSigmoid : Pat<(Forge_ReluOp (Forge_SigmoidOp:$inner $x)), (replaceWithValue $inner)>;
