#include "core/tuning/library/TunedLibrary.h"
#include "core/run/reference/HostPieces.h"
#include "core/support/JsonDepth.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "core/text/PrintableText.h"
#include "core/tuning/journal/Trial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fuselage::tune {
namespace {

namespace json = llvm::json;
constexpr int64_t kVersion = 1;
constexpr llvm::StringLiteral kVersionKey = "fuselage_tuned";

/// Holds a lock on a file beside the library, which is replaced and so cannot be locked itself.
class LibraryLock {
public:
  explicit LibraryLock(const std::string &path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      error_ = errno;
      return;
    }
    do
      error_ = flock(file_, LOCK_EX) == 0 ? 0 : errno;
    while (error_ == EINTR);
  }
  LibraryLock(const LibraryLock &) = delete;
  LibraryLock &operator=(const LibraryLock &) = delete;
  ~LibraryLock() {
    if (file_ >= 0)
      close(file_); // which unlocks
  }
  int error() const { return error_; }

private:
  int file_, error_ = 0;
};

std::optional<TunedEntry> entryFrom(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Object *sizes = object ? object->getObject("parameters") : nullptr;
  if (!sizes || sizes->empty())
    return std::nullopt;
  TunedEntry entry;
  std::pair<llvm::StringRef, std::string *> texts[] = {{"device", &entry.device},     {"driver", &entry.driver},
                                                       {"dispatch", &entry.dispatch}, {"op", &entry.op},
                                                       {"when", &entry.when},         {"version", &entry.version}};
  for (auto [key, text] : texts) {
    auto found = object->getString(key);
    if (!found)
      return std::nullopt;
    *text = found->str();
  }
  auto ratio = object->getNumber("ratio");
  if (!ratio || !(*ratio > 0) || entry.device.empty() || entry.dispatch.empty())
    return std::nullopt;
  entry.ratio = *ratio;
  for (const auto &[name, size] : *sizes) {
    auto number = size.getAsInteger();
    if (!number || *number < 0)
      return std::nullopt;
    entry.sizes[name.str()] = *number;
  }
  return entry;
}

/// A line, in the order in which people read it.
std::string lineOf(const TunedEntry &entry) {
  std::string line;
  llvm::raw_string_ostream os(line);
  json::OStream out(os);
  out.object([&] {
    out.attribute("device", entry.device);
    out.attribute("driver", entry.driver);
    out.attribute("op", entry.op);
    out.attributeObject("parameters", [&] {
      for (const auto &[name, size] : entry.sizes)
        out.attribute(name, size);
    });
    out.attributeBegin("ratio");
    out.rawValue(llvm::formatv("{0:f3}", entry.ratio).str());
    out.attributeEnd();
    out.attribute("when", entry.when);
    out.attribute("version", entry.version);
    out.attribute("dispatch", entry.dispatch);
  });
  return printable(line, Spelling::Json);
}

} // namespace

std::string fingerprintOfDispatch(mlir::func::FuncOp dispatch) { return fingerprintOf(functionKey(dispatch)); }

std::string TunedLibrary::defaultPath() {
  llvm::SmallString<256> path(userDataFolder());
  if (path.empty())
    return "";
  llvm::sys::path::append(path, "tuned.json");
  return path.str().str();
}

llvm::Expected<TunedLibrary> TunedLibrary::read(llvm::StringRef path) {
  constexpr uint64_t mostBytes = 64 << 20;
  std::string what = "the tuning library '" + shortPath(path) + "' ";
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status)) {
    if (error == std::errc::no_such_file_or_directory)
      return TunedLibrary();
    return fail(what + "cannot be read: " + error.message());
  }
  if (!llvm::sys::fs::is_regular_file(status) || status.getSize() > mostBytes)
    return fail(what + (llvm::sys::fs::is_regular_file(status) ? "has more than 64 MiB" : "is no file"));
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(what + "cannot be read: " + buffer.getError().message());
  std::string remedy = "; repair or remove it, or name another one by --tuned";
  if (jsonDepth((*buffer)->getBuffer()) > 100)
    return fail(what + "is damaged: it is nested too deeply" + remedy);
  auto value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(what + "is damaged: " + llvm::toString(value.takeError()) + remedy);
  const json::Object *object = value->getAsObject();
  auto version = object ? object->getInteger(kVersionKey) : std::nullopt;
  const json::Array *list = object ? object->getArray("entries") : nullptr;
  if (!version || !list)
    return fail(what + "is damaged, or none: it has no '" + kVersionKey.str() + "' and 'entries'" + remedy);
  if (*version != kVersion)
    return fail(what +
                llvm::formatv("is of version {0}, and this Fuselage knows version {1}", *version, kVersion).str() +
                remedy);
  TunedLibrary library;
  for (auto [index, each] : llvm::enumerate(*list)) {
    auto entry = entryFrom(each);
    if (!entry)
      return fail(what + "is damaged: entry " + std::to_string(index + 1) + " lacks something" + remedy);
    library.put(*entry);
  }
  return library;
}

