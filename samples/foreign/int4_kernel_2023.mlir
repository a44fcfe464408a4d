// A kernel that dequantizes int4 weights in groups of 64 and multiplies, as an executable of 2023 for
// Vulkan: bindings by set and number, tiles by workgroup id, some sizes as values.

#tuned = #iree_codegen.compilation_info<
  lowering_config = <tile_sizes = [[16, 64, 1, 32]]>,
  translation_info = <SPIRVMatmulPromoteVectorize pipeline_depth = 1>,
  workgroup_size = [16, 8, 1]>
#bindings = #hal.pipeline.layout<push_constants = 0, sets = [
  <0, bindings = [<0, storage_buffer, ReadOnly>, <1, storage_buffer, ReadOnly>, <2, storage_buffer, ReadOnly>, <3, storage_buffer>]>
]>
#target = #hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb">

hal.executable private @grouped_dequant_matmul {
  hal.executable.variant public @vulkan_spirv_fb, target = <"vulkan-spirv", "vulkan-spirv-fb", {
      spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Shader], [SPV_KHR_storage_buffer_storage_class]>, AMD:DiscreteGPU, #spirv.resource_limits<
        max_compute_workgroup_size = [1024, 1024, 64], subgroup_size = 64>>}> {
    hal.executable.export public @grouped_dequant_matmul ordinal(0) layout(#bindings) {
    ^bb0(%device: !hal.device, %m: index, %n: index):
      %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %m, %n
      hal.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @grouped_dequant_matmul() {
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %zero = arith.constant 0.000000e+00 : f32
        %weights = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<32x64x1024xi4>>
        %scales = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<32x1024xf32>>
        %input = hal.interface.binding.subspan set(0) binding(2) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<256x32x64xf32>>
        %output = hal.interface.binding.subspan set(0) binding(3) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<256x1024xf32>>
        %id_x = hal.interface.workgroup.id[0] : index
        %id_y = hal.interface.workgroup.id[1] : index
        %row = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%id_y]
        %column = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%id_x]
        %in = flow.dispatch.tensor.load %input, offsets = [%row, 0, 0], sizes = [16, 32, 64], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<256x32x64xf32>> -> tensor<16x32x64xf32>
        %w = flow.dispatch.tensor.load %weights, offsets = [0, 0, %column], sizes = [32, 64, %c64], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<32x64x1024xi4>> -> tensor<32x64x?xi4>
        %s = flow.dispatch.tensor.load %scales, offsets = [0, %column], sizes = [32, %c64], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<32x1024xf32>> -> tensor<32x?xf32>
        %w_static = tensor.cast %w : tensor<32x64x?xi4> to tensor<32x64x64xi4>
        %s_static = tensor.cast %s : tensor<32x?xf32> to tensor<32x64xf32>
        %d_empty = tensor.empty() : tensor<32x64x64xf32>
        %d = linalg.generic {
          indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
          iterator_types = ["parallel", "parallel", "parallel"]
        } ins(%w_static, %s_static : tensor<32x64x64xi4>, tensor<32x64xf32>) outs(%d_empty : tensor<32x64x64xf32>) {
        ^bb0(%q: i4, %scale: f32, %o: f32):
          %wide = arith.extsi %q : i4 to i32
          %float = arith.sitofp %wide : i32 to f32
          %value = arith.mulf %float, %scale : f32
          linalg.yield %value : f32
        } -> tensor<32x64x64xf32>
        %r_empty = tensor.empty() : tensor<16x64xf32>
        %r_zero = linalg.fill ins(%zero : f32) outs(%r_empty : tensor<16x64xf32>) -> tensor<16x64xf32>
        %r = linalg.generic {
          indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel", "reduction", "reduction"]
        } ins(%in, %d : tensor<16x32x64xf32>, tensor<32x64x64xf32>) outs(%r_zero : tensor<16x64xf32>) attrs = {compilation_info = #tuned} {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %p = arith.mulf %a, %b : f32
          %sum = arith.addf %o, %p : f32
          linalg.yield %sum : f32
        } -> tensor<16x64xf32>
        flow.dispatch.tensor.store %r, %output, offsets = [%row, %column], sizes = [16, 64], strides = [1, 1] : tensor<16x64xf32> -> !flow.dispatch.tensor<writeonly:tensor<256x1024xf32>>
        return
      }
    }
  }
}
