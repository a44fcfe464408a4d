// Kernels of accelerators: hivm, hfusion, AIE, AIR: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: hivm.hir.load ins(
// CHECK: aie.objectfifo @of_in(

module attributes {hivm.module_core_type = #hivm.module_core_type<AIV>} {
  func.func @kernel(%arg0: memref<16xf16, #hivm.address_space<gm>>, %arg1: memref<16xf16, #hivm.address_space<ub>>, %n: index, %t: tensor<16xf16>, %e: tensor<16xf16>) attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
    %cst = arith.constant 0.0 : f16
    %ev = arith.constant 1 : i64
    hivm.hir.load ins(%arg0 : memref<16xf16, #hivm.address_space<gm>>) outs(%arg1 : memref<16xf16, #hivm.address_space<ub>>) pad_mode = <PadValue> pad_value = %cst : f16 left_padding_num = %n : index
    hivm.hir.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    hivm.hir.wait_flag[<PIPE_MTE2>, <PIPE_V>, %ev]
    hivm.hir.pipe_barrier[<PIPE_ALL>]
    hivm.hir.vadd ins(%arg1, %arg1 : memref<16xf16, #hivm.address_space<ub>>, memref<16xf16, #hivm.address_space<ub>>) outs(%arg1 : memref<16xf16, #hivm.address_space<ub>>)
    %0 = hivm.hir.vexp ins(%t : tensor<16xf16>) outs(%e : tensor<16xf16>) -> tensor<16xf16>
    %1 = hivm.hir.vreduce <sum> ins(%0 : tensor<16xf16>) outs(%e : tensor<16xf16>) reduce_dims = [0] -> tensor<16xf16>
    %2 = hivm.hir.vbrc ins(%cst : f16) outs(%e : tensor<16xf16>) broadcast_dims = [0] -> tensor<16xf16>
    hivm.hir.store ins(%arg1 : memref<16xf16, #hivm.address_space<ub>>) outs(%arg0 : memref<16xf16, #hivm.address_space<gm>>) atomic = <add>
    %3 = hivm.hir.get_block_idx -> i64
    annotation.mark %1 {MayImplicitTransposeWithLastAxis} : tensor<16xf16>
    %4 = hfusion.elemwise_unary {fun = #hfusion.unary_fn<rsqrt>} ins(%t : tensor<16xf16>) outs(%e : tensor<16xf16>) -> tensor<16xf16>
    %5 = hfusion.cast {cast = #hfusion.type_fn<cast_signed>, round_mode = #hfusion.round_mode<rint>} ins(%4 : tensor<16xf16>) outs(%e : tensor<16xf16>) -> tensor<16xf16>
    return
  }
}
module @air {
  aie.device(npu1_1col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    %lock = aie.lock(%tile_0_2, 0) {init = 1 : i32, sym_name = "in_cons_lock"}
    %buf = aie.buffer(%tile_0_2) {address = 1024 : i32, sym_name = "buf0"} : memref<256xi32>
    aie.objectfifo @of_in(%tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<256xi32>>
    aie.objectfifo @of_out(%tile_0_2 toStream [<size = 4, stride = 1>], {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<256xi32>>
    aie.objectfifo.link [@of_in] -> [@of_out]([] [])
    aie.flow(%tile_0_0, DMA : 0, %tile_0_2, DMA : 1)
    aie.packet_flow(0x1) {
      aie.packet_source<%tile_0_0, DMA : 0>
      aie.packet_dest<%tile_0_2, Core : 0>
    }
    %core = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      aie.use_lock(%lock, AcquireGreaterEqual, 1)
      %sub = aie.objectfifo.acquire @of_in(Consume, 1) : !aie.objectfifosubview<memref<256xi32>>
      %el = aie.objectfifo.subview.access %sub[0] : !aie.objectfifosubview<memref<256xi32>> -> memref<256xi32>
      aie.objectfifo.release @of_in(Consume, 1)
      aie.use_lock(%lock, Release, 1)
      aie.end
    } {link_with = "kernel.o", stack_size = 2048 : i32}
    %mem = aie.mem(%tile_0_2) {
      %dma = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%lock, Acquire, 0)
      aie.dma_bd(%buf : memref<256xi32>, 0, 256, [<size = 16, stride = 16>, <size = 16, stride = 1>]) {bd_id = 0 : i32}
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    }
    aie.shim_dma_allocation @alloc(MM2S, 0, 0)
    aiex.runtime_sequence @seq(%arg0: memref<256xi32>, %arg1: memref<256xi32>) {
      aiex.npu.dma_memcpy_nd(0, 0, %arg0[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1], packet = <pkt_id = 2, pkt_type = 3>) {id = 0 : i64, metadata = @of_in} : memref<256xi32>
      aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
      %task = aiex.dma_configure_task_for @alloc {
        aie.dma_bd(%arg1 : memref<256xi32>, 0, 256) {bd_id = 0 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%task)
      aiex.dma_await_task(%task)
    }
  }
  air.channel @chan [2, 2] {broadcast_shape = [2, 4]}
  func.func @herd(%arg0: memref<64xi32>) {
    %c2 = arith.constant 2 : index
    %tok = air.launch async (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%arg0) : memref<64xi32> attributes {id = 1 : i32} {
      air.segment @seg args(%s=%m) : memref<64xi32> {
        %c2s = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%hx=%c2s, %hy=%c2s) args(%b=%s) : memref<64xi32> {
          air.dma_memcpy_nd (%b[] [] [], %b[%tx] [%ty] [%hx]) {id = 3 : i32} : (memref<64xi32>, memref<64xi32>)
          air.channel.put @chan[%tx, %ty] (%b[] [] []) : (memref<64xi32>)
        }
      }
    }
    return
  }
}
