#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/ScheduleInput.h"
#include "app/cli/ToolInput.h"
#include "app/cli/TunedOption.h"
#include "app/cli/step/StepHistoryOutput.h"
#include "app/cli/step/StepRewritesOutput.h"
#include "core/notes/NotesFile.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "core/stepping/report/Report.h"
#include "core/support/OutputFile.h"
#include "core/trace/TraceLog.h"
#include "core/tuning/library/TunedSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace fuselage::cli {

namespace {
struct StepArguments {
  std::string pipeline, tool, target = "spirv", targetDevice, format = "text", output = "-", side = "after", reproducer,
                              notes, tuned;
  std::optional<unsigned> at, from;
  StepRange range;
  ScheduleInput schedule;
  RewriteArguments rewrites;
  HistoryArguments history;
  bool full = false;
};
} // namespace

/// Prints the IR at one side of one step.
static int printStep(const Recording &recording, const StepArguments &wanted) {
  StepSide side = wanted.side == "before" ? StepSide::Before : StepSide::After;
  unsigned elided = 0;
  auto text = stepText(recording, *wanted.at, side, wanted.full, &elided);
  if (!text)
    return reportFailure(text.takeError());
  if (elided > 0)
    llvm::errs() << "note: the data of " << elided << (elided == 1 ? " constant is" : " constants are")
                 << " left out; --full prints it\n";
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return ExitOk;
}

/// Prints what happened inside of steps.
static int printRewrites(const Recording &recording, const StepArguments &wanted) {
  auto text = wanted.rewrites.rewrite
                  ? rewrittenText(recording, *wanted.at, *wanted.rewrites.rewrite, wanted.side == "before")
                  : rewritesOutput(recording, wanted.at, wanted.rewrites, wanted.format == "json");
  if (!text)
    return reportFailure(text.takeError());
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return ExitOk;
}

/// How to record, but for what the tuning library knows.
static RecordOptions recordOptionsOf(const StepArguments &wanted) {
  RecordOptions options = recordOptionsOf(wanted.pipeline, wanted.schedule);
  options.target = wanted.target;
  options.targetDevice = wanted.targetDevice;
  options.takesSignals = true;
  options.beforeStep = [](unsigned index, unsigned, const Step &) { setActiveStep(index); };
  options.afterStep = [](unsigned, unsigned, const Step &) { setActiveStep(std::nullopt); };
  return options;
}

/// Prints which steps and rewrites changed something.
static int printHistory(llvm::StringRef file, StepArguments &wanted, const RecordOptions *options) {
  wanted.history.at = wanted.at;
  wanted.history.before = wanted.side == "before";
  wanted.history.json = wanted.format == "json";
  auto text = historyOutput(file, options, wanted.history);
  if (!text)
    return reportFailure(text.takeError());
  if (llvm::Error error = writeOutputFile(wanted.output, *text))
    return reportFailure(std::move(error));
  return ExitOk;
}

/// The module that a recording starts from: the one that was opened, or a step's of the log.
static llvm::Expected<mlir::ModuleOp> startOf(const Input &input, const StepArguments &wanted) {
  if (!input.log)
    return input.module.module.get();
  const std::vector<Step> &steps = input.log->steps;
  size_t number = wanted.from.value_or(steps.size() - 1);
  if (number >= steps.size())
    return fail("there is no step " + std::to_string(number) + "; the steps are 0 to " +
                std::to_string(steps.size() - 1));
  return input.log->snapshots[input.log->shown(steps[number])]->parsed();
}

/// Writes what repeats a step that failed, or says how to get it.
static llvm::Error offerReproducer(const Recording &recording, unsigned step, llvm::StringRef path) {
  if (path.empty()) {
    llvm::errs() << "note: --reproducer OUT.mlir writes the IR before step " << step << " with its pipeline\n";
    return llvm::Error::success();
  }
  auto text = stepReproducer(recording, step);
  if (!text)
    return text.takeError();
  return writeOutputFile(path, *text);
}

/// The first failed step as an error, so that a script notices; success if there is none.
static llvm::Error failedStep(const Recording &recording, llvm::StringRef reproducer) {
  for (auto [index, step] : llvm::enumerate(recording.steps)) {
    if (!step.failed)
      continue;
    if (llvm::Error error = offerReproducer(recording, index, reproducer))
      return error;
    return fail("step '" + step.name + "' failed; every step before it is recorded", step.diagnostics);
  }
  return llvm::Error::success();
}

/// The same call twice in a row reads the same.
static bool canReadAgain(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (path == "-")
    return lseek(STDIN_FILENO, 0, SEEK_SET) == 0;
  return !llvm::sys::fs::status(path, status) && (is_regular_file(status) || is_directory(status));
}

/// The notes for a page: of a file that is named, else those beside the input, as far as they can be read.
static llvm::Expected<std::vector<message::Note<>>> notesFor(const StepArguments &wanted, llvm::StringRef input) {
  if (!wanted.notes.empty()) {
    auto notes = readNotes(wanted.notes);
    if (!notes)
      return notes.takeError();
    return notes->notes;
  }
  if (wanted.format != "html" || input == "-")
    return std::vector<message::Note<>>();
  message::Notes<> notes = loadNotes(input);
  if (!notes.problem.empty())
    llvm::errs() << "warning: " << notes.problem << "\n";
  return notes.notes;
}

