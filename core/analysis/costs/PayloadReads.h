// What the payload of a structured op reads by itself, beside the operands that its maps hand it.
#pragma once
#include "core/analysis/sets/Region.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::linalg {
class LinalgOp;
}

namespace fuselage {

/// One place where a payload reads a value from outside of it: a gather. `tensor.extract %table[%k, %c]`
/// says which elements; of any other op nothing is known, and it may read all of the value.
struct PayloadRead {
  /// Where an element lies along one dimension: at a constant, at a loop's index, or, if neither, where
  /// data says.
  struct Index {
    std::optional<int64_t> constant{};
    std::optional<unsigned> loop{};
    bool isData() const { return !constant && !loop; }
  };
  mlir::OpOperand *use = nullptr;
  llvm::SmallVector<Index> indices{};      ///< by dimension; meaningless where mayReadAll
  llvm::SmallVector<unsigned> dataLoops{}; ///< loops that indices of data may differ with
  bool mayReadAll = false;

  mlir::Value source() const { return use->get(); }
  bool isExact() const;
  /// What the points of the iteration domain touch of the source. How many elements is a bound where data
  /// says which: each combination of the loops reads one. Those that are shown are the first ones then.
  Region touchedBy(const Product &points) const;
};

/// In program order. Scalars and what the payload itself computes do not count.
llvm::SmallVector<PayloadRead> payloadReads(mlir::linalg::LinalgOp op);

} // namespace fuselage
