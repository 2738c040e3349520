// The weights of two merged layers are swapped.
// PASS: forge-join-recurrent
// FLOAT64: found

module {
  func.func @equal_operands(%arg0: tensor<6x2x3xf32>, %arg1: tensor<6x2x3xf32>, %arg2: tensor<1x2x3xf32>, %arg3: tensor<1x2x3xf32>, %arg4: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
    %0 = forge.parameter "wa" : tensor<9x3xf32>
    %1 = forge.parameter "wb" : tensor<9x3xf32>
    %2 = forge.index %arg0 dim -3 [0:1] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %3 = forge.concatenate %2, %arg2, %arg2 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %4 = forge.matmul %3, %0 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %5 = forge.tanh %4 : tensor<1x2x3xf32>
    %6 = forge.index %arg0 dim -3 [1:2] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %7 = forge.concatenate %6, %arg2, %arg2 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %8 = forge.matmul %7, %0 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %9 = forge.add %8, %5 : tensor<1x2x3xf32>
    %10 = forge.tanh %9 : tensor<1x2x3xf32>
    %11 = forge.index %arg0 dim -3 [2:3] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %12 = forge.concatenate %11, %arg2, %arg2 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %13 = forge.matmul %12, %0 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %14 = forge.add %13, %10 : tensor<1x2x3xf32>
    %15 = forge.tanh %14 : tensor<1x2x3xf32>
    %16 = forge.index %arg0 dim -3 [3:4] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %17 = forge.concatenate %16, %arg2, %arg2 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %18 = forge.matmul %17, %0 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %19 = forge.add %18, %15 : tensor<1x2x3xf32>
    %20 = forge.tanh %19 : tensor<1x2x3xf32>
    %21 = forge.index %arg0 dim -3 [4:5] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %22 = forge.concatenate %21, %arg2, %arg2 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %23 = forge.matmul %22, %0 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %24 = forge.add %23, %20 : tensor<1x2x3xf32>
    %25 = forge.tanh %24 : tensor<1x2x3xf32>
    %26 = forge.index %arg0 dim -3 [5:6] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %27 = forge.concatenate %26, %arg2, %arg2 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %28 = forge.matmul %27, %0 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %29 = forge.add %28, %25 : tensor<1x2x3xf32>
    %30 = forge.tanh %29 : tensor<1x2x3xf32>
    %31 = forge.index %arg1 dim -3 [0:1] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %32 = forge.concatenate %31, %arg3, %arg4 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %33 = forge.matmul %32, %1 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %34 = forge.tanh %33 : tensor<1x2x3xf32>
    %35 = forge.index %arg1 dim -3 [1:2] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %36 = forge.concatenate %35, %arg3, %arg4 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %37 = forge.matmul %36, %1 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %38 = forge.add %37, %34 : tensor<1x2x3xf32>
    %39 = forge.tanh %38 : tensor<1x2x3xf32>
    %40 = forge.index %arg1 dim -3 [2:3] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %41 = forge.concatenate %40, %arg3, %arg4 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %42 = forge.matmul %41, %1 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %43 = forge.add %42, %39 : tensor<1x2x3xf32>
    %44 = forge.tanh %43 : tensor<1x2x3xf32>
    %45 = forge.index %arg1 dim -3 [3:4] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %46 = forge.concatenate %45, %arg3, %arg4 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %47 = forge.matmul %46, %1 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %48 = forge.add %47, %44 : tensor<1x2x3xf32>
    %49 = forge.tanh %48 : tensor<1x2x3xf32>
    %50 = forge.index %arg1 dim -3 [4:5] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %51 = forge.concatenate %50, %arg3, %arg4 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %52 = forge.matmul %51, %1 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %53 = forge.add %52, %49 : tensor<1x2x3xf32>
    %54 = forge.tanh %53 : tensor<1x2x3xf32>
    %55 = forge.index %arg1 dim -3 [5:6] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32>
    %56 = forge.concatenate %55, %arg3, %arg4 axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32>
    %57 = forge.matmul %56, %1 : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32>
    %58 = forge.add %57, %54 : tensor<1x2x3xf32>
    %59 = forge.tanh %58 : tensor<1x2x3xf32>
    return %30, %59 : tensor<1x2x3xf32>, tensor<1x2x3xf32>
  }
}

// -----

