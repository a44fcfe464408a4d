// Files by their hashes, in the cache of the machine where the engine runs.
#pragma once
#include "core/remote/store/FileHashes.h"
#include "core/remote/store/SafeFolder.h"
#include <memory>
#include <optional>

namespace fuselage::remote {

/// A file on its way into the store. What came is kept under a name of its own, so that a later session goes on there.
class IncomingFile {
public:
  ~IncomingFile();
  /// Reads some of what came earlier, to go on with its hash. True: there is no more of it.
  bool catchUp();
  /// How much of it is there; known once catchUp() says so.
  uint64_t size() const { return size_; }
  /// Appends bytes. Failure: `offset` is not the end of what is there, or the disk is full.
  llvm::Error append(uint64_t offset, llvm::StringRef bytes);
  /// While nothing comes, another session may go on with it. False: one has.
  void release();
  bool reclaim();

private:
  friend class FileStore;
  IncomingFile(OwnedFd file, std::string part, std::string hash)
      : file_(std::move(file)), part_(std::move(part)), hash_(std::move(hash)) {}
  OwnedFd file_;
  std::string part_, hash_; ///< its name meanwhile, and what it must come to
  uint64_t size_ = 0;
  bool isCaughtUp_ = false;
  llvm::SHA256 sha_;
};

/// Below `root`: files/HASH, and parts/ of those that have not arrived. Files in use are linked to from elsewhere, and
/// are never evicted.
class FileStore {
public:
  static llvm::Expected<FileStore> open(const SafeFolder &root);

  bool has(llvm::StringRef hash) const;
  /// Begins, or goes on with, a file. Failure: `hash` is none, or the disk does not let us.
  llvm::Expected<std::unique_ptr<IncomingFile>> begin(llvm::StringRef hash) const;
  /// The file is whole. Failure: its hash is another one, and it is removed.
  llvm::Error finish(IncomingFile &incoming) const;

  /// Makes the file `name` of a folder, or replaces it, whole. `isCopy`: one that may be written to. Failure: the store
  /// has no such file.
  llvm::Error place(llvm::StringRef hash, const SafeFolder &folder, llvm::StringRef name, bool isCopy) const;
  /// Removes files that nobody uses, the longest unused first, until all together have at most `most` bytes; and parts
  /// that nobody has gone on with for a week.
  void evict(uint64_t most) const;

private:
  FileStore(SafeFolder files, SafeFolder parts) : files_(std::move(files)), parts_(std::move(parts)) {}
  llvm::Error copy(llvm::StringRef hash, const SafeFolder &folder, const std::string &name) const;
  SafeFolder files_, parts_;
};

} // namespace fuselage::remote
