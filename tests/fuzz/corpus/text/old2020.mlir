#id = affine_map<(d0) -> (d0)>
module {
  func @f(%arg0: tensor<?xf32>) -> tensor<?xf32> attributes {a} {
    %c0 = constant 0 : index
    %0 = dim %arg0, %c0 : tensor<?xf32>
    %1 = subtensor %arg0[%c0] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %2 = linalg.matmul ins(%1, %1 : tensor<4xf32>, tensor<4xf32>) init(%1 : tensor<4xf32>) -> tensor<4xf32>
    %3 = addf %arg0, %arg0 : tensor<?xf32>
    br ^bb1(%3 : tensor<?xf32>)
  ^bb1(%4: tensor<?xf32>):
    return %4 : tensor<?xf32>
  }
}
