// The engine as a child of its keeper.
#pragma once
#include "core/remote/link/ByteQueue.h"
#include "core/remote/store/SafeFolder.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <sys/types.h>

namespace fuselage::remote {

/// How a process ended.
struct ChildEnd {
  int code = 0, signal = 0; ///< `signal` 0: it ended by itself
};

/// `fuselage serve` on pipes. Its data folder and its temporary files are in the session's folder.
class EngineChild {
public:
  static llvm::Expected<EngineChild> start(const std::string &program, llvm::ArrayRef<std::string> arguments,
                                           const std::string &folder);
  EngineChild(EngineChild &&other) noexcept;
  ~EngineChild();

  void send(llvm::StringRef frame) { input_.add(frame); }
  /// No more is sent; its input ends when all is written.
  void closeInput() { isClosing_ = true; }
  bool wantsInput() const { return in_ && (!input_.empty() || isClosing_); }
  void writeInput();
  void kill();
  /// Nullopt: it runs.
  std::optional<ChildEnd> end();

  int in() const { return in_.get(); }
  int out() const { return out_.get(); }
  int log() const { return log_.get(); }
  void closeOut() { out_.reset(); }
  void closeLog() { log_.reset(); }

private:
  EngineChild() = default;
  pid_t pid_ = -1;
  OwnedFd in_, out_, log_;
  ByteQueue input_;
  bool isClosing_ = false;
  std::optional<ChildEnd> end_;
};

} // namespace fuselage::remote
