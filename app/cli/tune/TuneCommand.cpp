#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "app/cli/TunedOption.h"
#include "app/cli/console/Console.h"
#include "app/cli/tune/TuneArguments.h"
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
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
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

std::string describeSpace(const tune::Space &space, const tune::PointCount &count) {
  std::string text;
  for (const tune::Knob &knob : space.knobs) {
    text += knob.name + ": " + std::to_string(knob.domain.size()) + (knob.domain.size() == 1 ? " value" : " values");
    if (!knob.domain.empty() && knob.domain.size() <= 12)
      for (uint64_t i = 0; i < knob.domain.size(); ++i)
        text += (i == 0 ? ", " : " ") + knob.textOf(knob.domain.at(i));
    else if (!knob.domain.empty())
      text += ", " + knob.textOf(knob.domain.front()) + " to " + knob.textOf(knob.domain.back());
    text += knob.selected ? ", selected " + knob.textOf(*knob.selected) + "\n" : "\n";
  }
  for (const tune::Condition &condition : space.conditions)
    text += "condition: " + condition.text + "   " + tune::nameOf(condition.origin).str() +
            (condition.place.line ? ", line " + std::to_string(condition.place.line) : "") + "\n";
  for (const tune::Condition &bound : space.bounds)
    text += "bound: " + bound.text + "   " + tune::nameOf(bound.origin).str() +
            (bound.place.line ? ", line " + std::to_string(bound.place.line) : "") +
            "; points over it are tried last\n";
  return text + "points: " + count.text() + "\n";
}

std::string timesOf(const tune::Measurement &measured) {
  tune::Trial trial;
  trial.microseconds = measured.microseconds;
  return trial.medianUs() ? llvm::formatv("median {0:f1} us, min {1:f1} us, {2} launches", *trial.medianUs(),
                                          *trial.minUs(), measured.microseconds.size())
                                .str()
                          : std::string("no times");
}

std::string speedupText(const tune::Speedup &speedup, const std::string &what) {
  if (!std::isfinite(speedup.high)) // so few launches bound nothing
    return llvm::formatv("no difference from {0} is known: {1} launches of each are too few to tell", what,
                         speedup.pairs)
        .str();
  if (!speedup.isKnown())
    return llvm::formatv("no difference from {0} beyond the noise ({1:f2} to {2:f2} times as fast)", what, speedup.low,
                         speedup.high)
        .str();
  return llvm::formatv("{0:f2} times as fast as {1} ({2:f2} to {3:f2} in 95 of 100 cases)", speedup.ratio, what,
                       speedup.low, speedup.high)
      .str();
}

std::vector<std::string> oneThreadTexts(const tune::DeviceTuned &done, const tune::PointSet &points) {
  std::string ofBest = done.tuned.measured.oneThread, ofBaseline;
  for (const tune::Trial &trial : done.trials)
    if (done.baseline && points.space().pointOf(trial.parameters) == done.baseline)
      ofBaseline = trial.oneThread;
  if (ofBest == ofBaseline)
    return ofBest.empty() ? std::vector<std::string>() : std::vector<std::string>{"runs " + ofBest};
  std::vector<std::string> texts;
  if (!ofBaseline.empty())
    texts.push_back("the baseline runs " + ofBaseline);
  if (!ofBest.empty())
    texts.push_back("the best runs " + ofBest);
  return texts;
}

std::vector<const tune::Trial *> pointersTo(llvm::ArrayRef<tune::Trial> trials) {
  std::vector<const tune::Trial *> all;
  for (const tune::Trial &trial : trials)
    all.push_back(&trial);
  return all;
}

std::string driftText(llvm::ArrayRef<const tune::Trial *> trials) {
  auto drift = tune::driftOf(trials);
  if (!drift)
    return "";
  return llvm::formatv("the baseline took {0:f1} us first, {1:f1} us last{2}", drift->firstUs, drift->lastUs,
                       drift->worker.empty() ? "" : " at '" + drift->worker + "', where that changed most")
      .str();
}

std::string comparison(const tune::DeviceTuned &done, const std::string &baseline) {
  if (!done.tuned.best)
    return "none ran and was right" + whyNone(done);
  if (done.baseline == done.tuned.best)
    return "nothing is faster than " + baseline;
  return done.speedup.pairs == 0 ? "" : speedupText(done.speedup, baseline);
}

