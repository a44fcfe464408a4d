#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "app/cli/Input.h"
#include "app/cli/tune/TuneArguments.h"
#include "app/cli/tune/TuneControl.h"
#include "core/analysis/costs/Costs.h"
#include "core/codegen/host/Isolate.h"
#include "core/kernels/KernelCode.h"
#include "core/run/SingleDispatch.h"
#include "core/support/StandardOutput.h"
#include "core/tuning/dispatch/DispatchFeatures.h"
#include "core/tuning/dispatch/EqualDispatches.h"
#include "core/tuning/library/TunedLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <ctime>

namespace fuselage::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Equal dispatches, by the one that is tuned.
struct DispatchWork {
  mlir::func::FuncOp dispatch;
  tune::EqualDispatches equal{};
  double cost = 0;     ///< operations and bytes of one call: an order, no time
  tune::Space space{}; ///< empty: there is nothing to search
  std::string whyNot{};
};

/// ", and 79 more alike", and how often they are called where that is more often.
std::string alikeText(const tune::EqualDispatches &equal) {
  size_t functions = equal.functions.size();
  std::string text = functions > 1 ? ", and " + std::to_string(functions - 1) + " more alike" : "";
  return equal.calls > functions ? text + ", called " + std::to_string(equal.calls) + " times" : text;
}

/// Those that are wanted, each once, dearest first.
llvm::Expected<std::vector<DispatchWork>> worksOf(const RunProgram &program, const std::string &wanted) {
  std::vector<DispatchWork> works;
  for (tune::EqualDispatches &equal : tune::equalDispatches(program)) {
    OpCost cost = costOfDispatch(equal.first);
    double ofOne = static_cast<double>(std::max<int64_t>(cost.flops, 0) + std::max<int64_t>(cost.bytes(), 0));
    works.push_back({.dispatch = equal.first, .equal = std::move(equal), .cost = ofOne});
  }
  if (!wanted.empty()) {
    auto found = findDispatch(program, wanted);
    if (!found)
      return found.takeError();
    llvm::erase_if(works, [&](const DispatchWork &work) {
      return !llvm::is_contained(work.equal.functions, mlir::func::FuncOp(*found).getName());
    });
    works.front().dispatch = *found;
  }
  llvm::stable_sort(works, [](const DispatchWork &a, const DispatchWork &b) {
    return a.cost * a.equal.calls > b.cost * b.equal.calls;
  });
  return works;
}

/// Tunes one after the other.
class DispatchesTuner {
public:
  DispatchesTuner(Session &session, TuneArguments &wanted)
      : session_(session), wanted_(wanted), out_(wanted.isJson ? llvm::nulls() : results()),
        search_(wanted.tuner.search) {}

