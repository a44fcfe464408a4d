// Lessons in the window: by their own "Show me", and one by mouse and keyboard as somebody new would go through it.
#include "app/gui/learn/LearnController.h"
#include "app/gui/learn/LearnPanel.h"
#include "core/protocol/methods/LessonMethods.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/start/Welcome.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct LearnBench : WindowBench {
  LearnController &learn = window.controller<LearnController>();
  LearnPanel &panel = learn.panel();

  LearnBench() { QTRY_VERIFY_WITH_TIMEOUT(session.state() == EngineSession::State::Ready, patience); }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  void openLesson(const QString &name) {
    learn.open(name);
    QTRY_VERIFY_WITH_TIMEOUT(!learn.lesson().title.isEmpty() && window.isSettled(), patience);
  }
  /// The names of all lessons that come with the program.
  QStringList lessons() {
    QStringList names;
    bool isThere = false;
    session.client().call<method::ListLessons>(
        {}, &window,
        [&](const protocol::Lessons &known) {
          for (const protocol::Lesson &lesson : known.lessons)
            names.append(lesson.folder);
          isThere = true;
        },
        [&](const protocol::Error &) { isThere = true; });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(isThere, patience); }();
    return names;
  }
};
} // namespace

class WindowLearnTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() { qputenv("XDG_DATA_HOME", folder_.path().toUtf8()); }

  void everyTaskShowsItself_data() {
    QTest::addColumn<QString>("name");
    for (const QString &name : lessonFolders())
      QTest::newRow(qPrintable(name)) << name;
  }

  /// "Show me" reaches the goals in the window, too.
  void everyTaskShowsItself() {
    QFETCH(QString, name);
    LearnBench bench;
    bench.openLesson(name);
    const protocol::Lesson &lesson = bench.learn.lesson();
    bench.learn.goTo(0);
    for (int task = 0; task < lesson.tasks.size(); ++task) {
      QCOMPARE(bench.learn.task(), task);
      bench.rest();
      const QString where = u"task %1: "_s.arg(task + 1);
      QVERIFY2(!bench.learn.isDone(task), qPrintable(where + u"done before it began"_s));
      QTest::mouseClick(bench.panel.showButton(), Qt::LeftButton);
      QTRY_VERIFY2_WITH_TIMEOUT(bench.learn.isDone(task) && bench.window.isSettled(),
                                qPrintable(where + bench.panel.stateText()), 60'000);
      QVERIFY(bench.panel.nextButton()->isEnabled());
      bench.learn.goTo(task + 1);
    }
  }

  /// By name: a panel or a command that is renamed fails here, not in somebody's hands.
  void whatTasksPointAtIsThere() {
    LearnBench bench;
    QStringList commands;
    for (const QAction *action : bench.window.findChildren<QAction *>())
      commands.append(QString(action->text()).remove(u'&').remove(u'\u2026'));
    const QStringList names = bench.lessons();
    QCOMPARE(names.size(), lessonFolders().size());
    for (const QString &name : names) {
      bench.openLesson(name);
      for (const protocol::LessonTask &task : bench.learn.lesson().tasks)
        for (const QString &target : task.point) {
          const QString kind = target.section(u' ', 0, 0), of = target.section(u' ', 1);
          const QString where = u"%1, %2: %3"_s.arg(name, task.title, target);
          if (kind == "panel"_L1)
            QVERIFY2(bench.window.shell().docks().find(of), qPrintable(where));
          else if (kind == "command"_L1)
            QVERIFY2(commands.contains(of), qPrintable(where));
          else if (kind == "view"_L1)
            QVERIFY2(QStringList({u"graph"_s, u"ir"_s, u"diff"_s, u"schedule"_s}).contains(of), qPrintable(where));
          else
            QVERIFY2(kind == "op"_L1, qPrintable(where));
        }
    }
  }

  /// As somebody new: from the start page to the end of the first lesson, by keyboard and mouse.
  void theFirstLessonByHand() {
    LearnBench bench;
    emit bench.documents.welcome().lessonRequested(u"01-dispatches"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.learn.lesson().title.isEmpty() && bench.window.isSettled(), patience);
    QVERIFY(bench.learn.dock()->isVisible());
    // A wrong answer, then hints, then the right one.
    bench.panel.answerEdit()->setFocus();
    QTest::keyClicks(bench.panel.answerEdit(), u"7"_s);
    QTest::keyClick(bench.panel.answerEdit(), Qt::Key_Return);
    bench.rest();
    QVERIFY(!bench.learn.isDone(0));
    QVERIFY2(bench.panel.stateText().contains(u"not right yet"_s), qPrintable(bench.panel.stateText()));
    for (int hint = 1; hint <= 3; ++hint) {
      QTest::mouseClick(bench.panel.hintButton(), Qt::LeftButton);
      QVERIFY(bench.panel.hintText().contains(u"Hint %1"_s.arg(hint)));
    }
    QVERIFY(!bench.panel.hintButton()->isEnabled());
    bench.panel.answerEdit()->setFocus();
    bench.panel.answerEdit()->selectAll();
    QTest::keyClicks(bench.panel.answerEdit(), u"2"_s);
    QTest::keyClick(bench.panel.answerEdit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(0), patience);
    // The keyboard is on the way on.
    QTRY_VERIFY(bench.panel.nextButton()->hasFocus());
    QTest::keyClick(bench.panel.nextButton(), Qt::Key_Return);
    QCOMPARE(bench.learn.task(), 1);
    bench.rest();
    const auto click = [&](const QString &op) {
      const NodeId id = bench.graph.find(op);
      bench.graph.view().reveal(id, false);
      bench.rest();
      QTest::mouseClick(&bench.graph.view(), Qt::LeftButton, {}, bench.graph.view().rectOf(id).center().toPoint());
      bench.rest();
    };
    click(u"fill"_s);
    QVERIFY(!bench.learn.isDone(1));
    click(u"matmul"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(1), patience);
    QTest::mouseClick(bench.panel.nextButton(), Qt::LeftButton);
    bench.rest();
    QTest::mouseClick(bench.panel.nextButton(), Qt::LeftButton); // skips a question
    bench.rest();
    QCOMPARE(bench.learn.task(), 3);
    QVERIFY(!bench.learn.isDone(2) && !bench.learn.isDone(3));
    bench.graph.view().setFocus();
    QTest::keyClick(&bench.window, Qt::Key_J);
    bench.rest();
    QVERIFY(!bench.learn.isDone(3));
    QTest::keyClick(&bench.window, Qt::Key_J);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(3), patience);
    QCOMPARE(bench.panel.nextButton()->text().remove(u'&'), u"Finish"_s);
  }

  /// Tile sizes and a cache by keyboard; the traffic that is judged is the one that the Tile Explorer shows.
  void tilesAndACacheByHand() {
    LearnBench bench;
    bench.openLesson(u"05-tiles"_s);
    bench.learn.goTo(0);
    bench.showTiles(u"matmul"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && bench.window.isSettled(), patience);
    const auto type = [&](QSpinBox *box, const QString &text) {
      box->setFocus();
      box->selectAll();
      QTest::keyClicks(box, text);
      QTest::keyClick(box, Qt::Key_Return);
      bench.rest();
    };
    const auto typeSizes = [&](const QString &text) {
      for (int loop = 0; loop < 3; ++loop)
        type(panel.sizes().number(loop), text);
    };
    typeSizes(u"32"_s);
    QVERIFY(!bench.learn.isDone(0));
    bench.panel.answerEdit()->setFocus();
    QTest::keyClicks(bench.panel.answerEdit(), u"12"_s);
    QTest::keyClick(bench.panel.answerEdit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(0), patience);
    bench.learn.goTo(1);
    typeSizes(u"256"_s);
    bench.rest();
    QVERIFY(!bench.learn.isDone(1));
    QVERIFY2(bench.panel.stateText().contains(u"set a cache size"_s), qPrintable(bench.panel.stateText()));
    type(panel.cacheNumber(), u"257"_s);
    QVERIFY2(bench.panel.stateText().contains(u"64.75 MiB moved by the tiles of matmul"_s),
             qPrintable(bench.panel.stateText()));
    QVERIFY(!bench.learn.isDone(1));
    type(panel.cacheNumber(), u"258"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(1), patience);
  }

  /// Progress is kept for each task, and the lesson goes on where it was left.
  void aLessonGoesOnWhereItWasLeft() {
    LearnBench bench;
    bench.openLesson(u"01-dispatches"_s);
    bench.learn.goTo(1);
    bench.learn.show();
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(1), patience);
    bench.open(sample(u"softmax.mlir"_s));
    bench.openLesson(u"01-dispatches"_s);
    QCOMPARE(bench.learn.task(), 1);
    QVERIFY(bench.learn.isDone(1) && !bench.learn.isDone(0));
  }

private:
  static QStringList lessonFolders() {
    return QDir(sample(u"../resources/lessons"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  }
  QTemporaryDir folder_;
};

FUSELAGE_WINDOW_TEST_MAIN(WindowLearnTest)
#include "WindowLearnTest.moc"
