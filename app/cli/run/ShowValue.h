// `fuselage run --value`: a value inside of the program.
#pragma once
#include "core/run/RunOptions.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage::cli {

struct ValueWish {
  std::string value; ///< "%name", "12", "12:5" or "non-finite"
  bool asJson = false;
  std::string report; ///< where to write; "-": standard output
  std::string folder; ///< for value.npy; empty: not written
};

/// Computes and prints it. Failure: there is no such value, or none to show; see computeValue().
llvm::Error showValue(mlir::ModuleOp module, const RunOptions &run, const ValueWish &wish);

} // namespace fuselage::cli
