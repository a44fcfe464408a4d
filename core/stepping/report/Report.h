// A recording as something to read: a table, JSON, or a page that steps offline.
#pragma once
#include "core/protocol/Notes.h"
#include "core/stepping/record/Recording.h"
#include "core/stepping/report/StepRange.h"

namespace fuselage {

enum class ReportFormat { Text, Json, Html };

/// "text", "json" or "html"; anything else is a Failure that lists them.
llvm::Expected<ReportFormat> parseReportFormat(llvm::StringRef name);

/// The report. Text: a table of the steps and the diagnostics of a failed one. Json:
/// {"version":1,"input":..,"pipeline":..,"steps":[..]}, a step as in the protocol. Html: one file
/// without external resources: j/k and arrows step, filter, hide unchanged, side-by-side diffs,
/// graphs. Html is bounded: where a module is huge, only the changed lines are kept; where steps are
/// very many, the page ends after as many as it may hold and says how many it leaves out. Text and Json
/// have the steps of the range only. `notes` stand on the steps of a page that they were made on; those that are lost
/// are told, too.
std::string renderReport(const Recording &recording, llvm::StringRef inputName, ReportFormat format,
                         StepRange range = {}, const std::vector<message::Note<>> &notes = {});

/// renderReport into `path`; '-' is stdout.
llvm::Error writeReport(const Recording &recording, llvm::StringRef inputName, ReportFormat format,
                        llvm::StringRef path, StepRange range = {}, const std::vector<message::Note<>> &notes = {});

enum class StepSide { Before, After };

/// Failure: there is no step `index`; it says which there are.
llvm::Error checkStep(const Recording &recording, unsigned index);

/// The IR before or after step `index` as text; large data is elided as in PrintedModule, unless
/// `full`; a dumped step's is the text of its dump. `elided`, if given, is how many pieces of data
/// were. Failure: no such step, or a dumped step without that side.
llvm::Expected<std::string> stepText(const Recording &recording, unsigned index, StepSide side, bool full = false,
                                     unsigned *elided = nullptr);

/// All of a snapshot as a file that reads back: with its data, and with locations if they are wanted; a dump as it is
/// in its log.
std::string fullText(const Snapshot &snapshot, bool hasLocations);

/// The IR before step `index` with the pipeline that repeats it: a `// RUN:` line for people and an
/// `mlir_reproducer` resource for `fuselage-opt --run-reproducer` (of a schedule: the input and the
/// whole schedule). With a `pipeline`, that one instead of the step's, and `index` may be the number
/// of steps: the step that took the process down is in no recording. Failure: no such step, or a dumped
/// step that cannot be repeated: its pass has no known name, or its IR is not in the log or does not
/// parse.
llvm::Expected<std::string> stepReproducer(const Recording &recording, unsigned index, llvm::StringRef pipeline = "");

} // namespace fuselage
