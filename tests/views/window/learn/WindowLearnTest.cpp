// Lessons in the window: by their own "Show me", and one by mouse and keyboard as somebody new would go through it.
#include "app/gui/learn/LessonNames.h"
#include "tests/views/window/learn/LearnBench.h"
#include "tests/views/window/learn/LessonHand.h"
#include "views/graph/GraphView.h"
#include "views/start/StartCard.h"
#include "views/start/Welcome.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTextBlock>
#include <QTextBrowser>

using namespace fuselage;
using namespace Qt::StringLiterals;

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
                                qPrintable(where + bench.panel.stateText()), patience);
      QVERIFY(bench.panel.nextButton()->isEnabled());
      bench.learn.goTo(task + 1);
    }
  }

  void everyThirdTaskByHand_data() { everyTaskShowsItself_data(); }

  /// By mouse and keyboard, where it begins as "Show me" of the others leaves it.
  void everyThirdTaskByHand() {
    QFETCH(QString, name);
    LearnBench bench;
    bench.openLesson(name);
    const protocol::Lesson &lesson = bench.learn.lesson();
    LessonHand hand(bench, bench.panel, QDir::cleanPath(sample(u"../resources/lessons/"_s + name)));
    const qsizetype first = name.left(2).toInt() % 3;
    bench.learn.goTo(0);
    for (int task = 0; task < lesson.tasks.size(); ++task) {
      bench.rest();
      const QString where = u"task %1, %2: "_s.arg(task + 1).arg(lesson.tasks[task].title);
      if (task % 3 != first)
        QTest::mouseClick(bench.panel.showButton(), Qt::LeftButton);
      else
        for (const QString &action : lesson.tasks[task].show) {
          QVERIFY2(!bench.learn.isDone(task), qPrintable(where + u"done before "_s + action));
          const QString problem = hand.act(action);
          QVERIFY2(problem.isEmpty(), qPrintable(where + problem));
        }
      QTRY_VERIFY2_WITH_TIMEOUT(bench.learn.isDone(task) && bench.window.isSettled(),
                                qPrintable(where + bench.panel.stateText()), patience);
      bench.learn.goTo(task + 1);
    }
  }

  /// By name: a panel or a command that is renamed fails here, not in somebody's hands.
  void whatTasksPointAtIsThere() {
    LearnBench bench;
    const QStringList known = lessonNames(bench.window.shell());
    const QStringList names = bench.lessons();
    QCOMPARE(names.size(), lessonFolders().size());
    for (const QString &name : names) {
      bench.openLesson(name);
      for (const protocol::LessonTask &task : bench.learn.lesson().tasks)
        for (const QString &target : task.point) {
          const QString where = u"%1, %2: %3"_s.arg(name, task.title, target);
          QVERIFY2(target.startsWith(u"op "_s) || known.contains(target), qPrintable(where));
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
    QCOMPARE(bench.panel.nextButton()->text(), u"Finish"_s);
    // What was learned, and the way on.
    QTest::mouseClick(bench.panel.nextButton(), Qt::LeftButton);
    QVERIFY(bench.learn.dock()->isVisible());
    QVERIFY(bench.panel.textView()->toPlainText().contains(u"3 of 4 tasks are done"_s));
    QVERIFY(bench.panel.nextButton()->hasFocus());
    QTest::keyClick(bench.panel.nextButton(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().number, 2, patience);
  }

  /// A unit is not wrong, and what is no number is told to be none.
  void anAnswerIsANumber() {
    LearnBench bench;
    bench.openLesson(u"01-dispatches"_s);
    bench.learn.goTo(0);
    const auto answer = [&](const QString &text) {
      bench.panel.answerEdit()->setFocus();
      bench.panel.answerEdit()->selectAll();
      QTest::keyClicks(bench.panel.answerEdit(), text);
      QTest::keyClick(bench.panel.answerEdit(), Qt::Key_Return);
      bench.rest();
    };
    answer(u"two"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(bench.panel.stateText().contains(u"The answer is a number"_s),
                              qPrintable(bench.panel.stateText()), patience);
    QVERIFY(!bench.learn.isDone(0));
    answer(u"2 kernels"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(0), patience);
  }

  /// What is to be found is not told by what is missing; the last hint does not lead to Show Me.
  void nothingIsGivenAway() {
    LearnBench bench;
    bench.openLesson(u"01-dispatches"_s);
    bench.learn.goTo(1);
    bench.rest();
    bench.text.select(bench.graph.find(u"add"_s), true);
    bench.rest();
    QTRY_VERIFY2_WITH_TIMEOUT(bench.panel.stateText().contains(u"another op is selected"_s),
                              qPrintable(bench.panel.stateText()), patience);
    QVERIFY(!bench.panel.stateText().contains(u"matmul"_s));
    bench.panel.hintButton()->setFocus();
    for (int hint = 0; hint < 3; ++hint)
      QTest::keyClick(bench.panel.hintButton(), Qt::Key_Space);
    QVERIFY(!bench.panel.showButton()->hasFocus());
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
    typeSizes(u"64"_s);
    QVERIFY2(bench.panel.stateText().contains(u"48.00 KiB"_s), qPrintable(bench.panel.stateText()));
    QVERIFY(!bench.panel.stateText().contains(u"12.00"_s)); // that is the answer
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

  /// Its module is a document: opened again, as at the next start, it brings the lesson, task, step and selection.
  void aLessonComesBackWithItsModule() {
    LearnBench bench;
    bench.openLesson(u"01-dispatches"_s);
    bench.learn.goTo(3);
    bench.rest();
    const QString module = bench.session.document().path;
    bench.steps.select(2);
    bench.rest();
    bench.open(sample(u"softmax.mlir"_s));
    QVERIFY(bench.learn.lesson().title.isEmpty());
    QVERIFY(!bench.learn.dock()->isVisible());
    bench.open(module);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().number, 1, patience);
    QCOMPARE(bench.learn.task(), 3);
    QVERIFY(bench.learn.dock()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), 2, patience);
  }

  /// Words are explained where they stand: underlined, on hover, on a click and by keyboard.
  void termsSayWhatTheyMean() {
    LearnBench bench;
    bench.openLesson(u"01-dispatches"_s);
    bench.learn.goTo(0);
    QTextBrowser &text = *bench.panel.textView();
    QStringList terms;
    for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next())
      for (QTextBlock::iterator it = block.begin(); !it.atEnd(); ++it)
        if (const QTextCharFormat format = it.fragment().charFormat(); format.anchorHref().startsWith(u"term:"_s)) {
          QVERIFY(!format.toolTip().isEmpty());
          terms.append(format.anchorHref());
        }
    QVERIFY2(terms.contains(u"term:dispatch"_s), qPrintable(terms.join(u' ')));
    QCOMPARE(terms.removeDuplicates(), 0); // where it is first used
    emit text.anchorClicked(QUrl(u"term:dispatch"_s));
    const auto shown = []() -> QWidget * {
      for (QWidget *widget : QApplication::topLevelWidgets())
        if (widget->inherits("QWhatsThat"))
          return widget;
      return nullptr;
    };
    QVERIFY(shown());
    QTest::keyClick(shown(), Qt::Key_Escape);
    QTRY_VERIFY(!shown());
  }

  /// Those of the lesson's folder, no wider than the panel, and no other file.
  void picturesAreOfTheLesson() {
    LearnBench bench;
    const QString folder = bench.scratch.filePath(u"mine"_s);
    QVERIFY(writeLesson(folder, "7", "![Wide](wide.png) ![Outside](../outside.png) ![Gone](gone.png)\n"));
    QImage wide(900, 300, QImage::Format_RGB32);
    wide.fill(Qt::red);
    QVERIFY(wide.save(folder + u"/wide.png"_s) && wide.save(bench.scratch.filePath(u"outside.png"_s)));
    bench.openLesson(folder);
    const auto widthOf = [&bench](const QString &name) {
      const QVariant picture = bench.panel.textView()->document()->resource(QTextDocument::ImageResource, QUrl(name));
      return picture.value<QImage>().deviceIndependentSize().width();
    };
    QCOMPARE(widthOf(u"wide.png"_s), 300.0);
    QCOMPARE(widthOf(u"../outside.png"_s), 1.0);
    QCOMPARE(widthOf(u"gone.png"_s), 1.0);
    QCOMPARE(widthOf(u"file:"_s + folder + u"/wide.png"_s), 1.0);
  }

  /// As documents are: by the folder, by its lesson.md, and by a zip of it.
  void ownLessonsOpen() {
    LearnBench bench;
    const QString folder = bench.scratch.filePath(u"mine"_s), zip = bench.scratch.filePath(u"mine.zip"_s);
    QVERIFY(writeLesson(folder, "7"));
    QCOMPARE(QProcess::execute(u"python3"_s, {u"-m"_s, u"zipfile"_s, u"-c"_s, zip, folder}), 0);
    for (const QString &path : {folder, folder + u"/lesson.md"_s, zip}) {
      bench.open(sample(u"softmax.mlir"_s));
      bench.documents.open(path);
      QTRY_VERIFY2_WITH_TIMEOUT(bench.learn.lesson().title == u"Mine"_s && bench.window.isSettled(), qPrintable(path),
                                patience);
      QCOMPARE(QFileInfo(bench.session.document().path).fileName(), u"m.mlir"_s);
      bench.learn.show();
      QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(0), patience);
      bench.openLesson(u"01-dispatches"_s);
    }
  }

  /// As links are: by Return, beside Space and the mouse.
  void aCardOpensByReturn() {
    LearnBench bench;
    bench.window.show();
    Welcome &page = bench.documents.welcome();
    QTRY_VERIFY_WITH_TIMEOUT(!page.lessonCards().isEmpty(), patience);
    StartCard *first = nullptr;
    for (StartCard *card : page.findChildren<StartCard *>())
      if (card->text().startsWith(u"1. "_s))
        first = card;
    QVERIFY(first);
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.lesson().number == 1 && bench.window.isSettled(), patience);
  }

  /// The start page has the lessons of a folder, and says of a broken one what is wrong where.
  void aFolderOfLessons() {
    LearnBench bench;
    const QString shelf = bench.scratch.filePath(u"course"_s);
    QVERIFY(writeLesson(shelf + u"/a"_s, "7"));
    QVERIFY(writeLesson(shelf + u"/b"_s, "x"));
    Welcome &page = bench.documents.welcome();
    QTRY_VERIFY_WITH_TIMEOUT(page.addLessonsButton(), patience);
    const qsizetype before = page.lessonCards().size();
    bench.learn.addFolder(shelf);
    QTRY_VERIFY_WITH_TIMEOUT(page.lessonNotes().contains(u"b/lesson.md:3"_s), patience);
    QVERIFY2(page.lessonNotes().contains(u"'x' is no whole number"_s), qPrintable(page.lessonNotes()));
    QVERIFY(page.lessonCards().size() > before);
    // Opened, the broken one says so in the list of problems.
    bench.documents.open(shelf + u"/b"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.problems.model().rowCount() > 0, patience);
    bench.learn.removeFolder(shelf);
    QTRY_VERIFY_WITH_TIMEOUT(page.lessonNotes().isEmpty(), patience);
  }

private:
  static QStringList lessonFolders() {
    return QDir(sample(u"../resources/lessons"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  }
  QTemporaryDir folder_;
};

FUSELAGE_WINDOW_TEST_MAIN(WindowLearnTest)
#include "WindowLearnTest.moc"
