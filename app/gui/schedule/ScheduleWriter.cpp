#include "app/gui/schedule/ScheduleWriter.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/text/TextController.h"
#include "app/gui/tiles/TileController.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include <QMenu>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int typingMs = 150;

ScheduleWriter::ScheduleWriter(Shell &shell, ScriptController &scripts, ScheduleController &schedule,
                               GraphController &graph, TextController &text, TileController &tiles)
    : Controller(shell), scripts_(scripts), schedule_(schedule), graph_(graph), text_(text), later_(new QTimer(this)) {
  action_ = command(tr("&Add to the Schedule\u2026"), {}, {QKeySequence(u"Ctrl+Shift+A"_s)});
  action_->setToolTip(tr("What a line of the schedule can do to the selected op (Ctrl+Shift+A)"));
  on(action_, [this] { offer(text_.selected()); });
  shell.menus().add(Place::FuseEdges, {action_});
  connect(&graph, &GraphController::menuShown, this, &ScheduleWriter::addToMenu);
  connect(&text, &TextController::menuShown, this, &ScheduleWriter::addToMenu);
  connect(&text, &TextController::selectionChanged, this, [this] { sessionChanged(); });
  connect(&tiles, &TileController::tileChosen, this, [this](int snapshot, qint64 op, bool fuse, const QString &sizes) {
    if (snapshot == text_.snapshot()) // the panel may still show an op of what was there before
      offer(op, fuse ? u"tile_and_fuse"_s : u"tile"_s, {{u"sizes"_s, sizes}});
  });
  later_->setSingleShot(true);
  later_->setInterval(typingMs);
  connect(later_, &QTimer::timeout, this, &ScheduleWriter::requestLines);
}

void ScheduleWriter::addToMenu(QMenu *menu, NodeId op) {
  QAction *offers =
      menu->addAction(scripts_.isEmpty() ? tr("Start a Schedule Here\u2026") : tr("Add to the Schedule\u2026"));
  offers->setEnabled(isReady());
  connect(offers, &QAction::triggered, this, [this, op] { offer(op); });
}

void ScheduleWriter::offer(NodeId op, const QString &wanted, const QMap<QString, QString> &options) {
  if (!isReady() || asksActions_)
    return;
  if (op < 0) // arguments, and groups that are no ops
    return shell().tell(tr("This is not an op. Select one first."));
  op_ = op;
  snapshot_ = text_.snapshot();
  asksActions_ = true;
  session().client().call<method::ScheduleActions>(
      {.snapshot = snapshot_, .id = op}, this,
      [this, wanted, options](const protocol::ScheduleActions &actions) {
        asksActions_ = false;
        showActions(actions, wanted, options);
      },
      [this](const protocol::Error &error) {
        asksActions_ = false;
        if (error.code != protocol::Error::EngineGone && error.code != protocol::Error::Cancelled)
          emit shell().errorReported(u"schedule"_s, tr("Nothing is known of the op"), error);
      });
}

void ScheduleWriter::showActions(const protocol::ScheduleActions &actions, const QString &wanted,
                                 const QMap<QString, QString> &options) {
  script_ = scripts_.isEmpty() ? ScriptController::skeleton() : scripts_.text();
  dropDialog();
  dialog_ = new ActionDialog(&shell().window());
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &ActionDialog::changed, this, [this] {
    asksLines_ = true;
    dialog_->showProblem({});
    dropQuestion();
    later_->start();
  });
  connect(dialog_, &QDialog::accepted, this, &ScheduleWriter::add);
  connect(dialog_, &QDialog::finished, this, [this] {
    later_->stop();
    dropQuestion();
    asksLines_ = false;
  });
  const QString name = graph_.scenes().knownName(snapshot_, op_);
  dialog_->setActions(name.isEmpty() ? QString(actions.op) : u"%1 (%2)"_s.arg(name, actions.op), actions, wanted,
                      options);
  dialog_->open();
}

/// Without the indent that the first of them has.
static QString linesOf(const QString &text, int first, int last) {
  QStringList lines = text.split(u'\n').mid(first - 1, last - first + 1);
  qsizetype indent = 0;
  while (!lines.isEmpty() && indent < lines.first().size() && lines.first()[indent] == u' ')
    ++indent;
  for (QString &line : lines)
    line = line.sliced(std::min(indent, line.size()));
  return lines.join(u'\n');
}

void ScheduleWriter::requestLines() {
  if (!dialog_ || !isReady())
    return;
  linesAsked_ = session().client().call<method::WriteSchedule>(
      {.snapshot = snapshot_,
       .start = schedule_.startSnapshot(),
       .path = scripts_.fileName(),
       .text = script_,
       .action = dialog_->action(),
       .script = scripts_.options(),
       .options = dialog_->options(),
       .id = op_},
      this,
      [this](const protocol::WrittenSchedule &written) {
        asksLines_ = false;
        linesAsked_ = 0;
        written_ = written.text;
        if (dialog_)
          dialog_->showLines(linesOf(written.text, written.first, written.last));
      },
      [this](const protocol::Error &error) {
        if (error.code == protocol::Error::Cancelled) // another question took its place
          return;
        asksLines_ = false;
        if (dialog_)
          dialog_->showProblem(error.message);
      },
      u"schedule/write"_s);
}

void ScheduleWriter::add() {
  if (scripts_.isEmpty() && !scripts_.newScript())
    return;
  scripts_.replaceText(written_);
  scripts_.showEditor();
  schedule_.runEditor();
}

/// It may be in the middle of saying that it was accepted.
void ScheduleWriter::dropDialog() {
  if (!dialog_)
    return;
  dialog_->disconnect(this);
  dialog_->hide();
  dialog_->deleteLater();
  dialog_ = nullptr;
  later_->stop();
  dropQuestion();
  asksLines_ = false;
}

/// Its answer would be about other options.
void ScheduleWriter::dropQuestion() {
  if (const quint64 asked = std::exchange(linesAsked_, 0)) {
    session().client().cancel(asked);
    session().client().forget(asked);
  }
}

void ScheduleWriter::opened(const protocol::Document &) { dropDialog(); }

void ScheduleWriter::sessionChanged() { action_->setEnabled(isReady() && text_.selected() != noNode); }

} // namespace fuselage
