#include "views/text/DiffView.h"
#include "views/text/DiffCanvas.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace fuselage;

class DiffViewTest : public QObject {
  Q_OBJECT
private slots:
  void init();
  void foldsHideUnchangedLines();
  void foldsOpen();
  void linesAreFoundInFolds();
  void millionsOfLinesAreOneSegment();
  void changesAreVisited();
  void matchesAreSteppedThroughAndFoldsOpen();
  void clickSaysSideAndLine();
  void copiesTheSideThatWasClicked();
  void equalTextsAreShown();
  void emptyAndVanishingSources();
  void sourcesDeliverLater();
  void unifiedIsALineARow();
  void changedWordsAreScrolledTo();
  void linesWrap();

private:
  DiffData diff_;
  StringTextSource before_, after_;
};

static DiffRowData row(DiffRowData::Kind kind, int left, int right, int count = 1) {
  DiffRowData data;
  data.kind = kind;
  data.left = left;
  data.right = right;
  data.count = count;
  return data;
}

using Kind = DiffRowData::Kind;

/// 100 equal lines, one changed, one removed, 100 equal, two added, 50 equal.
void DiffViewTest::init() {
  diff_ = {};
  diff_.rows = {row(Kind::Same, 0, 0, 100), row(Kind::Changed, 100, 100),  row(Kind::Removed, 101, -1),
                row(Kind::Same, 102, 101),  row(Kind::Same, 103, 102, 99), row(Kind::Added, -1, 201),
                row(Kind::Added, -1, 202),  row(Kind::Same, 202, 203, 50)};
  diff_.rows[1].leftSpans = {{2, 4}};
  diff_.rows[1].rightSpans = {{2, 900}};
  diff_.added = 2;
  diff_.removed = diff_.changed = 1;
  QStringList before, after;
  for (int i = 0; i < 252; ++i)
    before << QStringLiteral("before %1").arg(i);
  for (int i = 0; i < 253; ++i)
    after << QStringLiteral("after %1").arg(i);
  before_.setText(before.join(u'\n'));
  after_.setText(after.join(u'\n'));
}

void DiffViewTest::matchesAreSteppedThroughAndFoldsOpen() {
  DiffView view;
  view.resize(800, 400);
  view.show();
  view.setDiff(diff_, &before_, &after_);
  const auto *canvas = view.findChild<DiffCanvas *>();
  const int folded = canvas->rows().rowCount();
  // An unchanged line has it on both sides and counts once, a changed one twice, a removed and an added one once each.
  const auto match = [](DiffSide side, int line) {
    return DiffMatch{.side = side, .line = line, .column = 0, .length = 3};
  };
  const auto plain = view.grab().toImage();
  QCOMPARE(view.setMatches({match(DiffSide::Before, 50), match(DiffSide::Before, 100), match(DiffSide::Before, 101),
                            match(DiffSide::After, 50), match(DiffSide::After, 100), match(DiffSide::After, 201)}),
           5);
  QVERIFY(view.grab().toImage() != plain);
  view.setCurrentMatch(0);
  QVERIFY(canvas->rows().rowCount() > folded);
  QCOMPARE(canvas->rows().row(canvas->rows().rowOf(false, 50)).right, 50);
  view.setCurrentMatch(4); // in the order of the rows
  const int row = canvas->rows().rowOf(false, 201);
  QVERIFY(row >= canvas->firstRow() && row < canvas->firstRow() + canvas->visibleRows());
  view.setCurrentMatch(-1);
  view.setDiff(diff_, &before_, &after_);
  QCOMPARE(view.grab().toImage(), plain); // of another diff they are no matches
}

