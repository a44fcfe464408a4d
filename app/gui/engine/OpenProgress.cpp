#include "app/gui/engine/OpenProgress.h"
#include "app/gui/graph/GraphScenes.h"
#include "views/graph/GraphView.h"
#include <QShortcut>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Shorter work would only flicker.
static constexpr int delayMilliseconds = 250;

OpenProgress::OpenProgress(EngineSession &session, GraphScenes &graph, GraphView &view)
    : QObject(&view), session_(session), graph_(graph), view_(view),
      escape_(new QShortcut(QKeySequence(Qt::Key_Escape), &view)) {
  escape_->setEnabled(false);
  delay_.setSingleShot(true);
  delay_.setInterval(delayMilliseconds);
  connect(&delay_, &QTimer::timeout, this, [this] { view_.setBusyText(text()); });
  connect(escape_, &QShortcut::activated, this, &OpenProgress::cancel);
  connect(&session_, &EngineSession::stateChanged, this, &OpenProgress::update);
  connect(&graph_, &GraphScenes::loadingChanged, this, &OpenProgress::update);
  connect(&session_, &EngineSession::progressed, this, [this](const QString &phase) {
    phase_ = phase;
    if (active_ && !delay_.isActive())
      view_.setBusyText(text());
  });
  update(); // a document may be asked for before the window is made
}

bool OpenProgress::isActive() const {
  return session_.state() == EngineSession::State::Opening ||
         (session_.state() == EngineSession::State::Ready && !graph_.isSettled());
}

void OpenProgress::cancel() {
  if (session_.isBusy())
    session_.cancel();
  else
    graph_.cancel();
}

QString OpenProgress::text() const {
  if (!active_)
    return {};
  QString what = tr("Reading the file\u2026");
  if (phase_ == "graph"_L1)
    what = tr("Building the graph\u2026");
  else if (phase_ == "layout"_L1)
    what = graph_.options().dot ? tr("Graphviz is laying out the graph\u2026") : tr("Laying out the graph\u2026");
  return tr("%1  Esc cancels").arg(what);
}

void OpenProgress::update() {
  if (isActive() == active_)
    return;
  active_ = !active_;
  escape_->setEnabled(active_);
  if (active_) {
    delay_.start();
  } else {
    delay_.stop();
    phase_.clear();
    view_.setBusyText({});
  }
  emit activeChanged();
}

} // namespace fuselage
