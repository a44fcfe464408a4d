// Makes spans of the events of a trace: matches begins and ends, and finds out what is inside of what.
#pragma once
#include "core/trace/TraceModel.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace fuselage {

/// An event as it stands in the file.
struct RawEvent {
  std::string name, category, phase, process, thread;
  std::string description, rowName; ///< args.desc of mlir-opt's, args.name of the names of rows
  std::optional<double> time, duration;
  int32_t step = -1;
};

class TraceSpans {
public:
  static constexpr size_t most = 20'000'000;

  /// False: there are too many.
  bool add(const RawEvent &event);
  /// `cut`: as TraceFile's.
  TraceFile finish(std::string cut);

private:
  struct Thread {
    std::vector<uint32_t> open; ///< spans whose end has not come, the innermost last
    double last = 0;            ///< the latest time of an event
  };
  uint32_t intern(llvm::StringMap<uint32_t> &known, std::vector<std::string> &all, const std::string &text);
  uint32_t threadOf(const RawEvent &event);
  void nameRow(const RawEvent &event);
  void addSpan(const RawEvent &event, double duration);
  void end(const RawEvent &event);
  void closeOpen();
  void moveToZero();
  void nest();

  TraceFile trace_;
  llvm::StringMap<uint32_t> names_, categories_, threadIds_;
  std::vector<Thread> threads_;
};

} // namespace fuselage
