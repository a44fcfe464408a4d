#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/KernelDump.h"
#include "app/cli/ScheduleInput.h"
#include "app/cli/TunedOption.h"
#include "app/cli/run/RunKeeper.h"
#include "app/cli/run/RunTable.h"
#include "app/cli/run/ShowValue.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/model/LayerNames.h"
#include "core/pictures/RooflineSvg.h"
#include "core/pictures/RunTable.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/run/ScheduledRun.h"
#include "core/run/bundles/ResultsFile.h"
#include "core/run/peaks/RunBaselines.h"
#include "core/run/values/NpyFile.h"
#include "core/schedules/report/TraceReport.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>

namespace fuselage::cli {

namespace {
/// Where what goes; empty: nowhere.
struct RunOutputs {
  std::string report = "-", format = "text", folder{}, kernels{}, roofline{}, theme = "light";
  bool print = false, summary = false, flat = false;
};
} // namespace

/// Writes each result as resultN.npy.
static llvm::Error writeResults(const RunReport &report, llvm::StringRef folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder " + folder.str() + ": " + error.message());
  for (auto [index, output] : llvm::enumerate(report.outputs)) {
    auto bytes = npyBytes(output.value);
    if (!bytes)
      return fail("result " + std::to_string(index) + " cannot be written: " + takeFailure(bytes.takeError()).message);
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, "result" + std::to_string(index) + ".npy");
    if (llvm::Error error = writeOutputFile(path, *bytes))
      return error;
    llvm::errs() << path;
    mlir::Type element = output.value.elementType();
    if (llvm::isa<mlir::FloatType>(element) && !element.isF16() && !element.isF32() && !element.isF64())
      llvm::errs() << ": " << textOf(element) << ", which NumPy lacks, as " << npyTypeName(element);
    llvm::errs() << '\n';
  }
  return llvm::Error::success();
}

/// The chart, as the file's name says.
static llvm::Error writeRoofline(const RunReport &report, const RunOutputs &outputs) {
  message::RunReport<> message = messageOf(report);
  message::RooflineChart chart =
      message::rooflineOf<message::StdTypes>(message, nullptr, "", [](const std::string &text) { return text; });
  bool isCsv = llvm::StringRef(outputs.roofline).ends_with_insensitive(".csv");
  return writeOutputFile(outputs.roofline,
                         isCsv ? message::rooflineCsv(chart) : message::rooflineSvg(chart, outputs.theme == "dark"));
}

/// Writes what was asked for.
static llvm::Error write(const RunReport &report, const RunOutputs &outputs) {
  if (!report.ok())
    llvm::errs() << "fuselage: " << report.why << '\n';
  for (const Diagnostic &remark : report.remarks)
    llvm::errs() << formatDiagnostic(remark) << '\n';
  if (!outputs.folder.empty())
    if (llvm::Error error = writeResults(report, outputs.folder))
      return error;
  if (!outputs.roofline.empty())
    if (llvm::Error error = writeRoofline(report, outputs))
      return error;
  std::string text = outputs.format == "text"  ? formatRunReport(report, outputs.flat)
                     : outputs.format == "csv" ? formatRunCsv(report)
                                               : message::jsonText(messageOf(report));
  if (outputs.summary)
    text += formatResultSummary(report);
  if (outputs.print)
    text += formatResults(report);
  return writeOutputFile(outputs.report, text);
}

/// "running on host, 12 of 86 dispatches, about 40 s left"
static std::string progressText(const RunProgress &progress) {
  if (progress.phase != message::RunPhase::Run || progress.dispatches == 0)
    return progress.what + ", " + std::to_string(progress.done) + " of " + std::to_string(progress.total);
  std::string text = progress.what + ", " + std::to_string(progress.dispatchesDone) + " of " +
                     std::to_string(progress.dispatches) + " dispatches";
  constexpr double ms = 1000;
  if (progress.leftMs >= ms / 2)
    text += ", about " + std::to_string(std::llround(progress.leftMs / ms)) + " s left";
  return text;
}

