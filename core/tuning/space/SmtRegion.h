// What a transform.smt.constrain_params asks.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/space/Expression.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"

namespace fuselage::tune {

/// Nodes of the expression they were read into.
struct SmtReading {
  std::vector<std::pair<int, mlir::Operation *>> assertions; ///< and who asks
  std::vector<int> results;                                  ///< what is yielded
};

/// Reads the region of `op` into `expression`. `operands` are the nodes that stand for its operands. Failure, with the
/// place: an op, a sort or a variable that cannot be computed with (see readSpace).
llvm::Expected<SmtReading> readSmt(mlir::transform::smt::ConstrainParamsOp op, Expression &expression,
                                   llvm::ArrayRef<int> operands);

} // namespace fuselage::tune
