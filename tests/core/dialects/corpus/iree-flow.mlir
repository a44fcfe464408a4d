#map = affine_map<(d0, d1) -> (d0, d1)>
#target = #hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", native_vector_size = 16 : i64}>
#device = #hal.device.target<"local", [#target]> : !hal.device
module attributes {stream.affinity.default = #hal.device.affinity<@dev>} {
  util.global private @dev = #device
  util.global private mutable @state : tensor<4xf32>
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @entry workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_slice %arg0, %arg1
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @entry(%arg0: !flow.dispatch.tensor<readonly:tensor<?x8xf32>>, %arg1: index, %arg2: !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>) {
        %cst = arith.constant 0.0 : f32
        %0 = flow.dispatch.workload.ordinal %arg1, 0 : index
        %1 = flow.dispatch.tie_shape %arg0 : !flow.dispatch.tensor<readonly:tensor<?x8xf32>>{%0}
        %2 = flow.dispatch.tensor.load %1, offsets = [0, 0], sizes = [%0, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x8xf32>>{%0} -> tensor<?x8xf32>
        %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x8xf32>) outs(%2 : tensor<?x8xf32>) attrs = {lowering_config = #iree_codegen.lowering_config<tile_sizes = [[4, 4]]>} {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.maximumf %in, %cst : f32
          linalg.yield %5 : f32
        } -> tensor<?x8xf32>
        flow.dispatch.tensor.store %3, %arg2, offsets = [0, 0], sizes = [%0, 8], strides = [1, 1] : tensor<?x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>{%0}
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: tensor<4xf32> {iree.abi.output = 0 : index}) -> (!hal.buffer_view {x.y}, tensor<4xf32>) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<?x8xf32>)"}} {
    %c0 = arith.constant 0 : index
    %dim = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<?x8xf32>{%dim}
    %1 = flow.dispatch @main_dispatch_0::@entry[%dim, %c0](%0, %dim) : (tensor<?x8xf32>{%dim}, index) -> tensor<?x8xf32>{%dim}
    %2 = flow.dispatch @main_dispatch_0::@entry[%dim, %c0](%1, %dim) {stream.affinity = #hal.device.affinity<@dev>} : (tensor<?x8xf32>{%dim}, index) -> %1{%dim}
    %s = util.global.load @state : tensor<4xf32>
    util.global.store %s, @state : tensor<4xf32>
    %3 = flow.dispatch.workgroups[%dim](%2, %dim) : (tensor<?x8xf32>{%dim}, index) -> tensor<?x8xf32>{%dim} =
        (%arg2: !flow.dispatch.tensor<readonly:tensor<?x8xf32>>, %arg3: index, %arg4: !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>) {
      %c0 = arith.constant 0 : index
      %4 = flow.dispatch.tensor.load %arg2, offsets = [%c0, 0], sizes = [%arg3, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x8xf32>>{%arg3} -> tensor<?x8xf32>
      flow.dispatch.tensor.store %4, %arg4, offsets = [0, 0], sizes = [%arg3, 8], strides = [1, 1] : tensor<?x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<?x8xf32>>{%arg3}
      flow.return
    } count(%arg2: index) -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_slice %arg2
      flow.return %x, %y, %z : index, index, index
    }
    %5 = hal.tensor.export %3 "output0" : tensor<?x8xf32>{%dim} -> !hal.buffer_view
    %6 = flow.tensor.reshape %3 : tensor<?x8xf32>{%dim} -> tensor<8x?xf32>{%dim}
    %7 = flow.tensor.update %s, %arg1[%c0] : tensor<4xf32> -> %arg1 as tensor<4xf32>
    %8 = flow.tensor.load %s[%c0] : tensor<4xf32>
    %9 = arith.addf %8, %8 : f32
    %10 = util.call @other(%5) : (!hal.buffer_view) -> !hal.buffer_view
    util.return %10, %7 : !hal.buffer_view, tensor<4xf32>
  }
  util.func private @other(%arg0: !hal.buffer_view) -> !hal.buffer_view
  util.initializer {
    %c1 = arith.constant 1 : index
    %0 = hal.devices.get %c1 : !hal.device
    util.return
  }
}
