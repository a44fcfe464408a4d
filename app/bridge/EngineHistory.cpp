// Fusions of the session: made, undone, done again, and repeated by an engine that was restarted.
#include "app/bridge/EngineParameters.h"
#include "core/protocol/methods/FusionMethods.h"
#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static protocol::Request<method::Fuse> requestOf(const FuseRequest &request) {
  protocol::Request<method::Fuse> params{
      .snapshot = request.snapshot, .device = request.device, .policy = request.policy};
  switch (request.what) {
  case FuseRequest::What::Edge:
    params.from = request.from;
    params.to = request.to;
    params.operand = request.operand;
    params.onlyThere = request.onlyThere;
    break;
  case FuseRequest::What::All:
    params.all = true;
    break;
  case FuseRequest::What::CleanUp:
    params.cleanUp = true;
    break;
  case FuseRequest::What::Pipeline:
    params.pipeline = request.pipeline;
    break;
  }
  if (!request.isChecked)
    params.check = method::CheckWhen::Never;
  return params;
}

void EngineSession::fuse(const FuseRequest &request) {
  if (!hasDocument() || isBusy())
    return;
  setState(State::Fusing);
  fusingPass_.clear();
  found_ = {
      .what = FuseRequest::What::Pipeline, .snapshot = request.snapshot, .policy = request.policy, .isChecked = false};
  client_.forgive<method::Fuse>();
  asked_ = client_.call<method::Fuse>(
      requestOf(request), this,
      [this, request](const protocol::FuseResult &result) {
        cancelGrace_.stop();
        if (result.history.undo > undo_) {
          // A restarted engine repeats what was found, without searching.
          FuseRequest found = request;
          found.what = FuseRequest::What::Pipeline;
          found.pipeline = result.pipeline;
          found.device.clear();
          done_.append({.record = {}, .fuse = found, .isFusion = true, .limit = -1});
          undone_.clear();
          hasRecorded_ = true;
        }
        found_ = {};
        setHistory(result.history);
        setState(State::Ready);
        emit fused(result);
      },
      [this](const protocol::Error &error) {
        cancelGrace_.stop();
        if (error.code == protocol::Error::EngineGone)
          return;
        setState(State::Ready);
        if (error.code != protocol::Error::Cancelled || !fuseFound())
          emit fuseFailed(error);
      });
}

bool EngineSession::fuseFound() {
  const FuseRequest found = std::exchange(found_, {});
  if (found.pipeline.isEmpty())
    return false;
  fuse(found);
  return true;
}

void EngineSession::setHistory(const protocol::FusionHistory &history) {
  steps_ = history.steps;
  kept_ = history.kept;
  undo_ = history.undo;
  redo_ = history.redo;
}

void EngineSession::forgetHistory() {
  done_.clear();
  undone_.clear();
  // A module's normalization stays before all that is recorded.
  kept_ = document_.log ? 0 : int(document_.steps.size());
  undo_ = redo_ = 0;
}

QString EngineSession::programKey() const {
  QStringList parts{document_.path, QString::number(document_.log ? recorded_.from : 0)};
  for (const HistoryEntry &entry : done_)
    if (entry.isFusion)
      parts.append(u"%1 %2"_s.arg(entry.fuse.snapshot).arg(entry.fuse.pipeline));
  return parts.join(u'\n');
}

QString EngineSession::programKey(int snapshot) const {
  QStringList parts{document_.path, QString::number(document_.log ? recorded_.from : 0)};
  bool isRecorded = false; // not fused
  for (qsizetype i = 0; i < steps_.size() && steps_[i].after >= 0 && steps_[i].after <= snapshot; ++i) {
    if (!steps_[i].changed)
      continue;
    parts.append(steps_[i].name + u' ' + steps_[i].pipeline);
    isRecorded |= i >= kept_;
  }
  if (isRecorded)
    parts.append(QString::number(recordings_));
  return parts.join(u'\n');
}

