#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/ToolInput.h"
#include "app/cli/run/CompareResults.h"
#include "core/graph/compare/CompareDispatches.h"
#include "core/graph/compare/FusedProgram.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "core/run/progress/RunProgress.h"
#include "core/stepping/report/DispatchStep.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace fuselage::cli {

namespace {
struct CompareArguments {
  std::optional<unsigned> atA, atB;
  std::string tool, format = "text", output = "-";
  bool fuseAll = false, all = false, times = false;
  RunOptions run{};
};

/// One of the two, which lives in a session of its own.
struct ComparedInput {
  std::unique_ptr<Session> session = std::make_unique<Session>(allDialects());
  std::shared_ptr<ToolRun> run{};
  Input input{};
  mlir::OwningOpRef<mlir::ModuleOp> fused{};
  mlir::ModuleOp module{};
  std::string name{};
  int step = -1;
};
} // namespace

/// Picks the module: of a log, the step that was asked for, or the last one with dispatches.
static llvm::Error pickModule(ComparedInput &side, llvm::StringRef path, std::optional<unsigned> at, int &exitCode) {
  side.name = path == "-" ? "standard input" : llvm::sys::path::filename(path.rtrim('/')).str();
  if (!side.input.log) {
    if (at)
      return fail("'" + path.str() + "' is a module, and has no step " + std::to_string(*at));
    side.module = *side.input.module.module;
    return checkComparable(side.module, side.name);
  }
  if (!at)
    at = lastStepWithDispatches(*side.input.log);
  auto snapshot = snapshotAt(*side.input.log, at, false);
  if (!snapshot)
    return snapshot.takeError();
  auto module = moduleOf(**snapshot, exitCode);
  if (!module)
    return module.takeError();
  side.module = *module;
  if (at) {
    side.step = static_cast<int>(*at);
    side.name += ", step " + std::to_string(*at) + ": " + side.input.log->steps[*at].name;
  }
  return llvm::Error::success();
}

static llvm::Error open(ComparedInput &side, llvm::StringRef path, std::optional<unsigned> at, llvm::StringRef tool,
                        int &exitCode) {
  auto input = tool.empty() ? openInput(*side.session, path, exitCode)
                            : openByTool(*side.session, tool, path, side.run, exitCode);
  if (!input)
    return input.takeError();
  side.input = std::move(*input);
  return pickModule(side, tool.empty() ? path : llvm::StringRef(side.run->logPath()), at, exitCode);
}

/// `fuse --all` in a module that has no dispatches of its own.
static llvm::Error fuse(ComparedInput &side) {
  setActivity("fusing " + side.name);
  auto fused = fusedProgram(side.module);
  if (!fused)
    return fused.takeError();
  side.fused = std::move(*fused);
  side.module = *side.fused;
  side.name += ", fused";
  return llvm::Error::success();
}

/// Runs the module and writes down what each dispatch takes. What cannot be run has no times.
static void addTimes(ComparedInput &side, message::ComparedSide<> &compared, const RunOptions &options, int &exitCode) {
  RunOptions watched = options;
  watched.progress = [&](const RunProgress &progress) {
    showRun(progress.done, progress.total, side.name + ": " + progress.what);
  };
  auto report = runModule(*side.session, side.module, watched);
  if (!report) {
    llvm::errs() << "fuselage: " << side.name << " has no times: " << takeFailure(report.takeError()).message << '\n';
    return;
  }
  if (!report->ok()) {
    llvm::errs() << "fuselage: " << side.name << ": " << report->why << '\n';
    exitCode = ExitInputError;
  }
  if (std::string doubt = report->doubtOfSum(); !doubt.empty())
    llvm::errs() << side.name << ": " << doubt << '\n';
  compared.device = report->device;
  compared.us = report->sumUs();
  int64_t count = 0;
  for (const KernelReport &row : report->kernels)
    count = std::max(count, row.dispatchIndex + 1);
  bool isByIndex = count == int64_t(compared.dispatches.size());
  for (message::ComparedDispatch<> &dispatch : compared.dispatches)
    for (const KernelReport &row : report->kernels)
      if (row.dispatchIndex >= 0 &&
          (isByIndex ? row.dispatchIndex == dispatch.index : !row.loc.empty() && row.loc == dispatch.loc))
        dispatch.us = std::max(dispatch.us, 0.0) + row.medianUs;
}

