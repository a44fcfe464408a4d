#include "tests/views/window/learn/LessonHand.h"
#include "app/gui/learn/LessonNames.h"
#include "app/gui/learn/LessonOps.h"
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "views/editor/ScriptEdit.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/StepsPanel.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace fuselage {

void LessonHand::rest() { QTRY_VERIFY_WITH_TIMEOUT(bench_.window.isSettled(), patience); }

QString LessonHand::act(const QString &action) {
  bench_.window.activateWindow();
  if (!QTest::qWaitForWindowActive(&bench_.window))
    return u"the window does not get active"_s;
  const QString verb = action.section(u' ', 0, 0), rest = action.section(u' ', 1).trimmed();
  QString problem = u"nobody does this by hand"_s;
  if (verb == "answer"_L1 || verb == "choice"_L1)
    problem = answer(rest);
  else if (verb == "select"_L1)
    problem = select(rest);
  else if (verb == "step"_L1)
    problem = goToStep(rest);
  else if (verb == "record"_L1)
    problem = record(rest);
  else if (verb == "schedule"_L1)
    problem = runSchedule(rest);
  else if (verb == "tile"_L1)
    problem = tile(rest.split(u' ', Qt::SkipEmptyParts));
  else if (action == "fuse all"_L1 || action == "clean up"_L1)
    problem = press(action == "fuse all"_L1 ? u"Fuse All"_s : u"Clean Up"_s);
  else if (verb == "fuse"_L1)
    problem = fuseEdge(rest.section(u"->"_s, 0, 0).trimmed(), rest.section(u"->"_s, 1).trimmed());
  else if (verb == "panel"_L1)
    problem = openPanel(rest);
  else if (verb == "view"_L1)
    problem = press(rest == "ir"_L1 ? u"IR Text"_s : rest.left(1).toUpper() + rest.mid(1));
  this->rest();
  return problem.isEmpty() ? QString() : u"%1: %2"_s.arg(action, problem);
}

QString LessonHand::answer(const QString &text) {
  panel_.answerEdit()->setFocus();
  panel_.answerEdit()->selectAll();
  QTest::keyClicks(panel_.answerEdit(), text);
  QTest::keyClick(panel_.answerEdit(), Qt::Key_Return);
  return {};
}

/// A click on its node.
QString LessonHand::select(const QString &op) {
  qint64 found = -2;
  findOp(bench_.session.client(), bench_.text.snapshot(), op, &bench_.window, [&](qint64 id) { found = id; });
  [&] { QTRY_VERIFY_WITH_TIMEOUT(found != -2, patience); }();
  bench_.window.showView(View::Graph);
  GraphView &view = bench_.graph.view();
  if (found < 0 || view.rectOf(found).isEmpty())
    return u"the graph has no node for it"_s;
  view.reveal(found, false);
  rest();
  QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOf(found).center().toPoint());
  return {};
}

QString LessonHand::goToStep(const QString &name) {
  QTreeView &list = *bench_.steps.panel().list();
  for (int row = 0; row < list.model()->rowCount(); ++row) {
    const QModelIndex index = list.model()->index(row, StepModel::Name);
    const bool isInput = row == 0 && name == "Input"_L1;
    if (!isInput && index.data().toString() != name)
      continue;
    list.scrollTo(index);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(index).center());
    return {};
  }
  return u"the list has no such step"_s;
}

/// Pasted, as it is copied from the task.
QString LessonHand::record(const QString &pipeline) {
  if (pipeline.isEmpty())
    return press(u"Record the Default Pipeline"_s);
  if (const QString problem = openPanel(u"pipeline"_s); !problem.isEmpty())
    return problem;
  PipelinePanel &panel = bench_.pipeline.panel();
  panel.edit()->setFocus();
  QApplication::clipboard()->setText(pipeline);
  QTest::keySequence(panel.edit(), QKeySequence::SelectAll);
  QTest::keySequence(panel.edit(), QKeySequence::Paste);
  if (!panel.recordButton()->isEnabled())
    return u"the button is disabled"_s;
  QTest::mouseClick(panel.recordButton(), Qt::LeftButton);
  return {};
}

/// Opened by its dialog, then F5.
QString LessonHand::runSchedule(const QString &file) {
  QTimer dialogs;
  bool isChosen = false, isTyped = false;
  QObject::connect(&dialogs, &QTimer::timeout, &dialogs, [&] {
    auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
    if (!dialog)
      return;
    auto *edit = dialog->findChild<QLineEdit *>(u"fileNameEdit"_s);
    if (!std::exchange(isChosen, true)) {
      edit->setFocus();
      edit->selectAll();
      QGuiApplication::clipboard()->setText(folder_ + u'/' + file); // letter by letter, completions get in between
      QTest::keySequence(edit, QKeySequence::Paste);
      isTyped = true;
    }
    if (!isTyped)
      return;
    if (QWidget *completions = QApplication::activePopupWidget())
      QTest::keyClick(completions, Qt::Key_Escape);
    QTest::keyClick(edit, Qt::Key_Return);
  });
  dialogs.start(20);
  QTest::keySequence(&bench_.window, QKeySequence(u"Ctrl+Alt+O"_s));
  if (!isChosen)
    return u"no dialog"_s;
  auto &schedule = bench_.window.controller<ScheduleController>();
  ScriptEdit &edit = bench_.window.controller<ScriptController>().edit();
  rest();
  edit.setFocus();
  QTest::keyClick(&edit, Qt::Key_F5);
  [&] { QTRY_VERIFY_WITH_TIMEOUT(schedule.steps().rowCount() > 0 && schedule.isSettled(), patience); }();
  return {};
}

