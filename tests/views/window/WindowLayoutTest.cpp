// How panels stand: layouts for tasks, a panel that fills the window, one title each.
#include "app/gui/layout/LayoutController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"
#include "views/widgets/PanelTitle.h"
#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QMenuBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

using namespace fuselage;
using namespace Qt::StringLiterals;
using Task = LayoutController::Task;

namespace {
struct LayoutBench : WindowBench {
  LayoutController &layouts = window.controller<LayoutController>();
  QDockWidget *dock(const QString &name) { return window.findChild<QDockWidget *>(name); }
  QWidget *centre() { return window.centralWidget(); }
  /// So that Details has something to show.
  void selectFirst() {
    text.select(graph.view().scene().nodes.first().id, true);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience);
  }
};
} // namespace

/// A piece of a field or a bar of tabs, or in what scrolls.
static bool isPartOfOther(const QWidget &control) {
  for (const QWidget *around = control.parentWidget(); around; around = around->parentWidget())
    if (around->inherits("QAbstractScrollArea") || around->inherits("QTabBar") || around->inherits("QLineEdit"))
      return true;
  return false;
}

class WindowLayoutTest : public QObject {
  Q_OBJECT
private slots:
  void tilesHaveMostOfTheWindow() {
    for (const QSize size : {QSize(1280, 800), QSize(2560, 1600)}) {
      LayoutBench bench;
      bench.window.resize(size);
      bench.open(sample(u"softmax.mlir"_s));
      bench.layouts.choose(Task::Tiles);
      const QDockWidget *tiles = bench.dock(u"tiles"_s);
      QTRY_VERIFY2(tiles->height() >= bench.window.height() * 11 / 20,
                   qPrintable(QStringLiteral("%1 of %2").arg(tiles->height()).arg(bench.window.height())));
    }
  }