void DiffViewTest::foldsHideUnchangedLines() {
  DiffRows rows;
  rows.setDiff(diff_);
  // fold 97, 3, change 2, 3, fold 94, 3, added 2, 3, fold 47
  QCOMPARE(rows.rowCount(), 1 + 3 + 2 + 3 + 1 + 3 + 2 + 3 + 1);
  QCOMPARE(rows.row(0).folded, 97);
  QCOMPARE(rows.row(1).left, 97);
  QCOMPARE(rows.row(4).kind, Kind::Changed);
  QCOMPARE(rows.row(5).right, -1);
  QCOMPARE(rows.row(9).folded, 94);
  QCOMPARE(rows.row(9).right, 104);
  QCOMPARE(rows.row(18).folded, 47);
  QCOMPARE(rows.changes().size(), 2);
  QCOMPARE(rows.changes()[0].kind, Kind::Changed); // mixed
  QCOMPARE(rows.changes()[1].kind, Kind::Added);
  rows.setContext(0);
  QCOMPARE(rows.rowCount(), 1 + 2 + 1 + 2 + 1);
}

void DiffViewTest::foldsOpen() {
  DiffRows rows;
  rows.setDiff(diff_);
  rows.openFold(rows.row(0).source);
  QCOMPARE(rows.rowCount(), 19 + 96);
  QCOMPARE(rows.row(50).left, 50);
  rows.setAllOpen(true);
  QCOMPARE(rows.rowCount(), 254);
  rows.setAllOpen(false);
  QCOMPARE(rows.rowCount(), 19);
}

void DiffViewTest::linesAreFoundInFolds() {
  DiffRows rows;
  rows.setDiff(diff_);
  QCOMPARE(rows.rowOf(true, 50), 0);
  QCOMPARE(rows.rowOf(true, 101), 5);
  QCOMPARE(rows.rowOf(false, 202), 14);
  QCOMPARE(rows.rowOf(true, 100000), -1);

  DiffView view;
  view.resize(800, 300);
  view.setDiff(diff_, &before_, &after_);
  view.show();
  view.scrollToLine(DiffSide::After, 150);
  auto *canvas = view.findChild<DiffCanvas *>();
  int at = canvas->rows().rowOf(false, 150);
  QCOMPARE(canvas->rows().row(at).folded, 0);
  QVERIFY(canvas->firstRow() <= at && at < canvas->firstRow() + canvas->visibleRows());
}

void DiffViewTest::millionsOfLinesAreOneSegment() {
  DiffData big;
  big.rows = {row(Kind::Same, 0, 0, 5000000), row(Kind::Added, -1, 5000000),
              row(Kind::Same, 5000000, 5000001, 5000000)};
  DiffRows rows;
  rows.setDiff(big);
  rows.setAllOpen(true);
  QCOMPARE(rows.rowCount(), 10000001);
  QCOMPARE(rows.row(7000001).left, 7000000);
}

void DiffViewTest::changesAreVisited() {
  DiffView view;
  view.resize(800, 240);
  QSignalSpy spy(&view, &DiffView::currentChangeChanged);
  view.setDiff(diff_, &before_, &after_);
  view.show();
  QCOMPARE(view.changeCount(), 2);
  QCOMPARE(view.currentChange(), 0);
  view.setFoldsOpen(true);
  auto *canvas = view.findChild<DiffCanvas *>();
  QTest::keyClick(canvas, Qt::Key_N);
  QCOMPARE(view.currentChange(), 1);
  int first = canvas->rows().changes()[1].first;
  QVERIFY(canvas->firstRow() <= first && first < canvas->firstRow() + canvas->visibleRows());
  QTest::keyClick(canvas, Qt::Key_N);
  QCOMPARE(view.currentChange(), 1); // the last one
  QTest::keyClick(canvas, Qt::Key_P);
  QCOMPARE(view.currentChange(), 0);
  QCOMPARE(spy.last(), (QList<QVariant>{0, 2}));
  view.grab();
}

