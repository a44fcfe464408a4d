module {
  func.func @forward(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
    %int1 = torch.constant.int 1
    %none = torch.constant.none
    %true = torch.constant.bool true
    %float = torch.constant.float 1.000000e-05
    %str = torch.constant.str "relu"
    %cpu = torch.constant.device "cpu"
    %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32> -> !torch.vtensor<[2,4],f32>
    %1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
    %2 = torch.vtensor.literal(dense<1.0> : tensor<2x4xf32>) : !torch.vtensor<[2,4],f32>
    %3 = torch.aten.add.Tensor %0, %2, %int1 : !torch.vtensor<[2,4],f32>, !torch.vtensor<[2,4],f32>, !torch.int -> !torch.vtensor<[2,4],f32>
    %4 = torch.prim.If %true -> (!torch.vtensor<[2,4],f32>) {
      torch.prim.If.yield %3 : !torch.vtensor<[2,4],f32>
    } else {
      torch.prim.If.yield %0 : !torch.vtensor<[2,4],f32>
    }
    %5 = torch.prim.Loop %int1, %true, init(%4) {
    ^bb0(%arg2: !torch.int, %arg3: !torch.vtensor<[2,4],f32>):
      torch.prim.Loop.condition %true, iter(%arg3 : !torch.vtensor<[2,4],f32>)
    } : (!torch.int, !torch.bool, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
    %6 = torch.operator "onnx.Relu"(%5) {torch.onnx.x = 1 : si64} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
    %7:2 = torch.aten.max.dim %6, %int1, %true : !torch.vtensor<[2,4],f32>, !torch.int, !torch.bool -> !torch.vtensor<[2,4],f32>, !torch.vtensor<[2],si64>
    %8 = torch_c.to_builtin_tensor %6 : !torch.vtensor<[2,4],f32> -> tensor<2x4xf32>
    return %6 : !torch.vtensor<[2,4],f32>
  }
}
