#include "core/schedules/trace/Tracer.h"
#include "core/ir/module/ConvertDiagnostic.h"
#include "core/schedules/causes/Causes.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "core/schedules/script/Knobs.h"
#include "core/schedules/script/ScriptSafety.h"
#include "core/schedules/script/UnknownOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {

using mlir::transform::TransformOpInterface;
using mlir::transform::TransformState;

Tracer::Tracer(Script &script, mlir::ModuleOp working, const TraceOptions &options)
    : script_(script), working_(working), options_(options), capture_(*working.getContext()),
      refusals_(working.getContext(), [this](mlir::Diagnostic &said) { return mlir::success(takeRefusal(said)); }) {}

double Tracer::since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Nothing is mapped any more that was defined in the blocks that `around` has entered.
void Tracer::leaveBlocks(const Open &around) {
  for (const auto &[block, entered] : around.entries)
    fates_.leave(*block->getParent());
}

/// Where the op stands among the steps: in which entry of which block of its parent's.
void Tracer::place(mlir::Operation *op, TraceStep &step) {
  step.op = script_.numberOf(op);
  step.isEnd = mlir::isa<mlir::transform::PositionOp>(op);
  if (step.isEnd)
    step.op = script_.numberOf(op->getBlock()->getTerminator());
  if (mlir::isa<mlir::transform::StopOp>(op))
    step.op = script_.numberOf(op->getNextNode());
  step.depth = open_.size();
  if (open_.empty())
    return;
  Open &parent = open_.back();
  step.parent = static_cast<int>(parent.step);
  mlir::Block *block = op->getBlock();
  if (&block->front() == op) {
    leaveBlocks(parent); // an alternative ends without a word when the next one begins
    fates_.leave(*block->getParent());
    ++parent.blocks;
    ++parent.entries[block];
    for (mlir::BlockArgument argument : block->getArguments())
      fates_.define(argument);
  }
  step.block = parent.blocks - 1;
  step.iteration = parent.entries[block] - 1;
}

bool Tracer::isAffordable() const {
  constexpr double always = 30; // milliseconds
  return options_.budget > 0 && overhead_ < always + options_.budget * (since(start_) - overhead_);
}

/// What is being transformed outside of the payload's module: the copies that open alternatives work on.
std::vector<mlir::Operation *> Tracer::detached(const TransformState &state) const {
  llvm::SetVector<mlir::Operation *> roots;
  if (alternatives_ > 0)
    fates_.forEachLive([&](mlir::Value handle) {
      for (mlir::Operation *op : state.getPayloadOps(handle)) {
        while (mlir::Operation *parent = op->getParentOp())
          op = parent;
        if (op != working_)
          roots.insert(op);
      }
    });
  return {roots.begin(), roots.end()};
}

/// Brings the fingerprint up to date.
void Tracer::look(const TransformState &state) {
  if (isKnown_)
    return;
  fingerprint_ = fingerprint(working_).hash;
  for (mlir::Operation *op : detached(state))
    fingerprint_ = llvm::hash_combine(fingerprint_, fingerprint(op).hash);
  isKnown_ = true;
}

/// The interpreter looks for what a terminator hands on without asking whether it is still there.
std::string Tracer::handsOnDead(mlir::Operation *terminator) const {
  for (mlir::Value operand : terminator->getOperands())
    if (const HandleFate *fate = fates_.fate(operand); fate && fate->state == HandleFate::State::Consumed)
      return script_.names.lookup(operand) + " is handed on here, and was consumed; LLVM 22 crashes then";
  return "";
}

