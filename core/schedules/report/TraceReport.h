// A trace as something to read.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/trace/Trace.h"

namespace fuselage {

/// A line for each application, indented by its frames: its number, milliseconds, what came of it, its text. What
/// failed or said something says so below its line.
std::string formatTrace(const Script &script, const Trace &trace);

/// The frames, the handles and the payload before step `step`, which was recorded.
std::string formatPosition(const Script &script, const Trace &trace, unsigned step);

/// A payload as text, with the names of its ops.
struct NamedPayload {
  explicit NamedPayload(mlir::ModuleOp module);
  PrintedModule printed;
  std::vector<llvm::StringRef> names; ///< by OpId
};

/// "2 ops: linalg.matmul (line 8), linalg.fill (line 5)", or what became of the handle. `payload` is that of the
/// position which the row is of.
std::string describeHandle(const Script &script, const Trace &trace, const HandleRow &row, const NamedPayload &payload);

/// What the schedule made of the payload. Failure: it failed, with what it said that nothing silenced.
llvm::Expected<mlir::ModuleOp> resultOf(const Script &script, const Trace &trace);

message::ScheduleTrace<> messageOf(const Script &script, const Trace &trace);
message::SchedulePosition<> messageOf(const Script &script, const Trace &trace, unsigned step);

} // namespace fuselage
