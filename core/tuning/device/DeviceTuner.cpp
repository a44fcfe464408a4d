#include "core/tuning/device/DeviceTuner.h"
#include "core/ir/module/PrintedModule.h"
#include "core/run/Specialize.h"
#include "core/tuning/journal/ProcessName.h"
#include "core/tuning/space/Selection.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <limits>
#include <set>
#include <thread>

namespace fuselage::tune {
namespace {

class DeviceTuner {
public:
  DeviceTuner(const TuneSubject &subject, const PointSet &points, const DeviceTunerOptions &options, TrialTeam &team)
      : subject_(subject), points_(points), options_(options), team_(team), search_(options.search) {
    if (options.isJoint) // each process goes its own way
      search_.strategy.seed += llvm::xxh3_64bits(processName());
  }

  llvm::Expected<DeviceTuned> run(mlir::ModuleOp script, const Point &preferred) {
    found_.key = keyOf(subject_, script);
    PointTuner *search = nullptr; // once there is one
    team_.updateBy([&](size_t number, TrialRequest &request) {
      if (search && number != kOurs)
        request = requestFor(points_[number], search->plan(), options_.effort, request.baseline);
    });
    auto device = options_.team && options_.device ? llvm::Expected<DeviceInfo>(*options_.device)
                                                   : team_.open(subject_, options_.trialSeconds);
    if (!device)
      return device.takeError();
    found_.device = std::move(*device);
    found_.key.device = found_.device.id + ", " + found_.device.name;
    found_.key.driver = found_.device.driver;
    found_.key.version = options_.version;
    KnownTrials known = readJournal(search_.first);
    search_.first.insert(search_.first.begin(), preferred);
    search_.cancelled = subject_.run.cancelled;
    search_.countsKnown = options_.isJoint;
    auto told = search_.progress;
    search_.progress = [this, told](size_t done, const Point &point, const Measurement &measured, bool isBest) {
      ++found_.counts[measured.status];
      if (told)
        told(done, point, measured, isBest);
    };
    PointTuner tuner(points_, search_);
    search = &tuner;
    tuner.know(known);
    tune(tuner);
    if (problem_.empty() && search_.cancelled && search_.cancelled->load()) {
      problem_ = "cancelled";
      tuner.stop(problem_);
    }
    found_.tuned = tuner.tuned();
    if (!problem_.empty() && found_.tuned.trials.empty())
      return fail(problem_);
    confirm();
    team_.updateBy({});
    return std::move(found_);
  }

private:
  static constexpr size_t kOurs = SIZE_MAX; ///< the number of a trial that is none of the search

  void note(const std::string &text) {
    if (options_.note)
      options_.note(text);
  }

  Parameters parametersOf(const Point &point) const { return points_.space().parametersOf(point); }
  std::optional<Point> pointOf(const Parameters &parameters) const { return points_.space().pointOf(parameters); }

  /// Hands points out as long as there are any, and takes what comes of them.
  void tune(PointTuner &tuner) {
    while (true) {
      learnFromOthers(tuner);
      bool mayAsk = found_.baseline || !team_.isBusy(); // the others are measured beside it
      if (mayAsk && team_.hasIdle()) {
        if (std::optional<size_t> number = options_.isJoint ? claimOne(tuner) : tuner.next()) {
          auto baseline = found_.baseline ? std::optional(parametersOf(*found_.baseline)) : std::nullopt;
          team_.begin(*number, requestFor(points_[*number], tuner.plan(), options_.effort, std::move(baseline)));
          continue;
        }
        if (!team_.isBusy()) {
          if (tuner.isOver() || isSpent_ || !(isWaiting_ || tuner.hasPutOff()))
            return;
          std::this_thread::sleep_for(
              std::chrono::milliseconds(100)); // others are at the rest, or their claims run out
          continue;
        }
      }
      if (!team_.isBusy() && (tuner.isOver() || isSpent_))
        return;
      auto done = team_.wait();
      if (!done) {
        problem_ = takeFailure(done.takeError()).message;
        return tuner.stop(problem_);
      }
      if (*done)
        take(tuner, std::move(**done));
    }
  }

