// Another compiler's passes as a timeline, also while it is at work.
#pragma once
#include "core/stepping/record/Recording.h"
#include "core/stepping/tool/ToolCommand.h"
#include "core/stepping/tool/ToolProcess.h"
#include <mutex>
#include <thread>

namespace fuselage {

/// A run of a tool on a file with its dumps switched on, into a log in a private temporary folder, which lives as long
/// as this. Threads: whoever made it owns it; the tool is watched by a thread of its own after start().
class ToolRun {
public:
  /// `file`: '-' is standard input. `directory`: where the tool works; empty: where we do. Failure: the file is not
  /// there.
  static llvm::Expected<std::shared_ptr<ToolRun>> prepare(ToolCommand command, llvm::StringRef file,
                                                          llvm::StringRef directory = "");
  ToolRun(const ToolRun &) = delete;
  ToolRun &operator=(const ToolRun &) = delete;
  /// Ends the tool.
  ~ToolRun();

  /// Runs it to its end, see runTool(). Failure: it cannot be started. What it printed until then can be read after
  /// any end; how it ended, tells failure().
  llvm::Expected<ToolEnd> run(const std::atomic<bool> *cancelled, std::function<void(uint64_t bytes)> proceed,
                              bool takesSignals);
  /// The same behind the caller's back.
  void start();
  bool isRunning() const { return running_; }
  void stop() { stopped_ = true; }
  /// Bytes of the log so far.
  uint64_t logBytes() const { return bytes_; }

  const ToolCommand &command() const { return command_; }
  const std::string &logPath() const { return process_.errorFile; }
  /// What the tool was asked to do, as a line.
  std::string commandLine() const;
  /// The passes so far; while it runs, all but the last dump. Snapshot 0 is FILE, where that is a module as text. After
  /// its end, no dump at all is a Failure that says why there is none.
  llvm::Expected<Recording> read(Session &session, const DumpLog::Cancelled &cancelled = {}) const;
  /// How it ended, where that was not well, and it is over.
  std::optional<Failure> failure() const;

private:
  ToolRun(ToolCommand command, std::shared_ptr<ToolFolder> folder)
      : command_(std::move(command)), folder_(std::move(folder)) {}
  void beginLog(llvm::StringRef file) const;
  void finish(llvm::Expected<ToolEnd> end);
  llvm::Error noDumps() const;

  ToolCommand command_;
  std::shared_ptr<ToolFolder> folder_;
  ToolProcessOptions process_;
  std::thread watcher_;
  std::atomic<bool> running_ = false, stopped_ = false;
  std::atomic<uint64_t> bytes_ = 0;
  mutable std::mutex mutex_;
  std::optional<ToolEnd> end_;       // guarded by mutex_
  std::optional<Failure> unstarted_; // guarded by mutex_
};

} // namespace fuselage
