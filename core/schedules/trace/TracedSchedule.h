// A schedule that ran, at whose every position one can look.
#pragma once
#include "core/schedules/trace/Trace.h"

namespace fuselage {

/// Owns the script and its trace. The positions that tracing left out for the sake of time are found by running again
/// up to there, a window of them at once, and kept for as long as one looks near by.
class TracedSchedule {
public:
  /// `trace` is of `script` on `payload`, which `owner` keeps in memory.
  TracedSchedule(Script script, Trace trace, mlir::ModuleOp payload, std::shared_ptr<const void> owner)
      : script_(std::move(script)), trace_(std::move(trace)), payload_(payload), owner_(std::move(owner)) {}

  const Script &script() const { return script_; }
  const Trace &trace() const { return trace_; }
  /// Makes sure that trace().positions has the step. Failure: there is no such step, or it was cancelled.
  llvm::Error record(unsigned step, const std::atomic<bool> *cancelled = nullptr);
  /// Records what one comes to next from `step`, either way, so that stepping does not wait for it.
  llvm::Error prepare(unsigned step, const std::atomic<bool> *cancelled = nullptr);

private:
  void forgetFarFrom(unsigned step);

  Script script_;
  Trace trace_;
  mlir::ModuleOp payload_;
  std::shared_ptr<const void> owner_;
};

} // namespace fuselage
