// Where lessons are offered and come back, their pictures, and what stays of one in the next.
#include "app/gui/learn/LessonPictures.h"
#include "tests/views/window/learn/LearnBench.h"
#include "views/graph/GraphView.h"
#include "views/start/StartCard.h"
#include "views/start/Welcome.h"
#include "views/tiles/TileExplorerPanel.h"
#include <QDockWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowLessonPlacesTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() { qputenv("XDG_DATA_HOME", folder_.path().toUtf8()); }

  /// Each lesson of the program has its picture there; one that is done is ticked off, there and in the menu.
  void theStartPageShowsLessons() {
    LearnBench bench;
    bench.window.show();
    const Welcome &page = bench.documents.welcome();
    QTRY_VERIFY_WITH_TIMEOUT(page.lessonCards().size() >= 12, patience);
    for (qsizetype i = 0; i < 12; ++i) {
      QVERIFY2(!page.lessonCards()[i]->shownPicture().isNull(), qPrintable(page.lessonCards()[i]->text()));
      QVERIFY(!page.lessonCards()[i]->isDone());
    }
    bench.settings.setText(u"lesson/01-dispatches"_s, u"3;0,1,2,3"_s);
    bench.settings.setText(u"lesson/02-indexing-maps"_s, u"1;0"_s);
    bench.learn.addFolder(bench.scratch.filePath(u"none"_s)); // which lists them again
    QTRY_VERIFY_WITH_TIMEOUT(page.lessonCards()[0]->isDone(), patience);
    QVERIFY(!page.lessonCards()[1]->isDone());
    QMenu *menu = nullptr;
    for (QMenu *known : bench.window.findChildren<QMenu *>())
      if (known->title().remove(u'&') == u"Lessons"_s)
        menu = known;
    QVERIFY(menu);
    emit menu->aboutToShow();
    QVERIFY(menu->actions()[0]->isChecked());
    QVERIFY(!menu->actions()[1]->isCheckable());
  }

  /// Samples and lessons are both in sight, without scrolling.
  void samplesAndLessonsAreInSight_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1600, 1000)})
      QTest::newRow(qPrintable(QString::number(size.width()))) << size;
  }
  void samplesAndLessonsAreInSight() {
    QFETCH(QSize, size);
    LearnBench bench;
    bench.window.resize(size);
    bench.window.shell().docks().maximize(nullptr); // as a new tab does
    bench.window.show();
    Welcome &page = bench.documents.welcome();
    QTRY_VERIFY_WITH_TIMEOUT(page.lessonCards().size() >= 12 && page.sampleCards().size() == 8, patience);
    const auto isInSight = [&page](const StartCard *card) {
      const QRect place(card->mapTo(page.viewport(), QPoint()), card->size());
      return page.viewport()->rect().contains(place);
    };
    for (int i = 0; i < 3; ++i) {
      QTRY_VERIFY(isInSight(page.sampleCards()[i % 2])); // once it is laid out
      QTRY_VERIFY(isInSight(page.lessonCards()[i]));
    }
    QVERIFY(page.lessonCards()[0]->x() >= 0 && page.horizontalScrollBar()->maximum() == 0);
  }

  /// Above the first task, of the lesson's folder alone, and nothing where there is none.
  void pictureOfWhereItLeads() {
    LearnBench bench;
    bench.openLesson(u"05-tiles"_s);
    bench.learn.goTo(0);
    QVERIFY(hasLead(bench));
    bench.learn.goTo(1);
    QVERIFY(!hasLead(bench));
    const QString folder = bench.scratch.filePath(u"mine"_s);
    QVERIFY(writeLesson(folder, "7"));
    QImage drawing(400, 300, QImage::Format_ARGB32);
    drawing.fill(Qt::transparent);
    QVERIFY(drawing.save(folder + u"/mine.png"_s) && drawing.save(bench.scratch.filePath(u"outside.png"_s)));
    bench.openLesson(folder);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().title, u"Mine"_s, patience);
    QVERIFY(!hasLead(bench));
    for (const auto &[name, isShown] : {std::pair("mine.png", true), std::pair("../outside.png", false),
                                        std::pair("gone.png", false), std::pair("lesson.md", false)}) {
      QVERIFY(writeLesson(folder, "7", {}, QByteArray("picture: ") + name + '\n'));
      bench.openLesson(u"05-tiles"_s);
      QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().number, 5, patience);
      bench.openLesson(folder);
      QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().title, u"Mine"_s, patience);
      QVERIFY2(hasLead(bench) == isShown, name);
    }
  }

  /// Of any size and place, as large as fits, on paper; what is no picture, too large or linked from elsewhere is none.
  void picturesHaveLimits() {
    const QTemporaryDir folder, other;
    const auto shown = [&folder](const QString &name) { return pictureOfLesson(folder.path(), name, {100, 60}, 1); };
    const auto write = [&folder](const QString &name, const QByteArray &bytes) {
      QFile file(folder.filePath(name));
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QImage picture(300, 100, QImage::Format_ARGB32);
    picture.fill(Qt::transparent);
    QVERIFY(picture.save(folder.filePath(u"wide.png"_s)) && picture.save(other.filePath(u"away.png"_s)));
    QCOMPARE(shown(u"wide.png"_s).size(), QSize(100, 33));
    QCOMPARE(shown(u"wide.png"_s).pixel(0, 0), qRgb(255, 255, 255));
    const QByteArray linked = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
                              "width='200' height='100'><image width='200' height='100' xlink:href='red.png'/></svg>",
                     svg = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'><a href = '#b'/></svg>";
    QImage red(8, 8, QImage::Format_RGB32);
    red.fill(Qt::red);
    QVERIFY(red.save(folder.filePath(u"red.png"_s)) && write(u"a.svg"_s, svg) && write(u"linked.svg"_s, linked));
    QCOMPARE(shown(u"a.svg"_s).size(), QSize(100, 50));
    QCOMPARE(shown(u"a.svg"_s).pixel(50, 25), qRgb(255, 255, 255));
    QVERIFY(write(u"text.svg"_s, "text") && write(u"text.png"_s, "text") &&
            write(u"large.svg"_s, svg + QByteArray(5 << 20, ' ')));
    QVERIFY(QFile::link(other.filePath(u"away.png"_s), folder.filePath(u"link.png"_s)));
    QImage high(1, 8193, QImage::Format_Mono);
    high.fill(0);
    QVERIFY(high.save(folder.filePath(u"high.png"_s)));
    for (const QString &name : {u"text.svg"_s, u"text.png"_s, u"large.svg"_s, u"link.png"_s, u"high.png"_s,
                                u"gone.png"_s, u"linked.svg"_s, u"../a.svg"_s, folder.filePath(u"a.svg"_s), QString()})
      QVERIFY2(shown(name).isNull(), qPrintable(name));
  }

  /// What a lesson opened and set in the Tile Explorer is not of the next one.
  void theNextLessonBeginsAfresh() {
    LearnBench bench;
    bench.openLesson(u"05-tiles"_s);
    bench.learn.goTo(2);
    bench.learn.show();
    QTRY_VERIFY_WITH_TIMEOUT(bench.learn.isDone(2) && bench.window.isSettled(), patience);
    TileExplorerPanel &tiles = bench.tiles.panel();
    tiles.twoOrders()->setChecked(true);
    bench.rest();
    QDockWidget *dock = bench.window.shell().docks().find(u"tiles"_s);
    QVERIFY(dock->isVisible() && tiles.sideCount() == 2 && tiles.cacheNumber()->value() == 16);
    bench.openLesson(u"01-dispatches"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().number, 1, patience);
    bench.rest();
    QVERIFY(!dock->isVisible());
    QCOMPARE(tiles.sideCount(), 1);
    QCOMPARE(tiles.cacheNumber()->value(), 0);
  }

  /// Goals that are looked at again before the answer is there: the window comes to rest all the same.
  void judgingAgainComesToRest() {
    LearnBench bench;
    bench.openLesson(u"01-dispatches"_s);
    bench.learn.goTo(0);
    for (int i = 0; i < 5; ++i)
      emit bench.panel.answered();
    bench.text.select(bench.graph.find(u"matmul"_s), true);
    bench.text.select(bench.graph.find(u"add"_s), true);
    bench.rest();
    QVERIFY(bench.learn.isSettled());
  }

  /// One of a folder of somebody's own, too, after another lesson was opened in its place.
  void aLessonOfOnesOwnComesBack() {
    const QTemporaryDir shelf;
    const QString folder = shelf.filePath(u"mine"_s);
    QVERIFY(writeLesson(folder, "7"));
    LearnBench bench;
    bench.openLesson(folder);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().title, u"Mine"_s, patience);
    const QString module = bench.session.document().path;
    bench.openLesson(u"01-dispatches"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().number, 1, patience);
    bench.rest();
    bench.open(module);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().title, u"Mine"_s, patience);
    QVERIFY(bench.learn.dock()->isVisible());
    // Also if somebody presses a key before the window is at rest.
    bench.openLesson(u"01-dispatches"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().number, 1, patience);
    bench.rest();
    bench.documents.open(module);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.document().path, module, patience);
    QTest::keyClick(&bench.graph.view(), Qt::Key_F);
    QTRY_COMPARE_WITH_TIMEOUT(bench.learn.lesson().title, u"Mine"_s, patience);
  }

private:
  /// Above the text is a picture that shows something.
  static bool hasLead(LearnBench &bench) {
    QTextDocument &document = *bench.panel.textView()->document();
    const QString name = document.begin().begin().fragment().charFormat().toImageFormat().name();
    const QVariant picture = name.isEmpty() ? QVariant() : document.resource(QTextDocument::ImageResource, QUrl(name));
    return picture.value<QImage>().width() > 1;
  }
  QTemporaryDir folder_;
};

FUSELAGE_WINDOW_TEST_MAIN(WindowLessonPlacesTest)
#include "WindowLessonPlacesTest.moc"
