#include "core/device/DeviceModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

std::string textOf(DeviceKind kind) { return deviceKindNames[int(kind)]; }
std::string textOf(const std::string &text) { return text; }
std::string textOf(bool value) { return value ? "yes" : "no"; }
std::string textOf(int64_t value) { return std::to_string(value); }
std::string textOf(double value) { return llvm::formatv("{0:f1}", value); }
std::string textOf(const std::vector<std::string> &values) {
  return values.empty() ? "none" : llvm::join(values, ", ");
}

} // namespace

std::vector<DeviceFact> factsOf(const DeviceModel &model) {
  std::vector<DeviceFact> facts;
  DeviceModel::fields(model, [&](const char *key, const auto &stated, llvm::StringRef unit) {
    if (!stated.isKnown())
      return;
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    facts.push_back({name, textOf(stated.value) + (unit.empty() ? "" : " " + unit.str()), stated.source});
  });
  return facts;
}

std::string describeDeviceModel(const DeviceModel &model, unsigned indent) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const DeviceFact &fact : factsOf(model))
    os.indent(indent) << llvm::formatv("{0,-24} {1,-28} {2}\n", fact.key, fact.value, fact.source);
  return text;
}

} // namespace fuselage
