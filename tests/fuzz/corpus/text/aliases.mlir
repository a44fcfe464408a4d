#loc = loc("a.mlir":1:1)
!i = i32
#m = affine_map<(d0)[s0] -> (d0 floordiv 2 + s0 mod 4, -d0)>
#s = affine_set<(d0) : (d0 - 1 >= 0, d0 == 2)>
#d = distinct[0]<"x">
#sp = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func private @p(!i, tensor<2x2xf32, #sp>, memref<4xf32, strided<[1], offset: ?>, 3>) attributes {m = #m, s = #s, d = #d, e = array<i64: 1, 2>, h = 0x7FF0 : f16, big = 12345678901234567890 : i128} loc(#loc)
#loc1 = loc(unknown)
