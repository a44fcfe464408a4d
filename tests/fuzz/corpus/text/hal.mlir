#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>
hal.executable private @ex {
  hal.executable.variant public @cuda target(<"cuda", "cuda-nvptx-fb", {arch = "sm_80"}>) objects([#hal.executable.object<{path = "a.ptx"}>]) {
    hal.executable.export public @entry ordinal(0) layout(#layout) count(%d: !hal.device, %a: index) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      hal.return %a, %c1, %c1 : index, index, index
    } attributes {workgroup_size = [32 : index, 1 : index, 1 : index]}
    builtin.module {
      func.func @entry() {
        %c0 = arith.constant 0 : index
        %0 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>
        %id = hal.interface.workgroup.id[0] : index
        %1 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [%id], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<4xf32>
        return
      }
    }
  }
}
util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub} {
  %0 = hal.tensor.import wait(%arg1) => %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
  %1 = hal.tensor.export %0 "output0" : tensor<16xf32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}
