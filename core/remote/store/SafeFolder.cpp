#include "core/remote/store/SafeFolder.h"
#include "core/support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace fuselage::remote {

using llvm::StringRef;

OwnedFd &OwnedFd::operator=(OwnedFd &&other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void OwnedFd::reset() {
  if (fd_ >= 0)
    close(fd_);
  fd_ = -1;
}

std::string cacheFolder() {
  llvm::SmallString<256> folder;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && llvm::sys::path::is_absolute(cache))
    folder = cache;
  else if (home && llvm::sys::path::is_absolute(home))
    llvm::sys::path::append(folder, home, ".cache");
  else
    return "";
  llvm::sys::path::append(folder, "fuselage");
  return folder.str().str();
}

bool isSingleName(StringRef name) {
  constexpr size_t longest = 255;
  return !name.empty() && name != "." && name != ".." && name.size() <= longest && !name.contains('/') &&
         !name.contains('\0');
}

static llvm::Error folderProblem(const std::string &path, const std::string &why) {
  return fail("the folder '" + path + "' cannot be used: " + why);
}

/// Makes sure that nobody else gets in. Failure: it is another user's.
static llvm::Error makePrivate(int fd, const std::string &path) {
  struct stat status {};
  if (fstat(fd, &status) != 0)
    return folderProblem(path, std::strerror(errno));
  if (status.st_uid != geteuid())
    return folderProblem(path, "it belongs to another user");
  constexpr mode_t forOthers = 077, forUs = 0700;
  if ((status.st_mode & forOthers) && fchmod(fd, forUs) != 0)
    return folderProblem(path, "others may enter it");
  return llvm::Error::success();
}

static OwnedFd openFolderAt(int parent, const std::string &name) {
  return OwnedFd(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

llvm::Expected<SafeFolder> SafeFolder::make(StringRef path) {
  // What is above it may have links: that is the user's own doing.
  if (std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
    return folderProblem(path.str(), error.message());
  mkdir(path.str().c_str(), 0700);
  OwnedFd fd = openFolderAt(AT_FDCWD, path.str());
  if (!fd)
    return folderProblem(path.str(), std::strerror(errno));
  if (llvm::Error error = makePrivate(fd.get(), path.str()))
    return error;
  return SafeFolder(std::move(fd), path.str());
}

llvm::Expected<SafeFolder> SafeFolder::folder(StringRef name) const {
  std::string inner = path_ + "/" + name.str();
  if (!isSingleName(name))
    return folderProblem(inner, "that is no name");
  mkdirat(fd(), name.str().c_str(), 0700);
  OwnedFd fd = openFolderAt(this->fd(), name.str());
  if (!fd)
    return folderProblem(inner, std::strerror(errno));
  return SafeFolder(std::move(fd), std::move(inner));
}

OwnedFd SafeFolder::file(StringRef name, int flags) const {
  if (!isSingleName(name)) {
    errno = EINVAL;
    return OwnedFd();
  }
  OwnedFd file(openat(fd(), name.str().c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
  struct stat status {};
  if (file && (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))) {
    errno = EINVAL;
    return OwnedFd();
  }
  return file;
}

bool SafeFolder::stat(StringRef name, struct stat &status) const {
  return isSingleName(name) && fstatat(fd(), name.str().c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(status.st_mode);
}

std::vector<std::string> SafeFolder::names() const {
  std::vector<std::string> names;
  int copy = openat(fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = copy >= 0 ? fdopendir(copy) : nullptr;
  if (!dir)
    return names;
  while (dirent *entry = readdir(dir))
    if (isSingleName(entry->d_name))
      names.push_back(entry->d_name);
  closedir(dir);
  return names;
}

void SafeFolder::remove(StringRef name) const {
  if (!isSingleName(name) || unlinkat(fd(), name.str().c_str(), 0) == 0)
    return;
  OwnedFd inner = openFolderAt(fd(), name.str());
  if (!inner)
    return;
  SafeFolder folder(std::move(inner), "");
  for (const std::string &each : folder.names())
    folder.remove(each);
  unlinkat(fd(), name.str().c_str(), AT_REMOVEDIR);
}

} // namespace fuselage::remote
