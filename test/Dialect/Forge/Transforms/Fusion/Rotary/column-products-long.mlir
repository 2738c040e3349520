// A chain of many additions before movement of columns takes no stack and little time.
// RUN: %python -c "print('func.func @f(%%x: tensor<4x8xf32>) -> tensor<4x8xf32> {\n%%0 = forge.relu %%x : tensor<4x8xf32>'); [print(f'%%{i + 1} = forge.add %%{i}, %%x : tensor<4x8xf32>') for i in range(100000)]; print('%%a = forge.index %%100000 dim -1 [0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>\n%%b = forge.index %%100000 dim -1 [4:8] : (tensor<4x8xf32>) -> tensor<4x4xf32>\n%%y = forge.concatenate %%b, %%a axis -1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>\nreturn %%y : tensor<4x8xf32>\n}')" > %t.mlir
// RUN: forge-opt %t.mlir --forge-column-products=fast-math=zero-products | FileCheck %s

// CHECK-LABEL: func.func @f(
//       CHECK: forge.concatenate
