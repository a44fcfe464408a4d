#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/Options.h"
#include "app/cli/Output.h"
#include "app/cli/ScheduleInput.h"
#include "app/cli/bisect/BisectOutput.h"
#include "app/cli/bisect/ReduceOutput.h"
#include "core/bisect/JudgementFile.h"
#include "core/bisect/LongRuns.h"
#include "core/registration/Registration.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuselage::cli {

namespace {

struct BisectArguments {
  std::string pipeline, state, format = "text", output = "-", target = "spirv";
  ScheduleInput schedule;
  FaultArguments fault{.draws = 3};
  uint64_t seconds = 300;
  std::vector<std::string> words; ///< as they were given
  ReduceArguments reduce{.output = ""};
};

} // namespace

/// What follows the name of an option, in one word with it or in the next; words of other options are left out.
static std::vector<std::string> wordsOf(const std::vector<std::string> &words, llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<std::string> found;
  for (size_t i = 0; i < words.size(); ++i) {
    auto [name, value] = llvm::StringRef(words[i]).split('=');
    if (!name.consume_front("--") || !llvm::is_contained(names, name))
      continue;
    found.push_back(words[i]);
    if (value.empty() && i + 1 < words.size())
      found.push_back(words[++i]);
  }
  return found;
}

/// Of an input, and all that judgements depend on.
static llvm::Expected<std::string> keyOf(const BisectArguments &wanted, const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (path == "-" || !buffer)
    return fail("--state needs an input that can be read again: name a file");
  std::vector<std::string> texts{std::string((*buffer)->getBuffer())};
  std::vector<std::string> judged = wordsOf(
      wanted.words, {"pipeline", "schedule", "library", "entry", "arg", "target", "predicate", "lost-fusion", "worse",
                     "function", "size", "input", "draws", "seed", "load-pass-plugin", "load-dialect-plugin"});
  texts.insert(texts.end(), judged.begin(), judged.end());
  return JudgementFile::keyOf(texts);
}

