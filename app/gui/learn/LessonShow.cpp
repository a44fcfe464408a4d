#include "app/gui/learn/LessonShow.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/learn/LessonNames.h"
#include "app/gui/learn/LessonOps.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/shell/Shell.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tiles/TileController.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/tiles/TileExplorerPanel.h"
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

LessonShow::LessonShow(const Window &window, QObject *parent) : QObject(parent), window_(window) {
  EngineSession &session = window.shell.session();
  const auto goOn = [this] {
    if (std::exchange(awaits_, false))
      next();
  };
  connect(&session, &EngineSession::fused, this,
          [this, goOn](const protocol::FuseResult &result) { result.fused ? goOn() : end(tr("nothing was fused")); });
  connect(&session, &EngineSession::recorded, this, goOn);
  connect(&window.schedule, &ScheduleController::traced, this, goOn);
  connect(&window.tiles, &TileController::shown, this, [this, goOn] {
    if (tilesAwaited_ && window_.tiles.isSettled())
      goOn();
  });
  for (auto signal : {&EngineSession::fuseFailed, &EngineSession::recordFailed})
    connect(&session, signal, this, [this](const protocol::Error &error) { end(error.message); });
}

void LessonShow::start(const QStringList &actions, const QString &folder) {
  actions_ = actions;
  folder_ = folder;
  isActive_ = true;
  awaits_ = false;
  next();
}

void LessonShow::stop() { isActive_ = awaits_ = false; }

/// Views have their say before the next action.
void LessonShow::next() {
  QTimer::singleShot(0, this, [this] {
    if (!isActive_)
      return;
    if (actions_.isEmpty()) {
      isActive_ = false;
      emit finished();
      return;
    }
    tilesAwaited_ = false;
    act(actions_.takeFirst());
    if (isActive_ && !awaits_)
      next();
  });
}

void LessonShow::end(const QString &problem) {
  if (!std::exchange(isActive_, false))
    return;
  awaits_ = false;
  emit failed(problem);
}

void LessonShow::act(const QString &action) {
  EngineSession &session = window_.shell.session();
  const QString verb = action.section(u' ', 0, 0), rest = action.section(u' ', 1).trimmed();
  const int snapshot = window_.text.snapshot();
  const auto fuse = [&](const FuseRequest &request) {
    awaits_ = true;
    session.fuse(request);
  };
  if (action == "fuse all"_L1)
    return fuse({.what = FuseRequest::What::All, .snapshot = snapshot});
  if (action == "clean up"_L1)
    return fuse({.what = FuseRequest::What::CleanUp, .snapshot = snapshot});
  if (verb == "pipeline"_L1)
    return fuse({.what = FuseRequest::What::Pipeline, .snapshot = snapshot, .pipeline = rest});
  if (verb == "fuse"_L1)
    return fuseEdge(rest.section(u"->"_s, 0, 0).trimmed(), rest.section(u"->"_s, 1).trimmed());
  if (verb == "record"_L1) {
    awaits_ = true;
    return session.record({.pipeline = rest, .schedule = {}, .target = {}});
  }
  if (verb == "schedule"_L1) {
    awaits_ = true;
    return window_.schedule.runScript(folder_ + u'/' + rest);
  }
  if (verb == "step"_L1)
    return goToStep(rest);
  if (verb == "select"_L1)
    return select(rest);
  if (verb == "tile"_L1)
    return tile(rest.split(u' ', Qt::SkipEmptyParts));
  if (verb == "answer"_L1 || verb == "choice"_L1)
    emit answered(rest);
  else if (verb == "view"_L1)
    window_.shell.showView(View(std::max(lessonViews().indexOf(rest), qsizetype(0))));
  else if (verb == "panel"_L1)
    if (QDockWidget *dock = window_.shell.docks().find(rest))
      window_.shell.docks().raise(dock);
}

/// The first missed one of these names.
void LessonShow::fuseEdge(const QString &from, const QString &to) {
  awaits_ = true;
  EngineSession &session = window_.shell.session();
  const int snapshot = window_.text.snapshot();
  session.client().call<method::ReportFusion>(
      {.snapshot = snapshot, .prove = false}, this,
      [this, from, to, snapshot](const protocol::FusionReport &report) {
        for (const protocol::FusionEdge &edge : report.edges)
          if (edge.missed && isCalled(from, edge.fromOp, edge.fromName) && isCalled(to, edge.toOp, edge.toName))
            return window_.shell.session().fuse({.what = FuseRequest::What::Edge,
                                                 .snapshot = snapshot,
                                                 .from = edge.from,
                                                 .to = edge.to,
                                                 .operand = edge.operand,
                                                 .onlyThere = true});
        end(tr("there is no edge from %1 to %2 that is not fused").arg(from, to));
      },
      [this](const protocol::Error &error) { end(error.message); });
}

void LessonShow::goToStep(const QString &name) {
  const QList<protocol::Step> &steps = window_.steps.model().steps();
  for (qsizetype i = 0; i < steps.size(); ++i)
    if (steps[i].name == name)
      return window_.steps.select(int(i) + 1);
  if (name == "Input"_L1)
    return window_.steps.select(0);
  end(tr("no step is called %1").arg(name));
}

static QStringList partsOf(const QString &list) { return list.split(u',', Qt::SkipEmptyParts); }

/// "matmul 8,8,0 cache 32 order 1,0,2 alone"
void LessonShow::tile(const QStringList &words) {
  awaits_ = true;
  const int snapshot = window_.text.snapshot();
  findOp(window_.shell.session().client(), snapshot, words.value(0), this, [this, words, snapshot](qint64 id) {
    if (id < 0)
      return end(tr("there is no op %1").arg(words.value(0)));
    window_.text.select(id, true);
    QList<qint64> sizes;
    for (const QString &size : partsOf(words.value(1)))
      sizes.append(size.toLongLong());
    QList<int> order;
    if (const qsizetype at = words.indexOf(u"order"_s); at >= 0)
      for (const QString &loop : partsOf(words.value(at + 1)))
        order.append(loop.toInt());
    const qsizetype cache = words.indexOf(u"cache"_s);
    window_.tiles.panel().setCost(cache < 0 ? 0 : words.value(cache + 1).toInt(), !words.contains(u"alone"_s));
    window_.tiles.raise();
    window_.tiles.follow(snapshot, id, sizes, {}, order);
    // Nothing may be left to ask.
    tilesAwaited_ = true;
    if (window_.tiles.isSettled())
      window_.tiles.panel().questionChanged();
  });
}

void LessonShow::select(const QString &op) {
  awaits_ = true;
  findOp(window_.shell.session().client(), window_.text.snapshot(), op, this, [this, op](qint64 id) {
    if (id < 0)
      return end(tr("there is no op %1").arg(op));
    window_.text.select(id, true);
    if (std::exchange(awaits_, false))
      next();
  });
}

} // namespace fuselage
