#include "core/trace/TraceSpans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace fuselage {

/// What tells events of one name apart: mlir-opt calls all of them pass-execution or apply-pattern, and describes them
/// as "`pass-execution` running `CSE` on Operation `func.func`" and "`apply-pattern pattern: Name".
static std::string labelOf(const RawEvent &event) {
  llvm::StringRef description = event.description;
  if (description.consume_front("`") && description.consume_front(event.name)) {
    if (description.consume_front("` running `"))
      return event.name + " " + description.split('`').first.str();
    if (description.consume_front(" pattern: "))
      return event.name + " " + description.rtrim('`').str();
  }
  return event.name;
}

uint32_t TraceSpans::intern(llvm::StringMap<uint32_t> &known, std::vector<std::string> &all, const std::string &text) {
  auto [found, isNew] = known.try_emplace(text, all.size());
  if (isNew)
    all.push_back(llvm::json::fixUTF8(text));
  return found->second;
}

uint32_t TraceSpans::threadOf(const RawEvent &event) {
  const std::string process = event.process.empty() ? "0" : event.process;
  const std::string thread = event.thread.empty() ? "0" : event.thread;
  auto [found, isNew] = threadIds_.try_emplace(process + "/" + thread, threads_.size());
  if (isNew) {
    threads_.push_back({});
    trace_.threads.push_back(llvm::json::fixUTF8("process " + process + ", thread " + thread));
  }
  return found->second;
}

void TraceSpans::nameRow(const RawEvent &event) {
  if (event.name == "thread_name" && !event.rowName.empty())
    trace_.threads[threadOf(event)] = llvm::json::fixUTF8(event.rowName);
}

void TraceSpans::addSpan(const RawEvent &event, double duration) {
  const uint32_t thread = threadOf(event);
  if (duration < 0) // its end has not come yet
    threads_[thread].open.push_back(trace_.spans.size());
  trace_.spans.push_back({.name = intern(names_, trace_.names, labelOf(event)),
                          .category = intern(categories_, trace_.categories, event.category),
                          .thread = thread,
                          .start = *event.time,
                          .duration = duration,
                          .step = event.step});
  threads_[thread].last = std::max(threads_[thread].last, *event.time + std::max(duration, 0.0));
}

void TraceSpans::end(const RawEvent &event) {
  Thread &thread = threads_[threadOf(event)];
  if (thread.open.empty()) {
    ++trace_.skipped;
    return;
  }
  TraceSpan &span = trace_.spans[thread.open.back()];
  thread.open.pop_back();
  span.duration = std::max(0.0, *event.time - span.start);
  thread.last = std::max(thread.last, *event.time);
}

/// Whether it can be a time in microseconds: not more than some 30,000 years.
static bool isTime(double microseconds) { return std::abs(microseconds) < 1e18; }

bool TraceSpans::add(const RawEvent &event) {
  if (event.phase == "M") {
    nameRow(event);
    return true;
  }
  const bool isSpan = event.phase == "X" || event.phase == "B" || event.phase == "E";
  if (!isSpan) {
    const bool isInstant = event.phase == "i" || event.phase == "I" || event.phase == "R";
    ++(isInstant ? trace_.instants : event.phase.empty() ? trace_.skipped : trace_.others);
    return true;
  }
  const double duration = event.duration.value_or(0);
  if (!isTime(event.time.value_or(INFINITY)) || !isTime(duration) || duration < 0) {
    ++trace_.skipped;
    return true;
  }
  if (event.phase == "E")
    end(event);
  else
    addSpan(event, event.phase == "X" ? duration : -1);
  return trace_.spans.size() <= most;
}

/// What never ended lasts to the end of its thread.
void TraceSpans::closeOpen() {
  for (Thread &thread : threads_)
    for (uint32_t open : thread.open) {
      TraceSpan &span = trace_.spans[open];
      span.duration = std::max(0.0, thread.last - span.start);
      ++trace_.unfinished;
    }
}

/// Clocks begin anywhere.
void TraceSpans::moveToZero() {
  double first = std::numeric_limits<double>::infinity();
  for (const TraceSpan &span : trace_.spans)
    first = std::min(first, span.start);
  for (TraceSpan &span : trace_.spans) {
    span.start -= first;
    trace_.duration = std::max(trace_.duration, span.start + span.duration);
  }
}

/// Depths and own times, thread by thread.
void TraceSpans::nest() {
  llvm::stable_sort(trace_.spans, [](const TraceSpan &a, const TraceSpan &b) {
    return std::make_tuple(a.thread, a.start, -a.duration) < std::make_tuple(b.thread, b.start, -b.duration);
  });
  std::vector<TraceSpan *> around;
  for (TraceSpan &span : trace_.spans) {
    while (!around.empty() &&
           (around.back()->thread != span.thread || around.back()->start + around.back()->duration <= span.start))
      around.pop_back();
    span.depth = around.size();
    span.self = span.duration;
    if (!around.empty()) {
      TraceSpan &outer = *around.back();
      const double inside = std::min(span.duration, outer.start + outer.duration - span.start);
      outer.self = std::max(0.0, outer.self - inside);
    }
    around.push_back(&span);
  }
}

TraceFile TraceSpans::finish(std::string cut) {
  closeOpen();
  moveToZero();
  nest();
  trace_.cut = std::move(cut);
  return std::move(trace_);
}

} // namespace fuselage
