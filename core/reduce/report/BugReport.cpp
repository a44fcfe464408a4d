#include "core/reduce/report/Reproducer.h"
#include "llvm/Demangle/Demangle.h"

namespace fuselage {
namespace {

constexpr const char *kFile = "reduced.mlir";

std::string counted(size_t count, const char *one, const char *many) {
  return std::to_string(count) + (count == 1 ? one : many);
}

std::string titleOf(const Reduction &reduction) {
  const Symptom &symptom = reduction.symptom;
  const std::string pass = reduction.passes.empty() ? "The module" : reduction.passes.back().pass;
  switch (symptom.kind) {
  case SymptomKind::Fault:
    return describe(symptom.fault);
  case SymptomKind::WrongResults:
    return pass + " changes what a program computes";
  case SymptomKind::LostFusion:
    return pass + " makes an edge impossible to fuse";
  case SymptomKind::MoreBytes:
    return pass + " makes dispatches move more bytes";
  case SymptomKind::MoreTime:
    return pass + " makes a program slower";
  case SymptomKind::Command:
    return pass + ": " + symptom.why;
  }
  return "";
}

/// What should be, and what is.
std::string expectationOf(const Reduction &reduction) {
  const Symptom &symptom = reduction.symptom;
  switch (symptom.kind) {
  case SymptomKind::Fault:
    return "Expected: the pass runs to its end, and the IR that it leaves verifies. The module itself verifies.\n\n"
           "Actual: " +
           describe(symptom.fault) +
           (symptom.fault.place.empty() ? "" : ", in `" + llvm::demangle(symptom.fault.place) + "`") + ".\n";
  case SymptomKind::WrongResults:
    return "Expected: `@" + symptom.function +
           "` computes the same before and after the pass, but for rounding.\n\nActual, on random inputs: " +
           symptom.why + ".\n";
  case SymptomKind::LostFusion:
    return "Expected: the edge from " + symptom.producer + " to " + symptom.consumer +
           " is fused or can be, as before the pass.\n\nActual: " + symptom.why + ".\n";
  case SymptomKind::MoreBytes:
    return "Expected: the dispatches move no more bytes than before the pass.\n\nActual: " + symptom.why + ".\n";
  case SymptomKind::MoreTime:
    return "Expected: `@" + symptom.function + "` is no slower than before the pass.\n\nActual: " + symptom.why + ".\n";
  case SymptomKind::Command:
    return "Expected: the command `" + symptom.command + "` ends with 0 on the IR after the passes" +
           (reduction.passes.empty() ? "" : ", as it does on the module") + ".\n\nActual: " + symptom.why + ".\n";
  }
  return "";
}

std::string commandsOf(const Reduction &reduction, const ReproducerOptions &options) {
  if (reduction.passes.empty())
    return "The module alone shows it.\n";
  std::string text = "```sh\n" + optCommand(reduction, options, kFile) + "\n";
  if (reduction.symptom.kind == SymptomKind::Fault)
    return text + stepCommand(reduction, options, kFile) + "   # the same, with the steps before\n```\n";
  text += bisectCommand(reduction, options, kFile) + "   # runs both sides, and names the rewrite\n";
  text += stepCommand(reduction, options, kFile) + " --at 0 --side before   # before\n";
  text += stepCommand(reduction, options, kFile) + " --at " + std::to_string(reduction.passes.size() - 1) +
          "   # after\n```\n";
  return text;
}

} // namespace

std::string bugReport(const Reduction &reduction, const ReproducerOptions &options) {
  std::string text = "# " + titleOf(reduction) + "\n\n" + expectationOf(reduction);
  text += "\n## Module\n\n`" + std::string(kFile) + "`:\n\n```mlir\n" + reduction.text + "```\n";
  if (!reduction.passes.empty())
    text += "\n## Pipeline\n\n```\n" + pipelineText(reduction.passes) + "\n```\n";
  text += "\n## Reproduce\n\n" + commandsOf(reduction, options);
  text += "\n## Versions\n\n" + options.version + "\n";
  text += "\n## Origin\n\nReduced from " + options.input + " with " + counted(reduction.opsBefore, " op", " ops") +
          " and " + counted(reduction.passesBefore, " pass", " passes") + " to " +
          counted(reduction.opsAfter, " op", " ops") + " and " + counted(reduction.passes.size(), " pass", " passes") +
          ": " + counted(reduction.taken, " cut", " cuts") + " of " + std::to_string(reduction.tried) +
          " were taken, each of which verifies and shows the same.\n";
  if (!reduction.isComplete)
    text += "It may be cut further: " + reduction.note + ".\n";
  return text;
}

} // namespace fuselage
