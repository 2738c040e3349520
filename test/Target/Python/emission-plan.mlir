// Hostile names are escaped: identifiers are ASCII and unique, and strings are escaped.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile
// RUN: forge-translate %s --forge-to-python | %python -c "import ast, sys; t = ast.parse(sys.stdin.read()); sys.exit(any(isinstance(n, ast.Name) and n.id in ('__import__', 'exec', 'eval') for n in ast.walk(t)))"
// RUN: forge-translate %s --forge-to-python | %python -c "import sys; sys.exit(0 if sys.stdin.buffer.read().isascii() else 1)"
// RUN: forge-translate %s --forge-to-manifest | %python -c "import json, sys; m = json.load(sys.stdin); assert [w['onnx_name'] for w in m['weights']][0] == 'w\"\\\\\n\"\"\"#'"
// The printed module parses to the same module.
// RUN: forge-opt %s --mlir-print-debuginfo -o %t.1 && forge-opt %t.1 --mlir-print-debuginfo -o %t.2 && %python -c "import sys; sys.exit(open(sys.argv[1]).read() != open(sys.argv[2]).read())" %t.1 %t.2

// The name of the module: neither a path nor a keyword.
// CHECK: """Forge module EtcXImportOs
// CHECK: b_a_exec_1: float32 [2], ONNX 'b, a=exec(\"1\")'
// CHECK: args: float32 [2], ONNX '*args'
// CHECK: x_int: float32 [2], ONNX 'x: int'
// CHECK: class EtcXImportOs(ForgeModule):
// CHECK: self.add_parameter("w\"\\\x0a\"\"\"#", forge.Parameter(2,
// Names of weights that Forge generates itself are not used.
// CHECK: self.add_parameter("Add_3_weight", forge.Parameter(2,
// CHECK: self.add_parameter("matmul_0_weight", forge.Parameter(2,
// CHECK: self.add_parameter("__metadata___1", forge.Parameter(2,
// A weight with the name of an input.
// CHECK: self.add_parameter("args_1", forge.Parameter(2,
// Names that are not valid UTF-8 cannot be keys.
// CHECK: self.add_parameter("w_2", forge.Parameter(2,
// CHECK: def forward(self, b_a_exec_1, args, x_int, x, x_1, matmul_7_input):
func.func @"../../etc/x\22); __import__(\22os\22)"(
    %arg0: tensor<2xf32> {forge.onnx_name = "b, a=exec(\221\22)"}, %arg1: tensor<2xf32> {forge.onnx_name = "*args"},
    %arg2: tensor<2xf32> loc("x: int"), %arg3: tensor<2xf32> loc("\EF\AC\81\00"), %arg4: tensor<2xf32> loc("x"),
    %arg5: tensor<2xf32> loc("MatMul_7"))
    -> (tensor<2xf32> {forge.onnx_name = "\22\22\22\0D\0Aimport os"}) {
  %w = forge.parameter "k0" : tensor<2xf32> loc("w\22\\\0A\22\22\22#")
  %a3 = forge.parameter "k1" : tensor<2xf32> loc("Add_3")
  %m = forge.parameter "k2" : tensor<2xf32> loc("matmul_0")
  %md = forge.parameter "k3" : tensor<2xf32> loc("__metadata__")
  %in = forge.parameter "k4" : tensor<2xf32> loc("args")
  %bytes = forge.parameter "k5" : tensor<2xf32> loc("w\FF2")
  // CHECK-NEXT: x_import_os_system_echo_str = forge.op.Add("", b_a_exec_1, self.get_parameter("w\"\\\x0a\"\"\"#")).set_src_layer("x\"), __import__(\"os\").system(\"echo\"), str(\"")
  %0 = forge.add %arg0, %w : tensor<2xf32> loc("x\22), __import__(\22os\22).system(\22echo\22), str(\22")
  // A carriage return would end a comment, NUL is not allowed in source text, and U+202E reverses the text that follows
  // it.
  // CHECK-NEXT: a_b = forge.op.Relu("", args).set_src_layer("a\x0d\x00\u202eb")
  %1 = forge.relu %arg1 : tensor<2xf32> loc("a\0D\00\E2\80\AEb")
  // Invalid UTF-8, as Python's surrogateescape represents it.
  // CHECK-NEXT: a_b_1 = forge.op.Relu("", x_int).set_src_layer("a\udcffb")
  %2 = forge.relu %arg2 : tensor<2xf32> loc("a\FFb")
  // Different names whose identifiers would be equal stay different.
  // CHECK-NEXT: a_b_2 = forge.op.Relu("", x).set_src_layer("a.b")
  %3 = forge.relu %arg3 : tensor<2xf32> loc("a.b")
  // CHECK-NEXT: a_b_1_1 = forge.op.Relu("", x_1).set_src_layer("a_b_1")
  %4 = forge.relu %arg4 : tensor<2xf32> loc("a_b_1")
  // Keywords, names of the module, private names, leading digits, and characters of other scripts.
  // CHECK: lambda_op = {{.*}}.set_src_layer("lambda")
  %5 = forge.add %0, %1 : tensor<2xf32> loc("lambda")
  // CHECK: none_op = {{.*}}.set_src_layer("None")
  %6 = forge.add %5, %2 : tensor<2xf32> loc("None")
  // CHECK: self_op = {{.*}}.set_src_layer("self")
  %7 = forge.add %6, %3 : tensor<2xf32> loc("self")
  // CHECK: forge_op = {{.*}}.set_src_layer("forge")
  %8 = forge.add %7, %4 : tensor<2xf32> loc("forge")
  // CHECK: x_2 = {{.*}}.set_src_layer("__x")
  %9 = forge.add %8, %a3 : tensor<2xf32> loc("__x")
  // CHECK: add_7up = {{.*}}.set_src_layer("7up")
  %10 = forge.add %9, %m : tensor<2xf32> loc("7up")
  // CHECK: add = {{.*}}.set_src_layer("\U0001d431")
  %11 = forge.add %10, %md : tensor<2xf32> loc("\F0\9D\90\B1")
  // CHECK: s_script = {{.*}}.set_src_layer("{}%s<script>")
  %12 = forge.add %11, %in : tensor<2xf32> loc("{}%s<script>")
  // CHECK: y = {{.*}}.set_src_layer("y")
  %13 = forge.add %12, %bytes : tensor<2xf32> loc("y")
  return %13 : tensor<2xf32>
}
