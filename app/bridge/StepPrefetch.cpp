#include "app/bridge/StepPrefetch.h"
#include "app/bridge/EngineClient.h"
#include "app/bridge/ReplyCache.h"
#include "app/bridge/TextBlocks.h"
#include <QSet>

using namespace Qt::StringLiterals;

namespace fuselage {

/// The window follows a reply with the next request at once; after this long it has all that it wants.
static constexpr int idleMs = 30;
/// More is no step: a search, or scrolling.
static constexpr qsizetype mostQuestions = 32;
/// A question that was not asked at so many steps is no habit: the panels are others.
static constexpr int habitSteps = 4;
/// Steps whose text and panels are asked for whole.
static constexpr qsizetype neighbours = 2;
/// Of a long text, the blocks next to what is in sight.
static constexpr int mostBlocks = 16;

/// Ops are numbered anew in every snapshot, and lines are asked for by blocks. Verdicts take the engine long, and come
/// after a rest.
static bool isHabit(const QString &method) {
  static const QSet<QString> others{u"op/details"_s, u"text/lines"_s,  u"text/opAt"_s,
                                    u"text/uses"_s,  u"text/opFrom"_s, u"fusion/report"_s};
  return isPure(method) && !others.contains(method);
}

StepPrefetch::StepPrefetch(EngineClient &client, QObject *parent) : QObject(parent), client_(client) {
  idle_.setInterval(idleMs);
  connect(&idle_, &QTimer::timeout, this, [this] {
    if (client_.isChanging())
      return;
    idle_.stop();
    breath_.clear();
    askAhead();
  });
  connect(&client_, &EngineClient::asked, this, &StepPrefetch::note);
}

void StepPrefetch::setOn(bool isOn) {
  isOn_ = isOn;
  client_.setCaching(isOn);
  questions_.clear();
  around_.clear();
  idle_.stop();
}

void StepPrefetch::showing(const Stop &stop, const QList<Stop> &around) {
  if (!isOn_)
    return;
  stop_ = stop;
  around_ = around;
  seenLine_ = 0; // another text begins at its top
  ++steps_;
  for (const auto &[method, params] : std::exchange(breath_, {}))
    note(method, params);
  questions_.removeIf([this](const Question &each) { return each.step < steps_ - habitSteps; });
  idle_.start();
}

void StepPrefetch::refresh() {
  if (isOn_ && stop_.snapshot >= 0)
    idle_.start();
}

bool StepPrefetch::Question::isInSight() const { return method == "graph/scene"_L1 || method.startsWith("step/"_L1); }

/// nullopt: nothing led to that step.
std::optional<QJsonObject> StepPrefetch::Question::at(const Stop &stop) const {
  QJsonObject result = params;
  for (const auto &[key, side] : sides) {
    const int snapshot = side == Side::Here ? stop.snapshot : stop.before;
    if (snapshot < 0)
      return std::nullopt;
    result.insert(key, snapshot);
  }
  return result;
}

void StepPrefetch::note(const QString &method, const QJsonObject &params) {
  if (!isOn_)
    return;
  if (isPure(method))
    breath_.append({method, params});
  const bool isOfHere =
      params["snapshot"_L1].toInt(-1) == stop_.snapshot || params["after"_L1].toInt(-1) == stop_.after;
  if (method == "text/lines"_L1 && isOfHere)
    seenLine_ = params["first"_L1].toInt();
  if (isPure(method))
    idle_.start();
  if (!isHabit(method) || !isOfHere)
    return;
  Question question{.method = method, .params = params, .sides = {}, .step = steps_};
  // `ids_of`, which the user's choices are told by, stays.
  for (const QString &key : {u"snapshot"_s, u"before"_s, u"after"_s})
    if (const int snapshot = params[key].toInt(-1);
        snapshot >= 0 && (snapshot == stop_.snapshot || snapshot == stop_.before)) {
      question.sides.append({key, snapshot == stop_.snapshot ? Side::Here : Side::Before});
      question.params.remove(key);
    }
  questions_.removeOne(question);
  questions_.append(question);
  if (questions_.size() > mostQuestions)
    questions_.removeFirst();
}

static QJsonObject linesOf(int snapshot, int block) {
  return {{u"snapshot"_s, snapshot}, {u"first"_s, block * textBlock}, {u"count"_s, textBlock}};
}

void StepPrefetch::addInSight(const Stop &stop, Questions &wanted) const {
  wanted.append({u"text/lines"_s, linesOf(stop.snapshot, 0)});
  if (stop.before >= 0 && stop.after >= 0)
    wanted.append({u"step/graphDiff"_s, {{u"before"_s, stop.before}, {u"after"_s, stop.after}}});
  for (const Question &question : questions_)
    if (const std::optional<QJsonObject> params = question.isInSight() ? question.at(stop) : std::nullopt)
      wanted.append({question.method, *params});
}

/// All of it, or what is next to the lines that are in sight now: neighbours are much alike.
void StepPrefetch::addText(const Stop &stop, Questions &wanted) const {
  const int blocks = lines_ ? lines_() / textBlock + 1 : 1, seen = seenLine_ / textBlock;
  const int first = std::max(0, std::min(seen - mostBlocks / 2, blocks - mostBlocks));
  for (int block = first; block < std::min(blocks, first + mostBlocks); ++block)
    wanted.append({u"text/lines"_s, linesOf(stop.snapshot, block)});
}

void StepPrefetch::askAhead() {
  Questions wanted;
  for (const Stop &stop : std::as_const(around_))
    addInSight(stop, wanted);
  for (const Stop &stop : around_.first(std::min(neighbours, around_.size()))) {
    if (const qint64 id = selected_ ? selected_(stop) : -1; id >= 0)
      wanted.append({u"op/details"_s, {{u"snapshot"_s, stop.snapshot}, {u"id"_s, id}}});
    addText(stop, wanted);
    for (const Question &question : std::as_const(questions_))
      if (const std::optional<QJsonObject> params = question.isInSight() ? std::nullopt : question.at(stop))
        wanted.append({question.method, *params});
  }
  client_.prefetch(wanted);
}

} // namespace fuselage
