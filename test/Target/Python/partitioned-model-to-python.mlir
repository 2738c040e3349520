// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices),forge-partition,onnx-to-forge-pipeline)" -mlir-print-debuginfo -o %t
// RUN: forge-translate --forge-to-python --forge-module-name=net %t | FileCheck %s
// RUN: forge-translate --forge-to-python --forge-module-name=net %t | %compile
// RUN: forge-translate --forge-to-manifest --forge-module-name=net %t | FileCheck %s --check-prefix=MANIFEST
// RUN: forge-translate --forge-to-python --forge-module-name=device0_device0_device0_device0_device0_device0_device0_device0 %t | FileCheck %s --check-prefix=LONG

// CHECK: """Model Net, compiled from ONNX by forge-mlir: 2 partitions, each on the device or on the CPU.
// CHECK: return PartitionedModel.open(Path(__file__).with_suffix(".json"), trust_edits=trust_edits)
// CHECK: # ----- net_device0.py
// CHECK: class NetDevice0(ForgeModule):
// CHECK: def forward(self, ids):
// CHECK: # ----- net_cpu1.py
// CHECK: class NetCpu1(torch.nn.Module):
// CHECK: self.graph = OnnxSubgraph(Path(__file__).with_suffix(".onnx"))
// CHECK: def forward(self, hidden_1):
// CHECK-NEXT: return self.graph(hidden_1)

// The shortened name of the first partition would be that of the model.
// LONG: # ----- {{.*}}_device0_device0_1.py

// MANIFEST: "inputs": [
// MANIFEST-NEXT: 0
// MANIFEST: "onnx_name": "out",
// MANIFEST-NEXT: "value": 2
// MANIFEST: "kind": "device",
// MANIFEST-NEXT: "module": "net_device0",
// MANIFEST: "kind": "cpu",
// MANIFEST-NEXT: "module": "net_cpu1",
// MANIFEST: "name": "foo",
// MANIFEST-NEXT: "op": "Foo",
// MANIFEST-NEXT: "reason": "there is no converter for this op",
// MANIFEST-NEXT: "results": [
// MANIFEST-NEXT: "out",
// MANIFEST-NEXT: ""
// MANIFEST: "dtype": "si64",
func.func @main(%x: !torch.vtensor<[4],si64> {forge.onnx_name = "ids"}) -> (!torch.vtensor<[4],f32> {forge.onnx_name = "out"})
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Add"(%x, %x) {torch.onnx_meta.results = ["hidden/1"]} : (!torch.vtensor<[4],si64>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64> loc("add")
  %1 = torch.operator "onnx.Foo"(%0) {torch.onnx_meta.results = ["out", 1 : i32]} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32> loc("foo")
  return %1 : !torch.vtensor<[4],f32>
}