std::string whyNone(const tune::DeviceTuned &done) {
  std::map<std::string, size_t> reasons;
  for (const tune::Trial &trial : done.trials)
    ++reasons[trial.why];
  auto most = llvm::max_element(reasons, [](const auto &a, const auto &b) { return a.second < b.second; });
  if (most == reasons.end() || most->first.empty() || done.trials.size() < 2)
    return "";
  return (most->second == done.trials.size()
              ? "; all for one reason, which may be the schedule's or the function's and no point's: "
              : "; " + std::to_string(most->second) + " of " + std::to_string(done.trials.size()) +
                    " for this reason: ") +
         most->first;
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

void showTrials(TuneArguments &wanted, const tune::Space &space) {
  sayHeld(); // not behind hours
  bool isTerminal = isErrorTerminal();
  wanted.tuner.search.progress = [isTerminal, &space](size_t done, const tune::Point &point,
                                                      const tune::Measurement &measured, bool isBest) {
    setActivity("behind trial " + std::to_string(done));
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
      "Finds values for what a schedule leaves open (transform.tune.knob, transform.tune.alternatives) with which\n"
      "the function is fastest on a device; without a schedule, sizes for what the default pipeline chooses of each\n"
      "dispatch, dearest first, the budget shared: tiles of workgroups, steps of reductions and how many workgroups\n"
      "share one; on the host rows and vectors in registers and what a task takes (rows, vectors, task_rows; without\n"
      "a reduction task_columns in place of rows); of fused attention its tiles (queries, keys). 0 is the\n"
      "pipeline's own. What is faster goes to a library\n"
      "that 'run' and 'kernel' read. Conditions over knobs (divides, transform.smt.constrain_params) leave a space of\n"
      "points, of which a search measures some. Each is compared with the function as it was; in each round it is\n"
      "launched in turns with the baseline: what the schedule selects, else the first point that runs. What crashes\n"
      "or hangs is recorded and costs nothing else. The best point is measured again in the end; a difference within\n"
      "the noise is none. Exit code 1 also means that no point ran and was right, that there is none, or that the\n"
      "journal could not be written.");
  options.text("schedule", "S.mlir", "the script: @__transform_main in a module, or one transform.sequence",
               wanted.schedule.path);
  declareSchedule(options, wanted.schedule);
  options.text("dispatch", "N|NAME|PLACE",
               "without a schedule, only this dispatch: its number, its name or file:line:col of its root op",
               wanted.run.dispatch);
  declareTuned(options, wanted.tuned, "without a schedule, where what is faster is written, or none");
  options.text("device", "D", "host, vulkan:N or cuda:N, see 'fuselage devices' (default: host)", wanted.run.device);
  options.custom("budget", "60s|200", "so long, or so many trials (default: 200)",
                 [&](llvm::StringRef text) { return parseBudget(text, search); });
  options.flag("each", "without a schedule, the budget is of each dispatch instead of all together", wanted.isEach);
  options.choice("strategy", {"exhaustive", "local", "model", "random"},
                 "all points in order; downhill from neighbour to neighbour with restarts; what a model of the costs "
                 "expects most\n"
                 "of, in turns with neighbours of the best; at random (default: model)",
                 strategy);
  options.choice("objective", {"median", "min"}, "of a point's launches, what counts (default: median)", objective);
  options.number("rounds", "launches of each point; clearly slow ones get 3 (default: 10)", rounds, 3, 10000);
  options.number("seed", "of the search (default: 1)", search.strategy.seed, 0, UINT64_MAX);
  options.number(
      "time-limit",
      "seconds to compile a point, and as many to measure it, after which it counts as hanging (default: 60)",
      timeLimit, 1, 100000);
  options.choice("caches", {"cold", "warm"}, "what launches on the host find in the caches (default: cold)", caches);
  options.text(
      "journal", "FILE",
      "append a line of JSON for each trial; those of the same module, schedule, device, driver, version and caches\n"
      "that it has already are not made again, and several processes may share one",
      wanted.journal);
  options.flag("join",
               "work on the journal together with other processes, as of a job array: none makes a trial that another "
               "one makes,\n"
               "and the budget is of all of them together: a number of trials exactly, a time as the sum of what "
               "trials take. One\n"
               "finds the baseline, the others wait for that. The journal may be a folder\n"
               "(with a / in the end), in which each process has a file: for file systems without locks",
               wanted.tuner.isJoint);
  options.custom("worker", "CMD|local",
                 "who makes trials, at the same time; may be repeated. A command that speaks the engine's protocol on "
                 "its standard\n"
                 "streams, such as 'ssh gpu1 fuselage serve', split into words as by a shell, of which none runs; or "
                 "local, copies\n"
                 "of this process (default). All need the same version, and the device and driver of the first that "
                 "gets ready; each\n"
                 "measures the baseline itself",
                 [&](llvm::StringRef text) { return wanted.makers.workers.push_back(text.str()), ""; });
  options.number("worker-wait",
                 "seconds that a --worker command has to answer for the first time, as long as a login or a queue of "
                 "jobs takes; what\n"
                 "it is waited for is told every 10 s (default: 30)",
                 workerWait, 1, 1000000);
  options.number(
      "jobs",
      "how many points a local compiles at once, ahead of the one that is measured. On the host and on software "
      "Vulkan,\n"
      "where kernels run on the processors that compile, all of them compile first and are measured then, one after "
      "the\n"
      "other with nothing beside; on a GPU up to 3 compile while one is measured (default: the processors, at most 8)",
      jobs, 1, 64);
  options.text("csv", "OUT", "write this run's trials as a table", wanted.csv);
  options.text("replay", "JOURNAL", "without a FILE: what the journal has, with --csv as a table; nothing runs",
               replayed);
  options.custom("merge", "LIB",
                 "without a FILE, and repeated: writes to --output what several tuning libraries have; of entries for "
                 "one dispatch,\n"
                 "device and driver the one that gained most",
                 [&](llvm::StringRef text) { return merged.push_back(text.str()), ""; });
  options.text("function", "NAME", "which function (default: the first public one)", wanted.run.function);
  options.sizes("the size of a dynamic dimension; may be repeated", wanted.run.sizes);
  options.choice("format", {"text", "json"}, "of what is said in the end (default: text)", format);
  bool isSteered = false;
  options.flag("control",
               "for programs: a line of JSON for each event instead of text, and 'pause', 'resume' and 'cancel', a "
               "line each, on\n"
               "standard input, whose end means to cancel",
               isSteered);
  options.flag("dry-run", "list knobs, conditions and the number of points, measure nothing", wanted.dryRun);
  options.text("output", "BEST.mlir", "write the schedule with the best values selected", wanted.output, 'o');
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
  std::signal(SIGINT, [](int) { tuningEnds = true; });

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