  /// The next one that nobody else makes, and that is within the budget of all. The first one, which is the baseline if
  /// it runs, is made by one process alone, or each would have another.
  std::optional<size_t> claimOne(PointTuner &tuner) {
    constexpr double onTheWay = 60; // and what clocks differ by
    const Journal::ClaimRules rules{
        .seconds = 2 * options_.trialSeconds + onTheWay, .most = search_.trials, .isAlone = !found_.baseline};
    std::set<size_t> putOff;
    isWaiting_ = false;
    while (std::optional<size_t> number = tuner.next()) {
      auto claimed = options_.journal->claim(found_.key, parametersOf(points_[*number]), rules);
      if (!claimed) {
        tuner.leave(*number);
        giveUp(tuner, takeFailure(claimed.takeError()).message);
        return std::nullopt;
      }
      switch (*claimed) {
      case Journal::Claimed::Ours:
        return number;
      case Journal::Claimed::Made:
        tuner.leave(*number);
        break;
      case Journal::Claimed::Theirs:
        if (found_.baseline) {
          tuner.putOff(*number);
          if (!putOff.insert(*number).second) // all that is left is with others
            return std::nullopt;
          break;
        }
        [[fallthrough]];
      case Journal::Claimed::Full:
        tuner.giveBack(*number);
        isWaiting_ = true;
        return std::nullopt;
      case Journal::Claimed::Spent:
        tuner.leave(*number);
        isSpent_ = true;
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// The journal takes nothing more.
  void giveUp(PointTuner &tuner, std::string why) {
    found_.unrecorded = why;
    tuner.stop(std::move(why));
  }

  void take(PointTuner &tuner, TrialTeam::Done done) {
    const Point &point = points_[done.number];
    Measurement &measured = done.measured;
    measured.seconds = done.seconds;
    measured.worker = done.maker;
    tuner.complete(measured);
    if (!found_.baseline && measured.status == TrialStatus::Ok)
      found_.baseline = point;
    if (found_.baseline == point && measured.baseline.empty())
      measured.baseline = measured.microseconds; // it is its own
    if (llvm::Error error = record(point, measured, done.maker))
      giveUp(tuner, takeFailure(std::move(error)).message);
    tuner.told(done.number, std::move(measured));
  }

  TrialRequest requestFor(const Point &point, const MeasurePlan &plan, const TrialEffort &effort,
                          std::optional<Parameters> baseline) const {
    TrialRequest request{.point = parametersOf(point),
                         .baseline = std::move(baseline),
                         .bounds = {.cutAbove = plan.cutAbove, .confirmBelow = plan.confirmBelow},
                         .effort = effort,
                         .seconds = options_.trialSeconds};
    for (const auto &[kernel, measurement] : plan.known)
      request.known.insert(kernel);
    return request;
  }

  /// The trial, where it may be compared with those that are made here.
  std::optional<std::pair<Point, Measurement>> knownFrom(const Trial &trial) {
    if (!(trial.key == found_.key))
      return std::nullopt;
    // The baseline of a journal stays what it was, as costs are by its time.
    if (!found_.baseline && !trial.baselineParameters.empty())
      found_.baseline = pointOf(trial.baselineParameters);
    std::optional<Point> point = pointOf(trial.parameters);
    if (!point || !(trial.baselineParameters.empty() || pointOf(trial.baselineParameters) == found_.baseline))
      return std::nullopt;
    return std::pair(*point, Measurement{.status = trial.status,
                                         .why = trial.why,
                                         .kernel = trial.kernel,
                                         .microseconds = trial.microseconds,
                                         .baseline = trial.baseline,
                                         .seconds = trial.seconds,
                                         .worker = trial.worker,
                                         .oneThread = trial.oneThread});
  }

  /// Trials of the journal that were not looked at yet.
  KnownTrials newTrials() {
    KnownTrials known;
    for (; seen_ < options_.journal->trials().size(); ++seen_)
      if (auto trial = knownFrom(options_.journal->trials()[seen_]))
        known.push_back(std::move(*trial));
    return known;
  }

  /// What other processes have put into the journal meanwhile.
  void learnFromOthers(PointTuner &tuner) {
    if (!options_.isJoint)
      return;
    if (llvm::Error error = options_.journal->refresh())
      return tuner.stop(takeFailure(std::move(error)).message);
    tuner.know(newTrials());
  }

  KnownTrials readJournal(std::vector<Point> &first) {
    if (!options_.journal)
      return {};
    KnownTrials known = newTrials();
    if (!known.empty())
      note(std::to_string(known.size()) + " trials of this device and driver are in the journal already");
    // What was best elsewhere is worth a look, no more.
    const Trial *best = nullptr;
    for (const Trial *trial : options_.journal->trialsElsewhere(found_.key))
      if (trial->status == TrialStatus::Ok && trial->medianUs() && (!best || *trial->medianUs() < *best->medianUs()))
        best = trial;
    if (best)
      if (auto point = pointOf(best->parameters)) {
        first.push_back(*point);
        note("starting with the best of " + best->key.device + " (" + best->key.driver + ", version " +
             best->key.version + "): " + points_.space().textOf(*point));
      }
    return known;
  }

  llvm::Error record(const Point &point, const Measurement &measured, const std::string &maker) {
    auto now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    Trial trial{.key = found_.key,
                .parameters = parametersOf(point),
                .status = measured.status,
                .why = measured.why,
                .microseconds = measured.microseconds,
                .baseline = measured.baseline,
                .baselineParameters = found_.baseline ? parametersOf(*found_.baseline) : Parameters(),
                .kernel = measured.kernel,
                .strategy = nameOf(search_.strategy.kind).str(),
                .worker = maker,
                .oneThread = measured.oneThread,
                .seconds = measured.seconds,
                .time = static_cast<uint64_t>(now.count())};
    found_.trials.push_back(std::move(trial));
    return options_.journal ? options_.journal->append(found_.trials.back()) : llvm::Error::success();
  }

  /// The best of many noisy times looks better than it is: it is measured once more, with the baseline, and more often.
  void confirm() {
    if (!found_.tuned.best || !found_.baseline || *found_.tuned.best == *found_.baseline ||
        found_.tuned.stopped == "cancelled")
      return;
    TrialEffort effort = options_.effort;
    effort.rounds = std::max(20u, effort.rounds * 2);
    effort.seconds *= 2;
    const std::map<std::string, Measurement> nothing;
    auto measured =
        askAgain(requestFor(*found_.tuned.best, {.known = nothing, .cutAbove = std::numeric_limits<double>::infinity()},
                            effort, parametersOf(*found_.baseline)));
    if (!measured) {
      note("the best point could not be measured again: " + takeFailure(measured.takeError()).message);
      return;
    }
    found_.confirmed = std::move(*measured);
    if (found_.confirmed.status != TrialStatus::Ok) {
      note("the best point did not run a second time: " + found_.confirmed.why);
      return;
    }
    found_.speedup = speedupOf(found_.confirmed.microseconds, found_.confirmed.baseline);
    found_.isFaster = found_.speedup.isKnown() && found_.speedup.ratio > 1;
  }

  llvm::Expected<Measurement> askAgain(TrialRequest request) {
    team_.begin(kOurs, std::move(request)); // others may still be on their way
    while (true) {
      auto done = team_.wait();
      if (!done)
        return done.takeError();
      if (*done && (*done)->number == kOurs)
        return std::move((*done)->measured);
    }
  }

  const TuneSubject &subject_;
  const PointSet &points_;
  const DeviceTunerOptions &options_;
  TrialTeam &team_;
  TunerOptions search_;
  size_t seen_ = 0;        ///< trials of the journal
  bool isWaiting_ = false; ///< for what others are at: it may be the last trials, or what finds the baseline
  bool isSpent_ = false;   ///< the budget of all
  std::string problem_;
  DeviceTuned found_;
};

} // namespace

TrialKey keyOf(const TuneSubject &subject, mlir::ModuleOp script) {
  TrialKey key;
  key.schedule = "default pipeline";
  if (script) {
    mlir::OwningOpRef<mlir::ModuleOp> open(script.clone());
    open->walk([](mlir::Operation *op) { // what is selected makes no other schedule
      if (auto knob = mlir::dyn_cast<mlir::transform::tune::KnobOp>(op))
        knob.removeSelectedAttr();
      if (auto choice = mlir::dyn_cast<mlir::transform::tune::AlternativesOp>(op))
        choice.removeSelectedRegionAttrAttr();
    });
    key.schedule = fingerprintOf(PrintedModule(*open).text());
  }
  std::string sizes;
  for (const auto &[name, size] : subject.run.sizes)
    sizes += name + "=" + std::to_string(size) + " ";
  if (!subject.run.coldCaches)
    sizes += "warm caches"; // cold ones are nothing to say, as in journals from before this was told apart
  key.module = fingerprintOf(PrintedModule(subject.payload).text() + sizes);
  auto function = pickFunction(subject.payload, subject.run.function);
  if (function)
    key.dispatch = function->getName().str();
  else
    llvm::consumeError(function.takeError());
  return key;
}

/// Those of `team`, else one copy of this process, which `own` keeps.
static llvm::Expected<TrialTeam *> teamOr(TrialTeam *team, std::unique_ptr<TrialTeam> &own) {
  if (team)
    return team;
  auto made = TrialTeam::make({});
  if (!made)
    return made.takeError();
  own = std::move(*made);
  return own.get();
}

llvm::Expected<DeviceTuned> tuneOnDevice(const TuneSubject &subject, const PointSet &points,
                                         const DeviceTunerOptions &options) {
  if (points.size() == 0)
    return fail("the space has no point");
  if (options.isJoint && !options.journal)
    return fail("processes that tune together need a journal");
  std::unique_ptr<TrialTeam> own;
  auto team = teamOr(options.team, own);
  if (!team)
    return team.takeError();
  std::optional<Point> selected = selectedPoint(points.space());
  Point preferred = selected && points.find(*selected) ? *selected : points[0];
  DeviceTuner tuner(subject, points, options, **team);
  if (subject.schedule.empty())
    return tuner.run(nullptr, preferred);
  auto script = scriptOf(subject);
  if (!script)
    return script.takeError();
  return tuner.run(*script->module, preferred);
}

llvm::Expected<DeviceInfo> lookAtDevice(const TuneSubject &subject, TrialTeam *team) {
  std::unique_ptr<TrialTeam> own;
  auto who = teamOr(team, own);
  if (!who)
    return who.takeError();
  return (*who)->open(subject, /*seconds=*/60);
}

} // namespace fuselage::tune
