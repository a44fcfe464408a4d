// Two files of results as a table of differences.
#pragma once
#include "core/support/Error.h"

namespace fuselage::cli {

struct CompareResultsOptions {
  std::string format = "text"; ///< or "csv"
  std::string output = "-";
};

/// What `run --format json` or fuselage-launch wrote. Results of one file are matched by the places of root ops, others
/// by the names of dispatches.
llvm::Error compareResults(llvm::StringRef a, llvm::StringRef b, const CompareResultsOptions &options);

} // namespace fuselage::cli
