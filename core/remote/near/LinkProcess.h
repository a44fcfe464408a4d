// The user's command, as long as one connection lasts.
#pragma once
#include "core/remote/link/ByteQueue.h"
#include "core/remote/store/SafeFolder.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <sys/types.h>

namespace fuselage::remote {

class LinkProcess {
public:
  /// Starts the command, found on PATH, with one more argument; no shell runs here. Failure: there is no such program.
  static llvm::Expected<LinkProcess> start(llvm::ArrayRef<std::string> command, const std::string &script);
  LinkProcess(LinkProcess &&other) noexcept;
  LinkProcess &operator=(LinkProcess &&) = delete;
  /// Ends it.
  ~LinkProcess();
  /// Lets it send what it has got, for at most two seconds.
  void finish();

  /// The exit code, or 128 and the signal; nullopt: it runs.
  std::optional<int> end();
  int in() const { return in_.get(); }
  int out() const { return out_.get(); }
  int log() const { return log_.get(); }
  void closeLog() { log_.reset(); }
  /// Takes what came on stderr; the last line of it is kept.
  void noteLog(llvm::StringRef text);
  const std::string &lastWords() const { return lastWords_; }

private:
  LinkProcess() = default;
  pid_t pid_ = -1;
  OwnedFd in_, out_, log_;
  std::optional<int> end_;
  std::string lastWords_;
};

} // namespace fuselage::remote
