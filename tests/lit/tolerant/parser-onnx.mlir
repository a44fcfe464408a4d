// ONNX-MLIR: onnx and krnl: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: krnl.iterate(
// CHECK: onnx.EntryPoint

"builtin.module"() ({
  func.func @main_graph(%arg0: tensor<1x3x224x224xf32> {onnx.name = "input"}, %w: tensor<16x3x3x3xf32>, %lb: index, %m: memref<10x20xf32>) -> (tensor<?x?x?x?xf32> {onnx.name = "out"}) {
    %0 = onnx.Constant dense<[1, 2]> : tensor<2xi64>
    %1 = onnx.Constant dense_resource<w0> : tensor<16xf32>
    %2 = "onnx.Conv"(%arg0, %w, %1) {auto_pad = "NOTSET", group = 1 : si64, kernel_shape = [3, 3], onnx_node_name = "conv_1"} : (tensor<1x3x224x224xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<?x?x?x?xf32>
    %3 = "onnx.NoValue"() {value} : () -> none
    %ii, %ij = krnl.define_loops 2
    %ib, %il = krnl.block %ii 4 : (!krnl.loop) -> (!krnl.loop, !krnl.loop)
    krnl.permute(%ib, %il, %ij) [0, 2, 1] : !krnl.loop, !krnl.loop, !krnl.loop
    krnl.iterate(%ib, %ij) with (%ii -> %i = 0 to 10, %ij -> %j = 0 to 20) {
      %v = krnl.load %m[%i, %j] : memref<10x20xf32>
      krnl.store %v, %m[%i, %j] : memref<10x20xf32>
    }
    %idx = krnl.get_induction_var_value(%ib) : (!krnl.loop) -> index
    krnl.runtime_instrument {opID = 5 : i64, tag = 95 : i64}
    krnl.entry_point @main_graph
    krnl.unroll %il : !krnl.loop
    onnx.Return %2 : tensor<?x?x?x?xf32>
  }
  onnx.EntryPoint {func = @main_graph}
}) : () -> ()
