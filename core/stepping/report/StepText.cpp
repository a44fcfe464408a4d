// The IR at a step, and files that repeat it.
#include "core/ir/module/Splits.h"
#include "core/ir/ops/ValueNames.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/stepping/report/Report.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

llvm::Error checkStep(const Recording &recording, unsigned index) {
  if (index < recording.steps.size())
    return llvm::Error::success();
  if (recording.steps.empty())
    return fail("the recording has no steps");
  return fail("there is no step " + std::to_string(index) + "; the steps are 0 to " +
              std::to_string(recording.steps.size() - 1));
}

namespace {

/// One side of a step that there is.
llvm::Expected<const Snapshot *> snapshotAt(const Recording &recording, unsigned index, StepSide side) {
  const Step &step = recording.steps[index];
  bool isBefore = side == StepSide::Before;
  if (const Snapshot *snapshot = isBefore ? recording.before(step) : recording.after(step))
    return snapshot;
  return fail("the log does not hold the IR " + std::string(isBefore ? "before" : "after") + " step " +
              std::to_string(index) + ", " + step.name +
              (isBefore ? "; --mlir-print-ir-before-all dumps it" : "; --mlir-print-ir-after-all dumps it"));
}

/// The module that the pipeline of a step runs on.
llvm::Expected<mlir::ModuleOp> reproducerInput(const Recording &recording, unsigned index, bool isNext) {
  // A schedule's ops hold handles to what earlier ones made: only the whole of it can be repeated.
  if (!recording.schedule.empty())
    return recording.snapshots.front()->parsed();
  if (isNext)
    return recording.snapshots.back()->parsed();
  auto snapshot = snapshotAt(recording, index, StepSide::Before);
  if (!snapshot)
    return snapshot.takeError();
  return (*snapshot)->parsed();
}

} // namespace

llvm::Expected<std::string> stepText(const Recording &recording, unsigned index, StepSide side, bool full,
                                     unsigned *elided) {
  if (llvm::Error error = checkStep(recording, index))
    return error;
  auto snapshot = snapshotAt(recording, index, side);
  if (!snapshot)
    return snapshot.takeError();
  if (elided && (!full || (*snapshot)->isDump()))
    *elided = (*snapshot)->lines().elidedCount();
  return full ? fullText(**snapshot, /*hasLocations=*/false) : (*snapshot)->lines().text();
}

std::string fullText(const Snapshot &snapshot, bool hasLocations) {
  if (snapshot.isDump())
    return snapshot.lines().text();
  mlir::ModuleOp module = snapshot.module();
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags = withValueNames(mlir::OpPrintingFlags());
  module->print(os, hasLocations ? flags.enableDebugInfo() : flags);
  os << '\n';
  return text;
}

llvm::Expected<std::string> stepReproducer(const Recording &recording, unsigned index, llvm::StringRef pipeline) {
  bool isNext = !pipeline.empty() && index == recording.steps.size();
  if (llvm::Error error = isNext ? llvm::Error::success() : checkStep(recording, index))
    return error;
  std::string name = isNext ? "the step that did not return" : recording.steps[index].name;
  std::string repeats = pipeline.empty() ? recording.steps[index].pipeline : pipeline.str();
  if (repeats.empty())
    return fail("the log does not tell by which name a pipeline would run '" + name + "'");
  auto input = reproducerInput(recording, index, isNext);
  if (!input)
    return input.takeError();
  mlir::ModuleOp module = *input;
  // Passes ran on the modules of a split file one by one.
  if (llvm::SmallVector<mlir::ModuleOp> parts = splitModules(module);
      toolCommandOf(repeats).empty() && (parts.empty() || parts.front() != module))
    repeats = "builtin.module(" + repeats + ")";
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string tool = toolCommandOf(repeats);
  os << "// RUN: " << (tool.empty() ? "fuselage-opt --run-reproducer" : tool) << " %s\n"
     << "// Step " << index << ": ";
  // A name may hold a line break; the comment must not.
  for (char c : name)
    os << (c == '\n' || c == '\r' ? ' ' : c);
  os << '\n';
  mlir::AsmState state(module, withValueNames(mlir::OpPrintingFlags().enableDebugInfo()));
  if (tool.empty()) // another compiler is called as the first line says
    state.attachResourcePrinter("mlir_reproducer", [&](mlir::Operation *, mlir::AsmResourceBuilder &builder) {
      builder.buildString("pipeline", repeats);
      builder.buildBool("disable_threading", true);
      builder.buildBool("verify_each", true);
    });
  module->print(os, state);
  os << '\n';
  return text;
}

} // namespace fuselage
