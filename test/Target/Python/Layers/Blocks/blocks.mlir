// Groups of calls that are equal except for names and shapes become one method (a block). Its argument is the node from
// which its calls come, their scope, or a tuple of all nodes. No block is made if a value within it has another user,
// or with --forge-write-flat.
// RUN: split-file %s %t
// RUN: forge-translate %t/node.mlir --forge-to-python | FileCheck %s --check-prefix=NODE
// RUN: forge-translate %t/value-nodes.mlir --forge-to-python | FileCheck %s --check-prefix=VALUE-NODES
// RUN: forge-translate %t/value-scope.mlir --forge-to-python | FileCheck %s --check-prefix=VALUE-SCOPE
// RUN: forge-translate %t/node.mlir --forge-to-python | %compile
// RUN: forge-translate %t/scope.mlir --forge-to-python | FileCheck %s --check-prefix=SCOPE
// RUN: forge-translate %t/scope.mlir --forge-to-python | %compile
// RUN: forge-translate %t/tuple.mlir --forge-to-python | FileCheck %s --check-prefix=TUPLE
// RUN: forge-translate %t/tuple.mlir --forge-to-python | %compile
// RUN: forge-translate %t/read.mlir --forge-to-python | FileCheck %s --check-prefix=READ
// RUN: forge-opt %t/node.mlir --forge-write-flat -mlir-print-debuginfo | forge-translate --forge-to-python | FileCheck %s --check-prefix=READ

// NODE: in_norm_layernormalization = self.layernormalization_block(x, constant_1e_05, "/in_norm/LayerNormalization")
// NODE-NEXT: out_norm_layernormalization = self.layernormalization_block(y, constant_1e_05, "/out_norm/LayerNormalization")
// NODE-NEXT: return in_norm_layernormalization, out_norm_layernormalization
// NODE-EMPTY:
// NODE-NEXT: def layernormalization_block(self, x, constant_1e_05, node):
// NODE-NEXT: """A block of calls that occurs 2 times."""
// NODE-NEXT: reduce_avg = forge.op.ReduceAvg("", x, dim=-1, keep_dim=True).set_src_layer(node)
// NODE-NEXT: subtract = forge.op.Subtract("", x, reduce_avg).set_src_layer(node)
// NODE-NEXT: multiply = forge.op.Multiply("", subtract, subtract).set_src_layer(node)
// NODE-NEXT: reduce_avg_1 = forge.op.ReduceAvg("", multiply, dim=-1, keep_dim=True).set_src_layer(node)
// NODE-NEXT: add = forge.op.Add("", reduce_avg_1, constant_1e_05).set_src_layer(node)
// NODE-NEXT: sqrt = forge.op.Sqrt("", add).set_src_layer(node)
// NODE-NEXT: divide = forge.op.Divide("", subtract, sqrt).set_src_layer(node)
// NODE-NEXT: release(reduce_avg, multiply, reduce_avg_1, add, subtract, sqrt)
// NODE-NEXT: return divide

// A value of the model may have the name of the parameter for the node.
// VALUE-NODES: def block(self, x, nodes_1, nodes):
// VALUE-NODES: forge.op.Multiply("", x, nodes_1).set_src_layer(nodes[0])
// VALUE-SCOPE: def block(self, x, scope_1, scope):
// VALUE-SCOPE: forge.op.Multiply("", x, scope_1).set_src_layer(f"{scope}/k0")

// SCOPE: x_in_norm_div = self.norm_block(x, constant_1e_05, f"/{{{{}}x}}/in_norm")
// SCOPE-NEXT: norm_div = self.norm_block(y, constant_1e_05, "/norm")
// SCOPE: def norm_block(self, x, constant_1e_05, scope):
// SCOPE: mean = forge.op.ReduceAvg("", x, dim=-1, keep_dim=True).set_src_layer(f"{scope}/Mean")
// SCOPE: div = forge.op.Divide("", sub, sqrt).set_src_layer(f"{scope}/Div")

// TUPLE: a_6 = self.block(x, constant_1e_05, ("node_a_0", "node_a_1", "node_a_2", "node_a_3", "node_a_4", "node_a_5", "node_a_6"))
// TUPLE: def block(self, x, constant_1e_05, nodes):
// TUPLE: reduce_avg = forge.op.ReduceAvg("", x, dim=-1, keep_dim=True).set_src_layer(nodes[0])
// TUPLE: divide = forge.op.Divide("", subtract, sqrt).set_src_layer(nodes[6])

// READ-NOT: self.{{[a-z]*}}block
// READ: return