module {
  func.func @equal_operands(%arg0: tensor<6x2x3xf32>, %arg1: tensor<6x2x3xf32>, %arg2: tensor<1x2x3xf32>, %arg3: tensor<1x2x3xf32>, %arg4: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
    %0 = forge.parameter "wa" : tensor<9x3xf32>
    %1 = forge.parameter "wb" : tensor<9x3xf32>
    %2 = forge.reshape %arg0 shape [1, 6, 2, 3] : (tensor<6x2x3xf32>) -> tensor<1x6x2x3xf32>
    %3 = forge.reshape %arg1 shape [1, 6, 2, 3] : (tensor<6x2x3xf32>) -> tensor<1x6x2x3xf32>
    %4 = forge.concatenate %2, %3 axis -4 : (tensor<1x6x2x3xf32>, tensor<1x6x2x3xf32>) -> tensor<2x6x2x3xf32>
    %5 = forge.index %4 dim -3 [0:1] : (tensor<2x6x2x3xf32>) -> tensor<2x1x2x3xf32>
    %6 = forge.reshape %arg2 shape [1, 1, 2, 3] : (tensor<1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %7 = forge.reshape %arg3 shape [1, 1, 2, 3] : (tensor<1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %8 = forge.concatenate %6, %7 axis -4 : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>) -> tensor<2x1x2x3xf32>
    %9 = forge.reshape %arg2 shape [1, 1, 2, 3] : (tensor<1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %10 = forge.reshape %arg4 shape [1, 1, 2, 3] : (tensor<1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %11 = forge.concatenate %9, %10 axis -4 : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>) -> tensor<2x1x2x3xf32>
    %12 = forge.concatenate %5, %8, %11 axis -1 : (tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x1x2x9xf32>
    %13 = forge.reshape %0 shape [1, 9, 3] : (tensor<9x3xf32>) -> tensor<1x9x3xf32>
    %14 = forge.reshape %1 shape [1, 9, 3] : (tensor<9x3xf32>) -> tensor<1x9x3xf32>
    %15 = forge.concatenate %14, %13 axis -3 : (tensor<1x9x3xf32>, tensor<1x9x3xf32>) -> tensor<2x9x3xf32>
    %16 = forge.reshape %15 shape [2, 1, 9, 3] : (tensor<2x9x3xf32>) -> tensor<2x1x9x3xf32>
    %17 = forge.matmul %12, %16 : (tensor<2x1x2x9xf32>, tensor<2x1x9x3xf32>) -> tensor<2x1x2x3xf32>
    %18 = forge.tanh %17 : tensor<2x1x2x3xf32>
    %19 = forge.index %4 dim -3 [1:2] : (tensor<2x6x2x3xf32>) -> tensor<2x1x2x3xf32>
    %20 = forge.concatenate %19, %8, %11 axis -1 : (tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x1x2x9xf32>
    %21 = forge.reshape %15 shape [2, 1, 9, 3] : (tensor<2x9x3xf32>) -> tensor<2x1x9x3xf32>
    %22 = forge.matmul %20, %21 : (tensor<2x1x2x9xf32>, tensor<2x1x9x3xf32>) -> tensor<2x1x2x3xf32>
    %23 = forge.add %22, %18 : tensor<2x1x2x3xf32>
    %24 = forge.tanh %23 : tensor<2x1x2x3xf32>
    %25 = forge.index %4 dim -3 [2:3] : (tensor<2x6x2x3xf32>) -> tensor<2x1x2x3xf32>
    %26 = forge.concatenate %25, %8, %11 axis -1 : (tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x1x2x9xf32>
    %27 = forge.reshape %15 shape [2, 1, 9, 3] : (tensor<2x9x3xf32>) -> tensor<2x1x9x3xf32>
    %28 = forge.matmul %26, %27 : (tensor<2x1x2x9xf32>, tensor<2x1x9x3xf32>) -> tensor<2x1x2x3xf32>
    %29 = forge.add %28, %24 : tensor<2x1x2x3xf32>
    %30 = forge.tanh %29 : tensor<2x1x2x3xf32>
    %31 = forge.index %4 dim -3 [3:4] : (tensor<2x6x2x3xf32>) -> tensor<2x1x2x3xf32>
    %32 = forge.concatenate %31, %8, %11 axis -1 : (tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x1x2x9xf32>
    %33 = forge.reshape %15 shape [2, 1, 9, 3] : (tensor<2x9x3xf32>) -> tensor<2x1x9x3xf32>
    %34 = forge.matmul %32, %33 : (tensor<2x1x2x9xf32>, tensor<2x1x9x3xf32>) -> tensor<2x1x2x3xf32>
    %35 = forge.add %34, %30 : tensor<2x1x2x3xf32>
    %36 = forge.tanh %35 : tensor<2x1x2x3xf32>
    %37 = forge.index %4 dim -3 [4:5] : (tensor<2x6x2x3xf32>) -> tensor<2x1x2x3xf32>
    %38 = forge.concatenate %37, %8, %11 axis -1 : (tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x1x2x9xf32>
    %39 = forge.reshape %15 shape [2, 1, 9, 3] : (tensor<2x9x3xf32>) -> tensor<2x1x9x3xf32>
    %40 = forge.matmul %38, %39 : (tensor<2x1x2x9xf32>, tensor<2x1x9x3xf32>) -> tensor<2x1x2x3xf32>
    %41 = forge.add %40, %36 : tensor<2x1x2x3xf32>
    %42 = forge.tanh %41 : tensor<2x1x2x3xf32>
    %43 = forge.index %4 dim -3 [5:6] : (tensor<2x6x2x3xf32>) -> tensor<2x1x2x3xf32>
    %44 = forge.concatenate %43, %8, %11 axis -1 : (tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>, tensor<2x1x2x3xf32>) -> tensor<2x1x2x9xf32>
    %45 = forge.reshape %15 shape [2, 1, 9, 3] : (tensor<2x9x3xf32>) -> tensor<2x1x9x3xf32>
    %46 = forge.matmul %44, %45 : (tensor<2x1x2x9xf32>, tensor<2x1x9x3xf32>) -> tensor<2x1x2x3xf32>
    %47 = forge.add %46, %42 : tensor<2x1x2x3xf32>
    %48 = forge.tanh %47 : tensor<2x1x2x3xf32>
    %49 = forge.index %48 dim -4 [0:1] : (tensor<2x1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %50 = forge.reshape %49 shape [1, 2, 3] : (tensor<1x1x2x3xf32>) -> tensor<1x2x3xf32>
    %51 = forge.index %48 dim -4 [1:2] : (tensor<2x1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %52 = forge.reshape %51 shape [1, 2, 3] : (tensor<1x1x2x3xf32>) -> tensor<1x2x3xf32>
    return %50, %52 : tensor<1x2x3xf32>, tensor<1x2x3xf32>
  }
}
