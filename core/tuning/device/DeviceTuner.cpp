#include "core/tuning/device/DeviceTuner.h"
#include "core/device/DeviceFile.h"
#include "core/ir/module/PrintedModule.h"
#include "core/runtime/run/Specialize.h"
#include "core/tuning/device/TrialWorker.h"
#include "core/tuning/space/Selection.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <limits>

namespace fuselage::tune {
namespace {

namespace json = llvm::json;

json::Object toJson(const Parameters &point) {
  json::Object object;
  for (const auto &[name, value] : point)
    object[name] = value;
  return object;
}

Parameters parametersIn(const json::Object *object) {
  Parameters point;
  if (object)
    for (const auto &[name, value] : *object)
      point[name.str()] = value.getAsString().value_or("").str();
  return point;
}

/// What the copy answers; the trial's line of the journal is used for a measurement.
std::string answerTo(PointTrials &trials, const json::Object &request) {
  auto text = [](json::Object object) { return llvm::formatv("{0}", json::Value(std::move(object))).str(); };
  auto failure = [&](llvm::Error error) { return text(json::Object{{"failure", takeFailure(std::move(error)).message}}); };
  if (request.getBoolean("hello").value_or(false)) {
    auto device = trials.device();
    if (!device)
      return failure(device.takeError());
    json::Object model = encodeDeviceModel(device->model);
    model["version"] = 1;
    return text(json::Object{{"id", device->id}, {"name", device->name}, {"driver", device->driver}, {"model", std::move(model)}});
  }
  std::set<std::string> known;
  if (const json::Array *kernels = request.getArray("known"))
    for (const json::Value &kernel : *kernels)
      known.insert(kernel.getAsString().value_or("").str());
  std::optional<Parameters> baseline;
  if (const json::Object *object = request.getObject("baseline"))
    baseline = parametersIn(object);
  TrialEffort effort;
  effort.rounds = static_cast<unsigned>(request.getInteger("rounds").value_or(effort.rounds));
  effort.seconds = request.getNumber("seconds").value_or(effort.seconds);
  TrialBounds bounds;
  bounds.cutAbove = request.getNumber("cut").value_or(bounds.cutAbove);
  bounds.confirmBelow = request.getNumber("confirm").value_or(0);
  auto measured = trials.measure(parametersIn(request.getObject("point")), baseline, known, bounds, effort);
  if (!measured)
    return failure(measured.takeError());
  Trial trial{.key = {},
              .parameters = {},
              .status = measured->status,
              .why = measured->why,
              .microseconds = measured->microseconds,
              .baseline = measured->baseline,
              .kernel = measured->kernel};
  json::Object answer{{"trial", tune::toJson(trial)}, {"spent", trials.isSpent()}};
  return text(std::move(answer));
}

Serve serveTrials(const TuneSubject &subject) {
  auto trials = std::make_shared<PointTrials>(subject);
  return [trials](const std::string &request) {
    auto value = json::parse(request);
    if (value && value->getAsObject())
      return answerTo(*trials, *value->getAsObject());
    llvm::consumeError(value.takeError());
    return std::string("{}");
  };
}

/// Asks the copy which device it has.
llvm::Expected<DeviceInfo> greet(TrialWorker &worker, const TuneSubject &subject, double seconds) {
  auto answer = worker.ask(R"({"hello":true})", seconds, subject.run.cancelled);
  if (!answer)
    return answer.takeError();
  if (answer->end != TrialWorker::Answer::End::Answered)
    return fail("the device '" + subject.run.device + "' cannot be opened: the process that does " + answer->text);
  auto value = json::parse(answer->text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("the device '" + subject.run.device + "' cannot be opened: the process that does answered nonsense");
  if (auto why = object->getString("failure"))
    return fail(why->str());
  DeviceInfo device;
  device.id = object->getString("id").value_or("").str();
  device.name = object->getString("name").value_or("").str();
  device.driver = object->getString("driver").value_or("").str();
  if (const json::Value *text = object->get("model")) {
    auto model = decodeDeviceModel(llvm::formatv("{0}", *text).str(), device.id);
    if (!model)
      return model.takeError();
    device.model = std::move(*model);
  }
  return device;
}

class DeviceTuner {
public:
  DeviceTuner(const TuneSubject &subject, const PointSet &points, const DeviceTunerOptions &options)
      : subject_(subject), points_(points), options_(options), worker_([&subject] { return serveTrials(subject); }) {}

  llvm::Expected<DeviceTuned> run(mlir::ModuleOp script, const Point &preferred) {
    found_.key = keyOf(subject_, script);
    auto device = greet(worker_, subject_, options_.trialSeconds);
    if (!device)
      return device.takeError();
    found_.device = std::move(*device);
    found_.key.device = found_.device.id + ", " + found_.device.name;
    found_.key.driver = found_.device.driver;
    found_.key.version = options_.version;
    TunerOptions search = options_.search;
    KnownTrials known = readJournal(search.first);
    search.first.insert(search.first.begin(), preferred);
    search.cancelled = subject_.run.cancelled;
    auto told = search.progress;
    search.progress = [&](size_t done, const Point &point, const Measurement &measured, bool isBest) {
      ++found_.counts[measured.status];
      if (told)
        told(done, point, measured, isBest);
    };
    found_.tuned = tunePoints(
        points_, search, [&](const Point &point, const MeasurePlan &plan) { return measure(point, plan); }, known);
    if (!problem_.empty() && found_.tuned.trials.empty())
      return fail(problem_);
    confirm();
    return std::move(found_);
  }

private:
  void note(const std::string &text) {
    if (options_.note)
      options_.note(text);
  }

  Parameters parametersOf(const Point &point) const {
    Parameters parameters;
    for (auto [knob, value] : llvm::zip_equal(points_.space().knobs, point))
      parameters[knob.name] = knob.textOf(value);
    return parameters;
  }

  std::optional<Point> pointOf(const Parameters &parameters) const {
    Point point;
    for (const Knob &knob : points_.space().knobs) {
      auto found = parameters.find(knob.name);
      auto value = found == parameters.end() ? std::nullopt : knob.valueOf(found->second);
      if (!value)
        return std::nullopt;
      point.push_back(*value);
    }
    return point;
  }

  llvm::Expected<TrialWorker::Answer> ask(json::Object request) {
    return worker_.ask(llvm::formatv("{0}", json::Value(std::move(request))).str(), options_.trialSeconds, subject_.run.cancelled);
  }

  KnownTrials readJournal(std::vector<Point> &first) {
    KnownTrials known;
    if (!options_.journal)
      return known;
    // The baseline of a journal stays what it was, as costs are by its time.
    for (const Trial *trial : options_.journal->trialsOf(found_.key))
      if (!found_.baseline && !trial->baselineParameters.empty())
        found_.baseline = pointOf(trial->baselineParameters);
    for (const Trial *trial : options_.journal->trialsOf(found_.key))
      if (auto point = pointOf(trial->parameters);
          point && (trial->baselineParameters.empty() || pointOf(trial->baselineParameters) == found_.baseline))
        known.push_back({*point,
                         {.status = trial->status,
                          .why = trial->why,
                          .kernel = trial->kernel,
                          .microseconds = trial->microseconds,
                          .baseline = trial->baseline}});
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
        note("starting with the best of " + best->key.device + " (" + best->key.driver + ", version " + best->key.version +
             "): " + points_.space().textOf(*point));
      }
    return known;
  }

  llvm::Expected<Measurement> measure(const Point &point, const MeasurePlan &plan) {
    auto start = std::chrono::steady_clock::now();
    auto measured = askFor(point, plan, options_.effort);
    if (!measured) {
      Failure failure = takeFailure(measured.takeError());
      problem_ = failure.message;
      return fail(problem_);
    }
    if (!found_.baseline && measured->status == TrialStatus::Ok)
      found_.baseline = point;
    if (found_.baseline == point && measured->baseline.empty())
      measured->baseline = measured->microseconds; // it is its own
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (llvm::Error error = record(point, *measured, seconds.count()))
      return error;
    return std::move(*measured);
  }

  llvm::Expected<Measurement> askFor(const Point &point, const MeasurePlan &plan, const TrialEffort &effort) {
    json::Array known;
    for (const auto &[kernel, measurement] : plan.known)
      known.push_back(kernel);
    json::Object request{{"point", toJson(parametersOf(point))},
                         {"known", std::move(known)},
                         {"rounds", int64_t(effort.rounds)},
                         {"seconds", effort.seconds}};
    if (found_.baseline)
      request["baseline"] = toJson(parametersOf(*found_.baseline));
    if (plan.cutAbove < std::numeric_limits<double>::infinity())
      request["cut"] = plan.cutAbove;
    request["confirm"] = plan.confirmBelow;
    auto answer = ask(std::move(request));
    if (!answer)
      return answer.takeError();
    if (answer->end == TrialWorker::Answer::End::Cancelled)
      return fail("cancelled");
    if (answer->end != TrialWorker::Answer::End::Answered)
      return Measurement{.status = answer->end == TrialWorker::Answer::End::Hung ? TrialStatus::Hung : TrialStatus::Crashed,
                         .why = "the process that ran it " + answer->text};
    auto value = json::parse(answer->text);
    if (!value)
      return value.takeError();
    const json::Object *object = value->getAsObject();
    if (auto why = object ? object->getString("failure") : std::nullopt)
      return fail(why->str());
    if (!object || object->getBoolean("spent").value_or(false))
      worker_.stop();
    const json::Value *line = object ? object->get("trial") : nullptr;
    auto trial = line ? trialFrom(*line) : std::nullopt;
    if (!trial)
      return Measurement{.status = TrialStatus::Crashed, .why = "the process that ran it answered nonsense"};
    return Measurement{.status = trial->status,
                       .why = trial->why,
                       .kernel = trial->kernel,
                       .microseconds = trial->microseconds,
                       .baseline = trial->baseline};
  }

  llvm::Error record(const Point &point, const Measurement &measured, double seconds) {
    if (!options_.journal)
      return llvm::Error::success();
    auto now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    return options_.journal->append({.key = found_.key,
                                     .parameters = parametersOf(point),
                                     .status = measured.status,
                                     .why = measured.why,
                                     .microseconds = measured.microseconds,
                                     .baseline = measured.baseline,
                                     .baselineParameters = found_.baseline ? parametersOf(*found_.baseline) : Parameters(),
                                     .kernel = measured.kernel,
                                     .strategy = nameOf(options_.search.strategy.kind).str(),
                                     .seconds = seconds,
                                     .time = static_cast<uint64_t>(now.count())});
  }

  /// The best of many noisy times looks better than it is: it is measured once more, with the baseline, and more often.
  void confirm() {
    if (!found_.tuned.best || !found_.baseline || *found_.tuned.best == *found_.baseline || found_.tuned.stopped == "cancelled")
      return;
    TrialEffort effort = options_.effort;
    effort.rounds = std::max(20u, effort.rounds * 2);
    effort.seconds *= 2;
    const std::map<std::string, Measurement> nothing;
    auto measured = askFor(*found_.tuned.best, {.known = nothing, .cutAbove = std::numeric_limits<double>::infinity()}, effort);
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

  const TuneSubject &subject_;
  const PointSet &points_;
  const DeviceTunerOptions &options_;
  TrialWorker worker_;
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
  key.module = fingerprintOf(PrintedModule(subject.payload).text() + sizes);
  auto function = pickFunction(subject.payload, subject.run.function);
  if (function)
    key.dispatch = function->getName().str();
  else
    llvm::consumeError(function.takeError());
  return key;
}

llvm::Expected<DeviceTuned> tuneOnDevice(const TuneSubject &subject, const PointSet &points, const DeviceTunerOptions &options) {
  if (points.size() == 0)
    return fail("the space has no point");
  std::optional<Point> selected = selectedPoint(points.space());
  Point preferred = selected && points.find(*selected) ? *selected : points[0];
  DeviceTuner tuner(subject, points, options);
  if (subject.schedule.empty())
    return tuner.run(nullptr, preferred);
  auto script = openScript(subject.session, subject.schedule, subject.libraries);
  if (!script)
    return script.takeError();
  return tuner.run(*script->module, preferred);
}

llvm::Expected<DeviceInfo> lookAtDevice(const TuneSubject &subject) {
  TrialWorker worker([&subject] { return serveTrials(subject); });
  return greet(worker, subject, /*seconds=*/60);
}

} // namespace fuselage::tune
