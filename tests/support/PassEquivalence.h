// Running a function before and after passes on the same random inputs.
#pragma once
#include "core/ir/Session.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace fuselage::test {

struct Equivalence {
  std::string problem;     ///< empty when before and after agree
  std::string after;       ///< the module after the passes, as far as it got
  double largestError = 0; ///< relative, of any element
};

/// Runs @dispatch of `source` on the host, applies the passes, runs it again and compares by element: integers
/// exactly, floats by the bounds of the ops before and after (RoundingErrors.h). `shapes` are the sizes for dynamic
/// dimensions of the arguments, in order.
Equivalence checkEquivalence(Session &session, llvm::StringRef source,
                             llvm::function_ref<void(mlir::OpPassManager &)> addPasses, unsigned seed,
                             llvm::ArrayRef<int64_t> shapes = {},
                             llvm::function_ref<std::string(mlir::ModuleOp)> inspect = nullptr);

} // namespace fuselage::test