/// Runs the module as it is, or what the schedule makes of it.
static llvm::Expected<RunReport> runWith(Session &session, mlir::ModuleOp module, const ScheduleInput &schedule,
                                         RunOptions run) {
  if (schedule.path.empty())
    return runModule(session, module, run);
  auto sized = sizedPayload(module, run);
  if (!sized)
    return sized.takeError();
  module = *sized ? **sized : module;
  auto script = openSchedule(session, schedule.path, schedule);
  if (!script)
    return script.takeError();
  TraceOptions options;
  options.last = 0;
  options.cancelled = run.cancelled;
  options.beforeStep = nameStep;
  auto traced = trace(*script, module, options);
  if (!traced)
    return traced.takeError();
  setActiveStep(std::nullopt);
  setActivity("running what the schedule made of '" + schedule.path + "'");
  auto scheduled = resultOf(*script, *traced);
  return scheduled ? runScheduled(module, *scheduled, run) : scheduled.takeError();
}

/// A report of an earlier run, or of fuselage-launch, in place of a run.
static int showResults(const std::string &path, llvm::StringRef source, const RunOutputs &outputs) {
  auto results = readResultsFile(path);
  if (!results)
    return reportFailure(results.takeError());
  const message::Results<> &report = *results;
  unsigned ofSource = llvm::count_if(report.kernels, [&](const message::Kernel<> &row) {
    return llvm::sys::path::filename(llvm::StringRef(row.loc).split(".mlir:").first) == llvm::sys::path::stem(source);
  });
  if (ofSource == 0 && !report.kernels.empty())
    llvm::errs() << "warning: no kernel of '" << path << "' comes from a line of '" << source << "'\n";
  if (!report.ok())
    llvm::errs() << "fuselage: " << report.why << '\n';
  std::string text =
      outputs.format == "json" ? jsonText(llvm::json::Value(message::encode(report)))
      : outputs.format == "csv"
          ? message::runCsv<message::StdTypes>({{"run", &report}}, [](const std::string &text) { return text; })
          : runTable(report, {.flat = outputs.flat});
  if (llvm::Error error = writeOutputFile(outputs.report, text))
    return reportFailure(std::move(error));
  return report.ok() ? ExitOk : ExitInputError;
}

