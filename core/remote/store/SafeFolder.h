// Folders of the cache, which are ours alone and hold no way out.
#pragma once
#include "llvm/Support/Error.h"
#include <string>
#include <sys/stat.h>

namespace fuselage::remote {

/// A descriptor that is closed when this goes.
class OwnedFd {
public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd &operator=(OwnedFd &&other) noexcept;
  ~OwnedFd() { reset(); }
  void reset();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

private:
  int fd_ = -1;
};

/// "$XDG_CACHE_HOME/fuselage", else "~/.cache/fuselage"; it need not be there. Empty: there is no home.
std::string cacheFolder();

/// A folder that is held open. Names below it are single ones, links are never followed, and what is made is for the
/// user alone (0700, 0600).
class SafeFolder {
public:
  /// Makes the folder if it is not there. Failure: it is a link, or of another user.
  static llvm::Expected<SafeFolder> make(llvm::StringRef path);
  /// A folder in it, which is made if it is not there.
  llvm::Expected<SafeFolder> folder(llvm::StringRef name) const;
  /// A file in it; `flags` as of open(). Invalid: it cannot be opened, as errno says, or is no regular file.
  OwnedFd file(llvm::StringRef name, int flags) const;
  /// False: it is not there, or is no regular file.
  bool stat(llvm::StringRef name, struct stat &status) const;
  /// Removes a file, or a folder with all in it.
  void remove(llvm::StringRef name) const;
  std::vector<std::string> names() const;

  int fd() const { return fd_.get(); }
  const std::string &path() const { return path_; }

private:
  SafeFolder(OwnedFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  OwnedFd fd_;
  std::string path_;
};

/// Whether it is the name of something in a folder: no separator, no zero, neither "." nor "..", not empty.
bool isSingleName(llvm::StringRef name);

} // namespace fuselage::remote
