// What `fuselage reduce` and `fuselage bisect --reduce` have in common: a reduction, and what is written of it.
#pragma once
#include "app/cli/Options.h"
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

/// The options that load plugins, of the words of a command line.
std::vector<std::string> pluginOptions(llvm::ArrayRef<llvm::StringRef> words);

} // namespace fuselage::cli
