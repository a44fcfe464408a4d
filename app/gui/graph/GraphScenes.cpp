#include "app/gui/graph/GraphScenes.h"
#include "app/gui/replies/SceneReply.h"
#include "core/protocol/methods/GraphMethods.h"
#include "core/protocol/methods/OpMethods.h"
#include "core/protocol/methods/StepMethods.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include <QJsonArray>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Removed ops named under a step; the rest is counted.
static constexpr qsizetype removedNamesShown = 12;

GraphScenes::GraphScenes(EngineSession &session, GraphView &view, QObject *parent, const QString &tag)
    : QObject(parent), session_(session), view_(view), tag_(tag), isBeside_(tag != u"scene"_s) {
  connect(&view, &GraphView::clusterToggled, this, &GraphScenes::toggleCluster);
  rest_.setSingleShot(true);
  rest_.setInterval(120);
  connect(&rest_, &QTimer::timeout, this, &GraphScenes::prepareNext);
}

void GraphScenes::reset() {
  snapshot_ = 0;
  toggled_ = {};
  shownAs_ = {.snapshot = -1, .collapsed = {}, .expanded = {}};
  names_.clear();
  times_.clear();
  dropSteps();
}

void GraphScenes::dropSteps() {
  adoptIds();
  drawn_.clear();
  changes_.clear();
  marked_.clear();
  names_.removeIf([](const auto &item) { return item.key() > 0; });
  step_ = shownStep_ = {};
}

static protocol::Request<method::GraphScene> sceneOf(const method::SceneChoice<protocol::QtTypes> &choice) {
  return {.scene = choice, .packed = true};
}

void GraphScenes::show(int snapshot, Sides step) {
  const bool isFirst = shownAs_.snapshot < 0 && !isBeside_;
  if (!isFirst) {
    // Neighbours glide into each other: what the step did is needed before its scene arrives.
    requestChanges(step);
    if (shownStep_.before == snapshot)
      requestChanges(shownStep_);
  }
  snapshot_ = snapshot;
  step_ = step;
  if (!isFirst)
    return request();
  // Of a document that was just opened the text is asked for first, then the graph, unless that was asked for before,
  // and then what a step changed.
  const bool isAsked = ahead_.has_value();
  if (isAsked)
    request();
  setLoading(true);
  QTimer::singleShot(0, this, [this, isAsked] {
    if (!session_.hasDocument() || (!isAsked && shownAs_.snapshot >= 0))
      return;
    if (!isAsked)
      request();
    requestChanges(step_);
  });
}

void GraphScenes::askAhead() {
  if (ahead_ || session_.hasDocument())
    return;
  const protocol::Request<method::GraphScene> question = sceneOf(drawn());
  ahead_ = {.id = ask(question, {}), .question = parametersOf(question)};
}

void GraphScenes::setOptions(const GraphOptions &options) {
  if (options.dispatches != options_.dispatches || options.repeats != options_.repeats) {
    toggled_ = {.snapshot = snapshot_, .collapsed = {}, .expanded = {}};
  }
  options_ = options;
  if (session_.hasDocument())
    request();
  emit drawnOtherwise();
}

void GraphScenes::drawAs(const GraphScenes &other) {
  options_ = other.options_;
  toggled_ = other.toggled_;
  if (session_.hasDocument() && shownSnapshot() >= 0)
    request();
}

void GraphScenes::toggleCluster(NodeId id, bool collapse) {
  adoptIds();
  // Back to how it was by default asks for the very picture that was there before.
  if (!(collapse ? toggled_.expanded : toggled_.collapsed).remove(id))
    (collapse ? toggled_.collapsed : toggled_.expanded).insert(id);
  request();
  emit drawnOtherwise();
}

bool GraphScenes::expand(const QList<NodeId> &ids) {
  adoptIds();
  bool isOther = false;
  for (const NodeId id : ids) {
    isOther |= toggled_.collapsed.remove(id) || !toggled_.expanded.contains(id);
    toggled_.expanded.insert(id);
  }
  if (isOther) {
    request();
    emit drawnOtherwise();
  }
  return isOther;
}

/// From here on what is open is known by the ids of the snapshot on screen.
void GraphScenes::adoptIds() {
  if (toggled_.snapshot != snapshot_)
    toggled_ =
        shownAs_.snapshot == snapshot_ ? shownAs_ : Toggled{.snapshot = snapshot_, .collapsed = {}, .expanded = {}};
}

void GraphScenes::showPorts(NodeId op, bool show) {
  adoptIds();
  show ? void(toggled_.portsOf.insert(op)) : void(toggled_.portsOf.remove(op));
  request();
}

void GraphScenes::refresh() {
  // The new engine gives the numbers of places to others.
  names_.removeIf([](const auto &item) { return item.key() >= firstPlace; });
  changes_.removeIf([](const auto &item) { return item.key().after >= firstPlace; });
  requestChanges(step_);
  request();
}

static QList<NodeId> sorted(const QSet<NodeId> &set) {
  QList<NodeId> list(set.begin(), set.end());
  std::sort(list.begin(), list.end());
  return list;
}

