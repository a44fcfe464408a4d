// devices/*, run/*.
#include "core/device/KnownDevices.h"
#include "core/engine/Engine.h"
#include "core/protocol/Devices.h"
#include "core/run/Run.h"
#include "core/run/roofs/RunYardsticks.h"
#include "core/tuning/library/TunedLibrary.h"

namespace fuselage {
namespace {

llvm::Expected<llvm::json::Value> listAllDevices(Engine &, Params &) {
  message::Devices<> message;
  for (const DeviceInfo &device : listDevices())
    message.devices.push_back(messageOf(device));
  return message::encode(message);
}

message::DeviceModel<> messageOf(const DeviceModel &model, llvm::StringRef id, bool here) {
  message::DeviceModel<> message{
      .id = id.str(), .name = model.name, .here = here, .language = model.language.value, .facts = {}};
  for (DeviceFact &fact : factsOf(model))
    message.facts.push_back(
        {.key = std::move(fact.key), .value = std::move(fact.value), .source = std::move(fact.source)});
  return message;
}

llvm::Expected<llvm::json::Value> listModels(Engine &, Params &params) {
  bool here = params.boolean("here", true);
  if (llvm::Error error = params.check())
    return error;
  message::DeviceModels<> message;
  for (const DeviceInfo &device : here ? listDevices() : std::vector<DeviceInfo>()) {
    message.models.push_back(messageOf(device.model, device.id, true));
    if (message.models.back().name.empty())
      message.models.back().name = device.name;
  }
  for (llvm::StringRef name : knownDevices()) {
    auto model = knownDeviceOrFile(name);
    if (!model)
      return model.takeError();
    message.models.push_back(messageOf(*model, name, false));
  }
  return message::encode(message);
}

llvm::Expected<llvm::json::Value> start(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  RunOptions options;
  unsigned snapshot = snapshotParam(params, **document, 0);
  options.device = params.string("device", options.device);
  options.repeat = params.integer("repeat", 1, 1'000'000, options.repeat);
  options.warmup = params.integer("warmup", 0, 1'000'000, options.warmup);
  options.seed = params.integer("seed", 0, INT64_MAX, options.seed);
  options.function = params.string("function", "");
  options.dispatch = params.string("dispatch", "");
  options.sizes = params.sizes("sizes");
  options.inputs = params.texts("inputs");
  options.files.folder = params.string("inputs_folder", "");
  bool isCold = params.string("caches", "cold") != "warm";
  bool hasBaselines = params.boolean("baselines", false);
  std::string tuned = params.string("tuned", tune::TunedLibrary::defaultPath()), warning;
  for (const auto &[file, scope] : params.texts("parameters"))
    options.files.parameters.push_back(scope.empty() ? file : scope + "=" + file);
  if (llvm::Error error = params.check())
    return error;
  options.cancelled = &engine.cancelled;
  options.coldCaches = isCold;
  auto tuning = tune::openTuned(tuned, warning);
  if (!tuning)
    return tuning.takeError();
  options.tuning = tuning->get();
  RunYardsticks yardsticks;
  if (hasBaselines)
    options.yardsticks = &yardsticks;
  options.progress = [&](unsigned done, unsigned total, llvm::StringRef what) {
    engine.notify(message::RunProgress<>{.done = int(done), .total = int(total), .what = what.str()});
  };
  auto input = (*document)->module(snapshot);
  if (!input)
    return input.takeError();
  auto report = runModule((*document)->session(), *input, options);
  if (!report)
    return report.takeError();
  if (!warning.empty())
    report->remarks.push_back({.severity = Diagnostic::Severity::Warning, .message = std::move(warning)});
  return message::encode(messageOf(*report));
}

} // namespace

void addRunMethods(MethodTable &table) {
  table["devices/list"] = listAllDevices;
  table["devices/models"] = listModels;
  table["run/start"] = start;
}

} // namespace fuselage
