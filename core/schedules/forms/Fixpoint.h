// Whether patterns have anything left to do. Internal to core/schedules/forms.
#pragma once
#include "core/schedules/forms/NormalForm.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// The canonicalization of every op that is registered, as transform.apply_patterns.canonicalization.
void addCanonicalization(mlir::RewritePatternSet &patterns);

/// Tries the patterns, and CSE, on a copy of the function. Every op that they change first of all is a breach, with
/// `what` named as what changes it.
void findRewrites(mlir::FunctionOpInterface function, mlir::RewritePatternSet patterns, llvm::StringRef what,
                  std::vector<FormBreach> &breaches);

} // namespace fuselage
