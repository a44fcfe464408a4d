#include "core/remote/store/FileHashes.h"
#include "core/remote/store/SafeFolder.h"
#include "core/support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace fuselage::remote {

using llvm::StringRef;

bool isFileHash(StringRef text) {
  constexpr size_t digits = 64;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == StringRef::npos;
}

std::string hashText(llvm::SHA256 &sha) { return llvm::toHex(sha.final(), /*LowerCase=*/true); }

static llvm::Error unreadable(const std::string &path, const std::string &why) {
  return fail("cannot read '" + path + "': " + why);
}

static llvm::Expected<FileStamp> stampOfStatus(const struct stat &status, const std::string &path) {
  if (!S_ISREG(status.st_mode))
    return unreadable(path, "it is no regular file, and only those can be sent to another machine");
  constexpr int64_t nanoseconds = 1'000'000'000;
  return FileStamp{.device = status.st_dev,
                   .inode = status.st_ino,
                   .size = static_cast<uint64_t>(status.st_size),
                   .modifiedNs = int64_t(status.st_mtim.tv_sec) * nanoseconds + status.st_mtim.tv_nsec};
}

llvm::Expected<FileStamp> stampOf(const std::string &path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return unreadable(path, std::strerror(errno));
  return stampOfStatus(status, path);
}

FileHashes::FileHashes(std::string memory) : memory_(std::move(memory)) {
  constexpr uint64_t mostBytes = 8 << 20;
  auto buffer = memory_.empty() ? nullptr : llvm::MemoryBuffer::getFile(memory_, /*IsText=*/true);
  if (memory_.empty() || !buffer)
    return;
  if ((*buffer)->getBufferSize() > mostBytes) {
    unlink(memory_.c_str()); // most of it is about files that are others now
    return;
  }
  llvm::SmallVector<StringRef> lines, words;
  (*buffer)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    words.clear();
    line.split(words, ' ');
    FileStamp stamp;
    bool isFine = words.size() == 5 && !words[0].getAsInteger(10, stamp.device) &&
                  !words[1].getAsInteger(10, stamp.inode) && !words[2].getAsInteger(10, stamp.size) &&
                  !words[3].getAsInteger(10, stamp.modifiedNs) && isFileHash(words[4]);
    if (isFine)
      known_[stamp] = words[4].str();
  }
}

/// Small files are read as fast as they are looked up; one that changed just now may change again within the same tick
/// of the file system's clock.
static bool isWorthRemembering(const FileStamp &stamp) {
  constexpr uint64_t smallBytes = 1 << 20;
  constexpr int64_t settledNs = 2'000'000'000, nanoseconds = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return stamp.size >= smallBytes && int64_t(now.tv_sec) * nanoseconds + now.tv_nsec - stamp.modifiedNs > settledNs;
}

void FileHashes::remember(const FileStamp &stamp, const std::string &hash) {
  known_[stamp] = hash;
  if (memory_.empty())
    return;
  OwnedFd file(open(memory_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  std::string line =
      llvm::formatv("{0} {1} {2} {3} {4}\n", stamp.device, stamp.inode, stamp.size, stamp.modifiedNs, hash);
  if (file) [[maybe_unused]]
    ssize_t written = write(file.get(), line.data(), line.size());
}

llvm::Expected<std::string> FileHashes::hashOf(const std::string &path, const std::atomic<bool> *cancelled) {
  OwnedFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0)
    return unreadable(path, std::strerror(errno));
  auto stamp = stampOfStatus(status, path);
  if (!stamp)
    return stamp.takeError();
  if (auto known = known_.find(*stamp); known != known_.end())
    return known->second;
  llvm::SHA256 sha;
  std::vector<uint8_t> piece(size_t(1) << 20);
  ssize_t count;
  while ((count = read(file.get(), piece.data(), piece.size())) > 0) {
    sha.update(llvm::ArrayRef(piece.data(), static_cast<size_t>(count)));
    if (cancelled && *cancelled)
      return fail("superseded or cancelled");
  }
  if (count < 0)
    return unreadable(path, std::strerror(errno));
  std::string hash = hashText(sha);
  if (isWorthRemembering(*stamp))
    remember(*stamp, hash);
  return hash;
}

} // namespace fuselage::remote
