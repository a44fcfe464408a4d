// The step of a recording that a note was made on, and how a recording is repeated up to there.
#pragma once
#include "core/notes/NotedOps.h"
#include "core/protocol/Notes.h"
#include "core/stepping/record/Recording.h"

namespace fuselage {

/// Of a snapshot; the input has no pass.
message::StepAnchor<> stepAnchor(const Recording &recording, unsigned snapshot);
/// The snapshot that it stands for here; nullopt: no such step was recorded.
std::optional<unsigned> snapshotOf(const message::StepAnchor<> &anchor, const Recording &recording);
/// The first step that leads to a snapshot; nullopt: it is the input.
std::optional<unsigned> stepTo(const Recording &recording, unsigned snapshot);

/// Finds notes in the snapshots of a recording. Modules of dumps are parsed for it, those of a step once where notes
/// are asked for in the order of their steps.
class NoteFinder {
public:
  explicit NoteFinder(const Recording &recording) : recording_(recording) {}
  message::NotePlace<> find(const message::Note<> &note);
  /// The ops after the last find() that had a snapshot; null where there is no module.
  const NotedOps *ops() const { return ops_.get(); }
  /// Of that find(), of an edge its consumer.
  const NotedOp &op() const { return op_; }
  const NotedOp &producer() const { return producer_; }

private:
  bool load(unsigned snapshot);

  const Recording &recording_;
  std::optional<unsigned> loaded_;
  std::shared_ptr<const void> held_;
  std::unique_ptr<NotedOps> ops_;
  NotedOp op_, producer_;
};

} // namespace fuselage
