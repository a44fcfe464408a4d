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

llvm::Expected<std::string> stepText(const Recording &recording, unsigned index, StepSide side) {
  if (llvm::Error error = checkStep(recording, index))
    return error;
  mlir::ModuleOp module =
      recording.snapshots[side == StepSide::Before ? index : index + 1]->module();
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << '\n';
  return text;
}

llvm::Expected<std::string> stepReproducer(const Recording &recording, unsigned index) {
  if (llvm::Error error = checkStep(recording, index))
    return error;
  const Step &step = recording.steps[index];
  bool schedule = !recording.schedule.empty();
  mlir::ModuleOp module = recording.snapshots[schedule ? 0 : index]->module();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// RUN: fuselage-opt --run-reproducer %s\n"
     << "// Step " << index << ": ";
  // A name may hold a line break; the comment must not.
  for (char c : step.name)
    os << (c == '\n' || c == '\r' ? ' ' : c);
  os << '\n';
  mlir::AsmState state(module, mlir::OpPrintingFlags().enableDebugInfo());
  state.attachResourcePrinter(
      "mlir_reproducer", [&](mlir::Operation *, mlir::AsmResourceBuilder &builder) {
        builder.buildString("pipeline", step.pipeline);
        builder.buildBool("disable_threading", true);
        builder.buildBool("verify_each", true);
      });
  module->print(os, state);
  os << '\n';
  return text;
}

} // namespace fuselage
