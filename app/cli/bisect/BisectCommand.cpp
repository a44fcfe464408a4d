#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "app/cli/Options.h"
#include "app/cli/Output.h"
#include "app/cli/ScheduleInput.h"
#include "core/bisect/Judges.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "core/stepping/rewrites/StepRewrites.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "core/support/ShellWords.h"

namespace fuselage::cli {

namespace {
struct BisectArguments {
  std::string pipeline, predicate, format = "text", output = "-", target = "spirv";
  ScheduleInput schedule;
  HostCheckOptions check;
  uint64_t draws = 3;
};
} // namespace

/// What blames a rewrite: "rewrite 12, FoldX on arith.addf in @main".
static std::string describeRewrite(const message::StepRewrite<> &rewrite) {
  std::string text =
      "rewrite " + std::to_string(rewrite.index) + ", " + (rewrite.kind == "pattern" ? rewrite.pattern : rewrite.kind);
  if (!rewrite.op.empty())
    text += " on " + rewrite.op;
  if (!rewrite.function.empty())
    text += " in @" + rewrite.function;
  return text;
}

/// The commands that print the IR on both sides.
static std::vector<std::string> reproductions(const BisectArguments &wanted, const std::string &path,
                                              const Culprit &culprit) {
  std::vector<std::string> words{"fuselage", "step", path};
  if (!wanted.pipeline.empty())
    words.insert(words.end(), {"--pipeline", wanted.pipeline});
  if (!wanted.schedule.path.empty())
    words.insert(words.end(), {"--schedule", wanted.schedule.path});
  words.insert(words.end(), {"--at", std::to_string(*culprit.step)});
  if (culprit.rewrite)
    words.insert(words.end(), {"--rewrite", std::to_string(*culprit.rewrite)});
  const std::string after = joinShellWords(words);
  words.insert(words.end(), {"--side", "before"});
  return {joinShellWords(words), after};
}

static std::string textOf(const Recording &recording, const Culprit &culprit, const BisectArguments &wanted,
                          const std::string &path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!culprit.step) {
    os << "Nothing is to blame: the IR is good after every step that could be judged.\n";
    if (!culprit.note.empty())
      os << culprit.note << "\n";
    return text;
  }
  os << "Step " << *culprit.step << ", " << recording.steps[*culprit.step].name << ": " << culprit.why << "\n";
  if (culprit.rewrite) {
    message::StepRewrites<> rewrites = messageOf(*culprit.log, *culprit.step);
    os << "First by " << describeRewrite(rewrites.rewrites[*culprit.rewrite]) << ", of " << rewrites.rewrites.size()
       << "\n";
    if (culprit.firstRewriteSuspect != *culprit.rewrite)
      os << "Rewrites " << culprit.firstRewriteSuspect << " to " << *culprit.rewrite
         << " are as suspect: the IR between them cannot be judged\n";
  }
  if (!culprit.note.empty())
    os << culprit.note << "\n";
  os << culprit.stepRuns << " judgements for the step, " << culprit.rewriteRuns << " for the rewrite\n\n";
  std::vector<std::string> sides = reproductions(wanted, path, culprit);
  os << "Before: " << sides[0] << "\nAfter:  " << sides[1] << "\n";
  return text;
}

static std::string jsonOf(const Recording &recording, const Culprit &culprit, const BisectArguments &wanted,
                          const std::string &path) {
  llvm::json::Object object{{"version", 1},
                            {"found", culprit.step.has_value()},
                            {"note", culprit.note},
                            {"step_runs", culprit.stepRuns},
                            {"rewrite_runs", culprit.rewriteRuns}};
  if (culprit.step) {
    object["step"] = *culprit.step;
    object["first_suspect"] = culprit.firstSuspect;
    object["name"] = recording.steps[*culprit.step].name;
    object["why"] = culprit.why;
    std::vector<std::string> sides = reproductions(wanted, path, culprit);
    object["before"] = sides[0];
    object["after"] = sides[1];
  }
  if (culprit.rewrite) {
    message::StepRewrites<> rewrites = messageOf(*culprit.log, *culprit.step);
    object["rewrite"] = message::encode(rewrites.rewrites[*culprit.rewrite]);
    object["first_rewrite_suspect"] = culprit.firstRewriteSuspect;
    object["rewrites"] = rewrites.rewrites.size();
  }
  return jsonText(std::move(object));
}

