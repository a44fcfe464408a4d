// Types of dialects that we only read, as far as they describe a tensor. They are kept as text
// (OpaqueType) and looked into on demand.
#pragma once
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace fuselage {

enum class TensorAccess { ReadOnly, WriteOnly, ReadWrite };

/// A kernel's view of a tensor in memory: `!flow.dispatch.tensor<readonly:tensor<86x128xi4>>`, the
/// same in `iree_tensor_ext`, before 2022 `<readonly:86x128xi4>`, in 2020 `!flow.dispatch.input<86x128xi4>`.
struct DispatchTensor {
  TensorAccess access = TensorAccess::ReadOnly;
  mlir::RankedTensorType tensor;
};
std::optional<DispatchTensor> decodeDispatchTensor(mlir::Type type);

/// The shape that a value of a foreign type has, as a builtin tensor; null if none is in sight.
/// Beside dispatch tensors it reads `!torch.vtensor<[2,?],f32>`. Of all others it guesses: a builtin
/// tensor, memref or vector type inside (`!tt.tensordesc<tensor<64x64xf16>>`), or dimensions at the
/// very start (`!ttg.memdesc<64x64xf16, #shared>`). Pointers are scalars whatever they point to.
mlir::RankedTensorType underlyingTensor(mlir::Type type);

} // namespace fuselage
