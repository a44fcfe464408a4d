// Which rewrite a symptom comes from.
#pragma once
#include "core/reduce/Symptom.h"

namespace fuselage {

/// The rewrite of the last pass after which the symptom shows, as what it is and does: "Sign on arith.subf: +
/// arith.negf ~ arith.subf". Two that read alike are one fault. Only wrong results, and IR that does not verify or a
/// pass that fails, are searched for; empty: it is another symptom, or nothing is found.
std::string guiltyRewrite(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes, const Symptom &symptom,
                          const SymptomOptions &options);

} // namespace fuselage
