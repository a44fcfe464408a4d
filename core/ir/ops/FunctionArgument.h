// Which function a value is an argument of.
#pragma once
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {

/// The function whose argument a value is, one that its attributes speak of; null if it is none.
inline mlir::FunctionOpInterface functionOfArgument(mlir::Value value) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
  auto function = argument ? mlir::dyn_cast_or_null<mlir::FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : mlir::FunctionOpInterface();
  bool isOne = function && argument.getOwner()->isEntryBlock() && argument.getArgNumber() < function.getNumArguments();
  return isOne ? function : mlir::FunctionOpInterface();
}

} // namespace fuselage
