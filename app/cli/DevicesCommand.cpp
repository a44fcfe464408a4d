#include "app/cli/Commands.h"
#include "core/device/DeviceFile.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/runtime/run/Run.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

/// A line a device; where asked for, what is known of it below, a line each.
static std::string deviceTable(llvm::ArrayRef<DeviceInfo> devices, bool verbose) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const DeviceInfo &device : devices) {
    os << llvm::format("%-10s %-14s %s%s\n", device.id.c_str(), device.api.c_str(), device.name.c_str(),
                       device.software ? " (software)" : "");
    if (verbose)
      os << describeDeviceModel(device.model, 2);
  }
  return text;
}

int devicesCommand(Arguments arguments) {
  std::string format = "text";
  bool verbose = false;
  Options options("devices", "", "Lists what can run kernels here: the host, Vulkan devices, CUDA devices.");
  options.choice("format", {"text", "json"}, "(default: text)", format);
  options.flag("verbose", "what kernels for each device follow: sizes, limits and rates, each with where it is from", verbose);
  if (auto code = options.parse(arguments))
    return *code;
  std::vector<DeviceInfo> devices = listDevices();
  std::string text;
  if (format == "text") {
    text = deviceTable(devices, verbose);
  } else {
    llvm::json::Array array;
    for (const DeviceInfo &device : devices) {
      llvm::json::Object object = message::encode(messageOf(device));
      if (verbose)
        object["model"] = encodeDeviceModel(device.model);
      array.push_back(std::move(object));
    }
    llvm::raw_string_ostream(text)
        << llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{{"version", 1}, {"devices", std::move(array)}}));
  }
  if (llvm::Error error = writeOutputFile("-", text))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
