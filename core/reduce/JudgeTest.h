// Symptoms that a judge of IR tells: a command, a lost fusion, more bytes, more time.
#pragma once
#include "core/reduce/Symptom.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// The IR after passes; null: a pass fails, or the module does not verify.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> irAfter(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                                          const FaultLimits &limits);
/// The IR before the last of the passes, of one pass a copy of the module. Null: as of irAfter().
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> irBeforeLast(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                                               const FaultLimits &limits);

/// What the options look for: a command, or a lost fusion, or what is worse. The IR after the passes has to be bad, in
/// the same way at each cut, and that before the last pass good. Failure: the command cannot be read.
llvm::Expected<std::unique_ptr<SymptomTest>> makeJudgeTest(const SymptomOptions &options);

} // namespace fuselage
