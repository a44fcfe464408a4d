#include "core/blobs/ScratchFile.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace fuselage {

static constexpr uint64_t kPage = 4096;

/// A descriptor of a file that has no name; -1 if there can be none.
static int openUnnamed(const std::string &folder) {
#ifdef O_TMPFILE
  if (int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0)
    return descriptor;
#endif
  // Not every file system has unnamed files.
  std::string path = folder + "/fuselage-XXXXXX";
  int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0)
    unlink(path.c_str());
  return descriptor;
}

std::optional<ScratchFile> ScratchFile::create() {
  // Writing beyond a limit of `ulimit -f` would kill the process.
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur != RLIM_INFINITY)
    return std::nullopt;
  const char *chosen = std::getenv("TMPDIR");
  int descriptor = openUnnamed(chosen && *chosen ? chosen : "/var/tmp");
  if (descriptor < 0)
    return std::nullopt;
  return ScratchFile(descriptor);
}

ScratchFile::ScratchFile(ScratchFile &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), mapped_(std::exchange(other.mapped_, {})) {
}

ScratchFile::~ScratchFile() {
  if (!mapped_.empty())
    munmap(const_cast<char *>(mapped_.data()), mapped_.size());
  if (descriptor_ >= 0)
    close(descriptor_);
}

bool ScratchFile::append(llvm::ArrayRef<char> bytes) {
  while (!bytes.empty()) {
    ssize_t count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    size_ += count;
    bytes = bytes.drop_front(count);
  }
  return true;
}

bool ScratchFile::align(uint64_t alignment) {
  static constexpr char zeros[kPage] = {};
  uint64_t missing = (alignment - size_ % alignment) % alignment;
  return append({zeros, static_cast<size_t>(missing)});
}

bool ScratchFile::map() {
  if (size_ == 0)
    return true;
  void *address = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (address == MAP_FAILED)
    return false;
  mapped_ = {static_cast<const char *>(address), static_cast<size_t>(size_)};
  return true;
}

void forgetPages(llvm::ArrayRef<char> mapped) {
  auto begin = reinterpret_cast<uintptr_t>(mapped.data()) & ~(kPage - 1);
  auto end = reinterpret_cast<uintptr_t>(mapped.end());
  if (!mapped.empty())
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
}

} // namespace fuselage
