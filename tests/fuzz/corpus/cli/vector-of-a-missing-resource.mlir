func.func @resource(%m: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense_resource<two> : vector<2xf32>
  vector.store %v, %m[%c0] : memref<2xf32>, vector<2xf32>
  return
}
