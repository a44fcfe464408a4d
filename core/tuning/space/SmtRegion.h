// Reads the constraints of a transform.smt.constrain_params.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/space/Expression.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"

namespace fuselage::tune {

/// Nodes of the expression that the region was read into.
struct SmtReading {
  std::vector<std::pair<int, mlir::Operation *>> assertions; ///< with their ops
  std::vector<int> results;                                  ///< the yielded values
};

/// Appends the region of `op` to `expression`. `operands` are the nodes of its operands. Fails, with the place, on an
/// op, a sort or a variable that readSpace() does not support.
llvm::Expected<SmtReading> readSmt(mlir::transform::smt::ConstrainParamsOp op, Expression &expression,
                                   llvm::ArrayRef<int> operands);

} // namespace fuselage::tune
