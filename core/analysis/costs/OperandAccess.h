// How much of an operand an op touches when it runs once: gathers and slices are less than the type.
#pragma once
#include "core/analysis/costs/ValueBytes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

struct OperandAccess {
  Bytes bytes;
  /// Values that decide where in the operand; none: the same place whenever the op runs.
  llvm::SmallVector<mlir::Value> places{};
};

/// What an op touches of an operand: of a structured op the image of its iteration domain; of a slice,
/// the slice; of a gather, what it gathers at most; of a load, an element; of others, all of it.
OperandAccess accessTo(mlir::OpOperand &use);

/// What the payload of `op` (hasPayloadRegion) reads of values from outside, each once, in the order in
/// which its ops name them first.
llvm::MapVector<mlir::Value, OperandAccess> payloadAccesses(mlir::Operation *op);

/// Calls `visit` for each buffer that an op declares to read or to write by its memory effects.
void forEachBufferEffect(mlir::Operation *op, llvm::function_ref<void(mlir::OpOperand &use, bool writes)> visit);

/// The operand that an op only shows otherwise: of a reshape, a slice, a cast, a view of a buffer; null
/// of all others.
mlir::OpOperand *viewedOperand(mlir::Operation *op);

/// What is touched of some values, each part of them once.
class TouchedValues {
public:
  /// A box of a value, at constant offsets.
  struct Box {
    llvm::SmallVector<int64_t> offsets, sizes;
  };
  /// Notes that `bytes` of `source` are touched. `part`: what has the same one touches the same.
  void add(mlir::Value source, const void *part, Bytes bytes, std::optional<Box> box = std::nullopt);
  /// Of a source, no more than all of it.
  Bytes total() const;

private:
  struct Part {
    const void *id;
    Bytes bytes;
    std::optional<Box> box;
  };
  static bool areApart(llvm::ArrayRef<Part> parts);

  llvm::MapVector<mlir::Value, llvm::SmallVector<Part, 1>> parts_;
};

} // namespace fuselage