/// Replaces what was recorded since the last fusion. `limit`: steps that it got to; -1: to its end.
void EngineSession::noteRecord(const RecordRequest &request, int limit) {
  undone_.clear();
  if (request.from >= 0)
    done_.clear();
  while (!done_.isEmpty() && !done_.last().isFusion)
    done_.removeLast();
  done_.append({.record = request, .fuse = {}, .isFusion = false, .limit = limit});
}

void EngineSession::undoFusion() { moveInHistory<method::UndoFusion>(); }

void EngineSession::redoFusion() { moveInHistory<method::RedoFusion>(); }

template <class Method> void EngineSession::moveInHistory() {
  if (!hasDocument() || isBusy())
    return;
  setState(State::Fusing);
  client_.forgive<Method>();
  asked_ = client_.call<Method>(
      {}, this,
      [this, back = std::is_same_v<Method, method::UndoFusion>](const protocol::FusionHistory &history) {
        // A fusion moves with what was recorded after it.
        QList<HistoryEntry> &from = back ? done_ : undone_, &to = back ? undone_ : done_;
        if (back) {
          while (!from.isEmpty() && !from.last().isFusion)
            to.append(from.takeLast());
          if (!from.isEmpty())
            to.append(from.takeLast());
        } else {
          if (!from.isEmpty())
            to.append(from.takeLast());
          while (!from.isEmpty() && !from.last().isFusion)
            to.append(from.takeLast());
        }
        setHistory(history);
        hasRecorded_ = !done_.isEmpty();
        setState(State::Ready);
        emit historyMoved(back && !undone_.isEmpty() ? undone_.last().fuse.snapshot : int(steps_.size()));
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone || !linkText_.isEmpty())
          return;
        setState(State::Ready);
        emit fuseFailed(error);
      });
}

/// Repeats what led to the steps, one after the other, and then what was undone, which is undone again.
/// The last recording only goes up to its last good step.
void EngineSession::replay(qsizetype next) {
  const qsizetype kept = done_.size(), again = next - kept;
  if (again == undone_.size()) {
    stepBack(qsizetype(
        std::count_if(undone_.begin(), undone_.end(), [](const HistoryEntry &entry) { return entry.isFusion; })));
    return;
  }
  HistoryEntry &entry = again < 0 ? done_[next] : undone_[undone_.size() - 1 - again];
  auto failed = [this, again](const protocol::Error &error) {
    if (error.code == protocol::Error::EngineGone || !linkText_.isEmpty())
      return;
    if (again < 0) {
      dropToDocument();
      return;
    }
    // What was undone is worth less than what there is.
    undone_.remove(0, undone_.size() - again);
    replay(done_.size() + again);
  };
  if (!entry.isFusion) {
    if (again < 0 && next + 1 == kept) {
      entry.limit = int(steps_.size());
      if (undone_.isEmpty()) {
        sendRecord(entry.record, entry.limit);
        return;
      }
    }
    client_.call<method::RecordPipeline>(
        requestOf(entry.record, entry.limit), this, [this, next](const protocol::Recording &) { replay(next + 1); },
        failed);
    return;
  }
  // It was checked when it was found.
  protocol::Request<method::Fuse> params = requestOf(entry.fuse);
  params.check = method::CheckWhen::Never;
  client_.call<method::Fuse>(
      params, this,
      [this, next](const protocol::FuseResult &result) {
        kept_ = result.history.kept;
        undo_ = result.history.undo;
        redo_ = 0;
        replay(next + 1);
      },
      failed);
}

/// Undoes the last fusions that were repeated, and ends the recovery.
void EngineSession::stepBack(qsizetype fusions) {
  if (fusions == 0) {
    finishRecovery(int(steps_.size()));
    return;
  }
  client_.call<method::UndoFusion>(
      {}, this,
      [this, fusions](const protocol::FusionHistory &history) {
        setHistory(history);
        stepBack(fusions - 1);
      },
      [this](const protocol::Error &error) {
        if (error.code != protocol::Error::EngineGone && linkText_.isEmpty())
          dropToDocument();
      });
}

} // namespace fuselage
