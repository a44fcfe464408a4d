#include "core/stepping/report/NoteSteps.h"

namespace fuselage {

using message::NoteKind;
using message::NoteState;

std::optional<unsigned> stepTo(const Recording &recording, unsigned snapshot) {
  for (unsigned i = 0; i < recording.steps.size(); ++i)
    if (recording.steps[i].after == static_cast<int>(snapshot) && recording.steps[i].before != recording.steps[i].after)
      return i;
  return std::nullopt;
}

message::StepAnchor<> stepAnchor(const Recording &recording, unsigned snapshot) {
  message::StepAnchor<> anchor;
  std::optional<unsigned> index = stepTo(recording, snapshot);
  if (!index)
    return anchor;
  const Step &step = recording.steps[*index];
  anchor.pass = step.pass.empty() ? step.name : step.pass;
  anchor.name = step.name;
  anchor.scope = step.scope;
  for (unsigned i = 0; i < *index; ++i)
    anchor.ordinal += recording.steps[i].pass == step.pass && recording.steps[i].scope == step.scope;
  return anchor;
}

std::optional<unsigned> snapshotOf(const message::StepAnchor<> &anchor, const Recording &recording) {
  if (anchor.pass.empty())
    return 0;
  int before = 0;
  for (const Step &step : recording.steps)
    if ((step.pass.empty() ? step.name : step.pass) == anchor.pass && step.scope == anchor.scope &&
        before++ == anchor.ordinal)
      return recording.shown(step);
  return std::nullopt;
}

bool NoteFinder::load(unsigned snapshot) {
  if (loaded_ == snapshot)
    return ops_ != nullptr;
  loaded_ = snapshot;
  ops_.reset();
  const Snapshot &wanted = *recording_.snapshots[snapshot];
  mlir::ModuleOp module = wanted.module();
  if (!module)
    return false;
  held_ = wanted.holdModule();
  ops_ = std::make_unique<NotedOps>(module);
  return true;
}

/// Of both ends of an edge, what is known less well.
static NoteState worse(NoteState a, NoteState b) { return static_cast<int>(a) > static_cast<int>(b) ? a : b; }

message::NotePlace<> NoteFinder::find(const message::Note<> &note) {
  message::NotePlace<> place;
  op_ = producer_ = NotedOp();
  std::optional<unsigned> snapshot = snapshotOf(note.step, recording_);
  if (!snapshot) {
    place.state = NoteState::NoStep;
    place.how = "its step '" + note.step.name + "' is not among those that are recorded";
    return place;
  }
  place.snapshot = *snapshot;
  if (note.kind == NoteKind::Step) {
    place.state = NoteState::Found;
    place.line = 0;
    return place;
  }
  if (!load(*snapshot)) {
    place.how = "the IR there cannot be read";
    return place;
  }
  ResolvedOp found = ops_->find(note.op);
  place.state = found.state;
  place.how = found.how;
  if (note.producer) {
    ResolvedOp producer = ops_->find(*note.producer);
    place.state = worse(place.state, producer.state);
    if (producer.state == NoteState::Lost)
      place.how = "the op at the beginning of the edge is not here any more";
    else if (place.how.empty())
      place.how = producer.how;
    producer_ = producer.op;
  }
  if (place.state == NoteState::Lost)
    return place;
  op_ = found.op;
  place.hasOp = true;
  place.op = op_.argument < 0 ? op_.op : -1;
  place.producer = producer_.argument < 0 ? producer_.op : -1;
  const PrintedModule &printed = recording_.snapshots[*snapshot]->printed();
  place.line = printed.linesOf(op_.op).first;
  return place;
}

} // namespace fuselage
