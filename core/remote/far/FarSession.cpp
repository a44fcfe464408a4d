#include "core/remote/far/FarSession.h"
#include "core/support/Error.h"
#include "llvm/Support/Path.h"
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>

namespace fuselage::remote {

using llvm::StringRef;

static constexpr StringRef lockName = "lock";

static llvm::Expected<SafeFolder> remoteRoot() {
  const std::string cache = cacheFolder();
  if (cache.empty())
    return fail("there is no cache folder: set XDG_CACHE_HOME or HOME");
  return SafeFolder::make(cache + "/remote");
}

llvm::Expected<FarSession> FarSession::open(StringRef session, bool isNew) {
  auto root = remoteRoot();
  if (!root)
    return root.takeError();
  auto store = FileStore::open(*root);
  if (!store)
    return store.takeError();
  auto sessions = root->folder("sessions");
  if (!sessions)
    return sessions.takeError();
  auto folder = sessions->folder(session);
  if (!folder)
    return folder.takeError();
  auto files = folder->folder("in");
  if (!files)
    return files.takeError();
  OwnedFd lock;
  if (isNew) {
    for (StringRef name : {"data", "tmp"})
      if (auto inner = folder->folder(name); !inner)
        return inner.takeError();
    lock = folder->file(lockName, O_RDWR | O_CREAT);
    if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
      return fail("the session has a keeper already");
  }
  return FarSession(std::move(*sessions), std::move(*folder), std::move(*files), std::move(*store), std::move(lock));
}

/// The folder that the last of `parts` is in.
llvm::Expected<SafeFolder> FarSession::folderAround(llvm::SmallVectorImpl<StringRef> &parts) const {
  auto folder = files_.folder(parts.front());
  for (StringRef part : llvm::ArrayRef(parts).drop_front().drop_back()) {
    if (!folder)
      return folder.takeError();
    folder = folder->folder(part);
  }
  return folder;
}

/// "3/dumps/a.mlir" as its parts; empty: it is no place of a file.
static llvm::SmallVector<StringRef> partsOf(StringRef at) {
  llvm::SmallVector<StringRef> parts;
  at.split(parts, '/');
  const bool isFine = parts.size() >= 2 && parts.front().find_first_not_of("0123456789") == StringRef::npos &&
                      llvm::all_of(parts, isSingleName);
  return isFine ? parts : llvm::SmallVector<StringRef>();
}

static llvm::Error noPlace(StringRef at) { return fail("'" + at.take_front(200).str() + "' is no place for a file"); }

llvm::Error FarSession::place(StringRef hash, StringRef at, bool isCopy) const {
  auto parts = partsOf(at);
  if (parts.empty())
    return noPlace(at);
  auto folder = folderAround(parts);
  return folder ? store_.place(hash, *folder, parts.back(), isCopy) : folder.takeError();
}

llvm::Error FarSession::clear(StringRef at) const {
  auto parts = partsOf(at);
  if (parts.empty())
    return noPlace(at);
  auto folder = folderAround(parts);
  if (!folder)
    return folder.takeError();
  folder->remove(parts.back());
  return llvm::Error::success();
}

OwnedFd FarSession::read(StringRef at) const {
  auto parts = partsOf(at);
  if (parts.empty())
    return OwnedFd();
  auto folder = folderAround(parts);
  if (!folder) {
    llvm::consumeError(folder.takeError());
    return OwnedFd();
  }
  return folder->file(parts.back(), O_RDONLY);
}

void FarSession::remove() const { sessions_.remove(llvm::sys::path::filename(folder_.path())); }

void FarSession::removeOthers() const {
  // One that is being made has no lock for a moment.
  constexpr time_t settled = 60;
  for (const std::string &name : sessions_.names()) {
    if (name == llvm::sys::path::filename(folder_.path()))
      continue;
    auto folder = sessions_.folder(name);
    if (!folder) {
      llvm::consumeError(folder.takeError());
      continue;
    }
    struct stat status {};
    if (fstat(folder->fd(), &status) != 0 || time(nullptr) - status.st_mtim.tv_sec < settled)
      continue;
    OwnedFd lock = folder->file(lockName, O_RDWR);
    if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
      sessions_.remove(name);
  }
}

} // namespace fuselage::remote
