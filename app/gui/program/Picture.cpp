#include "app/gui/program/Picture.h"
#include "app/gui/shell/MainWindow.h"
#include "views/graph/GraphView.h"
#include "views/panels/BuffersPanel.h"
#include <QPixmap>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int tickMs = 40;
/// Calm ticks in a row before a stage counts as settled: replies and paints come in between.
static constexpr int calmTicksNeeded = 4;
/// A picture that takes longer has failed: a run compiles every kernel.
static constexpr qint64 patienceMs = 300'000;

Picture::Picture(MainWindow &window, const Options &options, QObject *parent)
    : QObject(parent), window_(window), options_(options) {
  window_.graph().setAnimated(false);
  connect(&timer_, &QTimer::timeout, this, &Picture::tick);
  timer_.start(tickMs);
  since_.start();
}

void Picture::tick() {
  if (since_.elapsed() > patienceMs) {
    timer_.stop();
    emit taken(false, tr("the window did not settle within %1 s").arg(patienceMs / 1000));
    return;
  }
  calmTicks_ = window_.isSettled() ? calmTicks_ + 1 : 0;
  if (calmTicks_ < calmTicksNeeded)
    return;
  calmTicks_ = 0;
  switch (stage_) {
  case Stage::Opening:
    stage_ = Stage::Stepping;
    if (options_.step >= 0)
      window_.selectStep(options_.step + 1);
    window_.showView(options_.view == "diff"_L1   ? MainWindow::DiffTab
                     : options_.view == "text"_L1 ? MainWindow::TextTab
                                                  : MainWindow::GraphTab);
    return;
  case Stage::Stepping:
    stage_ = Stage::Running;
    if (options_.view == "buffers"_L1)
      window_.showBuffersPanel();
    if (options_.view == "run"_L1)
      window_.showRunPanel();
    if (options_.view == "results"_L1)
      window_.showResults();
    if (options_.view == "fusions"_L1)
      window_.showFusionPanel();
    if (options_.view == "tiles"_L1)
      window_.showTiles(options_.op);
    else
      window_.selectOp(options_.op);
    if (!options_.run.isEmpty())
      window_.runOn(options_.run);
    return;
  case Stage::Running:
    stage_ = Stage::Resting;
    if (options_.view == "buffers"_L1)
      window_.buffersPanel().table()->selectRow(0); // the dearest copy, with its conflict
    return;
  case Stage::Resting:
    timer_.stop();
    take();
  }
}

void Picture::take() {
  const QPixmap picture = window_.grab();
  const bool ok = picture.save(options_.screenshot, "PNG");
  emit taken(ok, ok ? QString() : tr("cannot write '%1'").arg(options_.screenshot));
}

} // namespace fuselage
