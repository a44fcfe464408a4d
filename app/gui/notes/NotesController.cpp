#include "app/gui/notes/NotesController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/NoteMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/NotesPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMenu>
#include <QMessageBox>
#include <QTimer>
#include <QTreeView>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace fuselage {

NotesController::NotesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                 NavigationController &navigation, FusionController &fusion)
    : Controller(shell), panel_([this] { return new NotesPanel(&model_); }),
      dock_(shell.docks().add(
          {.name = u"notes"_s, .title = tr("Notes"), .shortcut = u"Alt+N"_s, .beside = u"problems"_s, .extent = 230},
          panel_.place())),
      steps_(steps), graph_(graph), text_(text), navigation_(navigation), fusion_(fusion), soon_(new QTimer(this)),
      later_(new QTimer(this)), draft_(shell, u"notes"_s) {
  addCommands();
  connectPanel();
  later_->setSingleShot(true);
  later_->setInterval(400);
  connect(later_, &QTimer::timeout, this, &NotesController::save);
  soon_->setSingleShot(true);
  soon_->setInterval(150);
  connect(soon_, &QTimer::timeout, this, &NotesController::resolve);
  connect(&session(), &EngineSession::documentLeft, this, [this] {
    if (isDirty_)
      save(); // what was typed last
  });
  connect(&fusion.model(), &QAbstractItemModel::modelReset, this, &NotesController::paintMarks);
  connect(&graph, &GraphController::menuShown, this, &NotesController::addToMenu);
  connect(&text, &TextController::menuShown, this, &NotesController::addToMenu);
  fusion.addToEdgeMenu({toggle_, edit_, report_});
  fusion.panel().table()->addActions({toggle_, edit_});
  fusion.panel().setNotes([this](int row) { return notesOn(row); });
}

void NotesController::addCommands() {
  toggle_ = command(tr("Toggle &Bookmark"), u"bookmark"_s, {QKeySequence(u"Ctrl+B"_s)});
  toggle_->setToolTip(tr("A bookmark on the selected op or edge, or on the step where nothing is selected"));
  edit_ = command(tr("&Write a Note…"), u"note"_s, {QKeySequence(u"Ctrl+Shift+B"_s)});
  next_ = command(tr("&Next Note"), {}, {QKeySequence(u"Ctrl+Alt+Down"_s)});
  previous_ = command(tr("&Previous Note"), {}, {QKeySequence(u"Ctrl+Alt+Up"_s)});
  report_ = command(tr("Copy as Bu&g Report"), u"copy"_s);
  report_->setToolTip(tr("The selected op or edge with its reason, its IR, the pipeline and versions, as Markdown"));
  on(toggle_, [this] { toggle(target()); });
  on(edit_, [this] { edit(target()); });
  on(next_, [this] { walk(1); });
  on(previous_, [this] { walk(-1); });
  on(report_, [this] { copyReport(target()); });
  Menus &menus = shell().menus();
  menus.addMenu(Place::ViewFind, tr("Boo&kmarks and Notes"))->addActions({toggle_, edit_, next_, previous_});
  menus.add(Place::FuseMissed, {report_});
  menus.add(Place::HelpAbout, {report_});
  menus.addKeys({{tr("In the notes"), tr("Go there"), {QKeySequence(Qt::Key_Return)}},
                 {tr("In the notes"), tr("Edit the text"), {QKeySequence(Qt::Key_F2)}},
                 {tr("In the notes"), tr("Remove"), {QKeySequence(Qt::Key_Delete)}}});
}

void NotesController::connectPanel() {
  panel_.tell([this](const NotesPanel &panel) {
    connect(&panel, &NotesPanel::activated, this, &NotesController::goTo);
    connect(&panel, &NotesPanel::removeRequested, this, &NotesController::remove);
  });
  connect(&model_, &NotesModel::textEdited, this, &NotesController::textEdited);
}

NotesPanel &NotesController::panel() { return panel_.get(); }

void NotesController::raise() { shell().docks().raise(dock_); }

