// Costs of structured ops, found once for those that look alike.
#pragma once
#include "core/analysis/costs/OpCosts.h"
#include "core/analysis/costs/OperandAccess.h"
#include <map>
#include <vector>

namespace fuselage {

/// What costOf and accessTo say, kept for linalg ops on tensors: of ops with one number of NodeShapes they differ only
/// by which operands are one value and which have no data yet. Indexing maps, which both look at, take their time.
class RepeatedCosts {
public:
  OpCost of(mlir::Operation *op, int shape);
  /// The bytes that an op touches of an operand.
  Bytes accessOf(mlir::OpOperand &use, int shape);

private:
  std::map<std::vector<int>, OpCost> costs_; ///< by shape and operands
  std::map<std::pair<int, unsigned>, Bytes> accesses_;
};

} // namespace fuselage
