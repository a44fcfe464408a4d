#include "core/remote/store/FileStore.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace fuselage::remote {

using llvm::StringRef;

static llvm::Error storeProblem(const std::string &what) {
  return fail("the cache of files " + what + ": " + std::strerror(errno));
}

static llvm::Error writeWhole(int fd, StringRef rest) {
  while (!rest.empty()) {
    ssize_t count = write(fd, rest.data(), rest.size());
    if (count < 0 && errno != EINTR)
      return storeProblem("cannot be written");
    rest = rest.drop_front(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  }
  return llvm::Error::success();
}

IncomingFile::~IncomingFile() = default;

bool IncomingFile::catchUp() {
  // A piece at a time: whoever waits for a heartbeat gets one in between.
  std::vector<uint8_t> piece(size_t(4) << 20);
  ssize_t count = pread(file_.get(), piece.data(), piece.size(), static_cast<off_t>(size_));
  isCaughtUp_ = count <= 0;
  if (isCaughtUp_)
    return true;
  sha_.update(llvm::ArrayRef(piece.data(), static_cast<size_t>(count)));
  size_ += static_cast<uint64_t>(count);
  return false;
}

llvm::Error IncomingFile::append(uint64_t offset, StringRef bytes) {
  if (offset != size_)
    return fail("a piece of a file begins at " + std::to_string(offset) + " instead of " + std::to_string(size_));
  if (llvm::Error error = writeWhole(file_.get(), bytes))
    return error;
  sha_.update(bytes);
  size_ += bytes.size();
  return llvm::Error::success();
}

void IncomingFile::release() { flock(file_.get(), LOCK_UN); }

bool IncomingFile::reclaim() {
  struct stat status {};
  return flock(file_.get(), LOCK_EX | LOCK_NB) == 0 && fstat(file_.get(), &status) == 0 && status.st_nlink > 0 &&
         (isCaughtUp_ ? static_cast<uint64_t>(status.st_size) == size_
                      : static_cast<uint64_t>(status.st_size) >= size_);
}

llvm::Expected<FileStore> FileStore::open(const SafeFolder &root) {
  auto files = root.folder("files");
  if (!files)
    return files.takeError();
  auto parts = root.folder("parts");
  if (!parts)
    return parts.takeError();
  return FileStore(std::move(*files), std::move(*parts));
}

bool FileStore::has(StringRef hash) const {
  struct stat status {};
  return isFileHash(hash) && files_.stat(hash, status);
}

llvm::Expected<std::unique_ptr<IncomingFile>> FileStore::begin(StringRef hash) const {
  if (!isFileHash(hash))
    return fail("'" + hash.take_front(80).str() + "' is no SHA-256 of a file");
  std::string part = hash.str();
  OwnedFd file = parts_.file(part, O_RDWR | O_CREAT | O_APPEND);
  // Another session gets the same file right now: this one gets it under another name.
  if (file && flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    part += "." + std::to_string(getpid());
    file = parts_.file(part, O_RDWR | O_CREAT | O_APPEND | O_TRUNC);
  }
  if (!file)
    return storeProblem("takes no file");
  return std::unique_ptr<IncomingFile>(new IncomingFile(std::move(file), std::move(part), hash.str()));
}

llvm::Error FileStore::finish(IncomingFile &incoming) const {
  std::string hash = hashText(incoming.sha_);
  if (hash != incoming.hash_) {
    parts_.remove(incoming.part_);
    return fail("a file arrived that is not the one that was announced: its SHA-256 is " + hash + " instead of " +
                incoming.hash_ + ". Was it changed while it was sent? It is not used; try again");
  }
  if (renameat(parts_.fd(), incoming.part_.c_str(), files_.fd(), hash.c_str()) != 0)
    return storeProblem("takes no file");
  return llvm::Error::success();
}

llvm::Error FileStore::copy(StringRef hash, const SafeFolder &folder, const std::string &name) const {
  OwnedFd from = files_.file(hash, O_RDONLY), to = folder.file(name, O_WRONLY | O_CREAT | O_EXCL);
  if (!from || !to)
    return storeProblem("has no such file");
  std::string piece(size_t(1) << 20, '\0');
  ssize_t count;
  while ((count = read(from.get(), piece.data(), piece.size())) > 0)
    if (llvm::Error error = writeWhole(to.get(), StringRef(piece).take_front(static_cast<size_t>(count))))
      return error;
  return count < 0 ? storeProblem("cannot be read") : llvm::Error::success();
}

llvm::Error FileStore::place(StringRef hash, const SafeFolder &folder, StringRef name, bool isCopy) const {
  if (!has(hash) || !isSingleName(name))
    return fail("the cache of files has no '" + hash.take_front(80).str() + "' to put at '" + name.str() + "'");
  std::string meanwhile = ".fuselage-" + std::to_string(getpid());
  folder.remove(meanwhile);
  // It was used now, for evict().
  timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_NOW}, {.tv_sec = 0, .tv_nsec = UTIME_OMIT}};
  utimensat(files_.fd(), hash.str().c_str(), times, AT_SYMLINK_NOFOLLOW);
  if (isCopy || linkat(files_.fd(), hash.str().c_str(), folder.fd(), meanwhile.c_str(), 0) != 0)
    if (llvm::Error error = copy(hash, folder, meanwhile))
      return error;
  if (renameat(folder.fd(), meanwhile.c_str(), folder.fd(), name.str().c_str()) != 0)
    return storeProblem("cannot be linked to");
  // Renaming does nothing where both are the same file already.
  unlinkat(folder.fd(), meanwhile.c_str(), 0);
  return llvm::Error::success();
}

void FileStore::evict(uint64_t most) const {
  struct Kept {
    std::string name;
    uint64_t size;
    time_t used;
  };
  constexpr time_t week = 7 * 24 * 3600;
  std::vector<Kept> unused;
  uint64_t total = 0;
  struct stat status {};
  for (const std::string &name : files_.names()) {
    if (!files_.stat(name, status))
      continue;
    total += static_cast<uint64_t>(status.st_size);
    if (status.st_nlink == 1)
      unused.push_back({.name = name, .size = static_cast<uint64_t>(status.st_size), .used = status.st_atim.tv_sec});
  }
  llvm::sort(unused, [](const Kept &a, const Kept &b) { return a.used < b.used; });
  for (const Kept &file : unused) {
    if (total <= most)
      break;
    files_.remove(file.name);
    total -= file.size;
  }
  for (const std::string &name : parts_.names())
    if (parts_.stat(name, status) && time(nullptr) - status.st_mtim.tv_sec > week)
      parts_.remove(name);
}

} // namespace fuselage::remote
