// What an op may have been meant that MLIR does not have.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// Of "linalg.genric" "linalg.generic": an op of the same dialect whose name is a typo away. Of "aritth.addf"
/// "arith.addf": an op of this name in a dialect whose own is a typo away. Empty: there is none, or MLIR has the op.
/// May load that dialect.
std::string nearestOp(llvm::StringRef name, mlir::MLIRContext &context);

/// "; did you mean 'linalg.generic'?", or nothing.
std::string suggestOp(llvm::StringRef name, mlir::MLIRContext &context);

} // namespace fuselage
