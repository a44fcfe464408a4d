// Numbers for ops that are equal, wherever they stand.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// Whether two ops agree in name, attributes, types of operands and results, and regions: in all but locations and in
/// which values they read from outside. Of constants with many different numbers the type counts alone; where a slice
/// begins does not count, if constants say it.
bool areEqualOps(mlir::Operation *one, mlir::Operation *other);

/// The same without exceptions: in all but locations and in which values they read from outside.
bool areSameOps(mlir::Operation *one, mlir::Operation *other);

/// A hash of what an op and the ops in it are: names, attributes and types of results. Operands and locations do not
/// count.
llvm::hash_code hashOfOps(mlir::Operation *op);

/// Gives ops the same number, from 0 on, if they are equal (areEqualOps). By comparison, not by hash alone. The ops
/// must not change meanwhile. See NodeForms for ops that are only alike.
class EqualOps {
public:
  unsigned of(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Operation *, unsigned> numbers_;
  llvm::DenseMap<uint64_t, llvm::SmallVector<mlir::Operation *, 1>> buckets_;
  unsigned next_ = 0;
};

} // namespace fuselage
