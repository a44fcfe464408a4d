#include "app/launch/Launch.h"
#include "app/launch/BundleResults.h"
#include "app/launch/PtxParameters.h"
#include "core/device/HostCpu.h"
#include "core/pictures/RunGroups.h"
#include "core/run/values/SampleFigures.h"
#include "core/runtime/device/Device.h"
#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <tuple>

namespace fuselage {

namespace {

using bundle::Dispatch;
using bundle::Manifest;

/// One run of a bundle, from its files to the report.
class Launcher {
public:
  Launcher(const bundle::Folder &folder, const LaunchOptions &options) : folder_(folder), options_(options) {}
  Result<message::Results<>> run();

private:
  Status open();
  Status checkProcessor() const;
  Result<CompiledDispatch> load(const Dispatch &dispatch);
  Result<std::vector<DeviceValue>> makeArguments(const Dispatch &dispatch);
  Status launch(const Dispatch &dispatch);
  Result<Comparison> compare(const Dispatch &dispatch, const ExecutionResults &results);
  void addRows(const Dispatch &dispatch, const Executable &executable, ExecutionResults results,
               const Comparison &check);
  void judge();
  /// Milliseconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(now - std::exchange(lapStart_, now)).count();
  }

  const bundle::Folder &folder_;
  const LaunchOptions &options_;
  Manifest manifest_;
  std::unique_ptr<Device> device_;
  message::Results<> report_;
  std::vector<RowForm> rowForms_; // by row of the report
  /// The same for dispatches that are equal: the code of their kernels, and what they compute and move.
  using Form = std::tuple<std::vector<std::string>, double, double>;
  std::map<Form, int> forms_;
  std::chrono::steady_clock::time_point lapStart_ = std::chrono::steady_clock::now();
};

} // namespace

/// On another processor the kernels of the host would die of an instruction that it does not have.
Status Launcher::checkProcessor() const {
  const HostCpu cpu = readHostCpu();
  std::string missing;
  for (const std::string &feature : manifest_.needs)
    if (cpu.features.count(feature) == 0)
      missing += (missing.empty() ? "" : ", ") + feature;
  if (missing.empty())
    return Status::success();
  return failWith("the kernels of bundle '" + folder_.path() + "' are made for " + manifest_.device +
                  " and need what this processor (" + cpu.name + ") lacks: " + missing +
                  "; make the bundle on a processor as this one");
}

static message::BundleOrigin<> originOf(const Manifest &manifest, const DeviceInfo &device) {
  message::BundleOrigin<> origin;
  origin.deviceName = device.name;
  origin.api = device.api;
  origin.driver = device.driver;
  std::time_t now = std::time(nullptr);
  std::tm utc{};
  char text[32] = "";
  if (gmtime_r(&now, &utc))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  origin.measured = text;
  origin.launcher = "fuselage-launch " FUSELAGE_VERSION;
  origin.bundler = manifest.program;
  origin.target = manifest.target;
  origin.source = manifest.source;
  origin.sourceSha256 = manifest.sourceSha256;
  return origin;
}

Status Launcher::open() {
  auto manifest = folder_.manifest();
  if (!manifest)
    return manifest.takeError();
  manifest_ = std::move(*manifest);
  if (Status error = folder_.check(manifest_))
    return error;
  const std::string &language = manifest_.language;
  const std::string kind = language == "spirv" ? "vulkan" : language == "ptx" ? "cuda" : "host";
  const std::string id = options_.device.empty() ? kind : options_.device;
  if (id.substr(0, id.find(':')) != kind)
    return failWith("bundle '" + folder_.path() + "' is of " + language + " kernels, which '" + id +
                    "' does not run; give a device " + (kind == "host" ? "'host'" : "'" + kind + ":N'"));
  if (language == "host")
    if (Status error = checkProcessor())
      return error;
  auto device = openDevice(id);
  if (!device)
    return device.takeError();
  device_ = std::move(*device);
  report_.device = device_->info().id;
  report_.function = manifest_.function;
  report_.bundle = originOf(manifest_, device_->info());
  report_.shares.readMs = lap();
  return Status::success();
}

static HostValueForm formOf(const bundle::HostForm &form) {
  HostValueForm host;
  host.kind = form.kind == "tensor"    ? HostValueForm::Kind::Tensor
              : form.kind == "complex" ? HostValueForm::Kind::Complex
                                       : HostValueForm::Kind::Scalar;
  host.elementBytes = unsigned(form.elementBytes);
  for (int64_t size : form.shape)
    host.shape.push_back(size < 0 ? kUnknownSize : size);
  return host;
}

