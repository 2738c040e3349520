// Each pattern drops attributes of an op that it removes, which another pattern matches.
pdl.pattern @drops_axis : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %name = pdl.attribute = "onnx.First"
  %node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %name} -> (%type : !pdl.type)
  pdl.rewrite %node {
    %relu_name = pdl.attribute = "onnx.Relu"
    %relu = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %relu_name} -> (%type : !pdl.type)
    pdl.replace %node with %relu
  }
}

pdl.pattern @matches_axis : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %name = pdl.attribute = "onnx.Second"
  %axis = pdl.attribute
  %node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %name, "torch.onnx.axis" = %axis} -> (%type : !pdl.type)
  pdl.rewrite %node {
    %softmax_name = pdl.attribute = "onnx.Softmax"
    %softmax = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %softmax_name, "torch.onnx.axis" = %axis} -> (%type : !pdl.type)
    pdl.replace %node with %softmax
  }
}

// The op between, whose result the replacement does not read.
pdl.pattern @skips_producer : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %inner_name = pdl.attribute = "onnx.Inner"
  %inner = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %inner_name} -> (%type : !pdl.type)
  %value = pdl.result 0 of %inner
  %name = pdl.attribute = "onnx.Outer"
  %node = pdl.operation "torch.operator"(%value : !pdl.value) {"name" = %name} -> (%type : !pdl.type)
  pdl.rewrite %node {
    %relu_name = pdl.attribute = "onnx.Relu"
    %relu = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %relu_name} -> (%type : !pdl.type)
    pdl.replace %node with %relu
  }
}

// The op before remains: its attributes need not be matched.
pdl.pattern @keeps_producer : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %inner_name = pdl.attribute = "onnx.Inner"
  %inner = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %inner_name} -> (%type : !pdl.type)
  %value = pdl.result 0 of %inner
  %name = pdl.attribute = "onnx.Same"
  %node = pdl.operation "torch.operator"(%value : !pdl.value) {"name" = %name} -> (%type : !pdl.type)
  pdl.rewrite %node {
    pdl.replace %node with (%value : !pdl.value)
  }
}

// The result is replaced by the operand, whatever its type is.
pdl.pattern @is_operand : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %name = pdl.attribute = "onnx.Third"
  %node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %name} -> (%type : !pdl.type)
  pdl.rewrite %node {
    pdl.replace %node with (%x : !pdl.value)
  }
}
