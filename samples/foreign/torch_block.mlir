// Attention scores and a residual, as torch-mlir imports them.

module {
  func.func @forward(%arg0: !torch.vtensor<[1,128,64],f32>, %arg1: !torch.vtensor<[64,64],f32>) -> !torch.vtensor<[1,128,64],f32> attributes {torch.assume_strict_symbolic_shapes} {
    %int0 = torch.constant.int 0
    %int1 = torch.constant.int 1
    %int-1 = torch.constant.int -1
    %none = torch.constant.none
    %false = torch.constant.bool false
    %float1.250000e-01 = torch.constant.float 1.250000e-01
    %bias = torch.vtensor.literal(dense<1.000000e-01> : tensor<64xf32>) : !torch.vtensor<[64],f32>
    %0 = torch.aten.t %arg1 : !torch.vtensor<[64,64],f32> -> !torch.vtensor<[64,64],f32>
    %1 = torch.aten.matmul %arg0, %0 : !torch.vtensor<[1,128,64],f32>, !torch.vtensor<[64,64],f32> -> !torch.vtensor<[1,128,64],f32>
    %2 = torch.aten.add.Tensor %1, %bias, %int1 : !torch.vtensor<[1,128,64],f32>, !torch.vtensor<[64],f32>, !torch.int -> !torch.vtensor<[1,128,64],f32>
    %3 = torch.aten.transpose.int %2, %int-1, %int1 : !torch.vtensor<[1,128,64],f32>, !torch.int, !torch.int -> !torch.vtensor<[1,64,128],f32>
    %4 = torch.aten.bmm %2, %3 : !torch.vtensor<[1,128,64],f32>, !torch.vtensor<[1,64,128],f32> -> !torch.vtensor<[1,128,128],f32>
    %5 = torch.aten.mul.Scalar %4, %float1.250000e-01 : !torch.vtensor<[1,128,128],f32>, !torch.float -> !torch.vtensor<[1,128,128],f32>
    %6 = torch.aten.softmax.int %5, %int-1, %none : !torch.vtensor<[1,128,128],f32>, !torch.int, !torch.none -> !torch.vtensor<[1,128,128],f32>
    %7 = torch.aten.bmm %6, %2 : !torch.vtensor<[1,128,128],f32>, !torch.vtensor<[1,128,64],f32> -> !torch.vtensor<[1,128,64],f32>
    %int128 = torch.constant.int 128
    %int64 = torch.constant.int 64
    %8 = torch.prim.ListConstruct %int1, %int128, %int64 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %9 = torch.aten.view %7, %8 : !torch.vtensor<[1,128,64],f32>, !torch.list<int> -> !torch.vtensor<[1,128,64],f32>
    %10 = torch.aten.add.Tensor %9, %arg0, %int1 : !torch.vtensor<[1,128,64],f32>, !torch.vtensor<[1,128,64],f32>, !torch.int -> !torch.vtensor<[1,128,64],f32>
    return %10 : !torch.vtensor<[1,128,64],f32>
  }
}
