// The IR at a step, and files that repeat it.
#include "core/stepping/Report.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {
namespace {

llvm::Error checkStep(const Recording &recording, unsigned index) {
  if (index < recording.steps.size())
    return llvm::Error::success();
  if (recording.steps.empty())
    return fail("the recording has no steps");
  return fail("there is no step " + std::to_string(index) + "; the steps are 0 to " +
              std::to_string(recording.steps.size() - 1));
}

} // namespace

llvm::Expected<std::string> stepText(const Recording &recording, unsigned index, StepSide side,
                                     bool full, unsigned *elided) {
  if (llvm::Error error = checkStep(recording, index))
    return error;
  const Snapshot &snapshot = *recording.snapshots[side == StepSide::Before ? index : index + 1];
  if (!full) {
    if (elided)
      *elided = snapshot.printed().elidedCount();
    return snapshot.printed().text();
  }
  mlir::ModuleOp module = snapshot.module();
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << '\n';
  return text;
}

llvm::Expected<std::string> stepReproducer(const Recording &recording, unsigned index,
                                           llvm::StringRef pipeline) {
  bool isNext = !pipeline.empty() && index == recording.steps.size();
  if (llvm::Error error = isNext ? llvm::Error::success() : checkStep(recording, index))
    return error;
  std::string name = isNext ? "the step that did not return" : recording.steps[index].name;
  std::string repeats = pipeline.empty() ? recording.steps[index].pipeline : pipeline.str();
  // A schedule's ops hold handles to what earlier ones made: only the whole of it can be repeated.
  mlir::ModuleOp module = recording.snapshots[recording.schedule.empty() ? index : 0]->module();
  // Passes ran on the modules of a split file one by one.
  if (llvm::SmallVector<mlir::ModuleOp> parts = splitModules(module);
      parts.empty() || parts.front() != module)
    repeats = "builtin.module(" + repeats + ")";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// RUN: fuselage-opt --run-reproducer %s\n"
     << "// Step " << index << ": ";
  // A name may hold a line break; the comment must not.
  for (char c : name)
    os << (c == '\n' || c == '\r' ? ' ' : c);
  os << '\n';
  mlir::AsmState state(module, mlir::OpPrintingFlags().enableDebugInfo());
  state.attachResourcePrinter("mlir_reproducer",
                              [&](mlir::Operation *, mlir::AsmResourceBuilder &builder) {
                                builder.buildString("pipeline", repeats);
                                builder.buildBool("disable_threading", true);
                                builder.buildBool("verify_each", true);
                              });
  module->print(os, state);
  os << '\n';
  return text;
}

} // namespace fuselage
