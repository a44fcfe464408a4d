// The folder of a session in the cache: what its engine reads and writes.
#pragma once
#include "core/remote/store/FileStore.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage::remote {

/// Below fuselage/remote in the cache: files/ and parts/ of all sessions, and sessions/ID with in/ (what requests
/// name), data/ (instead of the user's data folder) and tmp/.
class FarSession {
public:
  /// Makes the folder of a new session, or opens that of an old one. Failure: it cannot be made, or is not ours.
  static llvm::Expected<FarSession> open(llvm::StringRef session, bool isNew);

  const FileStore &store() const { return store_; }
  /// Of the session, absolute.
  const std::string &path() const { return folder_.path(); }
  std::string filesPath() const { return files_.path(); }
  const SafeFolder &folder() const { return folder_; }

  /// Puts a file of the store at "3/model.mlir". Failure: that is no place in the session, or the store lacks the file.
  llvm::Error place(llvm::StringRef hash, llvm::StringRef at, bool isCopy) const;
  /// Makes sure that there is none, but the folder around it.
  llvm::Error clear(llvm::StringRef at) const;
  /// What is there; invalid: nothing.
  OwnedFd read(llvm::StringRef at) const;

  /// Removes the folder, and those of sessions whose keeper is gone.
  void remove() const;
  void removeOthers() const;

private:
  FarSession(SafeFolder sessions, SafeFolder folder, SafeFolder files, FileStore store, OwnedFd lock)
      : sessions_(std::move(sessions)), folder_(std::move(folder)), files_(std::move(files)), store_(std::move(store)),
        lock_(std::move(lock)) {}
  llvm::Expected<SafeFolder> folderAround(llvm::SmallVectorImpl<llvm::StringRef> &parts) const;

  SafeFolder sessions_, folder_, files_;
  FileStore store_;
  OwnedFd lock_; ///< held as long as the session lives
};

} // namespace fuselage::remote
