// Torch's own tensors have shapes and bytes, too, and the names of its ops say what computes and what only
// looks at data in another shape.
// RUN: fuselage graph %s --format json 2>/dev/null | FileCheck %s

// CHECK: "edges": [
// CHECK: "bytes": 512,
// CHECK: "name": "block",
// CHECK: "kind": "constant",
// CHECK-NEXT: "label": "constant 64",
// CHECK: "kind": "compute",
// CHECK-NEXT: "label": "aten.mm 4x16",
// CHECK: "op": "torch.aten.mm",
// CHECK: "kind": "other",
// CHECK-NEXT: "label": "prim.ListConstruct",
// CHECK: "kind": "reshape",
// CHECK-NEXT: "label": "aten.view 64",
func.func @block(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,16],f32>) -> !torch.vtensor<[64],f32> {
  %int64 = torch.constant.int 64
  %0 = torch.aten.mm %x, %w : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,16],f32> -> !torch.vtensor<[4,16],f32>
  %1 = torch.prim.ListConstruct %int64 : (!torch.int) -> !torch.list<int>
  %2 = torch.aten.view %0, %1 : !torch.vtensor<[4,16],f32>, !torch.list<int> -> !torch.vtensor<[64],f32>
  return %2 : !torch.vtensor<[64],f32>
}
