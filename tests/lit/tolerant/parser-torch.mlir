// Torch-MLIR: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: torch.nn_module {
// CHECK: torch.prim.Loop %

module attributes {torch.debug_module_name = "Net"} {
  torch.class_type @__torch__.Net {
    torch.attr private "training" : !torch.bool
    torch.attr private "weight" : !torch.tensor
    torch.method private "forward", @__torch__.Net.forward
  }
  %true = torch.constant.bool true
  %w = torch.tensor.literal(dense<[[1.0, 2.0]]> : tensor<1x2xf32>) : !torch.tensor<[1,2],f32>
  %net = torch.nn_module {
    torch.slot "training", %true : !torch.bool
    torch.slot "weight", %w : !torch.tensor<[1,2],f32>
  } : !torch.nn.Module<"__torch__.Net">
  func.func @forward(%arg0: !torch.vtensor<[?,3,224,224],f32>, %arg1: !torch.vtensor<[64,3,7,7],f32>) -> (!torch.vtensor<[?,64,112,112],f32>, !torch.int) attributes {torch.assume_strict_symbolic_shapes} {
    %none = torch.constant.none
    %false = torch.constant.bool false
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int3 = torch.constant.int -3
    %float = torch.constant.float 1.000000e-05
    %str = torch.constant.str "mean"
    %dev = torch.constant.device "cpu"
    %num = torch.constant.number 7
    %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 1024} : !torch.int
    torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0, 3, 224, 224)> : !torch.vtensor<[?,3,224,224],f32>
    %0 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
    %1 = torch.prim.ListConstruct  : () -> !torch.list<int>
    %2 = torch.aten.convolution %arg0, %arg1, %none, %0, %0, %0, %false, %1, %int1 : !torch.vtensor<[?,3,224,224],f32>, !torch.vtensor<[64,3,7,7],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[?,64,112,112],f32>
    %3 = torch.aten.relu %2 : !torch.vtensor<[?,64,112,112],f32> -> !torch.vtensor<[?,64,112,112],f32>
    %4 = torch.vtensor.literal(dense_resource<torch_tensor_64_torch.float32> : tensor<64xf32>) : !torch.vtensor<[64],f32>
    %5 = torch.vtensor.literal(dense<1> : tensor<si64>) : !torch.vtensor<[],si64>
    %6 = torch.aten.size.int %3, %int1 : !torch.vtensor<[?,64,112,112],f32>, !torch.int -> !torch.int
    %7 = torch.aten.add.Tensor %3, %4, %int1 : !torch.vtensor<[?,64,112,112],f32>, !torch.vtensor<[64],f32>, !torch.int -> !torch.vtensor<[?,64,112,112],f32>
    %values, %indices = torch.aten.max.dim %7, %int1, %false : !torch.vtensor<[?,64,112,112],f32>, !torch.int, !torch.bool -> !torch.vtensor<[?,112,112],f32>, !torch.vtensor<[?,112,112],si64>
    %8 = torch.prim.Loop %int2, %false, init(%int3) {
    ^bb0(%i: !torch.int, %acc: !torch.int):
      %sum = torch.aten.add.int %acc, %i : !torch.int, !torch.int -> !torch.int
      torch.prim.Loop.condition %false, iter(%sum : !torch.int)
    } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
    %9 = torch.prim.If %false -> (!torch.int) {
      torch.prim.If.yield %int1 : !torch.int
    } else {
      torch.prim.If.yield %8 : !torch.int
    }
    %10 = torch.operator "aten.my_op"(%7, %int1) : (!torch.vtensor<[?,64,112,112],f32>, !torch.int) -> !torch.vtensor<[?,64,112,112],f32>
    %11:2 = torch.operator "onnx.Split"(%10) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[?,64,112,112],f32>) -> (!torch.vtensor<[?,32,112,112],f32>, !torch.vtensor<[?,32,112,112],f32>)
    %12 = torch_c.to_builtin_tensor %7 : !torch.vtensor<[?,64,112,112],f32> -> tensor<?x64x112x112xf32>
    %13 = torch_c.from_builtin_tensor %12 : tensor<?x64x112x112xf32> -> !torch.vtensor<[?,64,112,112],f32>
    %14 = torch_c.to_i64 %6
    %15 = torch.derefine %int1 : !torch.int to !torch.optional<int>
    %16 = torch.copy.to_tensor %13 : !torch.tensor<[?,64,112,112],f32>
    torch.overwrite.tensor.contents %13 overwrites %16 : !torch.vtensor<[?,64,112,112],f32>, !torch.tensor<[?,64,112,112],f32>
    %17 = torch.prim.TupleConstruct %7, %6 : !torch.vtensor<[?,64,112,112],f32>, !torch.int -> !torch.tuple<vtensor<[?,64,112,112],f32>, int>
    %18:2 = torch.prim.TupleUnpack %17 : !torch.tuple<vtensor<[?,64,112,112],f32>, int> -> !torch.vtensor<[?,64,112,112],f32>, !torch.int
    torch.runtime.assert %false, "shapes differ"
    return %18#0, %9 : !torch.vtensor<[?,64,112,112],f32>, !torch.int
  }
}
