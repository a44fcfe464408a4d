// A two-layer perceptron as IREE has it once its dispatches are outlined (flow phase, 2025 syntax):
// weights are globals, each executable holds one kernel that loads its operands as a whole.

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>,
  #hal.pipeline.binding<storage_buffer, ReadOnly>,
  #hal.pipeline.binding<storage_buffer>
]>

module @mlp {
  util.global private @w1 {stream.affinity.default = #hal.device.promise<@gpu>} = #util.uninitialized : tensor<256x512xf32>
  util.global private @w2 = #util.uninitialized : tensor<512x64xf32>

  flow.executable private @forward_dispatch_0 {
    flow.executable.export public @forward_dispatch_0_matmul_32x512x256_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @forward_dispatch_0_matmul_32x512x256_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x256xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x512xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x512xf32>>) {
        %zero = arith.constant 0.000000e+00 : f32
        %x = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [32, 256], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x256xf32>> -> tensor<32x256xf32>
        %w = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [256, 512], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x512xf32>> -> tensor<256x512xf32>
        %e = tensor.empty() : tensor<32x512xf32>
        %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x512xf32>) -> tensor<32x512xf32>
        %m = linalg.matmul ins(%x, %w : tensor<32x256xf32>, tensor<256x512xf32>) outs(%f : tensor<32x512xf32>) -> tensor<32x512xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<32x512xf32>) outs(%e : tensor<32x512xf32>) {
        ^bb0(%in: f32, %out: f32):
          %relu = arith.maximumf %in, %zero : f32
          linalg.yield %relu : f32
        } -> tensor<32x512xf32>
        iree_tensor_ext.dispatch.tensor.store %r, %arg2, offsets = [0, 0], sizes = [32, 512], strides = [1, 1] : tensor<32x512xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x512xf32>>
        return
      }
    }
  }
  flow.executable private @forward_dispatch_1 {
    flow.executable.export public @forward_dispatch_1_matmul_32x64x512_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @forward_dispatch_1_matmul_32x64x512_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x512xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x64xf32>>) {
        %zero = arith.constant 0.000000e+00 : f32
        %x = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [32, 512], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x512xf32>> -> tensor<32x512xf32>
        %w = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [512, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x64xf32>> -> tensor<512x64xf32>
        %e = tensor.empty() : tensor<32x64xf32>
        %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
        %m = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [32, 64, 0], reduction = [0, 0, 32]}>} ins(%x, %w : tensor<32x512xf32>, tensor<512x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
        iree_tensor_ext.dispatch.tensor.store %m, %arg2, offsets = [0, 0], sizes = [32, 64], strides = [1, 1] : tensor<32x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<32x64xf32>>
        return
      }
    }
  }
  util.func public @forward(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @forward(%input0: tensor<32x256xf32>) -> (%output0: tensor<32x64xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<32x256xf32>
    %w1 = util.global.load immutable @w1 : tensor<256x512xf32>
    %w2 = util.global.load immutable @w2 : tensor<512x64xf32>
    %1 = flow.dispatch @forward_dispatch_0::@forward_dispatch_0_matmul_32x512x256_f32(%0, %w1) : (tensor<32x256xf32>, tensor<256x512xf32>) -> tensor<32x512xf32>
    %2 = flow.dispatch @forward_dispatch_1::@forward_dispatch_1_matmul_32x64x512_f32(%1, %w2) : (tensor<32x512xf32>, tensor<512x64xf32>) -> tensor<32x64xf32>
    %3 = hal.tensor.export %2 "output0" : tensor<32x64xf32> -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}
