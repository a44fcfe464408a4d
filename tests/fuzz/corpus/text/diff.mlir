diff --git a/x.mlir b/x.mlir
--- a/x.mlir
+++ b/x.mlir
@@ -1,4 +1,6 @@
 func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
-  %0 = math.tanh %a : tensor<4x4xf32>
+  %0 = math.exp %a : tensor<4x4xf32>
+  %1 = math.exp %0 : tensor<4x4xf32>
   return %0 : tensor<4x4xf32>
 }
