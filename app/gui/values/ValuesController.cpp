#include "app/gui/values/ValuesController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/run/RunController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/RunPanel.h"
#include "views/values/ValueMap.h"
#include "views/values/ValueSection.h"
#include "views/widgets/EdgeCard.h"
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

/// After a run, a value that takes no more is computed as soon as its edge is selected: a second or less.
static constexpr qint64 quickFlops = 500'000'000;
/// Pictures of values that are kept.
static constexpr qsizetype mostKnown = 64;

ValuesController::ValuesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                   FusionController &fusion, RunController &run)
    : Controller(shell), steps_(steps), graph_(graph), text_(text), fusion_(fusion), run_(run),
      section_(new ValueSection) {
  text.detailsPanel().card().addSection(section_);
  addCommands();
  connectSection();
  graph.view().setEdgeNoteProvider([this](int line) { return toolTip(line); });
  const auto follow = [this] { this->follow(); };
  connect(&graph.view(), &GraphView::edgeSelected, this, follow);
  connect(&fusion, &FusionController::edgeChanged, this, follow);
  connect(&text, &TextController::selectionChanged, this, follow);
  connect(&session(), &EngineSession::runFinished, this, [this](const protocol::RunReport &report) {
    if (!report.cancelled)
      forget();
  });
  run.tellPanel([this](RunPanel &panel) { connect(&panel, &RunPanel::sizesChanged, this, &ValuesController::forget); });
}

void ValuesController::addCommands() {
  show_ = command(tr("Show &Values of the Edge"), u"details"_s, {QKeySequence(u"Ctrl+Alt+V"_s)});
  show_->setToolTip(tr("Compute the tensor of the selected edge on the host, with the arguments of the run"));
  find_ = command(tr("Find First Non-finite &Value"), u"find"_s);
  find_->setToolTip(tr("Run the step on the host, and select the first edge with a NaN, or else with an infinity"));
  on(show_, [this] {
    if (!place_)
      return;
    shell().docks().raise(shell().docks().find(u"details"_s));
    if (known_.contains(*place_))
      section_->map().setFocus();
    else
      compute(Effort::Any);
  });
  on(find_, [this] { findNonFinite(); });
  shell().menus().add(Place::RunStart, {show_, find_});
  fusion_.addToEdgeMenu({show_});
}

void ValuesController::connectSection() {
  connect(section_, &ValueSection::computeRequested, this, [this] { compute(Effort::Any); });
  connect(section_, &ValueSection::cancelRequested, this, &ValuesController::cancel);
  connect(section_, &ValueSection::saveRequested, this, &ValuesController::save);
  connect(section_, &ValueSection::sliceRequested, this, &ValuesController::requestSlice);
}

/// The edge between ops that a line stands for: the one that is judged, else the first.
std::optional<ValuesController::EdgePlace> ValuesController::placeOf(int line) const {
  const SceneData &scene = graph_.view().scene();
  if (line < 0 || line >= scene.edges.size() || scene.snapshot < 0)
    return std::nullopt;
  const EdgeData &edge = scene.edges[line];
  if (edge.uses.isEmpty())
    return std::nullopt;
  if (const protocol::FusionEdge *judged = fusion_.selectedEdge(); judged && line == graph_.view().currentEdge())
    if (const EdgeUse use{.from = judged->from, .to = judged->to, .operand = judged->operand}; edge.uses.contains(use))
      return EdgePlace{scene.snapshot, use};
  return EdgePlace{scene.snapshot, edge.uses.first()};
}

std::optional<ValuesController::EdgePlace> ValuesController::selectedPlace() const {
  return placeOf(graph_.view().currentEdge());
}

void ValuesController::follow() {
  const std::optional<EdgePlace> place = selectedPlace();
  if (place == place_)
    return;
  cancel();
  place_ = place;
  updateActions();
  section_->setVisible(place.has_value());
  if (!place)
    return;
  if (const auto known = known_.constFind(*place); known != known_.constEnd())
    section_->setValue(*known, steps_.nameOf(place->snapshot));
  else if (run_.hasRun() && isReady())
    compute(Effort::Quick);
  else
    section_->offer(run_.hasRun() ? tr("The engine is busy.") : tr("Nothing has run with these arguments yet."));
}

