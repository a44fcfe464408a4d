// Cuts a module and a pipeline down to the smallest that still show a fault.
#pragma once
#include "core/reduce/ReduceOptions.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// The smallest that was found.
struct Reduction {
  mlir::OwningOpRef<mlir::ModuleOp> module{};
  std::string text{}; ///< of the module, without locations; parsed again, it shows the same, or else `note` says that
  std::vector<PassUnit> passes{};
  Symptom symptom{};
  unsigned opsBefore = 0, opsAfter = 0; ///< in the module, itself not counted
  unsigned passesBefore = 0;
  unsigned tried = 0, taken = 0; ///< cuts
  bool isComplete = true;        ///< no cut is left to try; false: it was cancelled, or tried too many
  std::string note{};            ///< why it was ended, and what else there is to say
};

/// Finds what `module` and `passes` show, and cuts them down. A cut is taken if the module is smaller then, verifies
/// and shows the same. `module` stays as it is. Failure: there is nothing to reduce, or it was cancelled before that
/// was known.
llvm::Expected<Reduction> reduce(mlir::ModuleOp module, std::vector<PassUnit> passes, const ReduceOptions &options);

} // namespace fuselage
