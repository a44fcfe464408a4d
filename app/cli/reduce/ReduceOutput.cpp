#include "app/cli/reduce/ReduceOutput.h"
#include "app/cli/Activity.h"
#include "core/plugins/Plugins.h"
#include "core/support/OutputFile.h"
#include "core/text/PrintableText.h"
#include "llvm/Config/llvm-config.h"
#include <csignal>

namespace fuselage::cli {
namespace {

/// Set by Ctrl-C.
std::atomic<bool> reductionEnds = false;

void endReductionOnCtrlC() {
  struct sigaction before = {};
  if (sigaction(SIGINT, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) // as nohup has it
    return;
  std::signal(SIGINT, [](int) {
    reductionEnds = true;
    std::signal(SIGINT, SIG_DFL);
  });
}

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

std::vector<std::string> pluginOptions(llvm::ArrayRef<llvm::StringRef> words) {
  std::vector<std::string> options;
  for (size_t i = 0; i < words.size(); ++i) {
    auto [name, value] = words[i].split('=');
    if (name != "--load-pass-plugin" && name != "--load-dialect-plugin")
      continue;
    if (value.empty() && i + 1 < words.size())
      value = words[++i];
    options.push_back((name + "=" + value).str());
  }
  return options;
}

llvm::Error reduceAndWrite(mlir::ModuleOp module, std::vector<PassUnit> passes, ReduceArguments &arguments,
                           int &exitCode) {
  setActivity("looking for what is wrong");
  endReductionOnCtrlC();
  ReduceOptions &options = arguments.reduce;
  options.symptom.limits.cancelled = options.symptom.check.cancelled = &reductionEnds;
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
  if (reductionEnds)
    exitCode = 130; // as of shells, after SIGINT
  return llvm::Error::success();
}

} // namespace fuselage::cli
