#include "app/cli/bisect/ReduceOutput.h"
#include "app/cli/Activity.h"
#include "core/plugins/Plugins.h"
#include "core/support/OutputFile.h"
#include "core/text/PrintableText.h"
#include "llvm/Config/llvm-config.h"

namespace fuselage::cli {
namespace {

std::string versionsText() {
  std::string text = "fuselage " FUSELAGE_VERSION " (MLIR " LLVM_VERSION_STRING ")";
  for (const Plugin &plugin : plugins())
    if (plugin.problem.empty())
      text += ", plugin " + plugin.name + " " + plugin.version;
  return text;
}

std::string reducedText(const Reduction &reduction, const ReduceArguments &arguments) {
  if (arguments.as == "report")
    return bugReport(reduction, arguments.reproducer);
  return arguments.as == "lit" ? litTest(reduction, arguments.reproducer)
                               : reducedFile(reduction, arguments.reproducer);
}

std::string counted(size_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : what[std::strlen(what) - 1] == 's' ? "es" : "s");
}

/// On stderr: the output may be a file for others.
void sayReduction(const Reduction &reduction) {
  llvm::errs() << printable(describe(reduction.symptom)) << "\n"
               << counted(reduction.opsBefore, "op") << " became " << reduction.opsAfter << ", "
               << counted(reduction.passesBefore, "pass") << " became " << reduction.passes.size() << "; "
               << reduction.taken << " cuts of " << reduction.tried << " were taken\n";
  if (!reduction.isComplete)
    llvm::errs() << "It may be cut further: " << reduction.note << "\n";
  else if (!reduction.note.empty())
    llvm::errs() << "Note: " << reduction.note << "\n";
}

} // namespace

void takeFault(const BlameOptions &blame, SymptomOptions &symptom) {
  symptom.predicate = blame.predicate;
  symptom.producer = blame.producer;
  symptom.consumer = blame.consumer;
  symptom.worse = blame.worse;
  symptom.check = blame.check;
  symptom.draws = blame.draws;
}

llvm::Error reduceAndWrite(mlir::ModuleOp module, std::vector<PassUnit> passes, ReduceArguments &arguments,
                           int &exitCode) {
  setActivity("looking for what is wrong");
  std::atomic<bool> &isStopped = stopOnCtrlC();
  ReduceOptions &options = arguments.reduce;
  options.symptom.limits.cancelled = options.symptom.check.cancelled = &isStopped;
  options.progress = [](const ReduceProgress &progress) {
    setActivity("reducing: " + std::to_string(progress.ops) + " ops of " + std::to_string(progress.opsBefore) + ", " +
                std::to_string(progress.taken) + " cuts of " + std::to_string(progress.tried) +
                " taken, trying: " + progress.cut.str());
  };
  auto reduction = reduce(module, std::move(passes), options);
  if (!reduction)
    return reduction.takeError();
  arguments.reproducer.version = versionsText();
  if (llvm::Error error = writeOutputFile(arguments.output, reducedText(*reduction, arguments)))
    return error;
  sayReduction(*reduction);
  if (isStopped)
    exitCode = kExitStopped;
  return llvm::Error::success();
}

} // namespace fuselage::cli
