func.func @dispatches(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c4 = arith.constant 4 : index
  %0 = flow.dispatch.workgroups[%c4](%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> =
      (%in: !flow.dispatch.tensor<readonly:tensor<4x8xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<4x8xf32>>) {
    %t = flow.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
    %e = math.exp %t : tensor<4x8xf32>
    flow.dispatch.tensor.store %e, %out, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : tensor<4x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<4x8xf32>>
    flow.return
  }
  %1 = flow.dispatch @ex::@entry(%0) : (tensor<4x8xf32>) -> %0
  return %1 : tensor<4x8xf32>
}
flow.executable private @ex {
  flow.executable.export public @entry workgroups(%a: index) -> (index, index, index) {
    %x, %y, %z = flow.dispatch.workgroup_count_from_slice(%a)
    flow.return %x, %y, %z : index, index, index
  }
  builtin.module { func.func @entry(%a: !flow.dispatch.tensor<readwrite:tensor<?xf32>>{%d}) { return } }
}
