#include "app/cli/Activity.h"
#include "app/cli/Commands.h"
#include "core/device/DeviceFile.h"
#include "core/ir/Session.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/run/peaks/SampleCache.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

namespace {
/// A device, and what was measured of it here, now or before.
struct ListedDevice {
  DeviceInfo info;
  std::optional<message::DevicePeaks<>> peaks{};
  DeviceRates rates{};
};
} // namespace

/// Measures one device. What is wrong with it is said, and the others are listed all the same.
static bool measure(Session &session, ListedDevice &listed) {
  const DeviceInfo &info = listed.info;
  llvm::errs() << "measuring " << info.id << " ..\n";
  setActivity("measuring " + info.id);
  auto device = openDevice(info.id);
  if (!device) {
    reportFailure(device.takeError());
    return false;
  }
  PeakCache cache;
  auto peaks = peaksOf(cache, session.context(), **device, info, nullptr, /*anew=*/true);
  if (!peaks) {
    reportFailure(peaks.takeError());
    return false;
  }
  listed.peaks = std::move(*peaks);
  return true;
}

/// A line a device; where asked for, what is known of it below, a line each.
static std::string deviceTable(llvm::ArrayRef<ListedDevice> devices, bool verbose) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[device, peaks, rates] : devices) {
    os << llvm::format("%-10s %-14s %s%s\n", device.id.c_str(), device.api.c_str(), device.name.c_str(),
                       device.software ? " (software)" : "");
    if (verbose)
      os << describeDeviceModel(device.model, 2);
    if (peaks)
      os << describePeaks(*peaks, 2);
    if (rates.isMeasured())
      os << llvm::format("  fusions are predicted at %.1f GB/s and %.1f us a launch, %s\n", rates.gbps, rates.launchUs,
                         rates.source().c_str());
  }
  return text;
}

int devicesCommand(Arguments arguments) {
  std::string format = "text";
  bool verbose = false, measures = false;
  std::string only;
  Options options("devices", "",
                  "Lists the devices that can run kernels here: the host, Vulkan devices, CUDA devices.");
  options.choice("format", {"text", "json"}, "table or JSON (default: text)", format);
  options.flag("verbose",
               "print the sizes, limits and rates that code generation uses for each device, with their sources",
               verbose);
  options.flag("measure",
               "measure the peaks of each device by kernels of our own: bandwidth of memory and caches, arithmetic "
               "and, on NVIDIA, matrix instructions; kept in the cache directory and used by run",
               measures);
  options.text("device", "D", "only this device", only);
  options.example("fuselage devices --measure");
  options.example("fuselage devices --verbose --format json");
  if (auto code = options.parse(arguments))
    return *code;
  std::vector<ListedDevice> devices;
  for (DeviceInfo &info : listDevices())
    if (only.empty() || info.id == only)
      devices.push_back({.info = std::move(info)});
  if (devices.empty())
    return usageError("devices",
                      "there is no device '" + only + "' here; 'fuselage devices' lists those that there are");
  bool isWhole = true;
  if (measures) {
    registerAllPasses();
    Session session(allDialects());
    for (ListedDevice &each : devices)
      isWhole &= measure(session, each);
  } else if (verbose)
    for (ListedDevice &each : devices)
      each.peaks = PeakCache().read(each.info);
  if (measures || verbose)
    for (ListedDevice &each : devices)
      each.rates = SampleCache().rates(each.info);
  for (ListedDevice &each : devices)
    if (each.peaks)
      applyPeaks(*each.peaks, each.info.model);
  std::string text;
  if (format == "text") {
    text = deviceTable(devices, verbose);
  } else {
    llvm::json::Array array;
    for (const auto &[device, peaks, rates] : devices) {
      llvm::json::Object object = message::encode(messageOf(device));
      if (verbose)
        object["model"] = encodeDeviceModel(device.model);
      if (peaks)
        object["roofs"] = message::encode(*peaks);
      if (rates.isMeasured())
        object["rates"] = llvm::json::Object{{"gbps", rates.gbps},
                                             {"launch_us", rates.launchUs},
                                             {"samples", int64_t(rates.samples)},
                                             {"source", rates.source()}};
      array.push_back(std::move(object));
    }
    llvm::raw_string_ostream(text) << jsonText(llvm::json::Object{{"version", 1}, {"devices", std::move(array)}});
  }
  if (llvm::Error error = writeOutputFile("-", text))
    return reportFailure(std::move(error));
  return isWhole ? ExitOk : ExitInputError;
}

} // namespace fuselage::cli
