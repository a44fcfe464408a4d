#include "app/gui/remarks/RemarksController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/RemarkMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

RemarksController::RemarksController(Shell &shell, StepsController &steps, GraphController &graph,
                                     ProblemsController &problems)
    : Controller(shell), steps_(steps), graph_(graph), problems_(problems) {
  QAction *open = command(tr("Open Re&marks\u2026"), u"open"_s);
  open->setToolTip(tr("List the remarks of another compiler, YAML or bitstream, and mark the ops that they are about"));
  shell.menus().add(Place::FileOpen, {open});
  on(open, [this] { chooseFile(); });
}

void RemarksController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(
      &shell().window(), tr("Open remarks"), settings().text(u"remarks"_s),
      tr("Remarks (*.yaml *.yml *.opt.yaml *.bitstream *.opt.bitstream *.remarks);;All files (*)"));
  if (path.isEmpty())
    return;
  settings().setText(u"remarks"_s, QFileInfo(path).path());
  openRemarks(path);
}

bool RemarksController::takeFile(const QString &path) {
  QFile file(path);
  if (!session().hasDocument() || !file.open(QIODevice::ReadOnly))
    return false;
  constexpr qint64 looked = 4096;
  const QByteArray start = file.read(looked);
  if (!start.startsWith("RMRK") && !start.startsWith("--- !"))
    return false;
  openRemarks(path);
  return true;
}

void RemarksController::openRemarks(const QString &path) {
  path_ = QFileInfo(path).absoluteFilePath();
  place(graph_.scenes().snapshot(), true);
}

void RemarksController::opened(const protocol::Document &) {
  path_.clear();
  snapshot_ = -1;
  remarks_ = {};
}

void RemarksController::graphShown(int snapshot) {
  if (path_.isEmpty())
    return;
  if (snapshot == snapshot_)
    mark(); // a new scene has no marks
  else
    place(snapshot, false);
}

void RemarksController::place(int snapshot, bool isNew) {
  session().client().call<method::ReadRemarks>(
      {.path = path_, .snapshot = snapshot}, this,
      [this, snapshot, isNew](const protocol::Remarks &remarks) {
        remarks_ = remarks;
        snapshot_ = snapshot;
        list();
        mark();
        if (!isNew)
          return;
        problems_.raise();
        shell().tell(tr("%1, %2 of them on ops")
                         .arg(counted(remarks.remarks.size(), tr("remark"), tr("remarks")))
                         .arg(groupedNumber(remarks.placed)));
      },
      [this, isNew](const protocol::Error &error) {
        if (isNew) {
          path_.clear();
          snapshot_ = -1;
          remarks_ = {};
          mark();
        }
        problems_.report(u"remarks"_s, tr("The remarks cannot be read"), error);
      },
      u"remarks"_s);
}

static protocol::Diagnostic noteOf(const protocol::Remark &remark) {
  const QString kind = QString::fromLatin1(message::remarkKindNames[int(remark.kind)]);
  QString text = remark.message.isEmpty() ? kind : kind + u": "_s + remark.message;
  if (!remark.opName.isEmpty())
    text = remark.opName + u": "_s + text;
  if (!remark.why.isEmpty())
    text += u" ("_s + remark.why + u')';
  return {.severity = u"remark"_s,
          .message = text,
          .file = remark.file,
          .line = remark.line,
          .column = remark.column,
          .op = remark.op,
          .opLine = remark.opLine - 1,
          .notes = {}};
}

/// A row for each pass and name, with its remarks below.
void RemarksController::list() {
  constexpr int most = 1000; // of a group
  QList<protocol::Diagnostic> groups;
  const QList<protocol::Remark> &all = remarks_.remarks;
  for (qsizetype begin = 0; begin < all.size();) {
    qsizetype end = begin;
    protocol::Diagnostic group{.severity = u"remark"_s, .message = {}, .file = {}, .notes = {}};
    for (; end < all.size() && all[end].pass == all[begin].pass && all[end].name == all[begin].name; ++end)
      if (end - begin < most)
        group.notes.append(noteOf(all[end]));
    const qsizetype count = end - begin;
    group.message = tr("%1: %2, %3")
                        .arg(all[begin].pass.isEmpty() ? tr("no pass") : all[begin].pass, all[begin].name,
                             counted(count, tr("remark"), tr("remarks")));
    if (count > most)
      group.notes.append({.severity = u"remark"_s,
                          .message = tr("and %1 more").arg(groupedNumber(count - most)),
                          .file = {},
                          .notes = {}});
    groups.append(group);
    begin = end;
  }
  if (!remarks_.problem.isEmpty())
    groups.prepend({.severity = u"warning"_s,
                    .message = tr("The rest of the remarks cannot be read: %1").arg(remarks_.problem),
                    .file = remarks_.path,
                    .notes = {}});
  if (remarks_.leftOut > 0)
    groups.append({.severity = u"remark"_s,
                   .message = tr("%1 more are not listed").arg(groupedNumber(remarks_.leftOut)),
                   .file = {},
                   .notes = {}});
  problems_.model().setDiagnostics(u"remarks"_s, groups, steps_.currentRow());
}

/// A badge on each op that remarks are about, or on the closed box that it is in.
void RemarksController::mark() {
  GraphView &view = graph_.view();
  QMap<NodeId, int> counts;
  if (graph_.scenes().shownSnapshot() == snapshot_)
    for (const protocol::Remark &remark : std::as_const(remarks_.remarks))
      if (remark.op >= 0)
        ++counts[view.scene().hiddenOps.value(remark.op, remark.op)];
  QList<NodeMark> marks;
  for (auto count = counts.cbegin(); count != counts.cend(); ++count)
    marks.append({.id = count.key(),
                  .kind = MarkKind::Definition,
                  .text = counted(count.value(), tr("remark"), tr("remarks")),
                  .what = tr("with remarks")});
  view.setRemarkMarks(marks);
}

} // namespace fuselage
