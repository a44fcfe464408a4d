// What `fuselage reduce` and `fuselage bisect --reduce` have in common: a reduction, and what is written of it.
#pragma once
#include "app/cli/bisect/FaultOptions.h"
#include "core/reduce/report/Reproducer.h"

namespace fuselage::cli {

struct ReduceArguments {
  ReduceOptions reduce{};
  ReproducerOptions reproducer{};
  std::string as = "file"; ///< "file", "report" or "lit"
  std::string output = "-";
};

/// Reduces and writes. Ctrl-C ends the search, and the best so far is written; a second one ends the process. What came
/// of it is said on stderr. `exitCode` becomes that of a stopped command if it was.
llvm::Error reduceAndWrite(mlir::ModuleOp module, std::vector<PassUnit> passes, ReduceArguments &arguments,
                           int &exitCode);

/// What is looked for, for a reduction.
void takeFault(const BlameOptions &blame, SymptomOptions &symptom);

} // namespace fuselage::cli
