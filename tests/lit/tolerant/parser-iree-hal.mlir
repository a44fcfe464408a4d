// IREE: executables, devices, command buffers of hal: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: hal.executable.variant public @rocm_hsaco_fb target(
// CHECK: hal.interface.binding.subspan layout({{.*}}) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect")

#pipeline_layout = #hal.pipeline.layout<constants = 2, bindings = [
  #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">,
  #hal.pipeline.binding<storage_buffer, Indirect>
], flags = Indirect>
#executable_target = #hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.gpu.target = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647]>>}>
#device_target = #hal.device.target<"hip", [#executable_target]> : !hal.device

module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.select<[#hal.device.target<"local", {ordinal = 0 : index}, [#executable_target]>, #hal.device.fallback<@other>]> : !hal.device
  hal.executable private @ex {
    hal.executable.variant public @rocm_hsaco_fb target(#executable_target) objects([#hal.executable.object<{path = "a.o"}>]) {
      hal.executable.condition(%device: !hal.device) -> i1 {
        %ok, %value = hal.device.query<%device : !hal.device> key("hal.executable.format" :: "rocm-hsaco-fb") : i1, i1 = false
        hal.return %value : i1
      }
      hal.executable.constant.block(%device: !hal.device) -> (i32, i32) as ("foo", "bar") {
        %c1_i32 = arith.constant 1 : i32
        hal.return %c1_i32, %c1_i32 : i32, i32
      }
      hal.executable.export public @matmul ordinal(0) layout(#pipeline_layout) count(%arg0: !hal.device, %arg1: index) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        %x = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%arg1]
        hal.return %x, %c1, %c1 : index, index, index
      } attributes {subgroup_size = 64 : index, workgroup_size = [256 : index, 1 : index, 1 : index]}
      builtin.module {
        func.func @matmul() attributes {translation_info = #iree_codegen.translation_info<pipeline = LLVMGPUTileAndFuse workgroup_size = [256, 1, 1] subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_shared_memory = true>}>} {
          %c0 = arith.constant 0 : index
          %0 = hal.interface.constant.load layout(#pipeline_layout) ordinal(0) : i32
          %1 = arith.index_castui %0 : i32 to index
          %2 = hal.interface.binding.subspan layout(#pipeline_layout) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x768xf16>>{%1}
          %3 = hal.interface.binding.subspan layout(#pipeline_layout) binding(1) alignment(64) offset(%c0) flags(Indirect) : memref<?x768xf16, strided<[768, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>{%1}
          %id = hal.interface.workgroup.id[0] : index
          %count = hal.interface.workgroup.count[0] upper_bound 128 : index
          %size = hal.interface.workgroup.size[0] : index
          return
        }
      }
    }
    hal.executable.binary public @rocm_binary attributes {data = dense<[1, 2, 3, 4]> : vector<4xi8>, format = "rocm-hsaco-fb", mime_type = "application/x-elf"}
  }
  util.func private @submit(%device: !hal.device, %pool: i32, %wait: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c-1_i64 = arith.constant -1 : i64
    %c-1_i32 = arith.constant -1 : i32
    %affinity = arith.constant 1 : i64
    %allocator = hal.device.allocator<%device : !hal.device> : !hal.allocator
    %buffer = hal.allocator.allocate<%allocator : !hal.allocator> affinity(%affinity) type("HostVisible|DeviceVisible|DeviceLocal") usage("TransferSource|TransferTarget|Transfer") : !hal.buffer{%c64}
    %sub = hal.buffer.subspan<%buffer : !hal.buffer>[%c0, %c64] : !hal.buffer
    %len = hal.buffer.length<%buffer : !hal.buffer> : index
    %byte = hal.buffer.load<%sub : !hal.buffer>[%c0] : i32
    hal.buffer.store<%sub : !hal.buffer>[%c0] value(%byte : i32)
    %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
    %joined = hal.fence.join at([%fence, %wait]) flags("None") -> !hal.fence
    %tbuf = hal.device.queue.alloca<%device : !hal.device> affinity(%affinity) wait(%wait) signal(%fence) pool(%c-1_i64) type(DeviceLocal) usage(Storage) : !hal.buffer{%c64}
    hal.device.queue.fill<%device : !hal.device> affinity(%affinity) wait(%wait) signal(%fence) target(%tbuf : !hal.buffer)[%c0] length(%c64) pattern(%byte : i32) flags("None")
    hal.device.queue.copy<%device : !hal.device> affinity(%affinity) wait(%wait) signal(%fence) source(%buffer : !hal.buffer)[%c0] target(%tbuf : !hal.buffer)[%c0] length(%c64) flags("None")
    %cmd = hal.command_buffer.create device(%device : !hal.device) mode("OneShot|AllowInlineExecution") categories("Transfer|Dispatch") affinity(%affinity) : !hal.command_buffer
    hal.command_buffer.fill_buffer<%cmd : !hal.command_buffer> target(%buffer : !hal.buffer)[%c0, %c64] pattern(%byte : i32) flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|CommandRetire") target("CommandIssue|Dispatch") flags("None")
    %exe = hal.executable.lookup device(%device : !hal.device) executable(@ex) : !hal.executable
    %ord = hal.executable.export.ordinal target(@ex::@rocm_hsaco_fb::@matmul) : index
    hal.command_buffer.dispatch<%cmd : !hal.command_buffer> target(%exe : !hal.executable)[%ord] workgroups([%c1, %c1, %c1]) constants([%byte, %c-1_i32]) bindings([
      (%buffer : !hal.buffer)[%c0, %c64],
      (%c0 : index)[%c0, %c64]
    ]) flags("None")
    hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    hal.device.queue.execute<%device : !hal.device> affinity(%affinity) wait(%wait) signal(%fence) commands(%cmd) flags("None")
    hal.device.queue.execute.indirect<%device : !hal.device> affinity(%affinity) wait(%wait) signal(%fence) commands(%cmd) bindings([
      (%buffer : !hal.buffer)[%c0, %c64]
    ]) flags("None")
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
    util.status.check_ok %status, "failed to wait"
    %enc = hal.encoding_type<dense_row_major> : i32
    %elt = hal.element_type<f32> : i32
    %view = hal.buffer_view.create buffer(%tbuf : !hal.buffer)[%c0, %c64] shape([%c1, %c64]) type(%elt) encoding(%enc) : !hal.buffer_view
    hal.buffer_view.assert<%view : !hal.buffer_view> message("input0") shape([%c1, %c64]) type(%elt) encoding(%enc)
    %dim = hal.buffer_view.dim<%view : !hal.buffer_view>[0] : index
    hal.buffer_view.trace "in" = %view : !hal.buffer_view
    %count = hal.devices.count : index
    %dev = hal.devices.get %c0 : !hal.device
    %is, %v = hal.device.query<%device : !hal.device> key("sys" :: "foo") : i1, i32
    util.return %view : !hal.buffer_view
  }
  util.func public @tensors(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.buffer) -> (!hal.buffer_view, tensor<?xf32>) {
    %dim = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
    %0 = hal.tensor.import wait(%arg1) => %arg0 "input0" : !hal.buffer_view -> tensor<?xf32>{%dim}
    %1 = hal.tensor.alias on(#hal.device.affinity<@__device_0>) %0 : tensor<?xf32>{%dim} to %arg2 : !hal.buffer
    %2:2 = hal.tensor.barrier join(%0, %1 : tensor<?xf32>, tensor<?xf32>) => %arg1 : !hal.fence
    %3 = hal.tensor.export %2#0 "output0" into(%arg2 : !hal.buffer) : tensor<?xf32>{%dim} -> !hal.buffer_view
    %4 = hal.dispatch.extern "kernel"[%dim](%0, %dim) : (tensor<?xf32>{%dim}, index) -> %0{%dim}
      count(%device: !hal.device, %w: index) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        hal.return %w, %c1, %c1 : index, index, index
      }
      layout(#pipeline_layout)
      objects({
        #executable_target ordinal(0) = [#hal.executable.object<{path = "k.ptx"}>]
      })
    util.return %3, %4 : !hal.buffer_view, tensor<?xf32>
  }
}
