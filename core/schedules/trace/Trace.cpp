#include "core/schedules/trace/Trace.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "core/schedules/script/UnknownOps.h"
#include "core/schedules/trace/Tracer.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {

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

/// A mlir::transform::PositionOp in front of the terminator of each block that the interpreter walks through, once.
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

std::vector<unsigned> Trace::framesOf(unsigned step) const {
  std::vector<unsigned> frames;
  for (int around = steps[step].parent; around >= 0; around = steps[around].parent)
    frames.insert(frames.begin(), around);
  return frames;
}

std::optional<unsigned> Trace::appliedBefore(unsigned step) const {
  const int parent = steps[step].parent;
  for (int sibling = static_cast<int>(step) - 1; sibling > parent; --sibling)
    if (steps[sibling].parent == parent)
      return sibling;
  return parent >= 0 ? std::optional<unsigned>(parent) : std::nullopt;
}

llvm::Expected<Trace> trace(Script &script, mlir::ModuleOp payload, const TraceOptions &options) {
  markEnds(*script.module);
  stopAtUnknown(*script.module);
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