NotesController::Target NotesController::target() const {
  Target target;
  if (steps_.panel().list()->hasFocus())
    return target;
  const FusionPanel &fusions = fusion_.panel();
  if (const protocol::FusionEdge *edge = fusion_.model().edgeAt(fusions.currentRow());
      edge && fusions.table()->hasFocus())
    return {.op = edge->to, .producer = edge->from, .operand = edge->operand, .isGroup = fusions.isGroupSelected()};
  const GraphView &view = graph_.view();
  if (const int edge = view.currentEdge(); edge >= 0) {
    const EdgeData &data = view.scene().edges[edge];
    const EdgeUse use =
        data.uses.isEmpty() ? EdgeUse{.from = data.from, .to = data.to, .operand = -1} : data.uses.first();
    return {.op = use.to, .producer = use.from, .operand = use.operand};
  }
  target.op = text_.selected();
  return target;
}

int NotesController::rowOf(const Target &target, int snapshot) const {
  using Kind = protocol::NoteKind;
  const Kind kind = target.op == noNode ? Kind::Step : target.producer == noNode ? Kind::Op : Kind::Edge;
  for (int row = 0; row < model_.rowCount(); ++row) {
    const protocol::Note &note = model_.notes()[row];
    const protocol::NotePlace &place = model_.place(row);
    if (note.kind != kind || place.snapshot < 0)
      continue;
    const bool isOwn = place.snapshot == snapshot, isShown = placed_ == snapshot && place.shownLine >= 0;
    if (kind == Kind::Step ? isOwn
        : kind == Kind::Op
            ? place.hasOp && ((isOwn && place.op == target.op) || (isShown && place.shownOp == target.op))
            : isOwn && note.group == target.isGroup && isAbout(row, target))
      return row;
  }
  return -1;
}

/// One after the other: a key that is hit twice puts a bookmark and takes it away, and makes no two.
void NotesController::ask(const Wish &wish) {
  wishes_.append(wish);
  if (soon_->isActive())
    resolve();
  else
    grantNext();
}

void NotesController::grantNext() {
  if (wishes_.isEmpty() || adding_ > 0 || !isResolved())
    return;
  grant(wishes_.takeFirst());
  grantNext();
}

void NotesController::grant(const Wish &wish) {
  const int row = rowOf(wish.target, wish.snapshot);
  if (row < 0) {
    add(wish);
  } else if (wish.edits) {
    raise();
    panel_->setCurrentRow(row, true);
  } else if (model_.notes()[row].text.isEmpty()) {
    shell().tell(tr("Bookmark removed: %1").arg(model_.notes()[row].label));
    remove(row);
  } else { // words are not thrown away by a key that puts bookmarks
    raise();
    panel_->setCurrentRow(row, false);
    shell().tell(tr("It has a note: press Delete in the Notes panel to remove it"));
  }
}

static std::optional<qint64> idOf(NodeId node) { return node == noNode ? std::nullopt : std::optional<qint64>(node); }

void NotesController::add(const Wish &wish) {
  if (!isLoaded_) {
    shell().tell(tr("The notes are not read yet"));
    return;
  }
  if (steps_.showsPlace()) {
    shell().tell(tr("Notes are kept on the input and on steps, not on a position of a schedule"));
    return;
  }
  const Target &target = wish.target;
  protocol::Request<method::AnchorNote> request{
      .id = idOf(target.op), .producer = idOf(target.producer), .snapshot = wish.snapshot};
  if (request.producer)
    request.operand = target.operand;
  const FusionModel &edges = fusion_.model();
  const qsizetype places =
      edges.placesOf(edges.rowOf({.from = target.producer, .to = target.op, .operand = target.operand})).size();
  ++asked_;
  ++adding_;
  session().client().call<method::AnchorNote>(
      request, this,
      [this, edits = wish.edits, target, places, path = path_](const protocol::Note &anchored) {
        --asked_;
        --adding_;
        if (path != path_ || !isLoaded_)
          return grantNext();
        protocol::Note note = anchored;
        note.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        note.created = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
        note.group = target.isGroup;
        if (target.isGroup)
          note.label += tr(", all %1 places").arg(groupedNumber(places));
        model_.add(note);
        ++changes_;
        shell().tell(tr("Bookmark: %1").arg(note.label));
        save();
        resolve();
        if (edits)
          raise();
        if (edits || dock_->isVisible())
          panel_->setCurrentRow(model_.rowCount() - 1, edits);
      },
      [this](const protocol::Error &error) {
        --asked_;
        --adding_;
        failed(tr("There can be no note here"), error);
        grantNext();
      });
}