/// The kernels as the runtime takes them.
Result<CompiledDispatch> Launcher::load(const Dispatch &dispatch) {
  CompiledDispatch compiled;
  compiled.name = dispatch.name;
  compiled.scratchBytes = dispatch.scratchBytes;
  for (const bundle::ExpectedValue &result : dispatch.results)
    compiled.results.push_back({.bytes = result.value.content.bytes, .shape = result.value.shape});
  for (const bundle::Kernel &kernel : dispatch.kernels) {
    auto code = folder_.read(kernel.code);
    if (!code)
      return code.takeError();
    if (manifest_.language == "ptx")
      if (Status error = checkPtxEntry(*code, kernel.entry, kernel.buffers.size()))
        return error;
    CompiledKernel &loaded = compiled.kernels.emplace_back();
    loaded.entry = kernel.entry;
    loaded.binary = std::move(*code);
    loaded.grid = kernel.grid;
    loaded.block = kernel.block;
    loaded.sharedBytes = kernel.sharedBytes;
    loaded.dynamicSharedBytes = kernel.dynamicSharedBytes;
    loaded.arguments.assign(kernel.buffers.begin(), kernel.buffers.end());
    for (const bundle::HostCall &call : kernel.host) {
      auto form = std::make_shared<HostCallForm>();
      HostFunctionForm &function = form->functions[kernel.entry];
      for (const bundle::HostForm &argument : call.arguments)
        function.arguments.push_back(formOf(argument));
      for (const bundle::HostForm &result : call.results)
        function.results.push_back(formOf(result));
      form->threads = unsigned(call.threads);
      form->limits = {.seconds = unsigned(call.limitSeconds), .bytes = call.limitBytes};
      loaded.host = std::move(form);
    }
  }
  return compiled;
}

Result<std::vector<DeviceValue>> Launcher::makeArguments(const Dispatch &dispatch) {
  std::vector<DeviceValue> values;
  for (const bundle::Value &argument : dispatch.arguments) {
    auto content = folder_.read(argument.content);
    if (!content)
      return content.takeError();
    auto buffer = device_->allocate(content->size());
    if (!buffer)
      return buffer.takeError();
    auto *bytes = reinterpret_cast<const uint8_t *>(content->data());
    if (Status error = device_->upload(**buffer, std::span(bytes, content->size())))
      return error;
    values.push_back({.buffer = std::move(*buffer), .shape = argument.shape});
  }
  report_.shares.uploadMs += lap();
  return values;
}

Result<Comparison> Launcher::compare(const Dispatch &dispatch, const ExecutionResults &results) {
  Comparison worst;
  worst.verdict = CheckVerdict::Ok; // of no results
  for (size_t i = 0; i < dispatch.results.size(); ++i) {
    const bundle::ExpectedValue &expected = dispatch.results[i];
    const uint64_t bytes = expected.value.content.bytes;
    if (i >= results.values.size() || results.values[i].shape != expected.value.shape ||
        results.values[i].buffer->byteCount() < bytes)
      return failWith("result " + std::to_string(i) + " of @" + dispatch.name +
                      " has another shape than the bundle says");
    auto reference = folder_.read(expected.value.content);
    if (!reference)
      return reference.takeError();
    std::string actual(bytes, '\0');
    auto *to = reinterpret_cast<uint8_t *>(actual.data());
    if (Status error = device_->download(*results.values[i].buffer, std::span(to, bytes)))
      return error;
    Comparison check = bundle::compareBytes(actual, *reference, expected, manifest_.language == "host");
    worst = i == 0 ? check : worseOf(worst, check);
  }
  return worst;
}

/// A row for each kernel, the rates of all of them together.
void Launcher::addRows(const Dispatch &dispatch, const Executable &executable, ExecutionResults results,
                       const Comparison &check) {
  const size_t first = report_.kernels.size();
  double total = 0;
  Form form{{}, dispatch.flops, dispatch.bytesMoved};
  for (const bundle::Kernel &kernel : dispatch.kernels)
    std::get<0>(form).push_back(kernel.code.sha256);
  const int number = forms_.emplace(std::move(form), int(forms_.size())).first->second;
  for (size_t i = 0; i < executable.kernels().size(); ++i) {
    const Executable::Kernel &kernel = executable.kernels()[i];
    std::vector<double> samples = i < results.microseconds.size() ? results.microseconds[i] : std::vector<double>();
    rowForms_.push_back({number, unsigned(i)});
    message::Kernel<> &row = report_.kernels.emplace_back();
    row.dispatch = dispatch.name;
    row.device = report_.device;
    row.name = kernel.entry;
    row.dispatchIndex = dispatch.index;
    row.loc = dispatch.location;
    row.grid.assign(kernel.grid.begin(), kernel.grid.end());
    row.block.assign(kernel.block.begin(), kernel.block.end());
    row.sharedBytes = int64_t(kernel.sharedBytes);
    row.launches = int64_t(samples.size());
    row.calls = int64_t(dispatch.calls);
    row.clock = executable.clock() == Clock::Device ? "device" : "host";
    row.cold = results.cold;
    row.once = dispatch.isOnce;
    row.flops = dispatch.flops;
    row.bytes = dispatch.bytesMoved;
    row.arithmetic = dispatch.arithmetic;
    row.parts = dispatch.parts;
    row.samples = keptSamples(samples);
    std::sort(samples.begin(), samples.end());
    if (!samples.empty()) {
      row.minUs = samples.front();
      row.medianUs = medianOf(samples);
      row.p95Us = p95Of(samples);
      total += row.medianUs;
    }
    addCheck(row, check);
  }
  for (size_t i = first; total > 0 && i < report_.kernels.size(); ++i) {
    message::Kernel<> &row = report_.kernels[i];
    row.gflops = dispatch.flops >= 0 ? dispatch.flops / total * 1e-3 : -1;
    row.gbps = dispatch.bytesMoved >= 0 ? dispatch.bytesMoved / total * 1e-3 : -1;
    row.gbpsAtMost = dispatch.bytesAtMost && row.gbps >= 0;
  }
}

