#include "core/tuning/device/TrialMessages.h"
#include "core/device/DeviceFile.h"
#include "core/ir/ops/ValueNames.h"
#include "core/protocol/Trials.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/RequestWriter.h"
#include "core/protocol/methods/TuneMethods.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace fuselage::tune {

namespace json = llvm::json;

/// With all its data.
static std::string wholeText(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, withValueNames());
  return text;
}

static Parameters decodePoint(const json::Object &object) {
  Parameters point;
  for (const auto &[name, value] : object)
    point[name.str()] = value.getAsString().value_or("").str();
  return point;
}

llvm::Expected<json::Object> encodeSubject(const TuneSubject &subject) {
  method::OpenWorker::Request<> request{.device = subject.run.device};
  if (!subject.payload)
    return message::encodeRequest(request);
  request.payload = wholeText(subject.payload);
  if (!subject.schedule.empty()) {
    auto script = scriptOf(subject);
    if (!script)
      return script.takeError();
    request.schedule = wholeText(*script->module); // with what it needs of libraries
    request.scheduleName = subject.schedule;
    if (auto entry = mlir::dyn_cast<mlir::SymbolOpInterface>(script->entry.getOperation()))
      request.scheduleEntry = entry.getName().str();
  }
  request.sizes = subject.run.sizes;
  request.function = subject.run.function;
  request.caches = subject.run.coldCaches ? "cold" : "warm";
  request.seed = static_cast<int64_t>(subject.run.seed);
  return message::encodeRequest(request);
}

json::Object encodeRequest(const TrialRequest &request) {
  method::MakeTrial::Request<> trial{.point = request.point,
                                     .baseline = request.baseline,
                                     .known = {request.known.begin(), request.known.end()},
                                     .rounds = request.effort.rounds,
                                     .seconds = request.effort.seconds,
                                     .limit = request.seconds,
                                     .confirm = request.bounds.confirmBelow};
  if (request.bounds.cutAbove < std::numeric_limits<double>::infinity())
    trial.cut = request.bounds.cutAbove;
  return message::encodeRequest(trial);
}

TrialRequest decodeRequest(const json::Object &params) {
  TrialRequest request;
  if (const json::Object *point = params.getObject("point"))
    request.point = decodePoint(*point);
  if (const json::Object *baseline = params.getObject("baseline"))
    request.baseline = decodePoint(*baseline);
  if (const json::Array *known = params.getArray("known"))
    for (const json::Value &kernel : *known)
      request.known.insert(kernel.getAsString().value_or("").str());
  request.effort.rounds = static_cast<unsigned>(params.getInteger("rounds").value_or(request.effort.rounds));
  request.effort.seconds = params.getNumber("seconds").value_or(request.effort.seconds);
  request.seconds = params.getNumber("limit").value_or(request.seconds);
  request.bounds.cutAbove = params.getNumber("cut").value_or(request.bounds.cutAbove);
  request.bounds.confirmBelow = params.getNumber("confirm").value_or(0);
  return request;
}

message::TrialDevice<> deviceMessage(const DeviceInfo &device) {
  json::Object model = encodeDeviceModel(device.model);
  model["version"] = 1;
  return {.id = device.id,
          .name = device.name,
          .api = device.api,
          .driver = device.driver,
          .model = llvm::formatv("{0}", json::Value(std::move(model))).str()};
}

static bool isControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

std::string shownText(llvm::StringRef text) {
  std::string shown = text.str();
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return isControl(c) && c != '\n'; }, '?');
  return shown;
}

llvm::Expected<DeviceInfo> decodeDevice(const json::Object &result) {
  message::TrialDevice<> answer;
  message::decode(result, answer);
  if (answer.id.empty())
    return fail("the answer names no device");
  for (const std::string &text :
       {answer.id, answer.name, answer.api, answer.driver}) // they get into files and to the terminal
    if (llvm::any_of(text, isControl))
      return fail("the device's id, name or driver has control characters");
  auto model = decodeDeviceModel(answer.model, answer.id);
  if (!model)
    return model.takeError();
  DeviceInfo device;
  device.id = answer.id;
  device.name = answer.name;
  device.api = answer.api;
  device.driver = answer.driver;
  device.model = std::move(*model);
  return device;
}

message::TrialResult<> resultMessage(const Measurement &measured, bool isSpent) {
  return {.status = nameOf(measured.status).str(),
          .why = measured.why,
          .kernel = measured.kernel,
          .microseconds = measured.microseconds,
          .baseline = measured.baseline,
          .oneThread = measured.oneThread,
          .isSpent = isSpent};
}

std::optional<Measurement> decodeMeasurement(const json::Object &result, bool hasBaseline, bool &isSpent) {
  constexpr size_t mostLaunches = 1'000'000;
  message::TrialResult<> answer;
  message::decode(result, answer);
  isSpent = answer.isSpent;
  auto status = trialStatusNamed(answer.status);
  auto areTimes = [](const std::vector<double> &times) {
    return times.size() <= mostLaunches && llvm::all_of(times, [](double us) { return std::isfinite(us) && us > 0; });
  };
  bool isWhole = areTimes(answer.microseconds) && areTimes(answer.baseline) &&
                 (!hasBaseline || answer.microseconds.size() == answer.baseline.size());
  if (!status || !isWhole || (*status == TrialStatus::Ok && answer.microseconds.empty()))
    return std::nullopt;
  return Measurement{.status = *status,
                     .why = shownText(answer.why),
                     .kernel = shownText(answer.kernel),
                     .microseconds = std::move(answer.microseconds),
                     .baseline = std::move(answer.baseline),
                     .oneThread = shownText(answer.oneThread)};
}

std::string requestText(int64_t id, llvm::StringRef method, json::Object params) {
  json::Object request{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
  return llvm::formatv("{0}", json::Value(std::move(request))).str();
}

} // namespace fuselage::tune
