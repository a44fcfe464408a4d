#include "app/cli/Commands.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/runtime/run/Run.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

/// A line a device.
static std::string deviceTable(llvm::ArrayRef<DeviceInfo> devices) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const DeviceInfo &device : devices)
    os << llvm::format("%-10s %-14s %s%s\n", device.id.c_str(), device.api.c_str(), device.name.c_str(),
                       device.software ? " (software)" : "");
  return text;
}

int devicesCommand(Arguments arguments) {
  std::string format = "text";
  Options options("devices", "", "Lists what can run kernels here: the host, Vulkan devices, CUDA devices.");
  options.choice("format", {"text", "json"}, "(default: text)", format);
  if (auto code = options.parse(arguments))
    return *code;
  std::vector<DeviceInfo> devices = listDevices();
  std::string text;
  if (format == "text") {
    text = deviceTable(devices);
  } else {
    llvm::json::Array array;
    for (const DeviceInfo &device : devices)
      array.push_back(message::encode(messageOf(device)));
    llvm::raw_string_ostream(text)
        << llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{{"version", 1}, {"devices", std::move(array)}}));
  }
  if (llvm::Error error = writeOutputFile("-", text))
    return reportFailure(std::move(error));
  return ExitOk;
}

} // namespace fuselage::cli
