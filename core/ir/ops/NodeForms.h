// Numbers for ops that a reader of layers calls the same.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// Gives ops the same number, from 1 on, if they agree in name, ranks, and what their bodies compute; sizes, element
/// types, strides and offsets of slices, and numbers in attributes may differ: layers of one model do in these.
/// Indexing maps, iterators, permutations and other attributes count. By hash: two ops may agree by accident.
class NodeForms {
public:
  int of(mlir::Operation *op);
  /// The same of an op whose number by NodeShapes is known: most are not looked at again.
  int of(mlir::Operation *op, int shape);

private:
  llvm::DenseMap<uint64_t, int> numbers_;
  llvm::DenseMap<int, int> ofShape_; ///< of linalg ops
};

} // namespace fuselage
