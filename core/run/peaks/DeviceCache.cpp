#include "core/run/peaks/DeviceCache.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <ctime>

namespace fuselage {

static constexpr uint64_t largestFile = 1 << 20;

const char *measuringProgram() { return FUSELAGE_VERSION "/2"; }

std::string measuringTime() {
  std::time_t time = std::time(nullptr);
  std::tm parts{};
  char text[40] = "";
  if (gmtime_r(&time, &parts))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return text;
}

DeviceCache::DeviceCache() {
  llvm::SmallString<128> path;
  if (llvm::sys::path::cache_directory(path) && llvm::sys::path::is_absolute(path)) {
    llvm::sys::path::append(path, "fuselage", "roofs");
    folder_ = path.str().str();
  }
}

std::string DeviceCache::pathOf(const DeviceInfo &info, llvm::StringRef suffix) const {
  // Ids have a colon, and two machines may share a home.
  std::string key = info.id + "\n" + info.name + "\n" + info.driver + "\n" + measuringProgram();
  llvm::SmallString<128> path(folder_);
  llvm::sys::path::append(path, llvm::formatv("{0:x-16}{1}", llvm::xxh3_64bits(key), suffix).str());
  return path.str().str();
}

std::optional<llvm::json::Object> DeviceCache::read(const std::string &path) const {
  uint64_t size = 0;
  if (folder_.empty() || llvm::sys::fs::file_size(path, size) || size > largestFile ||
      !llvm::sys::fs::is_regular_file(path))
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  llvm::json::Object *object = json->getAsObject();
  if (!object)
    return std::nullopt;
  return std::move(*object);
}

llvm::Error DeviceCache::write(const std::string &path, llvm::json::Object object) const {
  if (folder_.empty())
    return fail("there is no cache directory: set XDG_CACHE_HOME or HOME");
  if (std::error_code error = llvm::sys::fs::create_directories(folder_))
    return fail("cannot make the folder " + folder_ + ": " + error.message());
  return writeOutputFile(path, jsonText(std::move(object)));
}

} // namespace fuselage
