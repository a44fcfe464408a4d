#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "app/cli/TunedOption.h"
#include "app/cli/console/Console.h"
#include "app/cli/tune/TuneArguments.h"
#include "app/cli/tune/TuneControl.h"
#include "core/ir/module/Diagnostics.h"
#include "core/registration/Registration.h"
#include "core/run/Specialize.h"
#include "core/run/values/InputValue.h"
#include "core/schedules/normalize/AutoNormalize.h"
#include "core/schedules/script/KnobText.h"
#include "core/support/OutputFile.h"
#include "core/support/StandardOutput.h"
#include "core/tuning/enumerate/Clash.h"
#include "core/tuning/space/PayloadSizes.h"
#include "core/tuning/space/ScheduleDemands.h"
#include "core/tuning/space/Selection.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csignal>

namespace fuselage::cli {

namespace {
std::atomic<bool> tuningEnds = false;
} // namespace

/// "60s" is of wall time, "200" of trials.
static std::string parseBudget(llvm::StringRef text, tune::TunerOptions &options) {
  double seconds = 0;
  uint64_t trials = 0;
  if (text.consume_back("s") && !text.getAsDouble(seconds) && seconds > 0 && seconds <= 1e7) {
    options.seconds = seconds;
    options.trials = SIZE_MAX;
    return "";
  }
  if (text.getAsInteger(10, trials) || trials == 0)
    return "takes a time such as 60s or a number of trials such as 200";
  options.trials = trials;
  options.seconds = 0;
  return "";
}

/// The space that `script` leaves open, with what the command line sets, the op and the device ask as conditions.
/// `unknown` is what nothing is derived of. Workers are open on `subject` then.
static llvm::Expected<tune::Space> readSpace(Script &script, mlir::func::FuncOp function,
                                             const tune::TuneSubject &subject, TuneArguments &wanted,
                                             std::vector<std::string> &unknown) {
  auto read = tune::readSpace(*script.module, {.sizeNamed = tune::payloadSizes(function, wanted.run.sizes)});
  if (!read)
    return read.takeError();
  if (read->space.knobs.empty())
    return fail("the schedule '" + script.path +
                "' leaves nothing open: it has no transform.tune.knob and no transform.tune.alternatives");
  auto device = tune::lookAtDevice(subject, wanted.tuner.team);
  if (!device)
    return device.takeError();
  unknown = tune::addDemands(*read, *script.module, function, device->model);
  wanted.tuner.device = std::move(*device);
  for (const auto &[name, text] : wanted.schedule.knobs)
    if (llvm::Error error = read->space.fix(name, text, "the schedule '" + script.path + "'"))
      return error;
  return std::move(read->space);
}

/// What came of it, for people.
static std::string report(const tune::DeviceTuned &done, const tune::PointSet &points) {
  const tune::Space &space = points.space();
  std::string text =
      "device: " + done.key.device + ", driver " + (done.key.driver.empty() ? "unknown" : done.key.driver) + "\n";
  text += "trials: " + std::to_string(done.tuned.trials.size()) + " of " + std::to_string(points.size()) +
          (points.isComplete() ? " points" : " sampled points") +
          (done.tuned.reused ? ", and " + std::to_string(done.tuned.reused) + " from the journal" : "");
  for (const auto &[status, number] : done.counts)
    if (status != tune::TrialStatus::Ok)
      text += ", " + std::to_string(number) + " " + tune::nameOf(status).str();
  text += "\n";
  if (!done.tuned.stopped.empty())
    text += "stopped: " + done.tuned.stopped + "\n";
  if (!done.tuned.best)
    return text + "best: none ran and was right" + whyNone(done) + "\n";
  if (done.baseline)
    text += "baseline: " + space.textOf(*done.baseline) + "\n";
  if (std::string drift = driftText(pointersTo(done.trials)); !drift.empty())
    text += "drift: " + drift + "\n";
  text += "best: " + space.textOf(*done.tuned.best) + ", " + timesOf(done.tuned.measured) + "\n";
  for (const std::string &bound : space.over(*done.tuned.best))
    text += "over a bound: " + bound + "\n";
  for (const std::string &what : oneThreadTexts(done, points))
    text += "threads: " + what + "\n";
  if (done.baseline == done.tuned.best)
    return text + "nothing is faster than the baseline\n";
  if (done.speedup.pairs == 0)
    return text;
  return text + "measured again, in turns with the baseline: " + timesOf(done.confirmed) + "; " +
         speedupText(done.speedup, "the baseline") + "\n";
}

/// Without what an earlier tuning said in front.
static std::string withoutHead(llvm::StringRef text) {
  return text.starts_with("// Tuned on ") ? text.split('\n').second.str() : text.str();
}

/// The script with the best point selected, in its own words where that is possible; where nothing is faster than the
/// baseline, that one.
static llvm::Error writeBest(Session &session, const TuneArguments &wanted, const tune::Space &space,
                             const tune::DeviceTuned &done) {
  bool keeps = done.baseline && (!done.isFaster && done.speedup.pairs > 0);
  const tune::Point &point = keeps ? *done.baseline : *done.tuned.best;
  auto script = openScript(session, wanted.schedule.path, wanted.schedule.options);
  if (!script)
    return script.takeError();
  if (llvm::Error error = tune::select(*script, space, point))
    return error;
  auto source = llvm::MemoryBuffer::getFile(wanted.schedule.path, /*IsText=*/true);
  std::optional<std::string> text = source ? withSelection(session, *script, (*source)->getBuffer()) : std::nullopt;
  std::string head = "// Tuned on " + done.key.device + ", driver " + done.key.driver + ", by fuselage " +
                     done.key.version + ": " + space.textOf(point) + "\n";
  return writeOutputFile(wanted.output, head + withoutHead(text ? *text : explicitText(*script)));
}

llvm::Error writeCsv(const TuneArguments &wanted, const tune::DeviceTuned &done) {
  return writeOutputFile(wanted.csv, tune::toCsv(pointersTo(done.trials)));
}

llvm::Error openJournal(TuneArguments &wanted, std::optional<tune::Journal> &journal) {
  if (wanted.journal.empty())
    return llvm::Error::success();
  auto opened = tune::Journal::open(wanted.journal);
  if (!opened)
    return opened.takeError();
  journal.emplace(std::move(*opened));
  if (journal->cut() > 0)
    llvm::errs() << "note: the journal ended with a piece of a line, " << journal->cut()
                 << " bytes, which was cut off\n";
  if (journal->unreadable() > 0)
    llvm::errs() << "note: " << journal->unreadable()
                 << " lines of the journal are no trials that this version knows\n";
  wanted.tuner.journal = &*journal;
  return llvm::Error::success();
}

/// From here on SIGINT ends the search, and what was found is reported; before, it ends the process.
static void endOnInterrupt() {
  static bool isSet = false;
  struct sigaction before {};
  bool isIgnored = sigaction(SIGINT, nullptr, &before) == 0 && before.sa_handler == SIG_IGN; // as nohup has it
  if (!std::exchange(isSet, true) && !isIgnored)
    std::signal(SIGINT, [](int) { tuningEnds = true; });
}

void showTrials(TuneArguments &wanted, const tune::Space &space) {
  sayHeld(); // not behind hours
  bool isTerminal = isErrorTerminal();
  wanted.tuner.search.progress = [isTerminal, &space](size_t done, const tune::Point &point,
                                                      const tune::Measurement &measured, bool isBest) {
    endOnInterrupt();
    setActivity("after trial " + std::to_string(done));
    if (!isTerminal && !isBest && measured.why.empty())
      return;
    llvm::errs() << '[' << done << "] " << space.textOf(point) << (space.over(point).empty() ? "" : " (over a bound)")
                 << ": "
                 << (measured.status == tune::TrialStatus::Ok
                         ? timesOf(measured)
                         : tune::nameOf(measured.status).str() + (measured.why.empty() ? "" : ": " + measured.why))
                 << (isBest ? "  <- best" : "") << '\n';
  };
}

llvm::Error failUnrecorded(const std::string &why) {
  return fail(why + "; what it has is whole, what was found beyond that is not in it");
}

static llvm::Expected<int> tuneSchedule(Session &session, mlir::ModuleOp payload, TuneArguments &wanted) {
  auto script = openScript(session, wanted.schedule.path, wanted.schedule.options);
  if (!script)
    return script.takeError();
  printDiagnostics(script->diagnostics);
  auto sized = sizedPayload(payload, wanted.run);
  if (!sized)
    return sized.takeError();
  payload = *sized ? **sized : payload;
  auto function = pickFunction(payload, wanted.run.function);
  if (!function)
    return function.takeError();
  // To list the space nobody has to have the payload.
  const tune::TuneSubject subject{.session = session,
                                  .payload = wanted.dryRun ? mlir::ModuleOp() : payload,
                                  .schedule = wanted.dryRun ? "" : wanted.schedule.path,
                                  .script = wanted.schedule.options,
                                  .run = wanted.run};
  std::vector<std::string> unknown;
  auto space = readSpace(*script, *function, subject, wanted, unknown);
  if (!space)
    return space.takeError();
  if (auto clash = tune::findClash(*space))
    return fail(clash->text(*space));
  if (wanted.dryRun) {
    results() << describeSpace(*space, tune::countPoints(*space, tune::planLoops(*space)));
    if (!unknown.empty())
      results() << tune::describeUnknownDemands(unknown) << '\n';
    return ExitOk;
  }
  std::vector<tune::Point> first;
  if (auto selected = tune::selectedPoint(*space))
    first.push_back(*selected);
  tune::PointSet points = tune::PointSet::of(*space, 200'000, wanted.tuner.search.strategy.seed, first);
  std::optional<tune::Journal> journal;
  if (llvm::Error error = openJournal(wanted, journal))
    return error;
  if (wanted.control) {
    wanted.control->plan({itemOf(*function)}, wanted.tuner.search);
    wanted.control->begin(wanted.tuner.search, *space, wanted.run.device, points.size());
  } else
    showTrials(wanted, *space);
  auto done = tune::tuneOnDevice(subject, points, wanted.tuner);
  if (!done)
    return done.takeError();
  if (wanted.isJson)
    printSearches(llvm::json::Array{searchJson(*done, points)});
  else
    (wanted.csv == "-" || wanted.output == "-" ? llvm::errs() : results()) << report(*done, points);
  if (wanted.control)
    wanted.control->end(*done, *space, comparison(*done, "the baseline"));
  if (done->tuned.best && !wanted.output.empty())
    if (llvm::Error error = writeBest(session, wanted, *space, *done))
      return error;
  if (!wanted.csv.empty())
    if (llvm::Error error = writeCsv(wanted, *done))
      return error;
  if (!done->unrecorded.empty())
    return failUnrecorded(done->unrecorded);
  return done->tuned.best ? ExitOk : ExitInputError;
}

int tuneCommand(Arguments arguments) {
  TuneArguments wanted;
  tune::TunerOptions &search = wanted.tuner.search;
  uint64_t rounds = wanted.tuner.effort.rounds, timeLimit = 60, jobs = 0, workerWait = 30;
  std::string strategy = "model", objective = "median", caches = "cold", format = "text", replayed;
  std::vector<std::string> merged;
  Options options(
      "tune", "[FILE]",
      "Finds values for the knobs of a schedule (transform.tune.knob, transform.tune.alternatives) with which the "
      "function is fastest on a device.\n\nWithout a schedule, it tunes the sizes that the default pipeline chooses, "
      "dispatch by dispatch, the most expensive first, with a shared budget: tiles of workgroups, steps of reductions "
      "and "
      "split-K; on the host, tiles in registers, rows of a task and blocks of rows; the tiles of fused attention. "
      "--dry-run lists the knobs of each dispatch. 0 is the pipeline's own size. Faster sizes go to a library that "
      "'run' and 'kernel' read.\n\nConditions over knobs (divides, transform.smt.constrain_params) limit the points. "
      "Each "
      "measured point is compared with the original function; its launches alternate with those of the baseline, which "
      "has the values selected in the schedule, or is the first point that runs. Points that crash or hang are "
      "recorded. At the end the best point is measured again; a difference within the noise does not count. Exit code "
      "1 also means that no point ran correctly, that there is no point, or that the journal could not be written.");
  options.text("schedule", "S.mlir", "the script: @__transform_main in a module, or one transform.sequence",
               wanted.schedule.path);
  declareSchedule(options, wanted.schedule);
  options.text("dispatch", "N|NAME|PLACE",
               "without a schedule: only this dispatch: its number, its name, or file:line:col of its root op",
               wanted.run.dispatch);
  declareTuned(options, wanted.tuned, "without a schedule: the tuning library to write to, or none");
  options.text("device", "D", "host, vulkan:N or cuda:N, see 'fuselage devices' (default: host)", wanted.run.device);
  options.custom("budget", "60s|200", "a time, or a number of trials (default: 200)",
                 [&](llvm::StringRef text) { return parseBudget(text, search); });
  options.flag("each", "without a schedule: give each dispatch the whole budget", wanted.isEach);
  options.choice("strategy", {"exhaustive", "local", "model", "random"},
                 "all points in order; local search with restarts; the best predictions of a cost model, alternating "
                 "with neighbours of the best point; random points (default: model)",
                 strategy);
  options.choice("objective", {"median", "min"},
                 "the time of a point: median or minimum of its launches (default: median)", objective);
  options.number("rounds", "launches of each point; clearly slow ones get 3 (default: 10)", rounds, 3, 10000);
  options.number("seed", "the seed of the search (default: 1)", search.strategy.seed, 0, UINT64_MAX);
  options.number("time-limit",
                 "seconds to compile a point, and again to measure it, before it counts as hanging (default: 60)",
                 timeLimit, 1, 100000);
  options.choice("caches", {"cold", "warm"}, "host: the state of the caches before a launch (default: cold)", caches);
  options.text("journal", "FILE",
               "append a line of JSON for each trial; trials that it already has for the same module, schedule, "
               "device, driver, version and caches are not repeated; several processes may share a journal",
               wanted.journal);
  options.flag("join",
               "share the journal with other processes, such as those of a job array: no trial is made twice, and the "
               "budget is shared (an exact number of trials, or the total time of all trials). One process measures "
               "the baseline, the others wait for it. A journal that ends with / is a folder with a file per process, "
               "for file systems without locks",
               wanted.tuner.isJoint);
  options.custom(
      "worker", "CMD|local",
      "a worker that makes trials in parallel; may be repeated. A command, such as 'ssh gpu1 fuselage serve', speaks "
      "the engine's protocol on its standard streams; it is split into words as a shell would, but no shell runs. "
      "local stands for copies of this process (default). All workers need the same version, and the device and driver "
      "of the first one that is ready; each measures the baseline itself",
      [&](llvm::StringRef text) { return wanted.makers.workers.push_back(text.str()), ""; });
  options.number("worker-wait",
                 "seconds to wait for the first answer of a --worker command, for a login or a job queue; pending "
                 "workers are reported every 10 s (default: 30)",
                 workerWait, 1, 1000000);
  options.number(
      "jobs",
      "points that a local worker compiles ahead at once. On the host and on software Vulkan, which compile and run on "
      "the same cores, a batch is compiled first and then measured point by point with nothing else running; on a GPU "
      "up to 3 points compile while one is measured (default: the number of cores, at most 8)",
      jobs, 1, 64);
  options.text("csv", "OUT", "write the trials of this run as a table", wanted.csv);
  options.text("replay", "JOURNAL", "without a FILE: list the trials of a journal, with --csv as a table; nothing runs",
               replayed);
  options.custom("merge", "LIB",
                 "without a FILE, and repeated: merge tuning libraries into --output, keeping the largest speedup for "
                 "each dispatch, device and driver",
                 [&](llvm::StringRef text) { return merged.push_back(text.str()), ""; });
  options.text("function", "NAME", "the function (default: the first public one)", wanted.run.function);
  options.sizes("the size of a dynamic dimension; may be repeated", wanted.run.sizes);
  options.choice("format", {"text", "json"}, "format of the final report (default: text)", format);
  bool isSteered = false;
  options.flag("control",
               "for programs: print a line of JSON for each event instead of text, and read the lines 'pause', "
               "'resume' and 'cancel' from standard input, whose end cancels",
               isSteered);
  options.flag("dry-run", "list knobs, conditions and the number of points; measure nothing", wanted.dryRun);
  options.text("output", "BEST.mlir", "write the schedule with the best values selected", wanted.output, 'o');
  declarePlugins(options);
  declareTrace(options);
  options.example("fuselage tune samples/schedules/batch_matmul_payload.mlir --schedule "
                  "samples/schedules/batch_matmul_knobs.mlir --dry-run");
  options.example(
      "fuselage tune samples/schedules/batch_matmul_payload.mlir --schedule samples/schedules/batch_matmul_knobs.mlir "
      "--device vulkan:0 --budget 60s -o best.mlir");
  options.example("fuselage tune model.mlir --schedule tile.mlir --set rows=16 --strategy exhaustive --journal "
                  "trials.jsonl --csv trials.csv");
  options.example("fuselage run model.mlir --schedule best.mlir --device vulkan:0");
  options.example("fuselage tune model.mlir --device vulkan:0 --budget 600s");
  options.example(
      "fuselage tune model.mlir --device cuda:0 --worker 'ssh gpu1 fuselage serve' --worker 'ssh gpu2 fuselage serve'");
  options.example("fuselage tune model.mlir --device cuda:0 --journal trials/ --join --budget 3600s");
  options.example("fuselage tune samples/matmul_transpose_bias.mlir --dispatch 1 --budget 50 --tuned mine.json");
  options.example("fuselage tune --replay trials.jsonl --csv trials.csv");
  options.example("fuselage tune --merge mine.json --merge theirs.json -o both.json");
  if (auto code = options.parse(arguments))
    return *code;
  if (!replayed.empty() || !merged.empty()) {
    if (!options.positional().empty() || (!replayed.empty() && !merged.empty()))
      return usageError("tune", "'--replay' and '--merge' stand alone, without a FILE");
    llvm::Error error = merged.empty() ? replayJournal(replayed, wanted.csv) : mergeLibraries(merged, wanted.output);
    return error ? reportFailure(std::move(error)) : static_cast<int>(ExitOk);
  }
  if (options.positional().empty())
    return usageError("tune", "needs a FILE");
  if (wanted.schedule.path.empty() && !(wanted.output.empty() && wanted.schedule.isPlain()))
    return usageError(
        "tune",
        "'--output', '--set', '--library', '--entry' and '--arg' go with '--schedule S.mlir', a schedule with knobs");
  if (wanted.schedule.path.empty() && !wanted.csv.empty() && wanted.run.dispatch.empty())
    return usageError("tune",
                      "'--csv' without '--schedule' goes with '--dispatch', as each dispatch has knobs of its own");
  if (wanted.isEach && !(wanted.schedule.path.empty() && wanted.run.dispatch.empty()))
    return usageError("tune", "'--each' goes with all dispatches, without '--schedule' and '--dispatch'");
  if (!wanted.schedule.path.empty() && !wanted.run.dispatch.empty())
    return usageError("tune", "'--dispatch' and '--schedule' exclude each other: a schedule is of a function");
  if (wanted.schedule.path.empty() && wanted.tuned.empty())
    return usageError("tune", "needs '--tuned FILE' where there is no home for a library, or '--tuned none'");
  if (wanted.tuner.isJoint && wanted.journal.empty())
    return usageError("tune", "'--join' needs '--journal FILE', which is what the processes share");
  if (std::string complaint = complainOfFiles(wanted, options.positional()); !complaint.empty())
    return usageError("tune", complaint);
  for (const std::string &path : {wanted.output, wanted.csv})
    if (!path.empty() && !wanted.dryRun)
      if (llvm::Error error = checkOutputFile(path))
        return reportFailure(std::move(error));
  wanted.isJson = format == "json";
  if (wanted.isJson && (wanted.dryRun || isSteered))
    return usageError("tune", "'--dry-run' and '--control' have formats of their own");
  using tune::StrategyKind;
  for (StrategyKind kind : {StrategyKind::Exhaustive, StrategyKind::Random, StrategyKind::Local, StrategyKind::Model})
    if (tune::nameOf(kind) == strategy)
      search.strategy.kind = kind;
  search.objective = objective == "min" ? tune::Objective::Min : tune::Objective::Median;
  wanted.tuner.effort.rounds = static_cast<unsigned>(rounds);
  wanted.tuner.trialSeconds = static_cast<double>(timeLimit);
  wanted.tuner.version = FUSELAGE_VERSION;
  wanted.run.coldCaches = caches == "cold";
  wanted.run.cancelled = &tuningEnds;
  if (isSteered)
    endOnInterrupt();

  wanted.tuner.note = [](const std::string &note) { llvm::errs() << "note: " << note << '\n'; };
  wanted.makers.version = wanted.tuner.version;
  wanted.makers.note = wanted.tuner.note;
  wanted.makers.jobs = static_cast<unsigned>(jobs);
  wanted.makers.patience = static_cast<double>(workerWait);
  auto team = tune::TrialTeam::make(wanted.makers);
  if (!team)
    return usageError("tune", takeFailure(team.takeError()).message);
  wanted.team = std::move(*team);
  wanted.tuner.team = wanted.team.get();
  std::optional<TuneControl> control;
  if (isSteered)
    wanted.control = &control.emplace(tuningEnds);
  Session session(allDialects());
  int exitCode = ExitOk;
  auto module = openModule(session, options.positional(), exitCode);
  if (!module)
    return reportFailure(module.takeError());
  auto code = wanted.schedule.path.empty() ? tuneDispatches(session, *module->module, wanted)
                                           : tuneSchedule(session, *module->module, wanted);
  if (!code)
    return reportFailure(code.takeError());
  return *code != ExitOk ? *code : exitCode;
}

} // namespace fuselage::cli
