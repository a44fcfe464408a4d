// Where what was measured of devices is kept between runs.
#pragma once
#include "core/runtime/device/DeviceInfo.h"
#include "core/support/ResultErrors.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace fuselage {

/// A folder of files of one device, driver and version of this program each, as JSON that people can read.
class DeviceCache {
public:
  /// In the user's cache directory: XDG_CACHE_HOME, else ~/.cache, then fuselage/peaks.
  DeviceCache();
  explicit DeviceCache(std::string folder) : folder_(std::move(folder)) {}

  /// Empty: there is no such directory, and nothing is kept.
  const std::string &folder() const { return folder_; }
  /// `suffix` tells kinds of files apart: ".json".
  std::string pathOf(const DeviceInfo &info, llvm::StringRef suffix) const;
  /// nullopt: not there, too large, or no JSON object.
  std::optional<llvm::json::Object> read(const std::string &path) const;
  /// Takes the place of what was there as a whole. Failure: the path and why it cannot be written.
  llvm::Error write(const std::string &path, llvm::json::Object object) const;

private:
  std::string folder_;
};

/// What numbers of this program mean: kernels of another version measure something else.
const char *measuringProgram();

/// "2026-03-01 12:00 UTC"
std::string measuringTime();

} // namespace fuselage