method::ValueArguments<protocol::QtTypes> ValuesController::arguments() const {
  const RunRequest run = run_.valueRequest();
  QMap<QString, QString> parameters;
  for (const QString &file : run.parameters)
    parameters.insert(file, QString()); // of any scope
  return {.seed = run.seed,
          .function = run.function,
          .sizes = run.sizes,
          .inputs = run.inputs,
          .inputsFolder = {},
          .parameters = parameters};
}

protocol::Request<method::EdgeValue> ValuesController::requestOf(const EdgePlace &place) const {
  return {
      .place = {.snapshot = place.snapshot, .from = place.use.from, .to = place.use.to, .operand = place.use.operand},
      .arguments = arguments()};
}

void ValuesController::compute(Effort effort) {
  if (!place_ || !isReady())
    return;
  cancel();
  effort_ = effort;
  section_->setBusy();
  protocol::Request<method::EdgeValue> request = requestOf(*place_);
  if (effort == Effort::Quick)
    request.mostFlops = quickFlops;
  asked_ = session().client().call<method::EdgeValue>(
      request, this, [this, place = *place_](const protocol::EdgeValue &value) { take(place, value); },
      [this, place = *place_](const protocol::Error &error) { takeError(place, error); }, u"value"_s);
}

void ValuesController::take(const EdgePlace &place, const protocol::EdgeValue &value) {
  asked_ = 0;
  updateActions();
  if (!value.computed) {
    if (place == place_)
      section_->offer(value.flops < 0 ? tr("How long it takes is not known.")
                                      : tr("It takes %1 on the host.").arg(formatFlops(value.flops)));
    return;
  }
  if (known_.size() >= mostKnown)
    known_.clear();
  known_.insert(place, value);
  if (place != place_)
    return;
  section_->setValue(value, steps_.nameOf(place.snapshot));
  constexpr int wrapMs = 100; // until its texts have wrapped and it has its height
  if (effort_ == Effort::Any)
    QTimer::singleShot(wrapMs, section_, [this] { text_.detailsPanel().card().scrollTo(section_->copyButton()); });
}

void ValuesController::takeError(const EdgePlace &place, const protocol::Error &error) {
  asked_ = 0;
  updateActions();
  if (place != place_)
    return;
  if (error.code == protocol::Error::Cancelled || error.message.startsWith("cancelled"_L1))
    section_->offer(tr("Cancelled."));
  else if (error.code == protocol::Error::EngineGone)
    section_->offer(tr("The engine has ended."));
  else
    section_->refuse(error.message);
}

/// How many rows and columns are asked for around a cell: each is a cell then.
static constexpr qint64 zoomedExtent = 32;

void ValuesController::requestSlice(const QList<qint64> &index, qint64 row, qint64 column) {
  if (!place_ || !isReady())
    return;
  protocol::Request<method::EdgeValue> request = requestOf(*place_);
  request.index = index;
  if (row >= 0) {
    request.firstRow = row;
    request.firstColumn = column;
    request.rowExtent = request.columnExtent = zoomedExtent;
  }
  asked_ = session().client().call<method::EdgeValue>(
      request, this,
      [this, place = *place_](const protocol::EdgeValue &value) {
        asked_ = 0;
        if (place == place_)
          section_->setSlice(value);
      },
      [this, place = *place_](const protocol::Error &error) { takeError(place, error); }, u"value"_s);
}

void ValuesController::cancel() {
  if (asked_ != 0)
    session().client().cancel(asked_);
}

void ValuesController::forget() {
  known_.clear();
  place_.reset();
  follow();
}