bool Tracer::willApply(TransformOpInterface op, TransformState &state) {
  Clock::time_point begin = Clock::now();
  state_ = &state;
  unsigned index = trace_.steps.size();
  TraceStep step;
  place(op, step);
  step.modifies = !step.isEnd && !onlyApplies(op) && mlir::transform::doesModifyPayload(op);
  bool isAffordable = this->isAffordable();
  bool wanted = isInWindow(index);
  if (!wanted && isAffordable && kept_ < options_.mostPositions) {
    wanted = true;
    ++kept_;
  }
  if (wanted || isAffordable)
    look(state);
  trace_.steps.push_back(std::move(step));
  trace_.positions.emplace_back();
  if (wanted)
    trace_.positions.back() = capture(op, state);
  std::string why = mlir::isa<mlir::transform::PositionOp>(op) ? handsOnDead(op->getNextNode()) : refusedNow(op, state);
  if (!why.empty()) {
    SourcePosition place = positionOf(op->getLoc());
    trace_.steps[index].outcome = TraceStep::Outcome::Definite;
    trace_.steps[index].diagnostics.push_back(
        {.message = std::move(why), .file = place.file, .line = place.line, .column = place.column, .notes = {}});
    return false;
  }
  if (index >= options_.limit || cancelled() || (options_.mayRun && !options_.mayRun(op, state)))
    return false;
  fates_.consume(op, index, state);
  if (options_.beforeStep && trace_.steps[index].op >= 0)
    options_.beforeStep(index, script_.ops[trace_.steps[index].op]);
  overhead_ += since(begin);
  open_.push_back(
      {.step = index, .start = Clock::now(), .overhead = overhead_, .fingerprint = fingerprint_, .isKnown = isKnown_});
  if (mlir::isa<mlir::transform::AlternativesOp>(op)) {
    ++alternatives_;
    touch(); // what it works on is a copy from now on
  }
  return true;
}

bool Tracer::takeRefusal(mlir::Diagnostic &diagnostic) {
  if (open_.empty() || diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error ||
      !llvm::StringRef(diagnostic.str()).contains("invalidated by a previously executed transform op"))
    return false;
  auto usesDead = [&](mlir::Value operand) {
    const HandleFate *fate = fates_.fate(operand);
    return fate && fate->state != HandleFate::State::Live;
  };
  mlir::Operation *refused = nullptr; // several ops may stand at one place: what is put before an op does
  for (auto [op, number] : script_.numbers)
    if (op->getLoc() == diagnostic.getLocation() && llvm::any_of(op->getOperands(), usesDead) &&
        (!refused || number < script_.numbers.lookup(refused)))
      refused = op;
  if (!refused)
    return false;
  TraceStep step;
  place(refused, step);
  step.outcome = TraceStep::Outcome::Definite;
  step.modifies = false;
  step.changed = false;
  step.next = trace_.steps.size() + 1;
  step.diagnostics.push_back(convertDiagnostic(diagnostic));
  bool wanted = isInWindow(trace_.steps.size()) || isAffordable();
  trace_.steps.push_back(std::move(step));
  trace_.positions.emplace_back();
  if (wanted) {
    look(*state_);
    trace_.positions.back() = capture(refused, *state_);
  }
  return true;
}

void Tracer::finishStep(TraceStep &step, const Open &open) {
  step.next = trace_.steps.size();
  step.milliseconds = std::max(0.0, since(open.start) - (overhead_ - open.overhead));
}

/// Whether one of the steps has the diagnostic: failures go up from op to op.
static bool wasSaid(llvm::ArrayRef<TraceStep> steps, const Diagnostic &diagnostic) {
  return llvm::any_of(steps, [&](const TraceStep &step) {
    return llvm::any_of(step.diagnostics, [&](const Diagnostic &said) {
      return said.message == diagnostic.message && said.line == diagnostic.line && said.file == diagnostic.file;
    });
  });
}

