// RUN: fuselage-opt --allow-unregistered-dialect --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage-opt --allow-unregistered-dialect --fuselage-normalize-foreign --canonicalize --cse %s | FileCheck %s --check-prefix=CANON

// A function that nobody calls takes and returns the tensors themselves, and a private helper is inlined. What
// was said of the old signature is not true of the new one.
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
//  CHECK-NEXT:   return %arg0 : tensor<4xf32>
//   CHECK-NOT: @helper
// CANON-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
"util.func"() ({
^bb0(%view: !hal.buffer_view):
  %x = "hal.tensor.import"(%view) {name = "x"} : (!hal.buffer_view) -> tensor<4xf32>
  %r = "util.call"(%x) {callee = @helper} : (tensor<4xf32>) -> tensor<4xf32>
  %out = "hal.tensor.export"(%r) {name = "y"} : (tensor<4xf32>) -> !hal.buffer_view
  "util.return"(%out) : (!hal.buffer_view) -> ()
}) {sym_name = "main", sym_visibility = "public", iree.abi.stub,
    function_type = (!hal.buffer_view) -> !hal.buffer_view} : () -> ()

"util.func"() ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) {sym_name = "helper", sym_visibility = "private",
    function_type = (tensor<4xf32>) -> tensor<4xf32>} : () -> ()

// Callers pass buffers: the import is a cast then. One that waits for a fence stays.
// CHECK-LABEL: func.func @called(%arg0: !hal.buffer_view
//       CHECK:   builtin.unrealized_conversion_cast %arg0 : !hal.buffer_view to tensor<4xf32>
//       CHECK:   "hal.tensor.import"(%arg0, %arg1)
"util.func"() ({
^bb0(%view: !hal.buffer_view, %fence: !hal.fence):
  %x = "hal.tensor.import"(%view) : (!hal.buffer_view) -> tensor<4xf32>
  %y = "hal.tensor.import"(%view, %fence) : (!hal.buffer_view, !hal.fence) -> tensor<4xf32>
  "util.return"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> ()
}) {sym_name = "called", sym_visibility = "public",
    function_type = (!hal.buffer_view, !hal.fence) -> (tensor<4xf32>, tensor<4xf32>)} : () -> ()

// CHECK-LABEL: func.func @caller
//       CHECK:   call @called
"util.func"() ({
^bb0(%view: !hal.buffer_view, %fence: !hal.fence):
  %r:2 = "util.call"(%view, %fence) {callee = @called} : (!hal.buffer_view, !hal.fence) -> (tensor<4xf32>, tensor<4xf32>)
  "util.return"(%r#0) : (tensor<4xf32>) -> ()
}) {sym_name = "caller", sym_visibility = "public",
    function_type = (!hal.buffer_view, !hal.fence) -> tensor<4xf32>} : () -> ()

// An external function is a declaration.
// CHECK: func.func private @outside(tensor<4xf32>) -> f32
"util.func"() ({
}) {sym_name = "outside", sym_visibility = "private", function_type = (tensor<4xf32>) -> f32} : () -> ()
