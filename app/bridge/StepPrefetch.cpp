#include "app/bridge/StepPrefetch.h"
#include "app/bridge/EngineClient.h"
#include "app/bridge/ReplyCache.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// The window follows a reply with the next request at once; after this long it has all that it wants.
static constexpr int idleMs = 30;
/// More is no step: a search, or scrolling.
static constexpr qsizetype mostQuestions = 64;

StepPrefetch::StepPrefetch(EngineClient &client, QObject *parent) : QObject(parent), client_(client) {
  idle_.setInterval(idleMs);
  connect(&idle_, &QTimer::timeout, this, [this] {
    if (client_.pendingRequests() > 0)
      return;
    idle_.stop();
    askAhead();
  });
  connect(&client_, &EngineClient::asked, this, &StepPrefetch::note);
}

void StepPrefetch::setOn(bool isOn) {
  isOn_ = isOn;
  client_.setCaching(isOn);
  questions_.clear();
  idle_.stop();
}

void StepPrefetch::showing(int snapshot, int last) {
  if (!isOn_)
    return;
  before_ = snapshot_;
  snapshot_ = snapshot;
  last_ = last;
  questions_.clear();
  idle_.start();
}

void StepPrefetch::note(const QString &method, const QJsonObject &params) {
  if (!isPure(method) || snapshot_ < 0 || questions_.size() >= mostQuestions)
    return;
  questions_.append({method, params});
  idle_.start();
}

/// The request with numbers of snapshots moved; those that the step does not decide stay.
static QJsonObject moved(const QJsonObject &params, int by) {
  QJsonObject result = params;
  for (const auto key : {"snapshot"_L1, "ids_of"_L1, "before"_L1, "after"_L1, "from"_L1, "to"_L1, "step"_L1})
    if (const QJsonValue value = params[key]; value.isDouble())
      result.insert(key, value.toInteger() + by);
  return result;
}

void StepPrefetch::askAhead() {
  // On in the direction of the last step first.
  const int forth = before_ > snapshot_ ? -1 : 1;
  for (const int by : {forth, -forth})
    if (const int to = snapshot_ + by; to >= 0 && to <= last_)
      for (const Question &question : std::as_const(questions_))
        client_.prefetch(question.method, moved(question.params, by));
}

} // namespace fuselage
