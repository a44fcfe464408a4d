// Files that the engine wrote, on their way to where the user wanted them.
#pragma once
#include "core/remote/files/RequestFiles.h"
#include "core/remote/store/SafeFolder.h"
#include "llvm/Support/JSON.h"

namespace fuselage::remote {

/// Collects the pieces of a file aside, and writes it when it is whole, as the local engine writes files. Only files
/// that a request of the user named are written, whatever the other side sends.
class OutputReceiver {
public:
  explicit OutputReceiver(const PathMap &paths) : paths_(paths) {}

  /// The files of a request; the numbers by which the other side sends them.
  std::vector<int64_t> expect(const std::string &request, const std::vector<OutputPlace> &outputs);
  /// Takes a piece. Failure: nobody waits for it, or the file cannot be written.
  llvm::Error take(const llvm::json::Object &header, llvm::StringRef bytes);
  /// The request was answered: what went wrong with its files; empty: nothing.
  std::string finish(const std::string &request);

private:
  struct AwaitedFile {
    std::string request, path;
    bool isUpdated = false;
    OwnedFd file{}; ///< of what came so far, without a name
    uint64_t size = 0;
  };
  llvm::Error store(AwaitedFile &expected);

  const PathMap &paths_;
  std::map<int64_t, AwaitedFile> expected_;
  std::map<std::string, std::string> problems_; ///< by request
  int64_t lastId_ = 0;
};

} // namespace fuselage::remote
