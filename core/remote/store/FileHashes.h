// SHA-256 of files, and the memory of those that were computed.
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Support/SHA256.h"
#include <atomic>
#include <map>
#include <string>

namespace fuselage::remote {

/// 64 digits, lower case.
bool isFileHash(llvm::StringRef text);
std::string hashText(llvm::SHA256 &sha);

/// A file as it was when its hash was computed.
struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modifiedNs = 0;
  auto operator<=>(const FileStamp &) const = default;
};
/// Failure: there is no regular file that can be read.
llvm::Expected<FileStamp> stampOf(const std::string &path);

/// Hashes of files by their stamps, kept in a file of the user's cache: a file that was not changed is not read again.
/// One thread at a time.
class FileHashes {
public:
  /// `memory`: the path of that file; empty: there is none.
  explicit FileHashes(std::string memory);
  /// The hash, read in pieces. Failure: it cannot be read, or `cancelled` was raised.
  llvm::Expected<std::string> hashOf(const std::string &path, const std::atomic<bool> *cancelled = nullptr);

private:
  void remember(const FileStamp &stamp, const std::string &hash);

  std::string memory_;
  std::map<FileStamp, std::string> known_;
};

} // namespace fuselage::remote