int runCommand(Arguments arguments) {
  std::string resultsFile, value;
  RunOutputs outputs;
  ScheduleInput schedule;
  uint64_t repeat = 20, warmup = 3, seconds = 0, mebibytes = 0;
  RunOptions run;
  std::string caches = "cold", baselines = "auto", tuned;
  Options options(
      "run", "FILE",
      "Compiles each dispatch, launches and times it on a device, and compares its results with the host "
      "on the inputs that the dispatch got. The results of the function are compared with the unfused "
      "program. Ops outside of dispatches get one. Exit code 1 also means that a result was wrong or not "
      "comparable, or that there was nothing to run. Ctrl-C reports the dispatches that have finished, with "
      "exit code 1.");
  options.text("device", "D", "host, vulkan:N or cuda:N, see 'fuselage devices' (default: host)", run.device);
  options.text("schedule", "S.mlir",
               "run the kernel that this transform-dialect script makes of the function, with its gpu.launch ops "
               "unchanged, and compare it with the original function; inputs are small integers by default",
               schedule.path);
  declareSchedule(options, schedule);
  options.number("repeat", "timed launches of each kernel (default: 20)", repeat, 1, 1000000);
  options.number(
      "warmup",
      "launches before the timed ones (default: 3, or 1 with --repeat 1); at least one, in which drivers compile",
      warmup, 0, 1000000);
  options.choice("caches", {"cold", "warm"}, "the state of the caches before a timed launch (default: cold)", caches);
  options.flag("tf32",
               "cuda:N: compute f32 products with tf32 matrix instructions, which have 10 bits of mantissa; tolerances "
               "allow for it",
               run.tf32);
  options.choice("baselines", {"auto", "none"},
                 "also measure the peaks of the device (once, kept in the cache directory), a copy of the bytes of "
                 "each dispatch, a library (OpenBLAS or BLIS on the host, cuBLAS and cuDNN on NVIDIA), an empty "
                 "launch, and the drift of the clocks; auto: with 5 repeats or more (default: auto)",
                 baselines);
  options.text("roofline", "OUT", "write the roofline chart, as .svg or .csv; implies the measurements of --baselines",
               outputs.roofline);
  options.choice("theme", {"light", "dark"}, "the background of the roofline chart (default: light)", outputs.theme);
  declareRunInputs(options, run);
  options.text("function", "NAME", "the function to run (default: the first public one)", run.function);
  options.text("dispatch", "N|NAME|PLACE",
               "only this dispatch, on inputs of its own: its number, its name, or file:line:col of its root op",
               run.dispatch);
  options.text(
      "value", "%NAME|LINE[:COL]|non-finite",
      "time nothing: compute this value on the host, op by op, and print its range, mean, deviation, and how "
      "many elements are 0 or not finite; a line is that of its op in FILE. Of a value in a loop or in a called "
      "function it is that of the first iteration or call. non-finite: the first with a NaN, or else with an "
      "infinity. With --output, also DIR/value.npy",
      value);
  declareTuned(options, tuned, "the tuning library; its sizes for exactly this device and driver are used");
  options.sizes("the size of a dynamic dimension (default: that of a given file, otherwise chosen); may be repeated",
                run.sizes);
  options.number("time-limit", "seconds of CPU time for each program on the host (default: by its size)", seconds, 1,
                 1000000);
  options.number("memory-limit", "MiB for each program on the host (default: by its size)", mebibytes, 1, 1 << 30);
  options.flag("print", "print the results, large ones in part", outputs.print);
  options.flag(
      "print-results",
      "print minimum, mean and maximum of each result, the number of non-finite elements, and the first elements",
      outputs.summary);
  options.text("output", "DIR", "write the results to DIR as result0.npy, result1.npy, ..", outputs.folder);
  options.text("dump-kernels", "DIR",
               "write the code of every dispatch to DIR, as 'fuselage kernel' shows it: NNN-DISPATCH.STAGE.EXT",
               outputs.kernels);
  options.choice("format", {"text", "json", "csv"},
                 "format of the report; csv has a line for each kernel (default: text)", outputs.format);
  options.flag(
      "flat",
      "text: list each row, in the order of the first launches (default: rows that are equal but for where they "
      "are in one line, with their total; json and csv list each, with its group)",
      outputs.flat);
  options.text("results", "R.json",
               "run nothing: show the report in this file, of 'fuselage run --format json' or of fuselage-launch",
               resultsFile);
  options.text("report", "OUT", "where to write the report; - is standard output (default)", outputs.report, 'o');
  declarePlugins(options);
  declareTrace(options);
  options.example("fuselage run samples/softmax.mlir --device vulkan:0");
  options.example("fuselage run samples/schedules/batch_matmul_payload.mlir --schedule "
                  "samples/schedules/batch_matmul.mlir --device vulkan:0");
  options.example("fuselage run samples/bert_attention.mlir --dispatch 3 --device vulkan:0 --format csv");
  options.example("fuselage run samples/bert_attention.mlir --device vulkan:0 --roofline roofline.svg");
  options.example("fuselage run samples/softmax.mlir --input arg0=iota --print --output results");
  options.example("fuselage run bert.mlir --parameters bert.safetensors --input arg0=@ids.npy --print-results");
  options.example("fuselage run samples/bert_attention.mlir --value %scores --output values");
  options.example("fuselage run samples/softmax.mlir --results softmax-h100.json");
  options.example("fuselage run samples/dynamic_matmul.mlir --size arg0.0=200 --format json");
  if (auto code = options.parse(arguments))
    return *code;
  if (!resultsFile.empty())
    return showResults(resultsFile, options.positional(), outputs);
  if ((outputs.print || outputs.summary) && outputs.format != "text")
    return usageError("run",
                      std::string(outputs.print ? "'--print'" : "'--print-results'") + " goes with '--format text'" +
                          (outputs.format == "json" ? "; the JSON report has the first values of each result" : ""));
  if (!run.dispatch.empty() && !schedule.path.empty())
    return usageError("run", "'--dispatch' and '--schedule' exclude each other: a schedule makes the kernels");
  if (outputs.folder == "-" || llvm::sys::fs::is_regular_file(outputs.folder))
    return usageError("run", "'--output' takes a folder for the results, not '" + outputs.folder +
                                 "'; the report goes where '--report' says");
  if (!outputs.kernels.empty() && !schedule.path.empty())
    return usageError("run", "'--dump-kernels' and '--schedule' exclude each other");
  if (run.tf32 && !llvm::StringRef(run.device).starts_with("cuda"))
    return usageError("run", "'--tf32' is of NVIDIA's devices: it goes with --device cuda:N, see 'fuselage devices'");
  if (run.tf32 && !schedule.path.empty())
    return usageError("run", "'--tf32' and '--schedule' exclude each other: a schedule makes the kernels");
  llvm::StringRef chartFile = outputs.roofline;
  if (!chartFile.empty() && !chartFile.ends_with_insensitive(".svg") && !chartFile.ends_with_insensitive(".csv"))
    return usageError("run", "'--roofline' takes a file that ends in .svg or .csv, not '" + outputs.roofline + "'");
  if (!value.empty() && (!schedule.path.empty() || !run.dispatch.empty() || !chartFile.empty()))
    return usageError("run", "'--value' computes on the host, and times nothing: leave out --schedule, --dispatch and "
                             "--roofline");
  if (!value.empty() && outputs.format == "csv")
    return usageError("run", "'--value' goes with '--format text' or '--format json'");
  if (!chartFile.empty() && baselines == "none")
    return usageError("run", "'--roofline' and '--baselines none' exclude each other");
  run.host = {.seconds = static_cast<unsigned>(seconds), .bytes = mebibytes << 20};
  run.repeat = repeat;
  run.warmup = warmup;
  run.coldCaches = caches == "cold";
  RunKeeper keeper(run.device, [&](const RunReport &report) {
    if (llvm::Error error = write(report, outputs))
      return endOfResults(reportFailure(std::move(error)));
    return endOfResults(ExitInputError);
  });
  run.cancelled = keeper.cancelled();
  run.keepsFinished = true;
  run.progress = [&](const RunProgress &progress) {
    keeper.watch(progress);
    setActivity(progressText(progress));
  };

  auto tuning = openTuned(schedule.path.empty() ? tuned : "none");
  if (!tuning)
    return reportFailure(tuning.takeError());
  run.tuning = tuning->get();
  Session session(allDialects());
  RunBaselines measured; // has ops of the session while it measures
  constexpr uint64_t enoughRepeats = 5;
  if (!chartFile.empty() || (baselines == "auto" && repeat >= enoughRepeats))
    run.baselines = &measured;
  int exitCode = ExitOk;
  auto start = std::chrono::steady_clock::now();
  auto module = openModule(session, options.positional(), exitCode);
  if (!module)
    return reportFailure(module.takeError());
  std::chrono::duration<double, std::milli> reading = std::chrono::steady_clock::now() - start;
  if (!value.empty()) {
    llvm::Error error = showValue(
        *module->module, run,
        {.value = value, .asJson = outputs.format == "json", .report = outputs.report, .folder = outputs.folder});
    return error ? reportFailure(std::move(error)) : exitCode;
  }
  if (!outputs.kernels.empty())
    if (llvm::Error error = dumpKernels(*module->module, run, outputs.kernels))
      return reportFailure(std::move(error));
  auto report = runWith(session, *module->module, schedule, run);
  keeper.finish();
  if (!report)
    return reportFailure(report.takeError());
  report->shares.readMs = reading.count();
  if (report->shares.uniqueDispatches < report->shares.dispatches) {
    Graph graph = buildGraph(*module->module);
    LayerNames names(graph);
    nameLayers(*report, {layersOfDispatches(graph, names), layersOfPlaces(names, *module->module)});
  }
  if (llvm::Error error = write(*report, outputs))
    return reportFailure(std::move(error));
  return report->ok() ? exitCode : ExitInputError;
}

} // namespace fuselage::cli
