// Vectors: a contraction, a reduction, a transpose, a mask, transfers.
func.func @contract(%a: vector<4x8xf32>, %b: vector<8x2xf32>, %c: vector<4x2xf32>) -> vector<4x2xf32> {
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  return %r : vector<4x2xf32>
}
func.func @reduce(%a: vector<4x8xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
  %r = vector.multi_reduction <add>, %a, %acc [1] : vector<4x8xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
func.func @shapes(%a: vector<2x4xf32>, %s: f32) -> (vector<4x2xf32>, vector<8xf32>, vector<4x2xf32>) {
  %t = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %c = vector.shape_cast %a : vector<2x4xf32> to vector<8xf32>
  %b = vector.broadcast %s : f32 to vector<4x2xf32>
  return %t, %c, %b : vector<4x2xf32>, vector<8xf32>, vector<4x2xf32>
}
func.func @transfers(%m: memref<16x16xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i, %i], %zero : memref<16x16xf32>, vector<4x4xf32>
  vector.transfer_write %v, %m[%i, %i] : vector<4x4xf32>, memref<16x16xf32>
  return
}
func.func @columns(%m: memref<16x16xf32>, %i: index) -> vector<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%i, %i], %zero {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<16x16xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}
func.func @masked(%m: memref<?xf32>, %n: index) -> vector<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %n : vector<8xi1>
  %v = vector.mask %mask { vector.transfer_read %m[%c0], %zero {in_bounds = [true]} : memref<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %v : vector<8xf32>
}
func.func @outer(%a: vector<4xf32>, %b: vector<2xf32>) -> vector<4x2xf32> {
  %r = vector.outerproduct %a, %b : vector<4xf32>, vector<2xf32>
  return %r : vector<4x2xf32>
}
func.func @hoistable(%m: memref<8xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = vector.transfer_read %m[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
    %w = arith.addf %v, %v : vector<8xf32>
    vector.transfer_write %w, %m[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  }
  return
}
func.func @one(%a: vector<1x4xf32>) -> vector<1x4xf32> {
  %r = arith.addf %a, %a : vector<1x4xf32>
  return %r : vector<1x4xf32>
}
