// A run as a table of text, the same from `fuselage run` and fuselage-launch.
#pragma once
#include "core/protocol/Run.h"
#include <string>

namespace fuselage {

struct RunTableOptions {
  std::string libraries{}; ///< stands between the rows and their sum: how libraries do, a line each
  bool flat = false; ///< a line for each row, in the order of the first launches, where there would be one a group
};

/// A line for each group of rows, what takes longest first (in the order of the first launches if none has several
/// rows); a line a result of the function, the times of all, and the verdict.
std::string runTable(const message::RunReport<> &report, const RunTableOptions &options = {});

} // namespace fuselage