  void openPanelsHaveCheckMarks() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.selectFirst();
    QAction *details = nullptr, *notes = nullptr;
    for (QAction *action : bench.window.findChildren<QAction *>())
      if (action->text() == bench.dock(u"details"_s)->windowTitle() && !action->shortcut().isEmpty())
        details = action;
      else if (action->text() == bench.dock(u"notes"_s)->windowTitle() && !action->shortcut().isEmpty())
        notes = action;
    QVERIFY(details && notes);
    QVERIFY(details->isCheckable() && details->isChecked());
    QVERIFY(!notes->isChecked());
    notes->trigger();
    QVERIFY(notes->isChecked());
    bench.dock(u"details"_s)->close();
    QVERIFY(!details->isChecked());
  }

  /// Until there is something to see, or somebody opens it; what is saved is that it is open.
  void anEmptyDetailsPanelIsHidden() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QDockWidget *details = bench.dock(u"details"_s);
    const int width = bench.centre()->width();
    QVERIFY(details->isHidden());
    bench.layouts.maximizeAction()->trigger();
    bench.layouts.maximizeAction()->trigger();
    QVERIFY(details->isHidden());
    bench.window.saveAll();
    {
      EngineSession session({u"/no/such/engine"_s});
      MainWindow again(session, bench.settings, addFeatures);
      again.show();
      QVERIFY(again.findChild<QDockWidget *>(u"details"_s)->isVisible());
    }
    bench.selectFirst();
    QVERIFY(details->isVisible());
    QTRY_VERIFY(bench.centre()->width() < width);
    // It leaves with the selection, and comes back with the next one.
    bench.text.select(noNode, true);
    QTRY_VERIFY(details->isHidden());
    bench.selectFirst();
    QVERIFY(details->isVisible());
    bench.open(sample(u"mlp_gelu.mlir"_s));
    QVERIFY(details->isHidden());
    // By its key, also while it is empty; what the user closed stays closed.
    bench.window.activateWindow();
    QTRY_VERIFY(bench.window.isActiveWindow());
    QTest::keyClick(&bench.window, Qt::Key_2, Qt::AltModifier);
    QVERIFY(details->isVisible());
    details->close();
    bench.selectFirst();
    QVERIFY(details->isHidden());
  }

  void aPanelFillsTheWindowAndComesBack() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.selectFirst();
    QDockWidget *steps = bench.dock(u"steps"_s), *details = bench.dock(u"details"_s);
    const int width = steps->width();
    steps->widget()->setFocus();
    bench.layouts.maximizeAction()->trigger();
    QVERIFY(!bench.centre()->isVisible() && details->isHidden());
    QTRY_VERIFY(steps->width() > bench.window.width() * 9 / 10);
    QVERIFY(bench.window.focusWidget() && steps->isAncestorOf(bench.window.focusWidget()));
    bench.layouts.maximizeAction()->trigger();
    QVERIFY(bench.centre()->isVisible() && details->isVisible());
    QTRY_COMPARE(steps->width(), width);
  }

  void viewsFillTheWindow() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.graph.view().setFocus();
    bench.layouts.maximizeAction()->trigger();
    QVERIFY(bench.centre()->isVisible() && bench.dock(u"steps"_s)->isHidden());
    // A panel that is asked for brings the others back.
    bench.problems.raise();
    QVERIFY(bench.dock(u"problems"_s)->isVisible() && bench.dock(u"steps"_s)->isVisible());
  }

  void aDoubleClickOnTheTitleOrTheTabIsEnough() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.selectFirst();
    QDockWidget *details = bench.dock(u"details"_s);
    auto *title = qobject_cast<PanelTitle *>(details->titleBarWidget());
    QVERIFY(title && title->isVisible() && !title->isCollapsed());
    QTest::mouseDClick(title, Qt::LeftButton);
    QVERIFY(!bench.centre()->isVisible());
    QTest::mouseDClick(title, Qt::LeftButton);
    QVERIFY(bench.centre()->isVisible());
    QTabBar *tabs = nullptr;
    for (QTabBar *bar : bench.window.findChildren<QTabBar *>(Qt::FindDirectChildrenOnly))
      if (bar->isVisible() && bar->tabText(0) == "Steps"_L1)
        tabs = bar;
    QVERIFY(tabs);
    QTest::mouseDClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    QVERIFY(!bench.centre()->isVisible() && bench.dock(u"steps"_s)->isVisible());
  }

  /// On a small screen fields go on in a second line: nothing makes the window wider, and no control is cut.
  void eachPanelFitsASmallWindow() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QWidget &window = *bench.window.window();
    const QSize small(1024, 700);
    int controls = 0;
    for (QDockWidget *dock : bench.window.findChildren<QDockWidget *>()) {
      bench.window.shell().docks().raise(dock);
      window.resize(small);
      QTest::qWait(50);
      QVERIFY2(window.size() == small,
               qPrintable(u"%1: %2 wide, %3 high"_s.arg(dock->objectName()).arg(window.width()).arg(window.height())));
      for (QWidget *child : dock->widget()->findChildren<QWidget *>()) {
        const bool isControl = qobject_cast<QAbstractButton *>(child) || qobject_cast<QComboBox *>(child) ||
                               qobject_cast<QAbstractSpinBox *>(child);
        if (!isControl || !child->isVisible() || isPartOfOther(*child))
          continue;
        const QRect place(child->mapTo(dock->widget(), QPoint()), child->size());
        QVERIFY2(place.left() >= 0 && place.right() <= dock->widget()->width() &&
                     child->width() >= child->minimumSizeHint().width(),
                 qPrintable(u"%1: %2 '%3' is cut"_s.arg(dock->objectName(),
                                                        QString::fromLatin1(child->metaObject()->className()),
                                                        child->accessibleName())));
        ++controls;
      }
    }
    QVERIFY(controls > 20);
  }

  void aPanelHasItsNameOnce() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.problems.raise();
    bench.run.raise();
    QTest::qWait(0);
    const auto title = [&](const QString &name) {
      return qobject_cast<PanelTitle *>(bench.dock(name)->titleBarWidget());
    };
    QTRY_VERIFY(title(u"run"_s)->isCollapsed() && title(u"problems"_s)->isCollapsed());
    QCOMPARE(title(u"run"_s)->height(), 0);
    bench.dock(u"problems"_s)->close();
    QTRY_VERIFY(!title(u"run"_s)->isCollapsed());
  }

  void everyTaskHasALayoutThatKeepsItsChanges() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.selectFirst();
    bench.layouts.choose(Task::Tiles);
    QVERIFY(bench.dock(u"tiles"_s)->isVisible() && bench.dock(u"details"_s)->isHidden());
    bench.dock(u"steps"_s)->hide();
    bench.layouts.choose(Task::Step);
    QVERIFY(bench.dock(u"steps"_s)->isVisible() && bench.dock(u"tiles"_s)->isHidden());
    QCOMPARE(bench.window.shell().centre().shownView(), View::Diff);
    bench.layouts.choose(Task::Tiles);
    QVERIFY(bench.dock(u"tiles"_s)->isVisible() && bench.dock(u"steps"_s)->isHidden());
    bench.layouts.reset();
    QVERIFY(bench.dock(u"steps"_s)->isVisible());
    bench.layouts.choose(Task::Run);
    QVERIFY(bench.dock(u"run"_s)->isVisible());
    bench.layouts.choose(Task::Inspect);
    QVERIFY(bench.dock(u"details"_s)->isVisible() && bench.dock(u"run"_s)->isHidden());
  }

  void aMaximizedPanelIsNotWhatIsRemembered() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.dock(u"steps"_s)->widget()->setFocus();
    bench.layouts.maximizeAction()->trigger();
    bench.window.saveAll();
    EngineSession session({u"/no/such/engine"_s});
    MainWindow again(session, bench.settings, addFeatures);
    again.show();
    QVERIFY(again.findChild<QDockWidget *>(u"details"_s)->isVisible());
  }

  void theGraphKeepsItsPartOfASmallWindow() {
    LayoutBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"softmax.mlir"_s));
    for (const Task task : {Task::Inspect, Task::Tiles, Task::Run}) {
      bench.layouts.choose(task);
      QTest::qWait(50);
      QVERIFY2(bench.graph.view().width() >= 1280 * 45 / 100, qPrintable(QString::number(bench.graph.view().width())));
      QVERIFY2(bench.window.width() <= 1280 && bench.window.height() <= 800,
               qPrintable(u"%1x%2"_s.arg(bench.window.width()).arg(bench.window.height())));
    }
  }

  void theToolBarFitsAndSaysWhatItsButtonsDo() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    auto *bar = bench.window.findChild<QToolBar *>(u"toolbar"_s);
    for (const int width : {1600, 1280, 1024}) {
      bench.window.resize(width, 800);
      QTest::qWait(20);
      auto *more = bar->findChild<QToolButton *>(u"qt_toolbar_ext_button"_s);
      QVERIFY2(!more || !more->isVisible(), qPrintable(QString::number(width)));
    }
    int buttons = 0;
    for (const QToolButton *button : bar->findChildren<QToolButton *>())
      buttons += button->isVisible() && button->defaultAction();
    QVERIFY2(buttons <= 14, qPrintable(QString::number(buttons)));
  }

  void viewsTakeTheKeyboardWhenTheyAreAskedFor() {
    LayoutBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.activateWindow();
    for (const auto &[key, view] :
         {std::pair{Qt::Key_2, View::Text}, {Qt::Key_3, View::Diff}, {Qt::Key_1, View::Graph}}) {
      bench.dock(u"steps"_s)->widget()->setFocus();
      QTest::keyClick(bench.window.focusWidget(), key, Qt::ControlModifier);
      QCOMPARE(bench.window.shell().centre().shownView(), view);
      QWidget *shown = bench.window.shell().centre().currentView(), *focus = bench.window.focusWidget();
      QVERIFY(focus && (focus == shown || shown->isAncestorOf(focus)));
    }
  }

  void helpHasAPageForEveryPanel() {
    LayoutBench bench;
    QFile file(u":/docs/panels.md"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString pages = QString::fromUtf8(file.readAll());
    QStringList titles{u"Graph"_s, u"IR"_s, u"Diff"_s, u"Schedule (editor)"_s};
    for (const QDockWidget *dock : bench.window.findChildren<QDockWidget *>())
      titles.append(dock->windowTitle());
    for (const QString &title : titles)
      QVERIFY2(pages.contains(u"\n## %1\n"_s.arg(title)), qPrintable(title));
  }

  void noTwoMnemonicsInAMenuAreAlike() {
    LayoutBench bench;
    QStringList alike;
    for (const QMenu *menu : bench.window.menuBar()->findChildren<QMenu *>()) {
      QHash<QString, QString> seen;
      for (const QAction *action : menu->actions()) {
        const QString key = QKeySequence::mnemonic(action->text()).toString();
        if (key.isEmpty() || !action->isVisible())
          continue;
        if (seen.contains(key))
          alike.append(u"%1: %2 and %3"_s.arg(menu->title(), seen.value(key), action->text()));
        seen.insert(key, action->text());
      }
    }
    QVERIFY2(alike.isEmpty(), qPrintable(alike.join(u"; "_s)));
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowLayoutTest)
#include "WindowLayoutTest.moc"