void DiffViewTest::clickSaysSideAndLine() {
  DiffView view;
  view.resize(800, 400);
  view.setDiff(diff_, &before_, &after_);
  view.show();
  QSignalSpy spy(&view, &DiffView::lineClicked);
  auto *canvas = view.findChild<DiffCanvas *>();
  LineRenderer renderer;
  auto y = [&](int index) {
    return canvas->headerHeight() + int((index + 0.5) * renderer.lineHeight()) - canvas->verticalScrollBar()->value();
  };
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, QPoint(100, y(4)));
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, QPoint(700, y(6)));
  QCOMPARE(spy.size(), 2);
  QCOMPARE(spy[0][0].value<DiffSide>(), DiffSide::Before);
  QCOMPARE(spy[0][1].toInt(), 100);
  QCOMPARE(spy[1][0].value<DiffSide>(), DiffSide::After);
  QCOMPARE(spy[1][1].toInt(), 101);
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, QPoint(700, y(5))); // a gap
  QCOMPARE(spy.size(), 2);
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, QPoint(300, y(0))); // a fold
  QCOMPARE(canvas->rows().rowCount(), 19 + 96);
}

void DiffViewTest::copiesTheSideThatWasClicked() {
  DiffView view;
  view.resize(800, 400);
  view.setDiff(diff_, &before_, &after_);
  view.show();
  auto *canvas = view.findChild<DiffCanvas *>();
  LineRenderer renderer;
  auto y = [&](int index) {
    return canvas->headerHeight() + int((index + 0.5) * renderer.lineHeight()) - canvas->verticalScrollBar()->value();
  };
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, QPoint(700, y(4)));
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::ShiftModifier, QPoint(700, y(6)));
  QTest::keyClick(canvas, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("after 100\nafter 101"));
}

void DiffViewTest::equalTextsAreShown() {
  DiffData same;
  same.rows = {row(Kind::Same, 0, 0, 200)};
  DiffView view;
  view.resize(800, 400);
  view.setDiff(same, &before_, &before_);
  view.show();
  QCOMPARE(view.changeCount(), 0);
  QCOMPARE(view.findChild<DiffCanvas *>()->rows().rowCount(), 200);
  view.nextChange();
  view.previousChange();
  view.grab();
}

void DiffViewTest::emptyAndVanishingSources() {
  DiffView view;
  view.resize(800, 400);
  view.show();
  view.grab();
  auto *canvas = view.findChild<DiffCanvas *>();
  for (int key : {Qt::Key_N, Qt::Key_P, Qt::Key_E, Qt::Key_Down, Qt::Key_End, Qt::Key_Return})
    QTest::keyClick(canvas, Qt::Key(key));
  {
    StringTextSource gone(QStringLiteral("x"));
    view.setDiff(diff_, &gone, &after_);
    view.grab();
  }
  view.grab();
  view.clear();
  view.grab();
  QCOMPARE(view.changeCount(), 0);
}

void DiffViewTest::sourcesDeliverLater() {
  PagedTextSource before, after;
  before.start(252);
  after.start(253);
  QSignalSpy asked(&after, &PagedTextSource::linesRequested);
  DiffView view;
  view.resize(800, 400);
  view.show();
  view.setDiff(diff_, &before, &after);
  view.grab();
  QVERIFY(!asked.isEmpty());
  after.deliver(0, QStringList(253, QStringLiteral("late")));
  before.deliver(0, QStringList(252, QStringLiteral("late")));
  view.grab();
}

