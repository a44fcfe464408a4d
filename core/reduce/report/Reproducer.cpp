#include "core/reduce/report/Reproducer.h"
#include "core/support/ShellWords.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

std::string pipelineText(llvm::ArrayRef<PassUnit> passes) {
  std::string text;
  for (const PassUnit &unit : passes) {
    llvm::StringRef inner = unit.pipeline;
    if (inner.consume_front("builtin.module("))
      inner.consume_back(")");
    text += (text.empty() ? "" : ",") + inner.str();
  }
  return "builtin.module(" + text + ")";
}

bool isForMlirOpt(llvm::ArrayRef<PassUnit> passes) {
  return llvm::none_of(passes,
                       [](const PassUnit &unit) { return llvm::StringRef(unit.pass).starts_with("fuselage-"); });
}

std::string optCommand(const Reduction &reduction, const ReproducerOptions &options, llvm::StringRef file) {
  std::vector<std::string> words{isForMlirOpt(reduction.passes) ? "mlir-opt" : "fuselage-opt", file.str()};
  words.insert(words.end(), options.plugins.begin(), options.plugins.end());
  words.push_back("--pass-pipeline=" + pipelineText(reduction.passes));
  return joinShellWords(words);
}

/// A command of fuselage on the passes.
static std::string ownCommand(const char *command, const Reduction &reduction, const ReproducerOptions &options,
                              llvm::StringRef file) {
  std::vector<std::string> words{"fuselage", command, file.str(), "--pipeline", pipelineText(reduction.passes)};
  words.insert(words.end(), options.plugins.begin(), options.plugins.end());
  return joinShellWords(words);
}

std::string stepCommand(const Reduction &reduction, const ReproducerOptions &options, llvm::StringRef file) {
  return ownCommand("step", reduction, options, file);
}

std::string bisectCommand(const Reduction &reduction, const ReproducerOptions &options, llvm::StringRef file) {
  const Symptom &symptom = reduction.symptom;
  std::string text = ownCommand("bisect", reduction, options, file);
  if (!symptom.command.empty())
    return text + " " + joinShellWords({"--predicate", symptom.command});
  if (symptom.kind == SymptomKind::LostFusion)
    return text + " " + joinShellWords({"--lost-fusion", symptom.producer + "," + symptom.consumer});
  if (symptom.kind == SymptomKind::MoreBytes)
    return text + " --worse bytes";
  if (symptom.kind == SymptomKind::MoreTime)
    text += " --worse time";
  if (symptom.check.seed != HostCheckOptions().seed)
    text += " --seed " + std::to_string(symptom.check.seed);
  for (const auto &[name, value] : symptom.check.inputs)
    text += " " + joinShellWords({"--input", name + "=" + value});
  for (const auto &[name, size] : symptom.check.sizes)
    text += " " + joinShellWords({"--size", name + "=" + std::to_string(size)});
  return text;
}

std::string reducedFile(const Reduction &reduction, const ReproducerOptions &options) {
  std::string text = "// " + describe(reduction.symptom) + "\n// Reduced from " + options.input + ".\n";
  if (!reduction.passes.empty())
    text += "// " + optCommand(reduction, options, "%s") + "\n";
  if (!reduction.passes.empty() && reduction.symptom.kind != SymptomKind::Fault &&
      reduction.symptom.kind != SymptomKind::Command)
    text += "// " + bisectCommand(reduction, options, "%s") + "\n";
  if (reduction.symptom.kind == SymptomKind::Command)
    text += "// The command that judges: " + reduction.symptom.command + "\n";
  return text + "\n" + reduction.text;
}

} // namespace fuselage
