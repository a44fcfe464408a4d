// Rows of whole vectors, also of narrow elements, which move 16 bytes at a time where a device follows its model.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

func.func @bias_f16(%a: tensor<24x32xf16>, %b: tensor<32xf16>) -> tensor<24x32xf16> {
  %e = tensor.empty() : tensor<24x32xf16>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<24x32xf16>, tensor<32xf16>) outs(%e : tensor<24x32xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<24x32xf16>
  return %r : tensor<24x32xf16>
}
func.func @bias_bf16(%a: tensor<24x40xbf16>, %b: tensor<40xbf16>) -> tensor<24x40xbf16> {
  %e = tensor.empty() : tensor<24x40xbf16>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<24x40xbf16>, tensor<40xbf16>) outs(%e : tensor<24x40xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %s = arith.addf %x, %y : bf16
    linalg.yield %s : bf16
  } -> tensor<24x40xbf16>
  return %r : tensor<24x40xbf16>
}
func.func @bias_i8(%a: tensor<24x32xi8>, %b: tensor<32xi8>) -> tensor<24x32xi8> {
  %e = tensor.empty() : tensor<24x32xi8>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<24x32xi8>, tensor<32xi8>) outs(%e : tensor<24x32xi8>) {
  ^bb0(%x: i8, %y: i8, %o: i8):
    %s = arith.addi %x, %y : i8
    linalg.yield %s : i8
  } -> tensor<24x32xi8>
  return %r : tensor<24x32xi8>
}
func.func @bias_i16(%a: tensor<8x12xi16>, %b: tensor<12xi16>) -> tensor<8x12xi16> {
  %e = tensor.empty() : tensor<8x12xi16>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x12xi16>, tensor<12xi16>) outs(%e : tensor<8x12xi16>) {
  ^bb0(%x: i16, %y: i16, %o: i16):
    %s = arith.muli %x, %y : i16
    linalg.yield %s : i16
  } -> tensor<8x12xi16>
  return %r : tensor<8x12xi16>
}
func.func @widen_bf16(%a: tensor<16x64xbf16>, %b: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<16x64xbf16>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%x: bf16, %y: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %s = arith.mulf %w, %y : f32
    linalg.yield %s : f32
  } -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
func.func @row_sum_f16(%a: tensor<20x96xf16>) -> tensor<20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<20x96xf16>) outs(%f : tensor<20xf32>) {
  ^bb0(%x: f16, %o: f32):
    %w = arith.extf %x : f16 to f32
    %s = arith.addf %o, %w : f32
    linalg.yield %s : f32
  } -> tensor<20xf32>
  return %r : tensor<20xf32>
}
func.func @transpose_f32(%a: tensor<48x72xf32>) -> tensor<72x48xf32> {
  %e = tensor.empty() : tensor<72x48xf32>
  %r = linalg.transpose ins(%a : tensor<48x72xf32>) outs(%e : tensor<72x48xf32>) permutation = [1, 0]
  return %r : tensor<72x48xf32>
}
func.func @transpose_f16(%a: tensor<40x264xf16>) -> tensor<264x40xf16> {
  %e = tensor.empty() : tensor<264x40xf16>
  %r = linalg.transpose ins(%a : tensor<40x264xf16>) outs(%e : tensor<264x40xf16>) permutation = [1, 0]
  return %r : tensor<264x40xf16>
}
func.func @transpose_i8(%a: tensor<64x24xi8>) -> tensor<24x64xi8> {
  %e = tensor.empty() : tensor<24x64xi8>
  %r = linalg.transpose ins(%a : tensor<64x24xi8>) outs(%e : tensor<24x64xi8>) permutation = [1, 0]
  return %r : tensor<24x64xi8>
}