static QJsonArray ids(const QSet<NodeId> &set) {
  QJsonArray array;
  for (const NodeId id : sorted(set))
    array.append(id);
  return array;
}

QJsonObject GraphScenes::toggledBoxes() const {
  return {
      {u"snapshot"_s, toggled_.snapshot}, {u"closed"_s, ids(toggled_.collapsed)}, {u"open"_s, ids(toggled_.expanded)}};
}

void GraphScenes::toggleBoxes(const QJsonObject &boxes) {
  const auto read = [&](QLatin1String name) {
    QSet<NodeId> set;
    for (const QJsonValue id : boxes.value(name).toArray())
      set.insert(id.toInteger());
    return set;
  };
  toggled_ = {
      .snapshot = boxes.value("snapshot"_L1).toInt(), .collapsed = read("closed"_L1), .expanded = read("open"_L1)};
  if (session_.hasDocument())
    request();
  emit drawnOtherwise();
}

method::SceneChoice<protocol::QtTypes> GraphScenes::drawn() const {
  return {.snapshot = snapshot_,
          .level = options_.dispatches ? method::SceneLevel::Dispatches : method::SceneLevel::Ops,
          .layout = options_.dot ? method::SceneLayout::Dot : method::SceneLayout::Layered,
          .foldConstants = options_.foldConstants,
          .repeats = static_cast<method::SceneRepeats>(options_.repeats),
          .collapsed = sorted(toggled_.collapsed),
          .expanded = sorted(toggled_.expanded),
          .portsOf = sorted(toggled_.snapshot == snapshot_ ? toggled_.portsOf : QSet<NodeId>()),
          .idsOf = toggled_.snapshot};
}

void GraphScenes::setLoading(bool loading) {
  if (loading == loading_)
    return;
  loading_ = loading;
  emit loadingChanged(loading);
}

void GraphScenes::request() {
  setLoading(true);
  const protocol::Request<method::GraphScene> question = sceneOf(drawn());
  const std::optional<Ahead> ahead = std::exchange(ahead_, {});
  const bool isAsked = ahead && !step_.areThere() && ahead->question == parametersOf(question);
  asked_ = isAsked ? ahead->id : ask(question, step_);
}

/// While ahead_ is there, the one request under way is that.
quint64 GraphScenes::ask(const protocol::Request<method::GraphScene> &question, Sides step) {
  return session_.client().call<method::GraphScene, SceneReply>(
      question, this,
      [this, step](const SceneReply &reply) {
        if (std::exchange(ahead_, {}))
          return; // what was opened shows something else
        setLoading(false);
        present(reply, step);
      },
      [this, step](const protocol::Error &error) {
        if (std::exchange(ahead_, {}))
          return; // the document could not be opened
        setLoading(false);
        // A request that another one replaced does not come back: the user cancelled this one.
        if (error.code == protocol::Error::Cancelled)
          emit cancelled();
        else if (error.code != protocol::Error::EngineGone && step == step_)
          emit failed(error);
      },
      tag_);
}

/// The engine draws the step after the one on screen, so that it has it at hand when the user goes on. What it answers
/// is the same then, and is not kept here.
void GraphScenes::prepareNext() {
  if (loading_ || session_.state() != EngineSession::State::Ready)
    return;
  for (const protocol::Step &step : session_.steps()) {
    if (step.before != snapshot_ || step.after <= snapshot_ || drawn_.contains(step.after))
      continue;
    // On a host, StepPrefetch asks for the scene, and for more than that.
    if (!session_.place().isEmpty())
      return requestChanges({.before = step.before, .after = step.after});
    drawn_.insert(step.after);
    requestChanges({.before = step.before, .after = step.after});
    method::SceneChoice<protocol::QtTypes> next = drawn();
    next.snapshot = step.after;
    session_.client().call<method::GraphScene, SceneReply>(
        sceneOf(next), this, [](const SceneReply &) {}, [](const protocol::Error &) {}, tag_ + u"-ahead"_s);
    return;
  }
}

void GraphScenes::cancel() { session_.client().cancel(asked_); }

void GraphScenes::requestChanges(Sides step) {
  if (!step.areThere() || changes_.contains(step))
    return;
  session_.client().call<method::DiffGraph, GraphChanges>({.before = step.before, .after = step.after}, this,
                                                          [this, step](const GraphChanges &changes) {
                                                            const bool isNew = !changes_.contains(step);
                                                            changes_.insert(step, changes);
                                                            if (isNew && !loading_ && step == shownStep_) {
                                                              markChanges();
                                                              emit changesKnown();
                                                            }
                                                            if (isNew && step.before == snapshot_)
                                                              emit nextKnown();
                                                          });
}

/// Of the scene in the view, as far as the step's changes are known.
void GraphScenes::markChanges() {
  const Sides step = shownStep_;
  const bool isBefore = shownAs_.snapshot == step.before;
  marked_ = isBefore ? changes_.value(step).gone : changes_.value(step).changes;
  view_.setChanges(marked_);
  if (changes_.contains(step) && !isBefore) {
    nameRemoved(step);
    listRemoved(step);
  }
}

