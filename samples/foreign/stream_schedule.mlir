// One dispatch scheduled on a stream: resources instead of tensors, and the executable that it runs
// for a CPU (stream and HAL phases, 2024 syntax).

#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>

module @scheduled {
  hal.executable private @relu_dispatch_0 {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", native_vector_size = 32 : i64}>) {
      hal.executable.export public @relu_dispatch_0_elementwise_4096_f32 ordinal(0) layout(#layout) count(%device: !hal.device, %workload: index) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%workload)
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @relu_dispatch_0_elementwise_4096_f32() attributes {translation_info = #iree_codegen.translation_info<pipeline = CPUDoubleTilingExpert>} {
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0.000000e+00 : f32
          %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>
          %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
          %id = hal.interface.workgroup.id[0] upper_bound 64 : index
          %offset = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%id]
          %tile = iree_tensor_ext.dispatch.tensor.load %in, offsets = [%offset], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<64xf32>
          %e = tensor.empty() : tensor<64xf32>
          %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%tile : tensor<64xf32>) outs(%e : tensor<64xf32>) {
          ^bb0(%a: f32, %b: f32):
            %m = arith.maximumf %a, %zero : f32
            linalg.yield %m : f32
          } -> tensor<64xf32>
          iree_tensor_ext.dispatch.tensor.store %r, %out, offsets = [%offset], sizes = [64], strides = [1] : tensor<64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
          return
        }
      }
    }
  }
  util.func public @relu(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %bytes = arith.constant 16384 : index
    %0 = stream.tensor.import on(#hal.device.affinity<@cpu>) %arg0 : !hal.buffer_view -> tensor<4096xf32> in !stream.resource<external>{%bytes}
    %result, %ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@cpu>) : !stream.resource<external>{%bytes} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@cpu>) await(%ready) => with(%0 as %in: !stream.resource<external>{%bytes}, %result as %out: !stream.resource<external>{%bytes}) {
      stream.cmd.dispatch @relu_dispatch_0::@embedded_elf_x86_64::@relu_dispatch_0_elementwise_4096_f32[%c4096] {
        ro %in[%c0 for %bytes] : !stream.resource<external>{%bytes},
        wo %out[%c0 for %bytes] : !stream.resource<external>{%bytes}
      }
    } => !stream.timepoint
    %final = stream.timepoint.await %done => %result : !stream.resource<external>{%bytes}
    %1 = stream.tensor.export on(#hal.device.affinity<@cpu>) %final : tensor<4096xf32> in !stream.resource<external>{%bytes} -> !hal.buffer_view
    util.return %1 : !hal.buffer_view
  }
}