void DiffViewTest::unifiedIsALineARow() {
  DiffRows rows;
  rows.setUnified(true);
  rows.setDiff(diff_);
  // fold 97, 3, removed 2, added 1, 3, fold 94, 3, added 2, 3, fold 47
  QCOMPARE(rows.rowCount(), 1 + 3 + 3 + 3 + 1 + 3 + 2 + 3 + 1);
  QCOMPARE(rows.row(4).left, 100);
  QCOMPARE(rows.row(4).right, -1);
  QCOMPARE(rows.row(5).left, 101);
  QCOMPARE(rows.row(6).right, 100);
  QCOMPARE(rows.row(6).left, -1);
  QCOMPARE(rows.row(6).source, rows.row(4).source);
  QCOMPARE(rows.changes().size(), 2);
  QCOMPARE(rows.changes()[0].last - rows.changes()[0].first, 2);
  QCOMPARE(rows.rowOf(false, 100), 6);
  QCOMPARE(rows.rowOf(true, 100), 4);

  DiffView view;
  view.resize(800, 400);
  view.setDiff(diff_, &before_, &after_);
  view.show();
  QTest::keyClick(view.findChild<DiffCanvas *>(), Qt::Key_N);
  QCOMPARE(view.currentChange(), 1);
  view.setUnified(true);
  QVERIFY(view.isUnified());
  QCOMPARE(view.currentChange(), 1);
  view.grab();
  auto *canvas = view.findChild<DiffCanvas *>();
  QTest::keyClick(canvas, Qt::Key_P);
  QSignalSpy spy(&view, &DiffView::lineClicked);
  const QPoint removed = canvas->rectOfRow(4).center(), added = canvas->rectOfRow(6).center();
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, removed);
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, added);
  QCOMPARE(spy.size(), 2);
  QCOMPARE(spy[0][0].value<DiffSide>(), DiffSide::Before);
  QCOMPARE(spy[0][1].toInt(), 100);
  QCOMPARE(spy[1][0].value<DiffSide>(), DiffSide::After);
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->rectOfRow(3).center());
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::ShiftModifier, added);
  QTest::keyClick(canvas, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral(" after 99\n-before 100\n-before 101\n+after 100"));
  view.setUnified(false);
  QCOMPARE(canvas->rows().rowCount(), 19);
}

void DiffViewTest::changedWordsAreScrolledTo() {
  const QString spaces(300, u'x');
  QStringList before, after;
  for (int i = 0; i < 252; ++i)
    before << QStringLiteral("before %1").arg(i);
  for (int i = 0; i < 253; ++i)
    after << QStringLiteral("after %1").arg(i);
  before[100] = spaces + QStringLiteral("old");
  after[100] = spaces + QStringLiteral("newer");
  diff_.rows[1].leftSpans = {{300, 303}};
  diff_.rows[1].rightSpans = {{300, 305}};
  PagedTextSource late;
  late.start(252);
  after_.setText(after.join(u'\n'));
  DiffView view;
  view.resize(800, 400);
  view.show();
  view.setDiff(diff_, &late, &after_);
  auto *canvas = view.findChild<DiffCanvas *>();
  QCOMPARE(canvas->horizontalScrollBar()->value(), 0);
  late.deliver(0, before);
  QVERIFY(canvas->showsColumns(DiffSide::Before, 100, 300, 303));
  QVERIFY(canvas->showsColumns(DiffSide::After, 100, 300, 305));
  view.nextChange();
  view.previousChange();
  QVERIFY(canvas->showsColumns(DiffSide::After, 100, 300, 305));
  view.setUnified(true);
  canvas->horizontalScrollBar()->setValue(0);
  view.previousChange();
  QVERIFY(canvas->showsColumns(DiffSide::After, 100, 300, 305));
}

void DiffViewTest::linesWrap() {
  QStringList after;
  for (int i = 0; i < 253; ++i)
    after << QStringLiteral("after %1").arg(i) + (i % 3 ? QString() : QStringLiteral(" word").repeated(100));
  after_.setText(after.join(u'\n'));
  DiffView view;
  view.resize(800, 400);
  view.setDiff(diff_, &before_, &after_);
  view.setFoldsOpen(true);
  view.show();
  auto *canvas = view.findChild<DiffCanvas *>();
  for (const bool unified : {false, true}) {
    view.setUnified(unified);
    view.setWrapping(true);
    view.scrollToLine(DiffSide::After, 120);
    view.grab();
    const int row = canvas->rows().rowOf(false, 120), next = canvas->rows().rowOf(false, 121);
    QVERIFY(!canvas->rectOfRow(row).isNull());
    QVERIFY(canvas->rectOfRow(row).height() > 3 * canvas->rectOfRow(next).height());
    QCOMPARE(canvas->horizontalScrollBar()->maximum(), 0);
    QTest::keyClick(canvas, Qt::Key_End);
    view.grab();
    QVERIFY(!canvas->rectOfRow(canvas->rows().rowCount() - 1).isNull());
    view.setWrapping(false);
    QTest::keyClick(canvas, Qt::Key_Home);
  }
}

QTEST_MAIN(DiffViewTest)
#include "DiffViewTest.moc"