void TunedLibrary::put(const TunedEntry &entry) {
  take(entry.device, entry.driver, entry.dispatch);
  auto isBefore = [](const TunedEntry &a, const TunedEntry &b) {
    return std::tie(a.device, a.driver, a.op, a.dispatch) < std::tie(b.device, b.driver, b.op, b.dispatch);
  };
  entries_.insert(llvm::upper_bound(entries_, entry, isBefore), entry);
}

std::string TunedLibrary::text() const {
  std::string text = llvm::formatv("{{\"{0}\": {1}, \"entries\": [", kVersionKey, kVersion).str();
  for (auto [index, entry] : llvm::enumerate(entries_))
    text += (index ? ",\n" : "\n") + lineOf(entry);
  return text + "\n]}\n";
}

bool TunedLibrary::take(llvm::StringRef device, llvm::StringRef driver, llvm::StringRef dispatch) {
  size_t before = entries_.size();
  llvm::erase_if(entries_, [&](const TunedEntry &old) {
    return old.device == device && old.driver == driver && old.dispatch == dispatch;
  });
  return entries_.size() < before;
}

/// Changes the file; where `edit` is false, it stays as it is.
llvm::Error TunedLibrary::change(llvm::StringRef path, llvm::function_ref<bool(TunedLibrary &library)> edit) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (std::error_code error = folder.empty() ? std::error_code() : llvm::sys::fs::create_directories(folder))
    return fail("cannot make the folder '" + shortPath(folder) + "': " + error.message());
  LibraryLock lock(path.str() + ".lock");
  if (lock.error())
    return fail("cannot lock the tuning library '" + shortPath(path) + "': " + std::strerror(lock.error()));
  auto library = read(path);
  if (!library)
    return library.takeError();
  return edit(*library) ? writeOutputFile(path, library->text()) : llvm::Error::success();
}

llvm::Error TunedLibrary::add(llvm::StringRef path, llvm::ArrayRef<TunedEntry> entries) {
  return change(path, [&](TunedLibrary &library) {
    for (const TunedEntry &entry : entries)
      library.put(entry);
    return true;
  });
}

llvm::Expected<bool> TunedLibrary::remove(llvm::StringRef path, const TunedEntry &entry) {
  bool isThere = false;
  llvm::Error error = change(path, [&](TunedLibrary &library) {
    isThere = llvm::is_contained(library.entries_, entry);
    return isThere && library.take(entry.device, entry.driver, entry.dispatch);
  });
  if (error)
    return error;
  return isThere;
}

llvm::Expected<TunedLibrary> TunedLibrary::merged(llvm::ArrayRef<std::string> paths) {
  TunedLibrary all;
  for (const std::string &path : paths) {
    if (!llvm::sys::fs::exists(path))
      return fail("there is no tuning library '" + shortPath(path) + "'");
    auto library = read(path);
    if (!library)
      return library.takeError();
    for (const TunedEntry &entry : library->entries_)
      if (const TunedEntry *known = all.find(entry.device, entry.driver, entry.dispatch);
          !known || known->ratio < entry.ratio)
        all.put(entry);
  }
  return all;
}

const TunedEntry *TunedLibrary::find(llvm::StringRef device, llvm::StringRef driver, llvm::StringRef dispatch) const {
  auto found = llvm::find_if(entries_, [&](const TunedEntry &entry) {
    return entry.device == device && entry.driver == driver && entry.dispatch == dispatch;
  });
  return found == entries_.end() ? nullptr : &*found;
}

bool TunedLibrary::knows(const DeviceInfo &device) const {
  return llvm::any_of(
      entries_, [&](const TunedEntry &entry) { return entry.device == device.name && entry.driver == device.driver; });
}

bool TunedDispatches::apply(mlir::func::FuncOp dispatch, const DeviceInfo &device) const {
  if (!library_.knows(device)) // most often, and a dispatch's text may be long
    return false;
  const TunedEntry *entry = library_.find(device.name, device.driver, fingerprintOfDispatch(dispatch));
  return entry && requestSizes(dispatch, entry->sizes);
}

llvm::Expected<std::unique_ptr<TunedDispatches>> openTuned(const std::string &path, std::string &warning) {
  if (path.empty() || path == "none")
    return nullptr;
  auto library = TunedLibrary::read(path);
  if (library)
    return std::make_unique<TunedDispatches>(std::move(*library), path);
  if (path != TunedLibrary::defaultPath())
    return library.takeError();
  warning = takeFailure(library.takeError()).message + "; dispatches have the pipeline's own sizes";
  return nullptr;
}

} // namespace fuselage::tune
