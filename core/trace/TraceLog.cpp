#include "core/trace/TraceLog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace fuselage {

TraceLog::TraceLog() { thread(); }

double TraceLog::now() const { return std::chrono::duration<double, std::micro>(Clock::now() - start_).count(); }

unsigned TraceLog::thread() {
  std::lock_guard lock(mutex_);
  auto [found, isNew] = threads_.try_emplace(std::this_thread::get_id(), names_.size());
  if (isNew)
    names_.push_back(names_.empty() ? "main" : "thread " + std::to_string(names_.size()));
  return found->second;
}

unsigned TraceLog::track(llvm::StringRef name) {
  std::lock_guard lock(mutex_);
  auto [found, isNew] = tracks_.try_emplace(name.str(), names_.size());
  if (isNew)
    names_.push_back(name.str());
  return found->second;
}

void TraceLog::add(TraceEvent event) {
  std::lock_guard lock(mutex_);
  if (events_.size() < most)
    events_.push_back(std::move(event));
  else
    ++left_;
}

size_t TraceLog::size() const {
  std::lock_guard lock(mutex_);
  return events_.size();
}

static llvm::json::Object nameOfRow(llvm::StringRef what, int64_t process, unsigned thread, llvm::StringRef name) {
  return llvm::json::Object{{"name", what},
                            {"ph", "M"},
                            {"pid", process},
                            {"tid", int64_t(thread)},
                            {"args", llvm::json::Object{{"name", llvm::json::fixUTF8(name)}}}};
}

/// With nanoseconds as decimals, which is as much as viewers keep.
static void writeEvent(llvm::raw_ostream &os, const TraceEvent &event, int64_t process) {
  os << ",\n{\"ph\":\"X\",\"ts\":" << llvm::format("%.3f", event.start)
     << ",\"dur\":" << llvm::format("%.3f", event.duration) << ",\"pid\":" << process << ",\"tid\":" << event.thread
     << ",\"cat\":" << llvm::json::Value(event.category)
     << ",\"name\":" << llvm::json::Value(llvm::json::fixUTF8(event.name));
  if (!event.args.empty())
    os << ",\"args\":" << llvm::json::Value(llvm::json::Object(event.args));
  os << '}';
}

void TraceLog::write(llvm::raw_ostream &os) const {
  std::lock_guard lock(mutex_);
  const int64_t process = getpid();
  std::vector<const TraceEvent *> sorted;
  for (const TraceEvent &event : events_)
    sorted.push_back(&event);
  // What is around others comes first.
  llvm::stable_sort(sorted, [](const TraceEvent *a, const TraceEvent *b) {
    return a->start != b->start ? a->start < b->start : a->duration > b->duration;
  });
  os << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
     << llvm::json::Value(nameOfRow("process_name", process, 0, "fuselage"));
  for (auto [number, name] : llvm::enumerate(names_))
    os << ",\n" << llvm::json::Value(nameOfRow("thread_name", process, number, name));
  for (const TraceEvent *event : sorted)
    writeEvent(os, *event, process);
  os << "\n]";
  if (left_ > 0)
    os << ", \"otherData\": {\"events left out\": " << left_ << "}";
  os << "}\n";
}

static std::unique_ptr<TraceLog> log;

TraceLog *traceLog() { return log.get(); }

void startTrace() { log = std::make_unique<TraceLog>(); }

TraceScope::TraceScope(llvm::StringRef category, llvm::StringRef name) : log_(traceLog()) {
  if (log_)
    event_ = {.category = category.str(), .name = name.str(), .start = log_->now(), .thread = log_->thread()};
}

TraceScope::~TraceScope() {
  if (!log_)
    return;
  event_.duration = log_->now() - event_.start;
  log_->add(std::move(event_));
}

void TraceScope::arg(llvm::StringRef key, llvm::json::Value value) {
  if (!log_)
    return;
  if (auto text = value.getAsString())
    value = llvm::json::fixUTF8(*text);
  event_.args[key.str()] = std::move(value);
}

} // namespace fuselage