  llvm::Expected<int> run(const RunProgram &program) {
    auto works = worksOf(program, wanted_.run.dispatch);
    if (!works)
      return works.takeError();
    if (works->empty())
      return fail("there is no dispatch: @" + mlir::func::FuncOp(program.function).getName().str() +
                  " has no op on tensors that would make a kernel (" +
                  formatPosition(positionOf(mlir::func::FuncOp(program.function).getLoc())) + ")");
    if (wanted_.tuned != "none") {
      auto library = tune::TunedLibrary::read(wanted_.tuned); // what is damaged is known before hours of tuning
      if (!library)
        return library.takeError();
      library_ = std::move(*library);
    }
    for (DispatchWork &work : *works)
      if (llvm::Error error = findSpace(work))
        return error;
    auto hasSpace = [](const DispatchWork &work) { return work.whyNot.empty(); };
    auto left = static_cast<size_t>(llvm::count_if(*works, hasSpace));
    if (wanted_.control)
      wanted_.control->plan(itemsOf(*works), budgetOf(left));
    of_ = works->size();
    for (const auto &[number, work] : llvm::enumerate(*works)) {
      if (wanted_.run.cancelled->load() || !unrecorded_.empty())
        break;
      item_ = static_cast<int>(number);
      describe(work);
      if (!hasSpace(work) || wanted_.dryRun)
        continue;
      share(left--);
      if (llvm::Error error = search(work))
        return error;
    }
    if (wanted_.dryRun)
      return ExitOk;
    out_ << faster_ << " of " << measured_ << (measured_ == 1 ? " dispatch is" : " dispatches are")
         << " faster than by the pipeline's own sizes"
         << (faster_ == 0              ? ""
             : wanted_.tuned == "none" ? "; --tuned none: they are written nowhere"
                                       : "; written to '" + wanted_.tuned + "'")
         << '\n';
    if (untried_ > 0)
      out_ << "of " << untried_
           << ", nothing but these sizes was tried; a larger --budget, or --dispatch for one alone, gives them more\n";
    if (wanted_.isJson)
      printSearches(std::move(searches_));
    if (!unrecorded_.empty())
      return failUnrecorded(unrecorded_);
    return measured_ > 0 ? ExitOk : ExitInputError;
  }

private:
  static std::vector<message::TuneItem<>> itemsOf(llvm::ArrayRef<DispatchWork> works) {
    std::vector<message::TuneItem<>> items;
    for (const DispatchWork &work : works) {
      message::TuneItem<> &item = items.emplace_back(itemOf(work.dispatch));
      item.detail = tune::describeShapingOp(work.dispatch);
      item.calls = static_cast<int>(work.equal.calls);
      item.whyNot = work.whyNot;
    }
    return items;
  }

  /// That of all together, where so many dispatches have a space.
  tune::TunerOptions budgetOf(size_t dispatches) const {
    tune::TunerOptions all = search_;
    if (wanted_.isEach) {
      all.seconds *= static_cast<double>(dispatches);
      all.trials = llvm::SaturatingMultiply(all.trials, dispatches);
    }
    return all;
  }

  /// The part of what is left of the budget for the next one of `left`.
  void share(size_t left) {
    if (wanted_.isEach)
      return;
    tune::TunerOptions &part = wanted_.tuner.search;
    double spent = wanted_.tuner.isJoint ? seconds_ : std::chrono::duration<double>(Clock::now() - start_).count();
    if (search_.seconds > 0)
      part.seconds = std::max(1.0, (search_.seconds - spent) / static_cast<double>(left));
    else
      part.trials = std::max<size_t>(2, (search_.trials - std::min(search_.trials, trials_)) / left);
  }

  tune::TuneSubject subjectOf(const DispatchWork &work, mlir::ModuleOp alone) const {
    tune::TuneSubject subject{.session = session_, .payload = alone, .schedule = "", .run = wanted_.run};
    subject.run.function = mlir::func::FuncOp(work.dispatch).getName().str();
    subject.run.dispatch.clear();
    subject.run.sizes.clear();
    return subject;
  }

  llvm::Error findSpace(DispatchWork &work) {
    work.whyNot = whyNotAlone(work.dispatch);
    if (!work.whyNot.empty())
      return llvm::Error::success();
    if (!device_) {
      auto device = tune::lookAtDevice(subjectOf(work, {}), wanted_.tuner.team);
      if (!device)
        return device.takeError();
      device_ = std::move(*device);
    }
    auto space = tune::dispatchSpace(work.dispatch, device_->model);
    if (space)
      work.space = std::move(*space);
    else
      work.whyNot = takeFailure(space.takeError()).message;
    return llvm::Error::success();
  }

  void describe(const DispatchWork &work) {
    mlir::func::FuncOp dispatch = work.dispatch;
    setActivity("tuning @" + dispatch.getName().str());
    out_ << "@" << dispatch.getName() << alikeText(work.equal)
         << (of_ > 1 ? " (" + std::to_string(item_ + 1) + " of " + std::to_string(of_) + ")" : "") << '\n';
    if (std::string op = tune::describeShapingOp(dispatch); !op.empty())
      out_ << "  " << op << '\n';
    if (!work.whyNot.empty())
      out_ << "  left alone: " << work.whyNot << '\n';
    else if (wanted_.dryRun)
      out_ << describeSpace(work.space, tune::countPoints(work.space, tune::planLoops(work.space)));
    out_.flush();
  }

