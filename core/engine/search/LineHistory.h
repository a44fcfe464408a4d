// A line of a log over its passes, where nothing tells where ops come from.
#pragma once
#include "core/engine/Document.h"
#include "core/protocol/Search.h"
#include <atomic>

namespace fuselage {

/// The text of a snapshot, and of a dump that nobody looks at only for as long as this lives.
class TextReading {
public:
  TextReading(Document &document, unsigned snapshot)
      : snapshot_(document.snapshot(snapshot)), releases_(snapshot_->isDump() && !snapshot_->isPrinted()),
        lines_(snapshot_->isDump() ? snapshot_->lines() : document.lines(snapshot)) {}
  ~TextReading() {
    if (releases_)
      snapshot_->releaseText();
  }
  TextReading(const TextReading &) = delete;
  const PrintedModule &lines() const { return lines_; }

private:
  std::shared_ptr<const Snapshot> snapshot_;
  bool releases_;
  const PrintedModule &lines_;
};

/// Adds what became of the line after `snapshot`, and how it came to be what it is there: as long as a step leaves a
/// line like it, it is that; where none is left, the step's diff says what it was changed to or from. False: cancelled.
bool followLine(Document &document, unsigned snapshot, unsigned line, const std::atomic<bool> &cancelled,
                llvm::function_ref<void(unsigned done, unsigned total)> progress, message::History<> &history);

} // namespace fuselage
