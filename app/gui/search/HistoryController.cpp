#include "app/gui/search/HistoryController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/search/FrontView.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/common/Numbers.h"
#include "views/panels/HistoryPanel.h"
#include "views/text/DiffView.h"
#include <QDockWidget>
#include <QMenu>

using namespace Qt::StringLiterals;

namespace fuselage {

HistoryController::HistoryController(Shell &shell, NavigationController &navigation, StepsController &steps,
                                     GraphController &graph, TextController &text)
    : Controller(shell), panel_([this] { return new HistoryPanel(&model_); }),
      dock_(shell.docks().add(
          {.name = u"history"_s, .title = tr("History"), .shortcut = u"Alt+Y"_s, .beside = u"problems"_s},
          panel_.place())),
      navigation_(navigation), steps_(steps), text_(text),
      follow_(command(tr("History Across St&eps"), u"steps"_s, {QKeySequence(u"Ctrl+Shift+H"_s)})) {
  follow_->setToolTip(tr("Which steps introduced, changed or removed the selected op, and which rewrites of them"));
  on(follow_, [this] { followOp(text_.selected()); });
  shell.menus().add(Place::ViewFind, {follow_});
  const auto addTo = [this](QMenu *menu, qint64 id) {
    if (id >= 0)
      menu->addAction(follow_->icon(), tr("History Across Steps"), this, [this, id] { followOp(id); });
  };
  connect(&graph, &GraphController::menuShown, this, addTo);
  connect(&text, &TextController::menuShown, this, addTo);
  connect(&text, &TextController::selectionChanged, this, [this] { sessionChanged(); });
  panel_.tell([this](const HistoryPanel &panel) {
    connect(&panel, &HistoryPanel::rowChosen, this, &HistoryController::show);
    connect(&panel, &HistoryPanel::cancelRequested, this, [this] { session().client().cancel(request_); });
  });
  connect(&session().client(), &EngineClient::notified, this, [this](const QString &method, const QJsonObject &params) {
    if (method != "search/progress"_L1 || request_ == 0)
      return;
    protocol::SearchProgress progress;
    decode(params, progress);
    panel_->setProgress(progress.done, progress.total);
  });
}

HistoryPanel &HistoryController::panel() { return panel_.get(); }

void HistoryController::followOp(NodeId op) {
  if (op >= 0 && session().hasDocument())
    ask(tr("The op of the selection"), {.op = op, .snapshot = text_.snapshot(), .rewrites = true});
}

void HistoryController::followText(const QString &text) {
  const bool isName = (text.startsWith(u'%') || text.startsWith(u'@')) && !text.contains(u' ') && text.size() > 1;
  protocol::Request<method::SearchHistory> request;
  (isName ? request.name : request.text) = text;
  if (!text.isEmpty() && session().hasDocument())
    ask(text, request);
}

void HistoryController::ask(const QString &subject, const protocol::Request<method::SearchHistory> &request) {
  subject_ = subject;
  model_.clear();
  constexpr double share = 0.28;
  dock_->isVisible() ? shell().docks().raise(dock_) : shell().docks().raise(dock_, share);
  panel_->setHeadline(subject, tr("searching…"));
  panel_->setProgress(0, std::max(1, int(session().steps().size())));
  request_ = session().client().call<method::SearchHistory>(
      request, this, [this](const protocol::History &history) { present(history); },
      [this](const protocol::Error &error) {
        const bool isStopped = error.code == protocol::Error::Cancelled || error.code == protocol::Error::EngineGone;
        end(isStopped ? tr("stopped") : error.message);
      },
      u"history"_s);
}

void HistoryController::present(const protocol::History &history) {
  QStringList names;
  for (int row = 1; row < steps_.model().rowCount(); ++row)
    names.append(steps_.model().index(row, StepModel::Name).data().toString());
  model_.setHistory(history, names);
  subject_ = history.subject;
  const QString how = history.followed == "location"_L1 ? tr("by location")
                      : history.followed == "line"_L1   ? tr("by line, since the log has no locations")
                      : history.followed == "name"_L1   ? tr("as a whole name")
                                                        : tr("as text");
  panel_->setEmptyText(
      tr("Not found in any step"),
      tr("None of %1 contains it before or after.").arg(counted(history.steps, tr("step"), tr("steps"))));
  end(tr("%1 in %2, %3")
          .arg(counted(history.events.size(), tr("place"), tr("places")),
               counted(history.steps, tr("step"), tr("steps")), how));
}

void HistoryController::end(const QString &state) {
  request_ = 0;
  panel_.tell(u"end"_s, [subject = subject_, state](HistoryPanel &panel) {
    panel.setProgress(0, 0);
    panel.setHeadline(subject, state);
  });
}

void HistoryController::show(int row) {
  const protocol::HistoryEvent *event = model_.at(row);
  if (!event)
    return;
  if (const protocol::HistoryRewrite *rewrite = model_.rewriteAt(row)) {
    emit rewriteChosen(event->step, rewrite->rewrite);
    return;
  }
  // The diff of the step shows both what was and what is.
  if (frontView(shell().centre()) == View::Diff && event->step >= 0) {
    steps_.select(event->step + 1);
    return;
  }
  // By its op, which is gone to as soon as the snapshot is there.
  const Spot spot{.snapshot = event->snapshot, .line = event->line};
  session().client().call<method::OpAtLine>(
      {.snapshot = spot.snapshot, .line = spot.line}, this,
      [this, spot](const protocol::OpAt &at) {
        Spot place = spot;
        if (at.id > 0)
          place.op = at.id;
        navigation_.goTo(place);
      },
      [this, spot](const protocol::Error &error) {
        if (error.code != protocol::Error::Cancelled)
          navigation_.goTo(spot);
      },
      u"historyPlace"_s);
}

void HistoryController::documentReset() {
  if (request_ > 0) {
    session().client().cancel(request_);
    session().client().forget(request_); // its answer may be on its way
  }
  subject_.clear();
  model_.clear();
  end({});
}

void HistoryController::stepsReplaced(int) { documentReset(); }

void HistoryController::sessionChanged() { follow_->setEnabled(isReady() && text_.selected() >= 0); }

void HistoryController::engineDied(const CrashReport &) {
  if (request_ > 0)
    end(tr("stopped"));
}

} // namespace fuselage
