// What a schedule did, application by application, and what its handles held at each place.
#pragma once
#include "core/ir/module/IrFingerprint.h"
#include "core/ir/module/PrintedModule.h"
#include "core/schedules/script/Script.h"
#include "core/schedules/trace/HandleFates.h"
#include <atomic>
#include <memory>

namespace fuselage {

/// One application of a transform op. A debugger's position is "before step i".
struct TraceStep {
  enum class Outcome {
    Success,
    Silenceable, ///< failed in a way that the op around it may ignore
    Definite,    ///< failed for good
    Unfinished,  ///< it ended with the schedule: an op inside of it, or it was stopped there
  };
  int op = -1;            ///< in Script::ops; at the end of a block its terminator
  bool isEnd = false;     ///< the end of a block: a place, no application
  int parent = -1;        ///< the step whose op applies this one, -1 for the entry
  unsigned depth = 0;     ///< how many steps are around it
  unsigned block = 0;     ///< of the parent's blocks, in the order in which they were entered; counts every entry
  unsigned iteration = 0; ///< how often that very block was entered before, within the parent
  unsigned next = 0;      ///< the step after it that is not inside of it
  Outcome outcome = Outcome::Unfinished;
  bool suppressed = false; ///< it failed, and the schedule went on all the same
  bool modifies = true;    ///< by its declared effects; what is false does not touch the payload
  /// Whether the payload is another one after it; unknown where nothing was recorded (TraceOptions::budget).
  std::optional<bool> changed;
  double milliseconds = 0;             ///< with what is inside, without what tracing costs
  std::vector<Diagnostic> diagnostics; ///< what it said or failed with
};

/// A handle, parameter or value handle that is in scope at a position.
struct HandleRow {
  enum class Kind { Op, Value, Param };
  std::string name; ///< "%matmul"
  std::string type; ///< "!transform.any_op"
  Kind kind = Kind::Op;
  HandleFate fate;
  int definedBy = -1;               ///< the op of the script that defines it, or that its block belongs to
  std::vector<OpId> ops;            ///< of the payload: of a value handle the ops that define the values
  std::vector<std::string> details; ///< of parameters the values, of values "result 0" or "argument 1"
};

/// The payload and the handles before a step.
struct TracePosition {
  std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> payload; ///< shared by positions between which it stays
  std::vector<HandleRow> handles;                                   ///< innermost block last, in program order
};

struct TraceOptions {
  /// Positions to record whatever it costs: `first` up to and without `last`.
  unsigned first = 0, last = ~0u;
  /// What recording positions outside of these, and comparing payloads, may cost at most: a part of the time that the
  /// transforms take, and 30 milliseconds; 0: nothing is done outside. What is left out, tracing again with a window
  /// finds.
  double budget = 0;
  unsigned mostPositions = 128; ///< outside of the window, for the sake of memory
  unsigned limit = ~0u;         ///< stops before this step
  const std::atomic<bool> *cancelled = nullptr;
  /// Whether an op may run; where not, the schedule stops there.
  std::function<bool(mlir::transform::TransformOpInterface op, const mlir::transform::TransformState &state)> mayRun;
  /// After an op that ran.
  std::function<void(mlir::transform::TransformOpInterface op, bool succeeded,
                     const mlir::transform::TransformState &state)>
      didRun;
  /// Before an op runs, so that a crash can be named.
  std::function<void(unsigned step, const ScriptOp &op)> beforeStep;
};

struct Trace {
  std::vector<TraceStep> steps;
  std::vector<std::optional<TracePosition>> positions; ///< by step
  mlir::OwningOpRef<mlir::ModuleOp> result; ///< the payload in the end, also where it failed; null: it does not verify
  bool failed = false;
  std::vector<Diagnostic> diagnostics; ///< of no step
  double milliseconds = 0;             ///< of all, without what tracing costs

  /// The steps around a step, the entry first: the call stack.
  std::vector<unsigned> framesOf(unsigned step) const;
  /// What was applied right before a step, with all that is inside of it: the step before it in its block, or, of the
  /// first, the one around it, which has done nothing yet. nullopt: nothing was.
  std::optional<unsigned> appliedBefore(unsigned step) const;
};

/// Runs `script` on a copy of `payload` with the interpreter's expensive checks on. A schedule that fails is a
/// result. The script is changed (positions are put in), and can be traced again. Failure: it was cancelled.
llvm::Expected<Trace> trace(Script &script, mlir::ModuleOp payload, const TraceOptions &options = {});

} // namespace fuselage
