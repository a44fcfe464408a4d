// What a process was at and for how long, as a trace for Perfetto, speedscope or chrome://tracing.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fuselage {

/// Something that took a while: a "complete event" of the format.
struct TraceEvent {
  std::string category{};         ///< "step", "pass", "rewrite", "schedule", "run", "trial", ..
  std::string name{};             ///< equal ones are summed up by who reads the trace
  double start = 0, duration = 0; ///< microseconds since the trace began
  unsigned thread = 0;            ///< as of TraceLog::thread() or track()
  llvm::json::Object args{};      ///< what else is to be said of it
};

/// Collects events. Any thread may call it.
class TraceLog {
public:
  /// More events than that are counted and left out.
  static constexpr size_t most = 5'000'000;

  TraceLog();
  /// Microseconds since the trace began.
  double now() const;
  /// The number of the thread that calls.
  unsigned thread();
  /// The number of a row of its own, for what does not nest in the events of a thread.
  unsigned track(llvm::StringRef name);
  void add(TraceEvent event);
  size_t size() const;

  /// The trace in the JSON Object Format, an event a line, in the order in which they began.
  void write(llvm::raw_ostream &os) const;

private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  std::vector<TraceEvent> events_;
  size_t left_ = 0; ///< events that were left out
  std::map<std::thread::id, unsigned> threads_;
  std::map<std::string, unsigned> tracks_;
  std::vector<std::string> names_; ///< by number
};

/// The trace of this process; null: nobody wants one, which is the usual case and costs a look at a pointer.
TraceLog *traceLog();
/// Starts it, before there are threads.
void startTrace();

/// An event from here to the end of the scope. Does nothing where there is no trace.
class TraceScope {
public:
  TraceScope(llvm::StringRef category, llvm::StringRef name);
  ~TraceScope();
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

  /// Whether there is a trace: for what takes time to find out.
  explicit operator bool() const { return log_ != nullptr; }
  void arg(llvm::StringRef key, llvm::json::Value value);

private:
  TraceLog *log_;
  TraceEvent event_;
};

} // namespace fuselage
