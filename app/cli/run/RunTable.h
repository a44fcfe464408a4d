// A run's report as text.
#pragma once
#include "core/run/Run.h"

namespace fuselage::cli {

/// A line for each group of rows, or if `flat` for each row; a line a result of the function, the times of all, and the
/// verdict.
std::string formatRunReport(const RunReport &report, bool flat);

/// A line for each row, for spreadsheets.
std::string formatRunCsv(const RunReport &report);

/// The results as NumPy prints arrays.
std::string formatResults(const RunReport &report);

/// Of each result its numbers in short, and the first ones to the digit.
std::string formatResultSummary(const RunReport &report);

} // namespace fuselage::cli
