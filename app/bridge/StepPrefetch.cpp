#include "app/bridge/StepPrefetch.h"
#include "app/bridge/EngineClient.h"
#include "app/bridge/ReplyCache.h"
#include <climits>
#include <optional>

using namespace Qt::StringLiterals;

namespace fuselage {

/// The window follows a reply with the next request at once; after this long it has all that it wants.
static constexpr int idleMs = 30;
/// More is no step: a search, or scrolling.
static constexpr qsizetype mostQuestions = 64;
/// A question that was not asked at so many steps is no habit: the selection or the panels are others.
static constexpr int habitSteps = 4;

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
  ++steps_;
  questions_.removeIf([this](const Question &each) { return each.step < steps_ - habitSteps; });
  idle_.start();
}

/// The request with numbers of snapshots moved; `ids_of`, which the user's choices are told by, stays. nullopt: one of
/// them is no snapshot.
static std::optional<QJsonObject> moved(const QJsonObject &params, int by, int least, int most) {
  QJsonObject result = params;
  for (const auto key : {"snapshot"_L1, "before"_L1, "after"_L1})
    if (const QJsonValue value = params[key]; value.isDouble()) {
      const qint64 number = value.toInteger() + by;
      if (number < least || number > most)
        return std::nullopt;
      result.insert(key, number);
    }
  return result;
}

void StepPrefetch::note(const QString &method, const QJsonObject &params) {
  if (!isOn_ || !isPure(method) || snapshot_ < 0)
    return;
  const Question question{.method = method, .params = *moved(params, -snapshot_, INT_MIN, INT_MAX), .step = steps_};
  questions_.removeOne(question);
  questions_.append(question);
  if (questions_.size() > mostQuestions)
    questions_.removeFirst();
  idle_.start();
}

void StepPrefetch::askAhead() {
  // On in the direction of the last step first.
  const int forth = before_ > snapshot_ ? -1 : 1;
  for (const int to : {snapshot_ + forth, snapshot_ - forth})
    if (to >= 0 && to <= last_)
      for (const Question &question : std::as_const(questions_))
        if (const std::optional<QJsonObject> params = moved(question.params, to, 0, last_))
          client_.prefetch(question.method, *params);
}

} // namespace fuselage