void ValuesController::save() {
  if (!place_)
    return;
  const QString path = QFileDialog::getSaveFileName(&shell().window(), tr("Save the value"), u"value.npy"_s,
                                                    tr("NumPy arrays (*.npy);;All files (*)"));
  if (path.isEmpty())
    return;
  protocol::Request<method::ValueFile> request{.place = requestOf(*place_).place, .arguments = arguments()};
  session().client().call<method::ValueFile>(
      request, this,
      [this, path](const protocol::ValueFile &file) {
        QSaveFile out(path);
        const QByteArray bytes = QByteArray::fromBase64(file.base64.toLatin1());
        if (out.open(QFile::WriteOnly) && out.write(bytes) == bytes.size() && out.commit())
          shell().tellExported(path, file.note);
        else
          shell().tell(tr("%1 cannot be written: %2").arg(path, out.errorString()));
      },
      [this](const protocol::Error &error) { shell().tell(error.message); });
}

void ValuesController::findNonFinite() {
  const int snapshot = graph_.view().scene().snapshot;
  if (!isReady() || snapshot < 0)
    return;
  shell().tell(tr("Looking for values that are not finite\u2026"));
  searching_ = session().client().call<method::FindNonFinite>(
      {.snapshot = snapshot, .arguments = arguments()}, this,
      [this, snapshot](const protocol::NonFiniteValue &found) {
        searching_ = 0;
        showFound(snapshot, found);
      },
      [this](const protocol::Error &error) {
        searching_ = 0;
        if (error.code != protocol::Error::EngineGone)
          shell().tell(error.message);
      },
      u"nonfinite"_s);
}

void ValuesController::showFound(int snapshot, const protocol::NonFiniteValue &found) {
  if (!found.found) {
    shell().tell(tr("All %1 of @%2 are finite").arg(counted(found.checked, tr("value"), tr("values")), found.function));
    return;
  }
  QStringList what;
  if (found.nan > 0)
    what.append(tr("%1 NaN").arg(groupedNumber(found.nan)));
  if (found.infinite > 0)
    what.append(tr("%1 infinite").arg(groupedNumber(found.infinite)));
  shell().tell(tr("%1, a %2, has %3").arg(found.name, found.type, what.join(u", "_s)));
  if (snapshot != graph_.view().scene().snapshot)
    return;
  if (found.to < 0) {
    text_.select(found.op, true);
    return;
  }
  found_ = EdgePlace{snapshot, {.from = found.op, .to = found.to, .operand = found.operand}};
  graph_.openAround(found.to);
  selectFound();
}

void ValuesController::selectFound() {
  if (!found_ || found_->snapshot != graph_.view().scene().snapshot)
    return;
  const QList<EdgeData> &edges = graph_.view().scene().edges;
  for (int line = 0; line < edges.size(); ++line)
    for (const EdgeUse &use : edges[line].uses)
      if (use.to == found_->use.to && use.operand == found_->use.operand) {
        found_.reset();
        return selectLine(line);
      }
}

void ValuesController::selectLine(int line) {
  graph_.view().setCurrentEdge(line, true);
  emit graph_.view().edgeSelected(line);
}

void ValuesController::showAfter(NodeId op) {
  const QList<EdgeData> &edges = graph_.view().scene().edges;
  const auto leaves = [op](const EdgeData &edge) { return edge.from == op; };
  const auto found = std::find_if(edges.begin(), edges.end(), leaves);
  if (edges.isEmpty())
    return;
  selectLine(found == edges.end() ? 0 : int(found - edges.begin()));
  show_->trigger();
}

QString ValuesController::toolTip(int line) const {
  const std::optional<EdgePlace> place = placeOf(line);
  const auto known = place ? known_.constFind(*place) : known_.constEnd();
  return known == known_.constEnd() ? QString() : shortValueText(*known, section_->palette());
}

void ValuesController::opened(const protocol::Document &) { forget(); }
void ValuesController::stepsReplaced(int) { forget(); }
void ValuesController::sessionChanged() { updateActions(); }

void ValuesController::graphShown(int) {
  follow();
  selectFound();
}

void ValuesController::engineDied(const CrashReport &) { asked_ = searching_ = 0; }

void ValuesController::updateActions() {
  show_->setEnabled(isReady() && place_.has_value());
  find_->setEnabled(isReady());
  section_->computeButton()->setEnabled(isReady() || asked_ != 0);
}

} // namespace fuselage
