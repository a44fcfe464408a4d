// The observer that makes a trace. Internal to core/schedules.
#pragma once
#include "core/schedules/trace/ApplyHooks.h"
#include "core/schedules/trace/PayloadCopy.h"
#include "core/schedules/trace/Trace.h"
#include <chrono>

namespace fuselage {

class Tracer : public ApplyObserver {
public:
  Tracer(Script &script, mlir::ModuleOp working, const TraceOptions &options);

  bool willApply(mlir::transform::TransformOpInterface op, mlir::transform::TransformState &state) override;
  void didApply(mlir::transform::TransformOpInterface op, mlir::DiagnosedSilenceableFailure &result,
                mlir::transform::TransformState &state, llvm::ArrayRef<Diagnostic> reasons) override;

  /// The schedule is over: says what its last op came to, and hands out what was seen.
  Trace take(mlir::LogicalResult result);
  bool cancelled() const { return options_.cancelled && *options_.cancelled; }

private:
  using Clock = std::chrono::steady_clock;
  /// A step that is under way.
  struct Open {
    unsigned step;
    Clock::time_point start;
    double overhead;      ///< of tracing, up to its start
    uint64_t fingerprint; ///< of the payload before it; see isKnown_
    bool isKnown;
    unsigned blocks = 0; ///< of its blocks, how many were entered so far
    llvm::DenseMap<mlir::Block *, unsigned> entries{};
  };

  /// The interpreter says why it does not even apply an op: that op is a step all the same. True: the step has it.
  bool takeRefusal(mlir::Diagnostic &diagnostic);
  /// Why the end of a block cannot be run; empty: it can.
  std::string handsOnDead(mlir::Operation *terminator) const;
  void leaveBlocks(const Open &around);
  void place(mlir::Operation *op, TraceStep &step);
  bool isInWindow(unsigned step) const { return step >= options_.first && step < options_.last; }
  bool isAffordable() const;
  void touch() { isKnown_ = isNumbered_ = false; }
  void look(const mlir::transform::TransformState &state);
  std::vector<mlir::Operation *> detached(const mlir::transform::TransformState &state) const;
  TracePosition capture(mlir::Operation *op, mlir::transform::TransformState &state);
  void describe(HandleRow &row, mlir::Value handle, mlir::transform::TransformState &state) const;
  void finishStep(TraceStep &step, const Open &open);
  static double since(Clock::time_point start);

  Script &script_;
  mlir::ModuleOp working_;
  const TraceOptions &options_;
  DiagnosticCapture capture_;
  mlir::ScopedDiagnosticHandler refusals_;           ///< sees what is said before capture_ does
  mlir::transform::TransformState *state_ = nullptr; ///< of the run, once it is under way
  HandleFates fates_;
  Trace trace_;
  std::vector<Open> open_;
  double overhead_ = 0; ///< milliseconds spent on tracing
  Clock::time_point start_ = Clock::now();
  uint64_t fingerprint_ = 0; ///< of the payload when it was last looked at
  bool isKnown_ = false;     ///< it has not been touched since
  bool isNumbered_ = false;  ///< copy_.ids are of the ops as they are
  PayloadCopy copy_;         ///< of what `copyFingerprint_` is of
  uint64_t copyFingerprint_ = 0;
  unsigned alternatives_ = 0; ///< open ones
  unsigned kept_ = 0;         ///< positions outside of the window
};

} // namespace fuselage