static Options bisectOptions(BisectArguments &wanted) {
  Options options(
      "bisect", "FILE",
      std::string(
          "Finds the step of a pipeline after which a program computes something else, and in it the rewrite that is "
          "to blame: a pattern, a fold, or another change. The program runs on the host as it was opened, on several "
          "draws of random inputs, and so does the IR after steps and rewrites; results are compared as by 'fuselage "
          "run'. IR of every level runs: tensors, loops, buffers and vectors on the host, kernels (gpu.launch) on the "
          "emulator, LLVM's dialect on the host again, SPIR-V on the first Vulkan device and PTX on the first NVIDIA "
          "GPU, if there is one. What is not judged is listed with the reason: PTX without a GPU, SPIR-V beside which "
          "the host does more than to launch kernels, kernels that take long. Where a step fails, the rewrite after "
          "which the IR does not verify any more is found instead; where one crashes or does not come to its end, the "
          "last rewrite before that. All but crashes are binary searches: what is wrong is supposed to stay so.\n\n") +
          kPredicateHelp +
          "\n\nExit codes: 0 something is to blame, or nothing is; 3 nothing can be told, since the input does not run "
          "here or not twice alike; 130 it was stopped by Ctrl-C.");
  options.text("pipeline", "P", "the passes (default: the default pipeline)", wanted.pipeline);
  options.text("schedule", "S.mlir", "the ops of a transform-dialect script, instead of passes", wanted.schedule.path);
  declareScript(options, wanted.schedule);
  options.choice("target", {"spirv", "ptx"}, "the target of the default pipeline (default: spirv)", wanted.target);
  declareFault(options, wanted.fault);
  options.number("timeout", "seconds of processor time that all steps may take together (default: 300)", wanted.seconds,
                 1, 100'000);
  options.text("state", "STATE",
               "keep what was judged in this file, so that the same command goes on where it was stopped (Ctrl-C); it "
               "is removed at the end",
               wanted.state);
  options.choice("format", {"text", "json"}, "(default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  options.text(
      "reduce", "OUT",
      "then cut the module and the step down to the smallest that still show it, as 'fuselage reduce' does, and "
      "write that",
      wanted.reduce.output);
  options.choice("reduce-as", {"file", "report", "lit"}, "what is written of it (default: file)", wanted.reduce.as);
  declarePlugins(options);
  options.example("fuselage bisect model.mlir --pipeline canonicalize,cse,linalg-fuse-elementwise-ops");
  options.example("fuselage bisect model.mlir --pipeline 'inline,canonicalize' --predicate 'python3 check.py {}'");
  options.example("fuselage bisect model.mlir --pipeline my-pass --load-pass-plugin libmine.so --timeout 10");
  options.example("fuselage bisect model.mlir --lost-fusion %scores,%probs");
  return options;
}

/// What options say together; empty: they fit.
static std::string complaintAbout(BisectArguments &wanted) {
  if (!wanted.pipeline.empty() && !wanted.schedule.path.empty())
    return "--pipeline and --schedule exclude each other";
  if (!wanted.reduce.output.empty() && !wanted.schedule.path.empty())
    return "--reduce takes passes, not --schedule";
  return completeFault(wanted.fault);
}

static RecordOptions recordOptionsOf(const BisectArguments &wanted) {
  RecordOptions options = recordOptionsOf(wanted.pipeline, wanted.schedule);
  options.target = wanted.target;
  options.takesSignals = true;
  options.cancelled = &stopOnCtrlC();
  return options;
}

static int endStopped(const BisectArguments &wanted, const std::optional<JudgementFile> &state) {
  llvm::errs() << "fuselage bisect: stopped";
  if (state)
    llvm::errs() << "; " << state->count() << " judgements are in '" << wanted.state
                 << "', and the same command goes on";
  llvm::errs() << "\n";
  return kExitStopped;
}

/// Reduces the input and the steps up to the one that is to blame.
static llvm::Error reduceSteps(const Recording &recording, unsigned step, mlir::ModuleOp input, const std::string &path,
                               BisectArguments &wanted, int &exitCode) {
  auto passes = passesOf(recording, step + 1, *input.getContext());
  if (!passes)
    return passes.takeError();
  takeFault(wanted.fault.blame, wanted.reduce.reduce.symptom);
  wanted.reduce.reduce.symptom.limits.seconds = unsigned(wanted.seconds);
  wanted.reduce.reproducer.input = path;
  wanted.reduce.reproducer.plugins =
      pluginOptions(llvm::SmallVector<llvm::StringRef>(wanted.words.begin(), wanted.words.end()));
  return reduceAndWrite(input, std::move(*passes), wanted.reduce, exitCode);
}

/// Searches, and writes what came of it.
static llvm::Error search(Session &session, mlir::ModuleOp input, const std::string &path, BisectArguments &wanted,
                          std::optional<JudgementFile> &state, int &exitCode) {
  setActivity("trying the steps");
  auto careful = recordCarefully(session, input, recordOptionsOf(wanted), unsigned(wanted.seconds));
  if (!careful)
    return careful.takeError();
  const BlameOptions &blame = wanted.fault.blame;
  BisectOptions &options = wanted.fault.blame.search;
  options.cancelled = &stopOnCtrlC();
  options.progress = [](llvm::StringRef where) { setActivity(("judging " + where).str()); };
  if (state) {
    options.known = [&](llvm::StringRef where) { return state->find(where); };
    options.judged = [&](llvm::StringRef where, const Judgement &judgement) { return state->add(where, judgement); };
  }
  const bool looksForFault = blame.predicate.empty() && blame.producer.empty() && blame.worse == Worse::No;
  const bool isDeath = careful->death && looksForFault;
  const bool hasFailed = !careful->recording.steps.empty() && careful->recording.steps.back().failed;
  const bool runs = looksForFault && !hasFailed;
  if (std::string note = runs ? noteOfLongRuns(input, blame.check.function) : ""; !note.empty())
    llvm::errs() << "note: " << note << "\n";
  auto culprit = isDeath ? bisectDeath(careful->recording, *careful->death, unsigned(wanted.seconds), options.cancelled)
                         : findCulprit(careful->recording, blame);
  if (!culprit)
    return culprit.takeError();
  exitCode = culprit->undecided.empty() ? exitCode : int(ExitUndecided);
  BisectResult result{.recording = careful->recording,
                      .culprit = *culprit,
                      .path = path,
                      .options = wordsOf(wanted.words, {"pipeline", "schedule", "library", "entry", "arg", "target",
                                                        "load-pass-plugin", "load-dialect-plugin"})};
  const std::string text = wanted.format == "json" ? bisectJson(result) : bisectText(result);
  if (llvm::Error error = writeOutputFile(wanted.output, text))
    return error;
  if (wanted.reduce.output.empty() || !culprit->step)
    return llvm::Error::success();
  return reduceSteps(careful->recording, *culprit->step, input, path, wanted, exitCode);
}

int bisectCommand(Arguments arguments) {
  BisectArguments wanted;
  for (llvm::StringRef word : arguments)
    wanted.words.push_back(word.str());
  Options options = bisectOptions(wanted);
  if (auto code = options.parse(arguments))
    return *code;
  if (std::string complaint = complaintAbout(wanted); !complaint.empty())
    return usageError("bisect", complaint);
  int exitCode = ExitOk;
  const std::string &path = options.positional();
  Session session(allDialects());
  auto input = openInput(session, path, exitCode, Form::AsWritten);
  if (!input)
    return reportFailure(input.takeError());
  if (input->log)
    return usageError("bisect", "'" + path + "' is a log of passes; give the module that they ran on");
  std::optional<JudgementFile> state;
  if (!wanted.state.empty()) {
    auto key = keyOf(wanted, path);
    auto opened = key ? JudgementFile::open(wanted.state, *key) : key.takeError();
    if (!opened)
      return reportFailure(opened.takeError());
    state = std::move(*opened);
  }
  const std::atomic<bool> &isStopped = stopOnCtrlC();
  llvm::Error error = search(session, *input->module.module, path, wanted, state, exitCode);
  if (isStopped) {
    llvm::consumeError(std::move(error));
    return endStopped(wanted, state);
  }
  if (error)
    return reportFailure(std::move(error));
  if (state)
    state->remove();
  endWorker(exitCode);
  return exitCode;
}

} // namespace fuselage::cli
