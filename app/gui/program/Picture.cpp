#include "app/gui/program/Picture.h"
#include "app/gui/buffers/BuffersController.h"
#include "app/gui/compare/CompareController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/kernel/KernelController.h"
#include "app/gui/mesh/MeshController.h"
#include "app/gui/notes/NotesController.h"
#include "app/gui/outline/OutlineController.h"
#include "app/gui/pipeline/PipelineController.h"
#include "app/gui/rewrites/OpPatterns.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/run/RunController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/SidesController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/text/WrittenController.h"
#include "app/gui/tiles/TileController.h"
#include "app/gui/tuning/TuningController.h"
#include "app/gui/values/ValuesController.h"
#include "views/graph/GraphView.h"
#include "views/panels/BuffersPanel.h"
#include "views/panels/ComparePanel.h"
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
  window_.controller<GraphController>().view().setAnimated(false);
  connect(&timer_, &QTimer::timeout, this, &Picture::tick);
  timer_.start(tickMs);
  since_.start();
}

/// The tab that a picture begins with.
static View viewOf(const QString &name) {
  return name == "diff"_L1                           ? View::Diff
         : name == "text"_L1 || name == "written"_L1 ? View::Text
         : name == "script"_L1                       ? View::Schedule
                                                     : View::Graph;
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
      window_.controller<StepsController>().select(options_.step + 1);
    window_.showView(viewOf(options_.view));
    return;
  case Stage::Stepping:
    stage_ = Stage::Running;
    showPanel();
    goToPart();
    selectOp();
    if (options_.view == "tuning"_L1)
      tune();
    else if (!options_.run.isEmpty())
      window_.controller<RunController>().runOn(options_.run);
    return;
  case Stage::Running:
    stage_ = Stage::Resting;
    if (options_.zoom > 0)
      window_.controller<GraphController>().view().zoomTo(options_.zoom);
    if (options_.view == "buffers"_L1)
      window_.controller<BuffersController>().panel().table()->selectRow(0); // the dearest copy, with its conflict
    if (options_.view == "compare"_L1)
      selectFirstDifference();
    if (options_.view == "values"_L1)
      window_.controller<ValuesController>().showAfter(window_.controller<TextController>().selected());
    return;
  case Stage::Resting:
    timer_.stop();
    take();
  }
}

/// What the view is called after, where it is none of the tabs.
void Picture::showPanel() {
  if (options_.view == "buffers"_L1)
    window_.controller<BuffersController>().raise();
  if (options_.view == "run"_L1)
    window_.controller<RunController>().raise();
  if (options_.view == "graphs"_L1)
    window_.controller<SidesController>().twoGraphs()->setChecked(true);
  if (options_.view == "written"_L1)
    window_.controller<WrittenController>().action()->setChecked(true);
  if (options_.view == "roofline"_L1)
    window_.controller<RunController>().showRoofline();
  if (options_.view == "results"_L1)
    window_.controller<RunController>().showResults();
  if (options_.view == "fusions"_L1)
    window_.controller<FusionController>().showDearest();
  if (options_.view == "tiles"_L1)
    window_.controller<TileController>().raise();
  if (options_.view == "kernel"_L1)
    window_.controller<KernelController>().raise();
  if (options_.view == "outline"_L1)
    window_.controller<OutlineController>().raise();
  if (options_.view == "pipeline"_L1)
    window_.controller<PipelineController>().editAction()->trigger();
  if (options_.view == "compare"_L1)
    window_.controller<CompareController>().raise();
  if (options_.view == "mesh"_L1)
    window_.controller<MeshController>().raise();
  if (options_.view == "notes"_L1)
    window_.controller<NotesController>().raise();
  if (options_.view == "rewrites"_L1)
    window_.controller<RewritesController>().enterStep();
  if (options_.view == "patterns"_L1)
    window_.controller<OpPatternsController>().show();
  if (options_.view == "schedule"_L1)
    window_.controller<ScheduleController>().raise();
  if (!options_.schedule.isEmpty())
    window_.controller<ScheduleController>().runScript(options_.schedule);
  if (!options_.compare.isEmpty())
    window_.controller<CompareController>().compareWithFile(options_.compare);
}

/// The panel stands before the schedule's then, which ran before; with a device, a short search fills the plots.
void Picture::tune() {
  constexpr int trials = 60;
  auto &tuning = window_.controller<TuningController>();
  tuning.raise();
  if (!options_.run.isEmpty())
    tuning.tuneOn(options_.run, trials);
}

void Picture::goToPart() {
  auto &graph = window_.controller<GraphController>();
  if (const QList<int> rows = graph.outline().find(options_.part); !options_.part.isEmpty() && !rows.isEmpty())
    graph.goToPart(rows.first());
}

/// The first row where A does in one dispatch what B does in several; else the first.
void Picture::selectFirstDifference() {
  QTableView *table = window_.controller<CompareController>().panel().table();
  for (int row = 0; row < table->model()->rowCount(); ++row)
    if (table->model()->index(row, CompareModel::Relation).data(CompareModel::RelationRole).toInt() ==
        int(protocol::DispatchRelation::Merged))
      return table->selectRow(row);
  table->selectRow(0);
}

void Picture::selectOp() {
  const NodeId op = window_.controller<GraphController>().find(options_.op);
  if (op != noNode)
    window_.controller<TextController>().select(op, true);
}

void Picture::take() {
  const QPixmap picture = window_.window()->grab();
  const bool ok = picture.save(options_.screenshot, "PNG");
  emit taken(ok, ok ? QString() : tr("cannot write '%1'").arg(options_.screenshot));
}

} // namespace fuselage
