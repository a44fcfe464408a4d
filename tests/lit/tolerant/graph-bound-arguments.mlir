// Arguments that another dialect binds have no sizes; which of them are weights is nobody's guess.
// RUN: fuselage graph %s --format json 2>/dev/null | FileCheck %s
// CHECK: other.join
func.func @dispatch(%a: !other.bound<tensor<4xf32>>, %b: !other.bound<tensor<4xf32>>, %c: !other.bound<tensor<4xf32>>, %d: !other.bound<tensor<4xf32>>,
    %e: !other.bound<tensor<4xf32>>, %f: !other.bound<tensor<4xf32>>, %g: index, %h: index, %i: index, %j: tensor<4xf32>, %k: tensor<4xf32>, %l: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "other.join"(%a, %b, %c, %d, %e, %f, %g, %h, %i) : (!other.bound<tensor<4xf32>>, !other.bound<tensor<4xf32>>, !other.bound<tensor<4xf32>>, !other.bound<tensor<4xf32>>, !other.bound<tensor<4xf32>>, !other.bound<tensor<4xf32>>, index, index, index) -> tensor<4xf32>
  %1 = "other.scale"(%0, %j, %k, %l) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
