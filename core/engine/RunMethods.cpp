// devices/*, run/*.
#include "core/protocol/methods/RunMethods.h"
#include "core/device/KnownDevices.h"
#include "core/engine/MethodTable.h"
#include "core/graph/model/LayerNames.h"
#include "core/protocol/Devices.h"
#include "core/run/Run.h"
#include "core/run/peaks/RunBaselines.h"
#include "core/run/progress/RunProgress.h"
#include "core/tuning/library/TunedLibrary.h"

namespace fuselage {
namespace {

llvm::Expected<message::Devices<>> listAllDevices(Engine &, const method::ListDevices::Request<> &) {
  message::Devices<> message;
  for (const DeviceInfo &device : listDevices())
    message.devices.push_back(messageOf(device));
  return message;
}

message::DeviceModel<> messageOf(const DeviceModel &model, llvm::StringRef id, bool here) {
  message::DeviceModel<> message{
      .id = id.str(), .name = model.name, .here = here, .language = model.language.value, .facts = {}};
  for (DeviceFact &fact : factsOf(model))
    message.facts.push_back(
        {.key = std::move(fact.key), .value = std::move(fact.value), .source = std::move(fact.source)});
  return message;
}

llvm::Expected<message::DeviceModels<>> listModels(Engine &, const method::ListModels::Request<> &request) {
  message::DeviceModels<> message;
  for (const DeviceInfo &device : request.here ? listDevices() : std::vector<DeviceInfo>()) {
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
  return message;
}

message::RunProgress<> messageOf(const RunProgress &progress) {
  message::RunProgress<> message{.done = int(progress.done),
                                 .total = int(progress.total),
                                 .what = progress.what,
                                 .phase = progress.phase,
                                 .phaseMs = {progress.phaseMs.begin(), progress.phaseMs.end()},
                                 .dispatchesDone = int(progress.dispatchesDone),
                                 .dispatches = int(progress.dispatches),
                                 .leftMs = progress.leftMs,
                                 .firstRow = int64_t(progress.firstRow),
                                 .rows = {}};
  for (const KernelReport &row : progress.rows)
    message.rows.push_back(fuselage::messageOf(row));
  return message;
}

llvm::Expected<message::RunReport<>> start(Engine &engine, Document &document, const method::Run::Request<> &request) {
  RunOptions options;
  options.device = request.device;
  options.repeat = request.repeat;
  options.warmup = request.warmup;
  options.seed = request.seed;
  options.function = request.function;
  options.dispatch = request.dispatch;
  options.sizes = request.sizes;
  options.inputs = request.inputs;
  options.files.folder = request.inputsFolder;
  options.coldCaches = request.caches != "warm";
  for (const auto &[file, scope] : request.parameters)
    options.files.parameters.push_back(scope.empty() ? file : scope + "=" + file);
  options.cancelled = &engine.cancelled;
  std::string warning;
  auto tuning = tune::openTuned(request.tuned.value_or(tune::TunedLibrary::defaultPath()), warning);
  if (!tuning)
    return tuning.takeError();
  options.tuning = tuning->get();
  RunBaselines baselines;
  if (request.baselines)
    options.baselines = &baselines;
  options.keepsFinished = true;
  options.progress = [&](const RunProgress &progress) { engine.notify(messageOf(progress)); };
  auto input = document.program(request.snapshot);
  if (!input)
    return input.takeError();
  auto report = runModule(document.session(), *input, options);
  if (!report)
    return report.takeError();
  if (!warning.empty())
    report->remarks.push_back({.severity = Diagnostic::Severity::Warning, .message = std::move(warning)});
  if (report->shares.uniqueDispatches < report->shares.dispatches) {
    // Without names of layers, rows are called as their dispatches.
    auto graph = document.graph(request.snapshot);
    auto module = document.module(request.snapshot);
    if (graph && module) {
      LayerNames names(**graph);
      nameLayers(*report, {layersOfDispatches(**graph, names), layersOfPlaces(names, *module)});
    }
    llvm::consumeError(graph.takeError());
    llvm::consumeError(module.takeError());
  }
  return messageOf(*report);
}

} // namespace

void addRunMethods(MethodTable &table) {
  addMethod<method::ListDevices, listAllDevices>(table);
  addMethod<method::ListModels, listModels>(table);
  addMethod<method::Run, start>(table);
}

} // namespace fuselage