void Tracer::didApply(TransformOpInterface op, mlir::DiagnosedSilenceableFailure &result, TransformState &state,
                      llvm::ArrayRef<Diagnostic> reasons) {
  Clock::time_point begin = Clock::now();
  Open open = std::move(open_.back());
  open_.pop_back();
  TraceStep &step = trace_.steps[open.step];
  finishStep(step, open);
  leaveBlocks(open);
  if (mlir::isa<mlir::transform::AlternativesOp>(op))
    --alternatives_;
  if (step.modifies)
    touch();
  if (open.isKnown && (isInWindow(open.step) || isAffordable()))
    look(state);
  if (open.isKnown && isKnown_)
    step.changed = fingerprint_ != open.fingerprint;
  else if (step.next == open.step + 1 && !step.modifies)
    step.changed = false;
  step.diagnostics = capture_.take();
  step.outcome = result.succeeded()           ? TraceStep::Outcome::Success
                 : result.isDefiniteFailure() ? TraceStep::Outcome::Definite
                                              : TraceStep::Outcome::Silenceable;
  if (result.isSilenceableFailure()) {
    llvm::SmallVector<mlir::Diagnostic> diagnostics;
    result.takeDiagnostics(diagnostics);
    llvm::ArrayRef<TraceStep> inside = llvm::ArrayRef(trace_.steps).drop_front(open.step + 1);
    for (const mlir::Diagnostic &diagnostic : diagnostics)
      if (Diagnostic converted = convertDiagnostic(diagnostic); !wasSaid(inside, converted))
        step.diagnostics.push_back(std::move(converted));
    result = mlir::DiagnosedSilenceableFailure::silenceableFailure(std::move(diagnostics));
  }
  if (!result.succeeded() && step.diagnostics.empty() && step.next == open.step + 1) {
    SourcePosition place = positionOf(op->getLoc());
    step.diagnostics.push_back({.message = "'" + op->getName().getStringRef().str() + "' failed, and did not say why",
                                .file = place.file,
                                .line = place.line,
                                .column = place.column,
                                .notes = {}});
  }
  if (std::optional<Diagnostic> nothing = result.succeeded() ? matchesNothing(op, state) : std::nullopt)
    step.diagnostics.push_back(std::move(*nothing));
  if (runsInterpreter(op))
    step.diagnostics.push_back(
        {.severity = Diagnostic::Severity::Remark,
         .message = "the interpreter that this pass starts has a schedule of its own, whose applications are not shown",
         .notes = {}});
  for (mlir::Value defined : op->getResults())
    fates_.define(defined);
  if (options_.didRun)
    options_.didRun(op, step.outcome == TraceStep::Outcome::Success, state);
  if (!result.succeeded() && !step.diagnostics.empty()) {
    llvm::append_range(step.diagnostics.front().notes, causesOf(script_, op, state, reasons));
    if (std::string how = howToSelect(op); !how.empty())
      step.diagnostics.front().notes.push_back(
          {.severity = Diagnostic::Severity::Note, .message = std::move(how), .notes = {}});
  }
  overhead_ += since(begin);
}