void NotesController::remove(int row) {
  model_.remove(row);
  ++changes_;
  save();
  paintMarks();
}

void NotesController::walk(int by) {
  if (model_.rowCount() == 0) {
    shell().tell(tr("There are no notes; Ctrl+B makes one"));
    return;
  }
  const int row = panel_->currentRow();
  const int next = row < 0 ? (by > 0 ? 0 : model_.rowCount() - 1) : (row + by + model_.rowCount()) % model_.rowCount();
  panel_->setCurrentRow(next, false);
  goTo(next);
}

void NotesController::goTo(int row) {
  const protocol::NotePlace &place = model_.place(row);
  if (place.snapshot < 0 || (!place.hasOp && model_.notes()[row].kind != protocol::NoteKind::Step)) {
    shell().tell(tr("No longer here: %1").arg(place.how));
    return;
  }
  Spot spot{.snapshot = place.snapshot};
  if (place.hasOp)
    spot.op = place.op;
  if (!navigation_.goTo(spot))
    shell().tell(tr("No step shows it"));
}

void NotesController::addToMenu(QMenu *menu, NodeId op) {
  const Target target{.op = op};
  menu->addSeparator();
  const int row = rowOf(target, snapshot_);
  menu->addAction(lineIcon(u"bookmark"_s), row < 0 ? tr("Add Bookmark") : tr("Remove Bookmark"), this,
                  [this, target] { toggle(target); });
  menu->addAction(row < 0 || model_.notes()[row].text.isEmpty() ? tr("Write a Note…") : tr("Edit the Note…"), this,
                  [this, target] { edit(target); });
  menu->addAction(lineIcon(u"copy"_s), tr("Copy as Bug Report"), this, [this, target] { copyReport(target); });
}

/// What is known about why the edge, or the edges of the op, are not fused.
QString NotesController::reasonOf(const Target &target) const {
  const protocol::FusionReport &report = fusion_.model().report();
  if (report.snapshot != snapshot_)
    return {};
  QStringList lines;
  for (const protocol::FusionEdge &edge : report.edges) {
    const bool isMeant = target.producer != noNode ? edge.from == target.producer && edge.to == target.op
                                                   : edge.missed && (edge.from == target.op || edge.to == target.op);
    if (!isMeant || lines.size() >= 12)
      continue;
    for (const protocol::FusionReason &reason : edge.reasons) {
      QString line = u"- `%1` %2"_s.arg(reason.code, reason.sentence);
      if (!reason.detail.isEmpty())
        line += u" (%1)"_s.arg(reason.detail);
      if (target.producer == noNode)
        line += tr(", %1 to %2").arg(edge.fromName, edge.toName);
      lines.append(line);
    }
  }
  return lines.join(u'\n');
}

void NotesController::copyReport(const Target &target) {
  if (target.op == noNode) {
    shell().tell(tr("Select the op or the edge that the report is about"));
    return;
  }
  ++asked_;
  session().client().call<method::WriteBugReport>(
      {.id = target.op,
       .producer = idOf(target.producer),
       .reason = reasonOf(target),
       .policy = fusion_.panel().policy(),
       .snapshot = snapshot_},
      this,
      [this](const protocol::BugReport &report) {
        --asked_;
        QApplication::clipboard()->setText(report.text);
        shell().tell(tr("Copied: %1 of Markdown").arg(counted(report.text.count(u'\n'), tr("line"), tr("lines"))));
      },
      [this](const protocol::Error &error) {
        --asked_;
        failed(tr("No bug report"), error);
      });
}

void NotesController::failed(const QString &what, const protocol::Error &error) {
  if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
    shell().tell(u"%1: %2"_s.arg(what, error.message));
}

void NotesController::opened(const protocol::Document &document) {
  later_->stop();
  isDirty_ = isLoaded_ = false;
  wishes_.clear();
  if (path_ != document.path)
    draft_.leave();
  before_.clear();
  known_.clear();
  path_ = document.path;
  ++changes_;
  toldProblem_.clear();
  model_.setNotes({});
  showPlace({});
  load();
}

