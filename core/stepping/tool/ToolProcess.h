// Another compiler in a child process.
#pragma once
#include "core/support/Error.h"
#include <atomic>
#include <functional>
#include <sys/types.h>

namespace fuselage {

/// A folder of our own in the temporary one, with all in it gone at the end.
class ToolFolder {
public:
  static llvm::Expected<std::shared_ptr<ToolFolder>> make();
  explicit ToolFolder(std::string path) : path_(std::move(path)) {}
  ToolFolder(const ToolFolder &) = delete;
  ToolFolder &operator=(const ToolFolder &) = delete;
  ~ToolFolder();
  const std::string &path() const { return path_; }
  std::string file(llvm::StringRef name) const { return path_ + "/" + name.str(); }

private:
  std::string path_;
};

struct ToolProcessOptions {
  std::string path;                     ///< of the program
  std::vector<std::string> arguments;   ///< the first is its name
  std::vector<std::string> environment; ///< "NAME=VALUE", beside ours
  std::string directory;                ///< where it works; empty: where we do
  std::string outputFile, errorFile;    ///< what it prints, after what is in there
  /// Of either; more of it ends the child.
  uint64_t mostBytes = uint64_t(2) << 30;
  const std::atomic<bool> *cancelled = nullptr; ///< once true, the child's process group is ended
  /// Now and then, with the bytes on stderr so far.
  std::function<void(uint64_t errorBytes)> proceed{};
};

struct ToolEnd {
  enum class How { Exited, Killed, TooMuch, Cancelled };
  How how = How::Exited;
  int code = 0;            ///< exit status, or the signal
  int signal = 0;          ///< that asked this process to end, meanwhile
  uint64_t errorBegin = 0; ///< where in the error file its words begin
  bool isFine() const { return how == How::Exited && code == 0; }
};

/// Runs a program and waits for it. It reads nothing (standard input is empty), and leads a process group of its own
/// that ends with it: by SIGTERM and, two seconds later, SIGKILL. With `takesSignals`, SIGINT, SIGTERM, SIGHUP and
/// SIGQUIT that reach this process end the group first; it is up to the caller to end then. Failure: it cannot be
/// started.
llvm::Expected<ToolEnd> runTool(const ToolProcessOptions &options, bool takesSignals = false);

/// "iree-compile ended with exit code 1" and its last lines, as a Failure.
llvm::Error toolFailure(const ToolProcessOptions &options, const ToolEnd &end, llvm::StringRef program);

} // namespace fuselage
