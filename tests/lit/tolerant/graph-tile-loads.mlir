// Between a binding and an access to it only the tile moves: edges have its bytes, labels the tile and what it
// is a part of.
// RUN: fuselage graph %s --format json 2>/dev/null | FileCheck %s

// CHECK: "bytes": 1024,
// CHECK-NEXT: "from": [[#IN:]],
// CHECK: "to": [[#LOAD:]],
// CHECK-NEXT: "type": "!flow.dispatch.tensor<readonly:tensor<256x512xf32>>"
// CHECK: "bytes": -1,
// CHECK: "type": "!flow.dispatch.tensor<writeonly:tensor<256x512xf32>>"
// CHECK: "name": "exe::kernel",
// CHECK: "id": [[#IN]],
// CHECK: "label": "binding 0 256x512",
// CHECK: "id": [[#LOAD]],
// CHECK: "kind": "slice",
// CHECK-NEXT: "label": "load 8x32 of 256x512",
// CHECK: "kind": "slice",
// CHECK-NEXT: "label": "store 8x32 of 256x512",
#l = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>, #hal.pipeline.binding<storage_buffer>]>
hal.executable private @exe {
  hal.executable.variant public @v target(<"vulkan", "spirv">) {
    builtin.module {
      func.func @kernel() {
        %c0 = arith.constant 0 : index
        %0 = hal.interface.binding.subspan layout(#l) binding(0) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<256x512xf32>>
        %1 = hal.interface.binding.subspan layout(#l) binding(1) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<256x512xf32>>
        %2 = flow.dispatch.tensor.load %0, offsets = [0, 0], sizes = [8, 32], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<256x512xf32>> -> tensor<8x32xf32>
        %3 = math.exp %2 : tensor<8x32xf32>
        flow.dispatch.tensor.store %3, %1, offsets = [0, 0], sizes = [8, 32], strides = [1, 1] : tensor<8x32xf32> -> !flow.dispatch.tensor<writeonly:tensor<256x512xf32>>
        return
      }
    }
  }
}
