// What a schedule did, as one page that works offline, without a script in it.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/trace/Trace.h"

namespace fuselage {

/// How many positions a page has handles and diffs of: record as many (TraceOptions::last).
inline constexpr unsigned kPositionsOfPage = 200;

/// Every application with its frame, time, outcome and what it said; of those before which a position was
/// recorded, the handles there, and what the application changed in the payload. `payload` is the name of its file;
/// `forms` are those known to hold at the lines of the script.
std::string renderHtml(const Script &script, const Trace &trace, llvm::StringRef payload,
                       const std::vector<message::LineForms<>> &forms);

} // namespace fuselage
