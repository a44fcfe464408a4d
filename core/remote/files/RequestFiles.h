// The files of a request: what has to be on the other side before it runs, and what comes back.
#pragma once
#include "core/remote/files/PathMap.h"
#include "core/remote/store/FileHashes.h"
#include "llvm/Support/JSON.h"
#include <set>

namespace fuselage::remote {

/// A file that a request reads.
struct WantedFile {
  std::string at, path, hash;
  uint64_t size = 0;
  bool isCopy = false; ///< the engine writes to it
};
/// A file that a request writes.
struct OutputPlace {
  std::string at, path;
  bool isUpdated = false; ///< it grows after the reply, too
};

struct RequestFiles {
  std::vector<WantedFile> files;
  std::vector<std::string> absent; ///< places of files that are not there, so that the engine says so
  std::vector<OutputPlace> outputs;
};

/// Finds the files of requests and puts the other side's paths into them. One thread at a time.
class RequestMapper {
public:
  RequestMapper(PathMap &paths, std::string hashMemory) : paths_(paths), hashes_(std::move(hashMemory)) {}

  /// Changes `params` of `method`. Failure: a file cannot be read or written, a folder has too many files, or an option
  /// of a pass names a file that cannot be sent.
  llvm::Expected<RequestFiles> map(llvm::StringRef method, llvm::json::Value &params,
                                   const std::atomic<bool> *cancelled = nullptr);

private:
  class Mapping;
  PathMap &paths_;
  FileHashes hashes_;
  std::set<std::string> updated_; ///< files that the engine writes to as long as it runs: its copy is the newer one
};

} // namespace fuselage::remote
