// 'fuselage step --history': which steps and rewrites made, changed and removed something.
#pragma once
#include "core/stepping/record/RecordedSteps.h"
#include <optional>
#include <string>

namespace fuselage::cli {

struct HistoryArguments {
  std::string of;             ///< a line, a value (%scores), or a name or text; empty: it is not asked for
  std::optional<unsigned> at; ///< the step in whose IR a line or value is looked for; none: the IR that was opened
  bool before = false;        ///< the IR before it
  bool json = false;
};

/// Opens a file, records it unless it is a log of passes and `options` is null, and follows what is asked for over the
/// steps. Failure: the file does not open, the recording fails, or there is no such line, value or step.
llvm::Expected<std::string> historyOutput(llvm::StringRef file, const RecordOptions *options,
                                          const HistoryArguments &wanted);

} // namespace fuselage::cli