static llvm::Error compare(llvm::StringRef a, llvm::StringRef b, const CompareArguments &wanted, int &exitCode) {
  ComparedInput left, right;
  if (llvm::Error error = open(left, a, wanted.atA, "", exitCode))
    return error;
  if (llvm::Error error = open(right, wanted.tool.empty() ? b : a, wanted.atB, wanted.tool, exitCode))
    return error;
  for (ComparedInput *side : {&left, &right})
    if (wanted.fuseAll && !hasDispatches(side->module))
      if (llvm::Error error = fuse(*side))
        return error;
  setActivity("comparing " + left.name + " with " + right.name);
  DispatchComparison comparison = compareDispatches(left.module, right.module);
  comparison.a.name = left.name;
  comparison.a.step = left.step;
  comparison.b.name = right.name;
  comparison.b.step = right.step;
  if (wanted.times) {
    addTimes(left, comparison.a, wanted.run, exitCode);
    addTimes(right, comparison.b, wanted.run, exitCode);
  }
  std::string text = wanted.format == "json" ? message::jsonText(comparison) : formatComparison(comparison, wanted.all);
  return writeOutputFile(wanted.output, text);
}

/// Both are what `run --format json` wrote.
static bool areResults(llvm::ArrayRef<std::string> paths) {
  return paths.size() == 2 && llvm::all_of(paths, [](llvm::StringRef path) { return path.ends_with(".json"); });
}

static int compareFiles(llvm::ArrayRef<std::string> paths, const CompareArguments &wanted) {
  if (wanted.format == "json" || wanted.times || wanted.fuseAll)
    return usageError("compare", "of results there is text and CSV, without --times and --fuse-all");
  if (llvm::Error error = compareResults(paths[0], paths[1], {.format = wanted.format, .output = wanted.output}))
    return reportFailure(std::move(error));
  return ExitOk;
}

int compareCommand(Arguments arguments) {
  CompareArguments wanted;
  wanted.run.repeat = 3;
  wanted.run.warmup = 1;
  Options options(
      "compare", "A [B]",
      "Puts the dispatches of two programs for the same model side by side: which compute the same, which "
      "are merged, split or cut elsewhere, and how many bytes go through memory in each. Dispatches are "
      "matched by their work: kind, sizes, parameters and order. Names do not matter. For a module without "
      "dispatches, those of the policy count.\n\nA and B are modules, pass logs, of which the last step with "
      "dispatches counts, debug folders of torch.compile, or dumps of XLA after optimizations "
      "(*after_optimizations.txt). Beside the last two it says why the other program keeps apart what they fused. "
      "Instead of B, --tool runs another compiler on A.\n\nTwo .json files that 'fuselage "
      "run --format json' or fuselage-launch wrote are compared by their times: a row for each dispatch, the "
      "largest change first. Results of one file are matched by the places of root ops, others by the names "
      "of dispatches.");
  options.custom("at-a", "N", "the step of the log A",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.atA); });
  options.custom("at-b", "N", "the step of the log B, or of the log of --tool",
                 [&](llvm::StringRef value) { return parseStepNumber(value, wanted.atB); });
  options.text("tool", "COMMAND", "B is the output of this compiler for A, see 'fuselage step --help'", wanted.tool);
  options.flag("fuse-all",
               "in a module without dispatches, first do every fusion that pays off, as 'fuselage fuse --all'",
               wanted.fuseAll);
  options.flag("all", "text: a line for each row, even if rows are alike", wanted.all);
  options.flag("flat", "the same as --all", wanted.all);
  options.flag("times", "run both on random inputs, and print the time of each dispatch", wanted.times);
  options.text("device", "D", "with --times: host, vulkan:N or cuda:N (default: host)", wanted.run.device);
  options.choice("format", {"text", "json", "csv"}, "table, JSON, or of results CSV (default: text)", wanted.format);
  options.text("output", "OUT", "where to write; - is standard output (default)", wanted.output, 'o');
  declarePlugins(options);
  options.example("fuselage compare model.mlir iree.log --fuse-all");
  options.example(
      "fuselage compare model.mlir --tool 'iree-compile --compile-to=flow --iree-hal-target-backends=llvm-cpu'");
  options.example("fuselage compare model.mlir fused.mlir --times --device vulkan:0");
  options.example("fuselage compare module_0001.jit_f.cpu_after_optimizations.txt f.mlir --fuse-all");
  options.example("fuselage compare build.log build.log --at-a 12 --at-b 40 --format json");
  options.example("fuselage compare before.json after.json --format csv -o differences.csv");
  if (auto code = options.parse(arguments))
    return *code;
  if (areResults(options.positionals()))
    return compareFiles(options.positionals(), wanted);
  if (wanted.format == "csv")
    return usageError("compare", "CSV is of two files of results, which end in .json");
  if (!wanted.times && wanted.run.device != RunOptions().device)
    return usageError("compare", "'--device' goes with '--times'");
  bool hasB = options.positionals().size() > 1;
  if (hasB != wanted.tool.empty())
    return usageError("compare", hasB ? "B and --tool exclude each other" : "needs B, or --tool");
  int exitCode = ExitOk;
  if (llvm::Error error = compare(options.positional(), hasB ? options.positionals()[1] : "", wanted, exitCode))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