QHash<NodeId, NodeId> GraphScenes::originsFor(int from, int to) const {
  if (step_ == Sides{.before = from, .after = to})
    return changes_.value(step_).origins;
  if (shownStep_ == Sides{.before = to, .after = from})
    return changes_.value(shownStep_).successors;
  return {};
}

void GraphScenes::present(const SceneReply &reply, Sides step) {
  const int snapshot = reply.scene->data().snapshot;
  shownAs_ = {.snapshot = snapshot, .collapsed = reply.collapsed, .expanded = reply.expanded};
  // The larger picture knows more names; which of two it is hardly matters where they overlap.
  QHash<NodeId, QString> &names = names_[snapshot];
  QHash<NodeId, QString> fewer = reply.names;
  if (fewer.size() > names.size())
    fewer.swap(names);
  names.insert(fewer);
  view_.setScene(reply.scene, originsFor(view_.scene().snapshot, snapshot));
  shownStep_ = step;
  markChanges();
  applyHeat();
  drawn_.insert(snapshot);
  rest_.start();
  emit shown(snapshot);
}

NodeId GraphScenes::partnerOf(NodeId id) const {
  const GraphChanges changes = changes_.value(shownStep_);
  return (shownAs_.snapshot == shownStep_.before ? changes.successors : changes.origins).value(id, noNode);
}

void GraphScenes::listRemoved(Sides step) {
  const QList<NodeId> ids = changes_.value(step).removed;
  QStringList removed;
  for (const NodeId id : ids.first(std::min(removedNamesShown, ids.size())))
    removed.append(nameOf(step.before, id));
  if (ids.size() > removedNamesShown)
    removed.append(tr("and %1 more").arg(ids.size() - removedNamesShown));
  emit removedOps(step, removed);
}

NodeId GraphScenes::across(Sides step, NodeId id, bool isForth) const {
  const GraphChanges changes = changes_.value(step);
  return (isForth ? changes.successors : changes.origins).value(id, noNode);
}

/// Ops that were never in the view, because it came from elsewhere or had folded them away.
void GraphScenes::nameRemoved(Sides step) {
  const int before = step.before;
  const QList<NodeId> ids = changes_.value(step).removed;
  for (const NodeId id : ids.first(std::min(removedNamesShown, ids.size()))) {
    if (!names_.value(before).value(id).isEmpty())
      continue;
    session_.client().call<method::OpDetails>(
        {.snapshot = before, .id = id}, this, [this, step, before, id](const protocol::OpDetails &details) {
          if (!changes_.contains(step))
            return;
          const QString result = details.results.isEmpty() ? QString() : u' ' + details.results.first().name;
          names_[before].insert(id, details.op + result);
          if (step_ == step)
            listRemoved(step);
        });
  }
}

QString GraphScenes::nameOf(int snapshot, NodeId id) const {
  const QString name = knownName(snapshot, id);
  return name.isEmpty() ? tr("op %1").arg(id) : name;
}

void GraphScenes::setReport(const QObject *source, const protocol::RunReport &report, const QString &title) {
  times_.removeIf([source](const Times &times) { return times.source == source; });
  if (!report.kernels.isEmpty())
    times_.append({.source = source, .report = report, .title = title});
  applyHeat();
}

void GraphScenes::updateReport(const QObject *source, const protocol::RunReport &report) {
  for (Times &times : times_)
    if (times.source == source)
      times.report = report;
  applyHeat();
}

void GraphScenes::setReportStale(const QObject *source, bool stale) {
  for (Times &times : times_)
    if (times.source == source)
      times.isStale = stale;
  applyHeat();
}

void GraphScenes::setHeatVisible(bool visible) {
  heatVisible_ = visible;
  applyHeat();
}

int GraphScenes::dispatchOf(const protocol::Kernel &kernel) const {
  if (kernel.onHost)
    return -1;
  const int known = kernel.loc.isEmpty() ? -1 : int(view_.scene().dispatchLocs.indexOf(kernel.loc));
  return known >= 0 ? known : int(kernel.dispatchIndex);
}

void GraphScenes::setNumbers(const std::optional<HeatData> &numbers) {
  numbers_ = numbers;
  applyHeat();
}

void GraphScenes::applyHeat() {
  if (numbers_)
    return view_.setHeat(*numbers_);
  HeatData heat{.title = {}, .text = formatMicroseconds, .nodes = {}, .dispatches = {}};
  if (!times_.isEmpty())
    heat.title = times_.last().title;
  if (heatVisible_ && !times_.isEmpty() && !times_.last().isStale)
    for (const protocol::Kernel &kernel : times_.last().report.kernels)
      if (const int dispatch = dispatchOf(kernel); dispatch >= 0 && kernel.medianUs >= 0)
        heat.dispatches[dispatch] += kernel.medianUs * kernel.calls; // a dispatch may be several kernels
  if (boxes_ && !heat.dispatches.isEmpty())
    boxes_(heat);
  view_.setHeat(heat);
}

} // namespace fuselage