Status Launcher::launch(const Dispatch &dispatch) {
  auto compiled = load(dispatch);
  if (!compiled)
    return compiled.takeError();
  report_.shares.readMs += lap();
  auto executable = device_->prepare(*compiled);
  if (!executable)
    return executable.takeError();
  report_.shares.compileMs += lap();
  auto arguments = makeArguments(dispatch);
  if (!arguments)
    return arguments.takeError();
  ExecutionOptions options;
  options.counts = {options_.repeat, options_.repeat > 1 ? std::max(options_.warmup, 1u) : 1,
                    options_.secondsPerDispatch};
  options.coldCaches = options_.coldCaches;
  options.limits.timeoutSeconds = options_.timeoutSeconds > 0 ? options_.timeoutSeconds
                                  : device_->info().software  ? 600
                                                              : 30;
  auto results = (*executable)->run(*arguments, options);
  if (!results)
    return results.takeError();
  double spent = lap(), compileMs = std::min(results->compileUs * 1e-3, spent);
  report_.shares.compileMs += compileMs;
  report_.shares.runMs += spent - compileMs;
  auto check = compare(dispatch, *results);
  if (!check)
    return check.takeError();
  report_.shares.checkMs += lap();
  addRows(dispatch, **executable, std::move(*results), *check);
  return Status::success();
}

/// The verdict on the whole run: the worst of its rows.
void Launcher::judge() {
  report_.verdict = message::RunVerdict::Ok;
  bool isDevice = false, isHost = false;
  report_.sumUs = 0;
  for (const message::Kernel<> &row : report_.kernels) {
    (row.once ? report_.onceUs : report_.sumUs) += std::max(row.medianUs, 0.0) * double(row.calls);
    (row.clock == "device" ? isDevice : isHost) = true;
    if (row.verdict <= report_.verdict)
      continue;
    report_.verdict = row.verdict;
    report_.why = "@" + row.dispatch + (row.loc.empty() ? "" : " (" + row.loc + ")") + ": " + row.why;
  }
  report_.clock = isDevice && isHost ? "mixed" : isDevice ? "device" : "host";
  if (report_.kernels.empty()) {
    report_.verdict = message::RunVerdict::NothingToRun;
    report_.why = options_.dispatch.empty() ? "the bundle has no dispatches"
                                            : "the bundle has no dispatch '" + options_.dispatch + "'";
  }
  if (isHost && manifest_.language == "host")
    report_.timingNote = "times are by the host's clock, of the compiled code alone";
  else if (isHost)
    report_.timingNote = report_.device + " has no timestamps: its times are the host's, around a submission each and "
                                          "with its overhead, so that the kernels take at most the sum";
  for (const bundle::Omission &omission : manifest_.omissions)
    report_.remarks.push_back({.severity = "remark",
                               .message = "@" + omission.dispatch + " is not in the bundle: " + omission.why,
                               .file = {},
                               .notes = {}});
}

Result<message::Results<>> Launcher::run() {
  if (Status error = open())
    return error;
  size_t done = 0;
  for (const Dispatch &dispatch : manifest_.dispatches) {
    if (!options_.dispatch.empty() && dispatch.name != options_.dispatch)
      continue;
    if (options_.progress)
      options_.progress(done, manifest_.dispatches.size(), dispatch.name);
    if (Status error = launch(dispatch))
      return failWith("@" + dispatch.name + (dispatch.location.empty() ? "" : " (" + dispatch.location + ")") + ": " +
                          error.message(),
                      error.log());
    ++done;
  }
  report_.shares.uniqueDispatches = report_.shares.dispatches = int64_t(done);
  judge();
  listGroups(report_, rowForms_);
  return std::move(report_);
}

Result<message::Results<>> launchBundle(const bundle::Folder &folder, const LaunchOptions &options) {
  return Launcher(folder, options).run();
}

} // namespace fuselage
