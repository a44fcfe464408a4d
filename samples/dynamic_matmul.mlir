// A matmul with bias whose row count is known only at run time, as a batch of tokens is.
//
// Graph and stepping work as they are; running asks for the sizes
// (fuselage run --size arg0.0=200 samples/dynamic_matmul.mlir).

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @dynamic_matmul(%x: tensor<?x256xf32>, %w: tensor<256x512xf32>,
                          %bias: tensor<512xf32>) -> tensor<?x512xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x256xf32>
  %init = tensor.empty(%rows) : tensor<?x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<?x512xf32>) -> tensor<?x512xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x512xf32>)
      outs(%fill : tensor<?x512xf32>) -> tensor<?x512xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm, %bias : tensor<?x512xf32>, tensor<512xf32>) outs(%init : tensor<?x512xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}