//--- node.mlir
func.func @main(%x: tensor<4x8xf32> loc("x"), %y: tensor<2x4x8xf32> loc("y")) -> (tensor<4x8xf32>, tensor<2x4x8xf32>) {
  %eps = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %am = forge.reduce_avg %x dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %as = forge.subtract %x, %am : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("/in_norm/LayerNormalization")
  %ap = forge.multiply %as, %as : tensor<4x8xf32> loc("/in_norm/LayerNormalization")
  %av = forge.reduce_avg %ap dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %ae = forge.add %av, %eps : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %aq = forge.sqrt %ae : tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %a = forge.divide %as, %aq : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("/in_norm/LayerNormalization")
  %bm = forge.reduce_avg %y dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %bs = forge.subtract %y, %bm : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("/out_norm/LayerNormalization")
  %bp = forge.multiply %bs, %bs : tensor<2x4x8xf32> loc("/out_norm/LayerNormalization")
  %bv = forge.reduce_avg %bp dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %be = forge.add %bv, %eps : (tensor<2x4x1xf32>, tensor<1xf32>) -> tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %bq = forge.sqrt %be : tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %b = forge.divide %bs, %bq : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("/out_norm/LayerNormalization")
  return %a, %b : tensor<4x8xf32>, tensor<2x4x8xf32>
}

//--- scope.mlir
func.func @main(%x: tensor<4x8xf32> loc("x"), %y: tensor<2x4x8xf32> loc("y")) -> (tensor<4x8xf32>, tensor<2x4x8xf32>) {
  %eps = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %am = forge.reduce_avg %x dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("/{x}/in_norm/Mean")
  %as = forge.subtract %x, %am : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("/{x}/in_norm/Sub")
  %ap = forge.multiply %as, %as : tensor<4x8xf32> loc("/{x}/in_norm/Mul")
  %av = forge.reduce_avg %ap dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("/{x}/in_norm/Mean_1")
  %ae = forge.add %av, %eps : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32> loc("/{x}/in_norm/Add")
  %aq = forge.sqrt %ae : tensor<4x1xf32> loc("/{x}/in_norm/Sqrt")
  %a = forge.divide %as, %aq : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("/{x}/in_norm/Div")
  %bm = forge.reduce_avg %y dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("/norm/Mean")
  %bs = forge.subtract %y, %bm : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("/norm/Sub")
  %bp = forge.multiply %bs, %bs : tensor<2x4x8xf32> loc("/norm/Mul")
  %bv = forge.reduce_avg %bp dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("/norm/Mean_1")
  %be = forge.add %bv, %eps : (tensor<2x4x1xf32>, tensor<1xf32>) -> tensor<2x4x1xf32> loc("/norm/Add")
  %bq = forge.sqrt %be : tensor<2x4x1xf32> loc("/norm/Sqrt")
  %b = forge.divide %bs, %bq : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("/norm/Div")
  return %a, %b : tensor<4x8xf32>, tensor<2x4x8xf32>
}

//--- tuple.mlir
func.func @main(%x: tensor<4x8xf32> loc("x"), %y: tensor<2x4x8xf32> loc("y")) -> (tensor<4x8xf32>, tensor<2x4x8xf32>) {
  %eps = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %am = forge.reduce_avg %x dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("node_a_0")
  %as = forge.subtract %x, %am : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("node_a_1")
  %ap = forge.multiply %as, %as : tensor<4x8xf32> loc("node_a_2")
  %av = forge.reduce_avg %ap dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("node_a_3")
  %ae = forge.add %av, %eps : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32> loc("node_a_4")
  %aq = forge.sqrt %ae : tensor<4x1xf32> loc("node_a_5")
  %a = forge.divide %as, %aq : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("node_a_6")
  %bm = forge.reduce_avg %y dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("node_b_0")
  %bs = forge.subtract %y, %bm : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("node_b_1")
  %bp = forge.multiply %bs, %bs : tensor<2x4x8xf32> loc("node_b_2")
  %bv = forge.reduce_avg %bp dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("node_b_3")
  %be = forge.add %bv, %eps : (tensor<2x4x1xf32>, tensor<1xf32>) -> tensor<2x4x1xf32> loc("node_b_4")
  %bq = forge.sqrt %be : tensor<2x4x1xf32> loc("node_b_5")
  %b = forge.divide %bs, %bq : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("node_b_6")
  return %a, %b : tensor<4x8xf32>, tensor<2x4x8xf32>
}