/// Where they are kept, if not beside the file.
void NotesController::showPlace(const QString &place) {
  panel_.tell(u"place"_s, [place](NotesPanel &panel) { panel.setPlace(place); });
}

void NotesController::load() {
  ++asked_;
  session().client().call<method::LoadNotes>(
      {}, this,
      [this, path = path_](const protocol::Notes &notes) {
        --asked_;
        if (path != path_)
          return;
        isLoaded_ = true;
        model_.setNotes(notes.notes);
        for (const protocol::Note &note : notes.notes)
          known_.insert(note.id, note.text);
        ++changes_;
        applyDraft();
        showPlace(notes.problem);
        if (!notes.problem.isEmpty()) {
          protocol::Error error;
          error.message = notes.problem;
          emit shell().errorReported(u"notes"_s, tr("Not all notes were read"), error);
        }
        resolve();
      },
      [this](const protocol::Error &error) {
        --asked_;
        failed(tr("The notes were not read"), error);
      });
}

/// Where they are, here and on the step on screen.
void NotesController::resolve() {
  soon_->stop();
  if (model_.rowCount() == 0 || !session().hasDocument()) {
    placed_ = snapshot_;
    paintMarks();
    return grantNext();
  }
  isResolving_ = true;
  session().client().call<method::ResolveNotes>(
      {.snapshot = snapshot_, .notes = model_.notes()}, this,
      [this, changes = changes_, snapshot = snapshot_](const protocol::NotePlaces &found) {
        isResolving_ = false;
        if (changes != changes_ || snapshot != snapshot_)
          return soon_->start();
        placed_ = snapshot;
        model_.setPlaces(found.places);
        paintMarks();
        grantNext();
      },
      [this](const protocol::Error &error) {
        isResolving_ = false;
        failed(tr("The notes were not looked for"), error);
        grantNext();
      },
      u"notes"_s); // of steps that are passed by, only the last counts
}

void NotesController::save() {
  later_->stop();
  isDirty_ = false;
  ++saving_;
  session().client().call<method::SaveNotes>(
      {.notes = model_.notes(), .document = path_}, this,
      [this, path = path_](const protocol::NotesSaved &saved) {
        --saving_;
        if (path != path_)
          return;
        if (!isDirty_ && saving_ == 0) { // else the next answer is about the last words
          before_.clear();
          keepDraft();
        }
        const QString place = saved.problem.isEmpty()
                                  ? QString()
                                  : tr("Notes cannot be kept beside the file (%1). They are kept in %2.")
                                        .arg(saved.problem, QDir::toNativeSeparators(saved.path));
        showPlace(place);
        if (!place.isEmpty() && place != toldProblem_)
          shell().banner().showMessage(Banner::Kind::Warning, place);
        toldProblem_ = place;
      },
      [this, path = path_](const protocol::Error &error) {
        --saving_;
        isDirty_ |= path == path_; // saved again when the engine is back, or with the next change
        if (error.code != protocol::Error::EngineGone)
          emit shell().errorReported(u"notes"_s, tr("The notes were not saved"), error);
      });
}

void NotesController::graphShown(int) { paintMarks(); }

void NotesController::stepsReplaced(int) {
  placed_ = -1;
  soon_->start();
}

void NotesController::stepShown(const ShownStep &step) {
  if (step.snapshot != snapshot_)
    text_.view().setNotedLines({});
  snapshot_ = step.snapshot;
  soon_->start();
}

void NotesController::sessionChanged() {
  const bool hasDocument = session().hasDocument();
  for (QAction *action : {toggle_, edit_, next_, previous_, report_})
    action->setEnabled(hasDocument);
}

void NotesController::engineRecovered(int) {
  if (!isLoaded_)
    return load();
  if (isDirty_)
    save();
  resolve();
}

bool NotesController::mayClose() {
  if (isDirty_)
    save();
  QElapsedTimer since;
  since.start();
  while (saving_ > 0 && session().client().isRunning() && since.elapsed() < 3000)
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents, 50);
  return (saving_ == 0 && !isDirty_) ||
         QMessageBox::question(&shell().window(), tr("Notes"),
                               tr("Your last change to the notes is not saved yet. Close anyway?")) == QMessageBox::Yes;
}

} // namespace fuselage
