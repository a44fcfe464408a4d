func.func @forward(%x: !torch.vtensor<[1,?],f32>) -> !torch.vtensor<[1,?],f32> attributes {torch.assume_strict_symbolic_shapes} {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.add.Tensor %x, %x, %int1 : !torch.vtensor<[1,?],f32>, !torch.vtensor<[1,?],f32>, !torch.int -> !torch.vtensor<[1,?],f32>
  torch.bind_symbolic_shape %0, [%int1], affine_map<()[s0] -> (1, s0)> : !torch.vtensor<[1,?],f32>
  return %0 : !torch.vtensor<[1,?],f32>
}