/// Who judges: a command, or what the input computes.
static llvm::Expected<Judge> judgeFor(mlir::ModuleOp input, const BisectArguments &wanted) {
  if (!wanted.predicate.empty())
    return judgeByCommand(wanted.predicate);
  setActivity("running the input");
  return judgeByResults(input, wanted.check, unsigned(wanted.draws));
}

int bisectCommand(Arguments arguments) {
  BisectArguments wanted;
  Options options(
      "bisect", "FILE",
      "Finds the step of a pipeline after which a program computes something else, and in it the rewrite that is to "
      "blame: a pattern, a fold, or another change. The program runs on the host as it was opened, on several draws of "
      "random inputs, and so does the IR after steps and rewrites; results are compared as by 'fuselage run'. IR that "
      "cannot run there, such as on buffers, is passed over. Where a step fails, the rewrite after which the IR does "
      "not verify any more is found instead. Both are binary searches: what is wrong is supposed to stay so.\n\n"
      "--predicate judges by a command: it gets the IR as a file, by {} or as its last word, and ends with 0 where all "
      "is good, 125 where it cannot tell, and anything else where it is not. No shell runs.");
  options.text("pipeline", "P", "the passes (default: the default pipeline)", wanted.pipeline);
  options.text("schedule", "S.mlir", "the ops of a transform-dialect script, instead of passes", wanted.schedule.path);
  declareScript(options, wanted.schedule);
  options.choice("target", {"spirv", "ptx"}, "the target of the default pipeline (default: spirv)", wanted.target);
  options.text("predicate", "COMMAND", "who says whether IR is good", wanted.predicate);
  options.text("function", "NAME", "the function to run (default: the first public one with a body)",
               wanted.check.function);
  options.sizes("of arguments that are dynamic", wanted.check.sizes);
  options.inputs("", wanted.check.inputs);
  options.number("draws", "inputs to try (default: 3)", wanted.draws, 1, 100);
  options.number("seed", "of the first of them (default: 1)", wanted.check.seed, 0, uint64_t(1) << 32);
  options.choice("format", {"text", "json"}, "(default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  options.example("fuselage bisect model.mlir --pipeline canonicalize,cse,linalg-fuse-elementwise-ops");
  options.example("fuselage bisect model.mlir --pipeline 'inline,canonicalize' --predicate 'python3 check.py {}'");
  if (auto code = options.parse(arguments))
    return *code;
  if (!wanted.pipeline.empty() && !wanted.schedule.path.empty())
    return usageError("bisect", "--pipeline and --schedule exclude each other");
  int exitCode = ExitOk;
  Session session(allDialects());
  auto input = openInput(session, options.positional(), exitCode, Form::AsWritten);
  if (!input)
    return reportFailure(input.takeError());
  if (input->log)
    return usageError("bisect", "'" + options.positional() + "' is a log of passes; give the module that they ran on");
  mlir::ModuleOp module = *input->module.module;
  RecordOptions recordOptions;
  recordOptions.pipeline = wanted.pipeline;
  recordOptions.schedule = wanted.schedule.path;
  recordOptions.script = wanted.schedule.options;
  recordOptions.target = wanted.target;
  recordOptions.takesSignals = true;
  auto recording = record(session, module, recordOptions);
  if (!recording)
    return reportFailure(recording.takeError());
  const bool hasFailed = !recording->steps.empty() && recording->steps.back().failed && wanted.predicate.empty();
  BisectOptions search;
  search.progress = [](llvm::StringRef where) { setActivity(("judging " + where).str()); };
  if (!hasFailed) {
    auto judge = judgeFor(module, wanted);
    if (!judge)
      return reportFailure(judge.takeError());
    search.judge = std::move(*judge);
  }
  auto culprit = hasFailed ? bisectFailure(*recording, search) : bisect(*recording, search);
  if (!culprit)
    return reportFailure(culprit.takeError());
  const std::string text = wanted.format == "json" ? jsonOf(*recording, *culprit, wanted, options.positional())
                                                   : textOf(*recording, *culprit, wanted, options.positional());
  if (llvm::Error error = writeOutputFile(wanted.output, text))
    return reportFailure(std::move(error));
  endWorker(exitCode);
  return exitCode;
}

} // namespace fuselage::cli