//--- read.mlir
func.func @main(%x: tensor<4x8xf32> loc("x"), %y: tensor<2x4x8xf32> loc("y")) -> (tensor<4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %eps = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %am = forge.reduce_avg %x dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %as = forge.subtract %x, %am : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("/in_norm/LayerNormalization")
  %ap = forge.multiply %as, %as : tensor<4x8xf32> loc("/in_norm/LayerNormalization")
  %av = forge.reduce_avg %ap dim -1 keep_dim : (tensor<4x8xf32>) -> tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %ae = forge.add %av, %eps : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %aq = forge.sqrt %ae : tensor<4x1xf32> loc("/in_norm/LayerNormalization")
  %a = forge.divide %as, %aq : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32> loc("/in_norm/LayerNormalization")
  %bm = forge.reduce_avg %y dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %bs = forge.subtract %y, %bm : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("/out_norm/LayerNormalization")
  %bp = forge.multiply %bs, %bs : tensor<2x4x8xf32> loc("/out_norm/LayerNormalization")
  %bv = forge.reduce_avg %bp dim -1 keep_dim : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %be = forge.add %bv, %eps : (tensor<2x4x1xf32>, tensor<1xf32>) -> tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %bq = forge.sqrt %be : tensor<2x4x1xf32> loc("/out_norm/LayerNormalization")
  %b = forge.divide %bs, %bq : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32> loc("/out_norm/LayerNormalization")
  return %a, %b, %bs : tensor<4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

//--- value-nodes.mlir
func.func @main(%x: tensor<4x8xf32> loc("x"), %nodes: tensor<4x8xf32> loc("nodes")) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a0 = forge.multiply %x, %nodes : tensor<4x8xf32> loc("a_0")
  %a1 = forge.relu %a0 : tensor<4x8xf32> loc("a_1")
  %a2 = forge.tanh %a1 : tensor<4x8xf32> loc("a_2")
  %a3 = forge.abs %a2 : tensor<4x8xf32> loc("a_3")
  %a4 = forge.exp %a3 : tensor<4x8xf32> loc("a_4")
  %a5 = forge.sqrt %a4 : tensor<4x8xf32> loc("a_5")
  %a6 = forge.sigmoid %a5 : tensor<4x8xf32> loc("a_6")
  %ao = forge.cosine %a6 : tensor<4x8xf32> loc("o")
  %b0 = forge.multiply %ao, %nodes : tensor<4x8xf32> loc("b_0")
  %b1 = forge.relu %b0 : tensor<4x8xf32> loc("b_1")
  %b2 = forge.tanh %b1 : tensor<4x8xf32> loc("b_2")
  %b3 = forge.abs %b2 : tensor<4x8xf32> loc("b_3")
  %b4 = forge.exp %b3 : tensor<4x8xf32> loc("b_4")
  %b5 = forge.sqrt %b4 : tensor<4x8xf32> loc("b_5")
  %b6 = forge.sigmoid %b5 : tensor<4x8xf32> loc("b_6")
  return %ao, %b6 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- value-scope.mlir
func.func @main(%x: tensor<4x8xf32> loc("x"), %nodes: tensor<4x8xf32> loc("scope")) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a0 = forge.multiply %x, %nodes : tensor<4x8xf32> loc("/a/k0")
  %a1 = forge.relu %a0 : tensor<4x8xf32> loc("/a/k1")
  %a2 = forge.tanh %a1 : tensor<4x8xf32> loc("/a/k2")
  %a3 = forge.abs %a2 : tensor<4x8xf32> loc("/a/k3")
  %a4 = forge.exp %a3 : tensor<4x8xf32> loc("/a/k4")
  %a5 = forge.sqrt %a4 : tensor<4x8xf32> loc("/a/k5")
  %a6 = forge.sigmoid %a5 : tensor<4x8xf32> loc("/a/k6")
  %ao = forge.cosine %a6 : tensor<4x8xf32> loc("o")
  %b0 = forge.multiply %ao, %nodes : tensor<4x8xf32> loc("/b/k0")
  %b1 = forge.relu %b0 : tensor<4x8xf32> loc("/b/k1")
  %b2 = forge.tanh %b1 : tensor<4x8xf32> loc("/b/k2")
  %b3 = forge.abs %b2 : tensor<4x8xf32> loc("/b/k3")
  %b4 = forge.exp %b3 : tensor<4x8xf32> loc("/b/k4")
  %b5 = forge.sqrt %b4 : tensor<4x8xf32> loc("/b/k5")
  %b6 = forge.sigmoid %b5 : tensor<4x8xf32> loc("/b/k6")
  return %ao, %b6 : tensor<4x8xf32>, tensor<4x8xf32>
}