/// The values that `op` may use, outermost block first, in program order.
static std::vector<mlir::Value> inScope(mlir::Operation *op) {
  std::vector<std::vector<mlir::Value>> blocks;
  for (; op && op->getBlock(); op = op->getParentOp()) {
    std::vector<mlir::Value> &values = blocks.emplace_back();
    for (mlir::BlockArgument argument : op->getBlock()->getArguments())
      values.push_back(argument);
    for (mlir::Operation &before : *op->getBlock()) {
      if (&before == op)
        break;
      llvm::append_range(values, before.getResults());
    }
    if (op->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      break;
  }
  std::vector<mlir::Value> all;
  for (std::vector<mlir::Value> &values : llvm::reverse(blocks))
    llvm::append_range(all, values);
  return all;
}

void Tracer::describe(HandleRow &row, mlir::Value handle, TransformState &state) const {
  auto add = [&](mlir::Operation *op) {
    auto found = copy_.ids.find(op); // what is not there any more is not looked at
    if (found != copy_.ids.end())
      row.ops.push_back(found->second);
    return found != copy_.ids.end();
  };
  if (row.kind == HandleRow::Kind::Param) {
    for (mlir::Attribute attribute : state.getParams(handle))
      llvm::raw_string_ostream(row.details.emplace_back()) << attribute;
  } else if (row.kind == HandleRow::Kind::Op) {
    for (mlir::Operation *op : state.getPayloadOps(handle))
      add(op);
  } else {
    for (mlir::Value value : state.getPayloadValues(handle)) {
      auto result = mlir::dyn_cast<mlir::OpResult>(value);
      auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
      if (add(result ? result.getOwner() : argument.getOwner()->getParentOp()))
        row.details.push_back(result ? "result " + std::to_string(result.getResultNumber())
                                     : "argument " + std::to_string(argument.getArgNumber()));
    }
  }
}

TracePosition Tracer::capture(mlir::Operation *op, TransformState &state) {
  TracePosition position;
  std::vector<mlir::Operation *> elsewhere = detached(state);
  if (!copy_.module || copyFingerprint_ != fingerprint_ || (!isNumbered_ && !elsewhere.empty()))
    copy_ = copyPayload(working_, elsewhere);
  else if (!isNumbered_)
    copy_.ids = numberOps(working_);
  copyFingerprint_ = fingerprint_;
  isNumbered_ = true;
  position.payload = copy_.module;
  if (open_.empty())
    return position; // the entry itself: nothing is in scope
  for (mlir::Value value : inScope(op)) {
    const HandleFate *fate = fates_.fate(value);
    if (!fate)
      continue;
    HandleRow row;
    row.name = script_.names.lookup(value);
    llvm::raw_string_ostream(row.type) << value.getType();
    row.kind = mlir::isa<mlir::transform::TransformHandleTypeInterface>(value.getType()) ? HandleRow::Kind::Op
               : mlir::isa<mlir::transform::TransformValueHandleTypeInterface>(value.getType())
                   ? HandleRow::Kind::Value
                   : HandleRow::Kind::Param;
    row.fate = *fate;
    mlir::Operation *definition = value.getDefiningOp();
    row.definedBy = script_.numberOf(definition ? definition : value.getParentBlock()->getParentOp());
    if (fate->state == HandleFate::State::Live)
      describe(row, value, state);
    position.handles.push_back(std::move(row));
  }
  return position;
}

Trace Tracer::take(mlir::LogicalResult result) {
  for (const Open &open : open_)
    finishStep(trace_.steps[open.step], open);
  trace_.milliseconds = std::max(0.0, since(start_) - overhead_);
  trace_.failed = mlir::failed(result);
  for (Diagnostic &diagnostic : capture_.take()) // the entry's failure is reported once more in the end
    if (!wasSaid(trace_.steps, diagnostic))
      trace_.diagnostics.push_back(std::move(diagnostic));
  llvm::DenseMap<int, const TraceStep *> last; // of those around which the same step is
  for (const TraceStep &step : trace_.steps)
    last[step.parent] = &step;
  for (TraceStep &step : trace_.steps) {
    step.next = std::max<unsigned>(step.next, 1 + (&step - trace_.steps.data()));
    if (step.outcome != TraceStep::Outcome::Silenceable)
      continue;
    const TraceStep *parent = step.parent < 0 ? nullptr : &trace_.steps[step.parent];
    bool wentOn = last[step.parent] != &step; // what is around it applied something else afterwards
    step.suppressed =
        parent ? wentOn || parent->suppressed || parent->outcome == TraceStep::Outcome::Success : !trace_.failed;
  }
  return std::move(trace_);
}

/// The named sequences that only match, and may hold nothing else.
static llvm::StringSet<> matchersOf(mlir::Operation *script) {
  llvm::StringSet<> names;
  script->walk([&](mlir::Operation *op) {
    if (auto match = mlir::dyn_cast<mlir::transform::ForeachMatchOp>(op))
      for (mlir::Attribute matcher : match.getMatchers())
        names.insert(mlir::cast<mlir::SymbolRefAttr>(matcher).getLeafReference());
    if (auto collect = mlir::dyn_cast<mlir::transform::CollectMatchingOp>(op))
      names.insert(collect.getMatcher().getLeafReference());
  });
  return names;
}

/// A mlir::transform::PositionOp before the terminator of each block that the interpreter walks through, once.
static void markEnds(mlir::Operation *script) {
  llvm::StringSet<> matchers = matchersOf(script);
  llvm::SmallVector<mlir::Block *> blocks;
  script->walk([&](mlir::Operation *op) {
    auto named = mlir::dyn_cast<mlir::transform::NamedSequenceOp>(op);
    if (walksThrough(op) && !(named && matchers.contains(named.getSymName())))
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          if (block.mightHaveTerminator())
            blocks.push_back(&block);
  });
  for (mlir::Block *block : blocks) {
    mlir::Operation *terminator = block->getTerminator();
    if (mlir::isa_and_nonnull<mlir::transform::PositionOp>(terminator->getPrevNode()))
      continue;
    mlir::OpBuilder builder(terminator);
    mlir::transform::PositionOp::create(builder, terminator->getLoc());
  }
}

llvm::Expected<Trace> trace(Script &script, mlir::ModuleOp payload, const TraceOptions &options) {
  markEnds(*script.module);
  stopAtUnknown(*script.module, script.diagnostics);
  hookApplications(*script.module);
  mlir::OwningOpRef<mlir::ModuleOp> working = payloadFor(script, payload);
  Tracer tracer(script, *working, options);
  mlir::LogicalResult result = mlir::transform::applyTransforms(
      *working, script.entry, {}, mlir::transform::TransformOptions().enableExpensiveChecks(),
      /*enforceToplevelTransformOp=*/false,
      [&](mlir::transform::TransformState &state) { state.addExtension<ObserverExtension>(tracer); });
  bool cancelled = tracer.cancelled();
  Trace trace = tracer.take(result);
  if (cancelled)
    return fail("the schedule was cancelled");
  DiagnosticCapture capture(*payload.getContext());
  if (mlir::succeeded(mlir::verify(*working))) {
    trace.result = std::move(working);
  } else {
    trace.failed = true;
    for (Diagnostic &diagnostic : capture.take())
      trace.diagnostics.push_back(std::move(diagnostic));
  }
  return trace;
}

} // namespace fuselage
