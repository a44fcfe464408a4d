#include "core/runtime/roofs/RoofCache.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <ctime>

namespace fuselage {

// What the numbers mean: other micro-kernels measure something else.
static constexpr const char *program = FUSELAGE_VERSION "/1";
static constexpr uint64_t largestFile = 1 << 20;

RoofCache::RoofCache() {
  llvm::SmallString<128> path;
  if (llvm::sys::path::cache_directory(path) && llvm::sys::path::is_absolute(path)) {
    llvm::sys::path::append(path, "fuselage", "roofs");
    folder_ = path.str().str();
  }
}

std::string RoofCache::pathOf(const DeviceInfo &info) const {
  // Ids have a colon, and two machines may share a home.
  std::string key = info.id + "\n" + info.name + "\n" + info.driver + "\n" + program;
  llvm::SmallString<128> path(folder_);
  llvm::sys::path::append(path, llvm::formatv("{0:x-16}.json", llvm::xxh3_64bits(key)).str());
  return path.str().str();
}

/// Whether every number can be divided by.
static bool isSound(const message::DeviceRoofs<> &roofs) {
  return !roofs.roofs.empty() &&
         llvm::all_of(roofs.roofs, [](const message::Roof<> &roof) { return std::isfinite(roof.rate) && roof.rate > 0 && !roof.name.empty(); });
}

std::optional<message::DeviceRoofs<>> RoofCache::read(const DeviceInfo &info) const {
  if (folder_.empty())
    return std::nullopt;
  std::string path = pathOf(info);
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(path, size) || size > largestFile || !llvm::sys::fs::is_regular_file(path))
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return std::nullopt;
  message::DeviceRoofs<> roofs;
  roofs.version = 0;
  message::decode(*object, roofs);
  bool isSame = roofs.version == 1 && roofs.device == info.id && roofs.name == info.name && roofs.driver == info.driver &&
                roofs.program == program;
  if (!isSame || !isSound(roofs))
    return std::nullopt;
  return roofs;
}

llvm::Error RoofCache::write(const DeviceInfo &info, const message::DeviceRoofs<> &roofs) const {
  if (folder_.empty())
    return fail("there is no cache directory: set XDG_CACHE_HOME or HOME");
  if (std::error_code error = llvm::sys::fs::create_directories(folder_))
    return fail("cannot make the folder " + folder_ + ": " + error.message());
  return writeOutputFile(pathOf(info), llvm::formatv("{0:2}\n", llvm::json::Value(message::encode(roofs))).str());
}

/// "2026-03-01 12:00 UTC"
static std::string now() {
  std::time_t time = std::time(nullptr);
  std::tm parts{};
  char text[40] = "";
  if (gmtime_r(&time, &parts))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

llvm::Expected<message::DeviceRoofs<>> roofsOf(const RoofCache &cache, mlir::MLIRContext &context, Device *device, const DeviceInfo &info,
                                               const std::atomic<bool> *cancelled, bool anew, bool *wasMeasured) {
  if (wasMeasured)
    *wasMeasured = false;
  if (!anew)
    if (auto known = cache.read(info))
      return *known;
  auto roofs = measureRoofs(context, device, info, cancelled);
  if (!roofs)
    return roofs;
  roofs->measured = now();
  roofs->program = program;
  if (wasMeasured)
    *wasMeasured = true;
  if (llvm::Error error = cache.write(info, *roofs))
    llvm::consumeError(std::move(error));
  return roofs;
}

} // namespace fuselage
