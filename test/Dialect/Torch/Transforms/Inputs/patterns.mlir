// Swish with beta 1 is x * sigmoid(x).
pdl.pattern @swish : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %name = pdl.attribute = "onnx.Swish"
  %domain = pdl.attribute = "my.domain"
  %beta = pdl.attribute = 1.0 : f32
  %node = pdl.operation "torch.operator"(%x : !pdl.value)
      {"name" = %name, "torch.onnx_meta.domain" = %domain, "torch.onnx.beta" = %beta} -> (%type : !pdl.type)
  pdl.rewrite %node {
    %sigmoid_name = pdl.attribute = "onnx.Sigmoid"
    %sigmoid_node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %sigmoid_name} -> (%type : !pdl.type)
    %sigmoid = pdl.result 0 of %sigmoid_node
    %mul_name = pdl.attribute = "onnx.Mul"
    %mul_node = pdl.operation "torch.operator"(%x, %sigmoid : !pdl.value, !pdl.value) {"name" = %mul_name}
        -> (%type : !pdl.type)
    pdl.replace %node with %mul_node
  }
}

// The halves of the last axis, in reversed order.
pdl.pattern @swapped_halves : benefit(1) {
  %first = pdl.type
  %second = pdl.type
  %x = pdl.operand
  %name = pdl.attribute = "onnx.SwappedHalves"
  %node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %name} -> (%first, %second : !pdl.type, !pdl.type)
  pdl.rewrite %node {
    %split_name = pdl.attribute = "onnx.Split"
    %axis = pdl.attribute = -1 : si64
    %count = pdl.attribute = 2 : si64
    %split = pdl.operation "torch.operator"(%x : !pdl.value)
        {"name" = %split_name, "torch.onnx.axis" = %axis, "torch.onnx.num_outputs" = %count}
        -> (%second, %first : !pdl.type, !pdl.type)
    %0 = pdl.result 0 of %split
    %1 = pdl.result 1 of %split
    pdl.replace %node with (%1, %0 : !pdl.value, !pdl.value)
  }
}