  llvm::Error search(const DispatchWork &work) {
    mlir::func::FuncOp dispatch = work.dispatch;
    const tune::Space &space = work.space;
    mlir::OwningOpRef<mlir::ModuleOp> alone = isolateFunction(dispatch);
    tune::TuneSubject subject = subjectOf(work, *alone);
    std::string fingerprint = tune::fingerprintOfDispatch(dispatch);
    std::vector<tune::Point> first = {tune::Point(space.knobs.size(), 0)};
    if (const tune::TunedEntry *known = library_.find(device_->name, device_->driver, fingerprint))
      if (auto best = pointOf(*known, space))
        first.push_back(std::move(*best));
    tune::PointSet points = tune::PointSet::of(space, 200'000, search_.strategy.seed, first);
    wanted_.tuner.search.first = first;
    wanted_.tuner.search.strategy.features = tune::dispatchFeatures(dispatch, space, device_->model);
    if (wanted_.control)
      wanted_.control->begin(wanted_.tuner.search, space, wanted_.run.device, points.size(), item_);
    else
      showTrials(wanted_, space);
    auto done = tune::tuneOnDevice(subject, points, wanted_.tuner);
    if (!done) {
      if (wanted_.run.cancelled->load())
        return done.takeError();
      out_ << "  left alone: " << takeFailure(done.takeError()).message << '\n';
      return llvm::Error::success();
    }
    trials_ += done->tuned.trials.size() + (wanted_.tuner.isJoint ? done->tuned.reused : 0);
    seconds_ += done->tuned.seconds + done->tuned.reusedSeconds;
    ++measured_;
    unrecorded_ = done->unrecorded;
    report(*done, points);
    llvm::json::Object found = searchJson(*done, points);
    found["dispatches"] = llvm::json::Array(work.equal.functions);
    found["calls"] = static_cast<int64_t>(work.equal.calls);
    searches_.push_back(std::move(found));
    if (!wanted_.csv.empty())
      if (llvm::Error error = writeCsv(wanted_, *done))
        return error;
    faster_ += done->isFaster;
    if (llvm::Error error =
            done->isFaster ? keep(*done, dispatch, fingerprint, space) : forget(*done, fingerprint, points))
      return error;
    if (wanted_.control)
      wanted_.control->end(*done, space, comparison(*done, "the pipeline's sizes"),
                           done->isFaster && wanted_.tuned != "none" ? wanted_.tuned : "");
    return llvm::Error::success();
  }

  void report(const tune::DeviceTuned &done, const tune::PointSet &points) {
    const tune::Space &space = points.space();
    tune::Measurement pipeline{.microseconds =
                                   done.speedup.pairs ? done.confirmed.baseline : done.tuned.measured.baseline};
    out_ << "  " << done.tuned.trials.size() << (done.tuned.trials.size() == 1 ? " trial of " : " trials of ")
         << points.size() << (points.isComplete() ? " points" : " sampled points");
    if (done.tuned.reused)
      out_ << ", and " << done.tuned.reused << " from the journal";
    for (const auto &[status, number] : done.counts)
      if (status != tune::TrialStatus::Ok)
        out_ << ", " << number << ' ' << tune::nameOf(status);
    out_ << "\n";
    if (!done.tuned.stopped.empty())
      out_ << "  stopped: " << done.tuned.stopped << '\n';
    if (!done.tuned.best) {
      out_ << "  best: none ran and was right" << whyNone(done) << '\n';
      return;
    }
    out_ << "  the pipeline's sizes: " << timesOf(pipeline) << '\n';
    if (std::string drift = driftText(pointersTo(done.trials)); !drift.empty())
      out_ << "  " << drift << '\n';
    if (points.size() > 1 && done.tuned.trials.size() + done.tuned.reused < 2) {
      ++untried_;
      out_ << "  nothing else was tried: there was no more time for it\n";
      return;
    }
    if (done.baseline == done.tuned.best || done.speedup.pairs == 0) {
      out_ << "  nothing is faster\n";
      return;
    }
    out_ << "  best: " << space.textOf(*done.tuned.best) << ", " << timesOf(done.confirmed) << '\n';
    out_ << "  " << speedupText(done.speedup, "the pipeline's sizes") << '\n';
  }

  /// What the library has for a dispatch; nullopt: it is no point of the space.
  static std::optional<tune::Point> pointOf(const tune::TunedEntry &entry, const tune::Space &space) {
    tune::Point point;
    for (const tune::Knob &knob : space.knobs)
      if (auto size = entry.sizes.find(knob.name); size != entry.sizes.end())
        point.push_back(size->second);
      else if (knob.absent)
        point.push_back(*knob.absent);
    return point.size() == space.knobs.size() && space.contains(point) ? std::optional(std::move(point)) : std::nullopt;
  }

  /// Takes what was measured and is no longer faster than the pipeline's sizes out of the library.
  llvm::Error forget(const tune::DeviceTuned &done, const std::string &fingerprint, const tune::PointSet &points) {
    const tune::TunedEntry *known = library_.find(done.device.name, done.device.driver, fingerprint);
    bool isSure = done.tuned.stopped.empty() && (done.baseline == done.tuned.best || done.speedup.pairs > 0);
    auto point = known ? pointOf(*known, points.space()) : std::nullopt;
    auto number = point ? points.find(*point) : std::nullopt;
    if (!isSure || !number || !done.tuned.isDone[*number])
      return llvm::Error::success();
    auto isRemoved = tune::TunedLibrary::remove(wanted_.tuned, *known);
    if (!isRemoved)
      return isRemoved.takeError();
    if (*isRemoved)
      out_ << "  the library's sizes, once " << llvm::formatv("{0:f2}", known->ratio)
           << " times as fast, are no longer faster: taken out of '" << wanted_.tuned << "'\n";
    return llvm::Error::success();
  }

  llvm::Error keep(const tune::DeviceTuned &done, mlir::func::FuncOp dispatch, const std::string &fingerprint,
                   const tune::Space &space) {
    if (wanted_.tuned == "none")
      return llvm::Error::success();
    tune::TunedEntry entry{.device = done.device.name,
                           .driver = done.device.driver,
                           .dispatch = fingerprint,
                           .op = tune::describeShapingOp(dispatch),
                           .sizes = {},
                           .ratio = done.speedup.ratio,
                           .when =
                               llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr))).str(),
                           .version = wanted_.tuner.version};
    for (auto [knob, size] : llvm::zip_equal(space.knobs, *done.tuned.best))
      entry.sizes[knob.name] = size;
    return tune::TunedLibrary::add(wanted_.tuned, entry);
  }

  Session &session_;
  TuneArguments &wanted_;
  llvm::raw_ostream &out_;
  const tune::TunerOptions search_; ///< with the budget that was given
  const Clock::time_point start_ = Clock::now();
  tune::TunedLibrary library_;
  std::optional<DeviceInfo> device_;
  llvm::json::Array searches_;
  std::string unrecorded_; ///< why the journal takes nothing more
  int item_ = 0;           ///< of the plan, that is searched
  size_t of_ = 0;          ///< so many
  size_t untried_ = 0;     ///< of which only the pipeline's sizes were measured
  double seconds_ = 0;     ///< that trials took
  size_t trials_ = 0, measured_ = 0, faster_ = 0;
};

} // namespace

llvm::Expected<int> tuneDispatches(Session &session, mlir::ModuleOp module, TuneArguments &wanted) {
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(module, wanted.run.function, wanted.run.sizes, remarks);
  if (!program)
    return program.takeError();
  for (const Diagnostic &remark : remarks)
    llvm::errs() << formatDiagnostic(remark) << '\n';
  std::optional<tune::Journal> journal;
  if (llvm::Error error = openJournal(wanted, journal))
    return error;
  return DispatchesTuner(session, wanted).run(*program);
}

} // namespace fuselage::cli