/// The command; `death`: of an earlier call, in a step that is not to run again.
static int stepCommand(Arguments arguments, const WorkerDeath *death) {
  StepArguments wanted;
  Options options(
      "step", "FILE",
      "Records a pipeline pass by pass and shows what each step did. Without --pipeline or --schedule, it records the "
      "default pipeline: clean up, form dispatches, tile, fuse, promote, bufferize, map to the GPU, lower.\n\nFILE may "
      "also be the output of another tool: a log of --mlir-print-ir-after-all or -before-all, or a directory of "
      "--mlir-print-ir-tree-dir. Its passes are the steps. With --pipeline, --schedule or --from, recording continues "
      "from its IR.\n\n--tool runs another compiler on FILE with its dumps switched on, and shows its passes. {} in "
      "the command is replaced by the file; without it, the file is the last argument. In a pipeline, tool(COMMAND) is "
      "a step: it gets the module in a file and prints another one, from which the next steps continue; 'default' is "
      "the default pipeline. Commands are split into words as a shell would, but no shell runs. A command is never "
      "taken from a file.");
  options.text("pipeline", "P",
               "record this textual MLIR pipeline, such as 'canonicalize,cse'; it may contain tool(..)",
               wanted.pipeline);
  options.text("tool", "COMMAND", "run this compiler on FILE and show its passes", wanted.tool);
  options.text("schedule", "S.mlir", "record a transform-dialect script, a step per op; may be FILE itself",
               wanted.schedule.path);
  declareScript(options, wanted.schedule);
  options.choice("target", {"spirv", "ptx"}, "the target of the default pipeline (default: spirv)", wanted.target);
  options.text("target-device", "D",
               "lower for this device, which this machine need not have: a name such as h100, or a file",
               wanted.targetDevice);
  declareTuned(options, wanted.tuned,
               "the tuning library; its sizes are used if it has some for a GPU of this machine");
  options.choice("format", {"text", "json", "html"}, "a table, JSON, or a page for a browser (default: text)",
                 wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  options.custom("at", "N", "print the IR at step N, as the table numbers it",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.at); });
  options.custom("from", "N", "log: continue recording from step N (default: the last one)",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.from); });
  options.custom("steps", "A-B", "only these steps: 12, 12-40, 12- or -40; a page has at most 2000",
                 [&](llvm::StringRef value) -> std::string {
                   auto range = parseStepRange(value);
                   if (!range)
                     return takeFailure(range.takeError()).message;
                   wanted.range = *range;
                   return "";
                 });
  options.choice("side", {"before", "after"}, "the IR before or after step N (default: after)", wanted.side);
  options.flag("rewrites", "list every rewrite that the steps made, or step --at N, and the patterns that were tried",
               wanted.rewrites.list);
  options.custom("rewrite", "K", "with --at N: print the IR after rewrite K of step N (--side before: before it)",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.rewrites.rewrite); });
  options.text(
      "op", "OP",
      "with --rewrites: the patterns that were tried on an op, with their reasons; OP is a line of the IR before "
      "the step, the name of an op, or a function",
      wanted.rewrites.op);
  options.custom(
      "break", "WHAT",
      "with --rewrites: list the rewrites alone that WHAT stops at: a pattern, a kind such as fold, the name "
      "of an op, @function, or file.mlir:LINE for ops from there; as often as wanted",
      [&](llvm::StringRef value) -> std::string {
        wanted.rewrites.breakpoints.push_back(value.str());
        return "";
      });
  options.text("history", "OP",
               "list the steps that introduced, changed or removed an op, and in each the rewrites that did; OP is a "
               "line of the IR that was opened (with --at N: of that of step N), or the value that it defines, such as "
               "%scores; another name is looked for in the text of all steps",
               wanted.history.of);
  options.text("reproducer", "OUT.mlir", "write the IR before the step that fails or crashes, with its pipeline",
               wanted.reproducer);
  options.text("notes", "FILE", "html: notes to include (default: FILE.fuselage beside the input)", wanted.notes);
  options.flag("full", "with --at: print the data of large constants, too", wanted.full);
  declarePlugins(options);
  declareTrace(options);
  options.example("fuselage step samples/matmul_transpose_bias.mlir");
  options.example("fuselage step model.mlir --pipeline 'builtin.module(canonicalize,cse)' --format json");
  options.example("fuselage step model.mlir --pipeline fuselage-lower-to-host");
  options.example("fuselage step samples/softmax.mlir --format html -o softmax.html");
  options.example("fuselage step samples/softmax.mlir --at 4 --side before");
  options.example("fuselage step model.mlir --pipeline canonicalize,linalg-fuse-elementwise-ops --rewrites");
  options.example("fuselage step model.mlir --pipeline canonicalize --rewrites --at 0 --op linalg.generic");
  options.example("fuselage step model.mlir --pipeline canonicalize --rewrites --break FoldTransposeWithTranspose");
  options.example("fuselage step model.mlir --history %scores");
  options.example("fuselage step build.log --format html --steps 100-200 -o build.html");
  options.example("iree-compile model.mlir --mlir-print-ir-after-all ... 2>&1 | fuselage step -");
  options.example("fuselage step model.mlir --tool 'iree-compile --compile-to=flow' --format html -o iree.html");
  options.example("fuselage step kernel.py --tool 'python3 {}'   # Triton's passes");
  options.example("fuselage step torch.mlir --pipeline 'tool(torch-mlir-opt "
                  "--torch-backend-to-linalg-on-tensors-backend-pipeline),default'");
  if (auto code = options.parse(arguments))
    return *code;
  if (!wanted.pipeline.empty() && !wanted.schedule.path.empty())
    return usageError("step", "--pipeline and --schedule exclude each other");
  if (wanted.schedule.path.empty() && !wanted.schedule.isPlain())
    return usageError("step", "--library, --entry and --arg go with --schedule S.mlir");

  if (!wanted.tool.empty() && !wanted.reproducer.empty() && wanted.pipeline.empty() && wanted.schedule.path.empty())
    return usageError("step", "--reproducer is of a step that runs here, and --tool's passes run elsewhere");

  if (wanted.rewrites.rewrite && !wanted.at)
    return usageError("step", "--rewrite K is one of step N: add --at N");
  if (!wanted.rewrites.op.empty() && !wanted.rewrites.list)
    return usageError("step", "--op goes with --rewrites");
  if (!wanted.rewrites.breakpoints.empty() && !wanted.rewrites.list)
    return usageError("step", "--break goes with --rewrites");
  if (wanted.rewrites.any() && wanted.format == "html")
    return usageError("step", "--rewrites prints text or JSON");
  if (!wanted.history.of.empty() && (wanted.rewrites.any() || wanted.format == "html" || wanted.from))
    return usageError("step", "--history prints text or JSON, and goes without --rewrites and --from");
  if (!wanted.history.of.empty() && !wanted.tool.empty())
    return usageError("step", "--history follows the steps that run here: record with --pipeline or --schedule");

  if (!wanted.notes.empty() && wanted.format != "html")
    return usageError("step", "--notes goes on a page: add --format html");

  if (death && !canReadAgain(options.positional())) {
    llvm::errs() << death->sentence << "\nSave the input to a file to see the steps before that one.\n";
    return ExitInputError;
  }
  bool records = !wanted.pipeline.empty() || !wanted.schedule.path.empty() || wanted.from;
  int exitCode = ExitOk;
  Session session(allDialects());
  std::shared_ptr<ToolRun> run;
  auto input = wanted.tool.empty() ? openInput(session, options.positional(), exitCode, Form::AsWritten)
                                   : openByTool(session, wanted.tool, options.positional(), run, exitCode);
  if (!input)
    return reportFailure(input.takeError());
  if (!input->log && !llvm::StringRef(wanted.pipeline).contains("tool("))
    advise(*input->module.module, options.positional());
  if (wanted.from && !input->log)
    return usageError("step", "--from is a step of a log, and '" + options.positional() + "' is a module");
  llvm::Expected<Recording> recording = Recording();
  if (input->log && !records && !wanted.history.of.empty())
    return printHistory(options.positional(), wanted, nullptr);
  if (input->log && !records) {
    recording = std::move(*input->log);
  } else {
    RecordOptions recordOptions = recordOptionsOf(wanted);
    auto tuned = openTuned(wanted.tuned);
    if (!tuned)
      return reportFailure(tuned.takeError());
    if (*tuned)
      recordOptions.tuning = [&](mlir::ModuleOp module) { return tune::tunedSteps(module, **tuned, wanted.target); };
    recordOptions.listsRewrites = wanted.rewrites.any() || traceLog();
    if (death)
      recordOptions.deadly = DeadlyStep{*death->activity.step, death->activity.what + " " + death->how};
    if (!wanted.history.of.empty())
      return printHistory(options.positional(), wanted, &recordOptions);
    auto start = startOf(*input, wanted);
    if (!start)
      return reportFailure(start.takeError());
    recording = record(session, *start, recordOptions);
  }
  if (!recording)
    return reportFailure(recording.takeError());
  if (wanted.rewrites.any())
    return printRewrites(*recording, wanted);
  if (wanted.at)
    return printStep(*recording, wanted);
  auto format = parseReportFormat(wanted.format);
  if (!format)
    return reportFailure(format.takeError());
  auto notes = notesFor(wanted, options.positional());
  if (!notes)
    return reportFailure(notes.takeError());
  if (llvm::Error error = writeReport(*recording, options.positional(), *format, wanted.output, wanted.range, *notes))
    return reportFailure(std::move(error));
  if (llvm::Error error = failedStep(*recording, wanted.reproducer))
    return reportFailure(std::move(error));
  endWorker(exitCode);
  return exitCode;
}

int stepCommand(Arguments arguments) { return stepCommand(arguments, nullptr); }
int stepsBefore(Arguments arguments, const WorkerDeath &death) { return stepCommand(arguments, &death); }

} // namespace fuselage::cli
