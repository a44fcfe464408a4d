// Another compiler, whose passes are shown while it is at work.
#include "app/bridge/EngineSession.h"
#include "core/protocol/methods/DocumentMethods.h"

using namespace Qt::StringLiterals;

namespace fuselage {

void EngineSession::runTool(const QString &path, const QString &command) {
  if (isBusy())
    return;
  openingPath_ = path;
  client_.forgiveAll();
  emit documentLeft();
  setState(State::Opening);
  client_.call<method::StartTool>(
      {.path = path, .command = command}, this,
      [this](const protocol::Document &document) {
        toolTimer_.start();
        takeDocument(document);
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::EngineGone)
          return;
        openingPath_.clear();
        setState(State::Ready);
        emit toolFailed(error);
      });
}

void EngineSession::stopTool() {
  if (isToolRunning())
    client_.call<method::StopTool>({}, this, {});
}

void EngineSession::pollTool() {
  // A recording from one of its steps may take longer than a poll.
  if (state_ != State::Ready)
    return;
  client_.call<method::PollTool>(
      {}, this, [this](const protocol::ToolProgress &progress) { takeToolProgress(progress); },
      [this](const protocol::Error &) { toolTimer_.stop(); }, u"tool"_s);
}

void EngineSession::takeToolProgress(const protocol::ToolProgress &progress) {
  if (!isToolRunning())
    return;
  // With the first steps comes the input that they start from.
  const bool isReplaced = progress.first < document_.steps.size() || (progress.first == 0 && !progress.steps.isEmpty());
  document_.steps.resize(std::min<qsizetype>(document_.steps.size(), progress.first));
  document_.steps.append(progress.steps);
  document_.bytes = progress.bytes;
  if (!progress.running)
    toolTimer_.stop();
  if (showsLog()) {
    steps_ = document_.steps;
    if (isReplaced)
      emit toolStepsReplaced();
    else
      for (const protocol::Step &step : progress.steps)
        emit stepFinished(step);
  }
  emit toolProgressed(progress);
}

} // namespace fuselage
