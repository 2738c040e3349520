// Two patterns, each of which creates what the other one matches.
pdl.pattern @there : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %relu = pdl.attribute = "onnx.Relu"
  %node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %relu} -> (%type : !pdl.type)
  pdl.rewrite %node {
    %abs = pdl.attribute = "onnx.Abs"
    %other = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %abs} -> (%type : !pdl.type)
    pdl.replace %node with %other
  }
}

pdl.pattern @back : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %abs = pdl.attribute = "onnx.Abs"
  %node = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %abs} -> (%type : !pdl.type)
  pdl.rewrite %node {
    %relu = pdl.attribute = "onnx.Relu"
    %other = pdl.operation "torch.operator"(%x : !pdl.value) {"name" = %relu} -> (%type : !pdl.type)
    pdl.replace %node with %other
  }
}