/// Its row of the table of missed fusions, and Ctrl+E.
QString LessonHand::fuseEdge(const QString &from, const QString &to) {
  if (const QString problem = openPanel(u"fusion"_s); !problem.isEmpty())
    return problem;
  [&] { QTRY_VERIFY_WITH_TIMEOUT(bench_.fusion.model().rowCount() > 0 && bench_.fusion.isSettled(), patience); }();
  QTableView &table = *bench_.fusion.panel().table();
  const auto &filter = *qobject_cast<QSortFilterProxyModel *>(table.model());
  for (int row = 0; row < filter.rowCount(); ++row) {
    const QModelIndex index = filter.index(row, FusionModel::Producer);
    const protocol::FusionEdge *edge = bench_.fusion.model().edgeAt(filter.mapToSource(index).row());
    if (!edge || !isCalled(from, edge->fromOp, edge->fromName) || !isCalled(to, edge->toOp, edge->toName))
      continue;
    table.scrollTo(index);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    rest();
    QTest::keySequence(&table, QKeySequence(u"Ctrl+E"_s));
    return {};
  }
  return u"no row of the table"_s;
}

/// "matmul 8,8,0 cache 32 alone"
QString LessonHand::tile(const QStringList &words) {
  if (const QString problem = select(words.value(0)); !problem.isEmpty())
    return problem;
  rest();
  if (const QString problem = openPanel(u"tiles"_s); !problem.isEmpty())
    return problem;
  TileExplorerPanel &panel = bench_.tiles.panel();
  [&] { QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && bench_.window.isSettled(), patience); }();
  const auto type = [this](QSpinBox *box, const QString &text) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
    rest();
  };
  const QStringList sizes = words.value(1).split(u',');
  for (qsizetype loop = 0; loop < sizes.size(); ++loop)
    type(panel.sizes().number(int(loop)), sizes[loop] == "0"_L1 ? u"100000"_s : sizes[loop]); // more than there are
  if (const qsizetype order = words.indexOf(u"order"_s); order >= 0)
    if (const QString problem = chooseOrder(words.value(order + 1)); !problem.isEmpty())
      return problem;
  const qsizetype cache = words.indexOf(u"cache"_s);
  type(panel.cacheNumber(), cache < 0 ? u"0"_s : words.value(cache + 1));
  auto *fuse = panel.fuseBox();
  if (fuse->isChecked() == words.contains(u"alone"_s))
    QTest::keyClick(fuse, Qt::Key_Space);
  return {};
}

/// "1,0,2", with the arrow keys in the list above the pictures.
QString LessonHand::chooseOrder(const QString &wanted) {
  QComboBox &orders = bench_.tiles.panel().side(0).orders();
  for (int index = 0; index < orders.count(); ++index) {
    QStringList loops;
    for (const int loop : orders.itemData(index).value<QList<int>>())
      loops.append(QString::number(loop));
    if (loops.join(u',') != wanted)
      continue;
    orders.setFocus();
    QTest::keyClick(&orders, Qt::Key_Home);
    for (int down = 0; down < index; ++down)
      QTest::keyClick(&orders, Qt::Key_Down);
    rest();
    return {};
  }
  return u"the list has no such order"_s;
}

/// By its keys, or in the locator where it has none.
QString LessonHand::press(const QString &command) {
  for (QAction *action : bench_.window.findChildren<QAction *>()) {
    if (lessonNameOf(*action) != command || !action->isEnabled())
      continue;
    if (!action->shortcut().isEmpty()) {
      QTest::keySequence(&bench_.window, action->shortcut());
      return {};
    }
    for (QToolButton *button : bench_.window.findChildren<QToolButton *>())
      if (button->defaultAction() == action && button->isVisible()) {
        QTest::mouseClick(button, Qt::LeftButton);
        return {};
      }
    action->trigger(); // in a menu
    return {};
  }
  return u"there is no such command, or it is disabled"_s;
}

QString LessonHand::openPanel(const QString &name) {
  QDockWidget *dock = bench_.window.shell().docks().find(name);
  if (!dock)
    return u"there is no such panel"_s;
  const bool isInFront = dock->isVisible() && !dock->visibleRegion().isEmpty();
  const QString problem = isInFront ? QString() : press(dock->windowTitle());
  rest();
  return problem;
}

} // namespace fuselage
