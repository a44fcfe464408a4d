// Long attributes in the diff view.
#include "views/text/DiffFolds.h"
#include "views/text/DiffCanvas.h"
#include "views/text/DiffView.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace fuselage;
using namespace Qt::StringLiterals;
using Kind = DiffRowData::Kind;

/// A view of one line a side, with a short line below.
struct FoldBench {
  FoldBench(const QString &left, const QString &right, const DiffRowData &row)
      : before(left + u"\nend"_s), after(right + u"\nend"_s) {
    DiffData diff;
    diff.rows = {row, {.kind = Kind::Same, .left = 1, .right = 1, .count = 1, .leftSpans = {}, .rightSpans = {}}};
    diff.changed = row.kind == Kind::Changed;
    view.resize(1600, 400);
    view.setFolding(true);
    view.show();
    view.setDiff(diff, &before, &after);
    canvas = view.findChild<DiffCanvas *>();
  }
  /// Where the text of a side ends on the screen, from where it begins.
  int width(DiffSide side, const QString &line) {
    return canvas->pointOf(side, 0, int(line.size())).x() - canvas->pointOf(side, 0, 0).x();
  }
  void click(DiffSide side, int column) {
    QScrollBar *across = canvas->horizontalScrollBar();
    across->setValue(canvas->pointOf(side, 0, column).x() - canvas->pointOf(side, 0, 0).x() - 100);
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->pointOf(side, 0, column) + QPoint(3, 8));
  }
  void select(int row) {
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->rectOfRow(row).topLeft() + QPoint(5, 8));
  }

  StringTextSource before, after;
  DiffView view;
  DiffCanvas *canvas = nullptr;
};

class DiffFoldsTest : public QObject {
  Q_OBJECT
private:
  const QString data = QStringList(30, u"7"_s).join(u", "_s), other = QStringList(30, u"8"_s).join(u", "_s);
  const QString left = u"  %8 = a.b %9 {x = dense<["_s + data + u"]>, y = array<i64: "_s + other + u">, z = 1}"_s;
  const QString right = u"  %10 = a.b %11 {x = dense<["_s + data + u"]>, y = array<i64: "_s + other + u">, z = 2}"_s;
  const int leftX = int(left.indexOf(u"7,"_s)), rightX = int(right.indexOf(u"7,"_s));
  const int leftY = int(left.indexOf(u"i64"_s)), rightY = int(right.indexOf(u"i64"_s));

  static DiffRowData changed(const QList<ByteSpan> &left, const QList<ByteSpan> &right) {
    return {.kind = Kind::Changed, .left = 0, .right = 0, .count = 1, .leftSpans = left, .rightSpans = right};
  }
  static ByteSpan last(const QString &line) { return {int(line.size()) - 2, int(line.size()) - 1}; }
  static ByteSpan from(qsizetype begin, int length) { return {int(begin), int(begin) + length}; }
  DiffRowData onlyZ() const { return changed({last(left)}, {last(right)}); }

private slots:
  /// Numbers of names and blanks may differ, words not.
  void foldsBelongTogether() {
    FoldPairs pairs = foldsOfBoth(left, right, {last(left)}, {last(right)});
    QCOMPARE(pairs.left.size(), 2);
    QCOMPARE(pairs.right.size(), 2);
    QCOMPARE(pairs.left[0].begin, leftX);
    QCOMPARE(pairs.right[0].begin, rightX);
    QCOMPARE(pairs.left[1].begin, leftY);
    QCOMPARE(pairs.right[1].begin, rightY);
    // As it is without word marks: what is not the same text is not folded.
    pairs = foldsOfBoth(left, QString(right).replace(u"8, 8"_s, u"9, 8"_s), {}, {});
    QCOMPARE(pairs.left, QList<LineFold>({{leftX, int(left.indexOf(u']'))}}));
    QCOMPARE(foldsOfBoth(left, u"short"_s, {}, {}).left.size(), 0);
  }

  void whatDiffersStaysOpen() {
    // A word in the second one.
    QString now = right;
    now.replace(rightY + 5, 1, u"9"_s);
    FoldPairs pairs = foldsOfBoth(left, now, {from(leftY + 5, 1)}, {from(rightY + 5, 1)});
    QCOMPARE(pairs.left.size(), 1);
    QCOMPARE(pairs.left[0].begin, leftX);
    QCOMPARE(pairs.right[0].begin, rightX);
    // A word that is only on one side: at the start, within, at the end.
    const int end = int(right.indexOf(u'>', rightY));
    for (const int at : {rightY, rightY + 5, end}) {
      now = right;
      now.insert(at, u"9, "_s);
      pairs = foldsOfBoth(left, now, {}, {from(at, 2)});
      QCOMPARE(pairs.left.size(), 1);
      QCOMPARE(pairs.right.size(), 1);
      QCOMPARE(pairs.left[0].begin, leftX);
      pairs = foldsOfBoth(now, left, {from(at, 2)}, {});
      QCOMPARE(pairs.left.size(), 1);
      QCOMPARE(pairs.right[0].begin, leftX);
    }
    // Another attribute before it, as long, belongs to no one.
    now = right;
    const QString added = u"w = dense<["_s + data + u"]>,"_s;
    now.insert(now.indexOf(u"x ="_s), added + u' ');
    pairs = foldsOfBoth(left, now, {}, {from(now.indexOf(added), int(added.size()))});
    QCOMPARE(pairs.left.size(), 2);
    QCOMPARE(pairs.right[0].begin, int(now.lastIndexOf(u"[7"_s)) + 1);
    // A dictionary that differs in a word stays open, and what is long in it folds.
    const QString words = QString(70, u'w'), wide = u"a {p = \"%1\", q = \"%1\", x = dense<[%2]>, z = %3}"_s;
    const QString was = wide.arg(words, data, u"1"_s), is = wide.arg(words, data, u"2"_s);
    QCOMPARE(foldsOfBoth(was, was, {}, {}).left[0].begin, 3);
    pairs = foldsOfBoth(was, is, {last(was)}, {last(is)});
    QCOMPARE(pairs.left.size(), 1);
    QCOMPARE(pairs.left[0].begin, int(was.indexOf(u'[')) + 1);
  }

  /// Spans are what a file said.
  void spansMayBeAnything() {
    for (const QList<ByteSpan> &spans :
         {QList<ByteSpan>{{-5, 3}}, {{10, 4}}, {{500, 900}}, {{20, 30}, {5, 8}}, {{0, 1 << 30}}, {{7, 7}}})
      for (const QList<ByteSpan> &others : {spans, QList<ByteSpan>()}) {
        const FoldPairs pairs = foldsOfBoth(left, right, spans, others);
        QCOMPARE(pairs.left.size(), pairs.right.size());
      }
    const QString accents = u"ä\U0001F600 {x = dense<[%1]>}"_s.arg(data);
    QCOMPARE(foldsOfBoth(accents, accents, {{0, 6}}, {{0, 6}}).left.size(), 1);
    QCOMPARE(foldsOfBoth(accents, accents, {from(20, 1)}, {from(20, 1)}).left.size(), 0);
  }

  void aClickOpensAndClosesBothSides() {
    for (const bool unified : {false, true}) {
      FoldBench bench(left, right, onlyZ());
      bench.view.setUnified(unified);
      QSignalSpy clicked(&bench.view, &DiffView::lineClicked);
      const int l = bench.width(DiffSide::Before, left), r = bench.width(DiffSide::After, right);
      bench.view.setFolding(false);
      const int wholeLeft = bench.width(DiffSide::Before, left), wholeRight = bench.width(DiffSide::After, right);
      QVERIFY(l < wholeLeft / 2 && r < wholeRight / 2);
      bench.view.setFolding(true);
      const QImage closed = bench.view.grab().toImage();
      bench.click(DiffSide::After, rightX);
      QVERIFY(bench.view.grab().toImage() != closed);
      const int opened = wholeLeft - bench.width(DiffSide::Before, left);
      QCOMPARE(wholeRight - bench.width(DiffSide::After, right), opened); // the other attribute
      QVERIFY(opened > 0 && bench.width(DiffSide::Before, left) > l);
      bench.click(DiffSide::Before, leftY);
      QCOMPARE(bench.width(DiffSide::Before, left), wholeLeft);
      QCOMPARE(bench.width(DiffSide::After, right), wholeRight);
      // On its brackets it closes.
      bench.click(DiffSide::Before, leftY - 1);
      QCOMPARE(wholeRight - bench.width(DiffSide::After, right), opened);
      bench.click(DiffSide::After, int(right.indexOf(u']')));
      QCOMPARE(bench.width(DiffSide::After, right), r);
      QCOMPARE(bench.width(DiffSide::Before, left), l);
      QCOMPARE(bench.canvas->horizontalScrollBar()->maximum(), 0);
      QCOMPARE(clicked.size(), 0);
      QCOMPARE(bench.view.grab().toImage(), closed);
    }
  }

  void returnOpensAndClosesTheLine() {
    for (const bool unified : {false, true}) {
      FoldBench bench(left, right, onlyZ());
      bench.view.setUnified(unified);
      const int l = bench.width(DiffSide::Before, left), r = bench.width(DiffSide::After, right);
      bench.select(0);
      QTest::keyClick(bench.canvas, Qt::Key_Return);
      const int wholeLeft = bench.width(DiffSide::Before, left), wholeRight = bench.width(DiffSide::After, right);
      QVERIFY(wholeLeft > 2 * l && wholeRight > 2 * r);
      QTest::keyClick(bench.canvas, Qt::Key_Return);
      QCOMPARE(bench.width(DiffSide::Before, left), l);
      QCOMPARE(bench.width(DiffSide::After, right), r);
      bench.view.setFolding(false);
      QTest::keyClick(bench.canvas, Qt::Key_Return);
      QCOMPARE(bench.width(DiffSide::Before, left), wholeLeft);
    }
  }

  void changedWordsAreMarkedAndOnScreen() {
    FoldBench bench(left, right, onlyZ());
    bench.view.resize(1300, 300);
    // The word after both folds is at its place, and marked.
    QVERIFY(bench.canvas->showsColumns(DiffSide::After, 0, last(right).begin, last(right).end));
    const QPoint word = bench.canvas->pointOf(DiffSide::After, 0, last(right).begin);
    QCOMPARE(bench.view.grab().toImage().pixelColor(word + QPoint(4, 3)), Theme::of(bench.view.palette()).changedWord);
    // A word within: that attribute is open on both sides, the other folded.
    QString now = right;
    now.replace(rightX + 4, 1, u"9"_s);
    FoldBench within(left, now, changed({from(leftX + 4, 1)}, {from(rightX + 4, 1)}));
    const int char10 = within.canvas->pointOf(DiffSide::After, 0, rightX + 10).x() -
                       within.canvas->pointOf(DiffSide::After, 0, rightX).x();
    QVERIFY(char10 > 40);
    QCOMPARE(within.canvas->pointOf(DiffSide::Before, 0, leftX + 10).x() -
                 within.canvas->pointOf(DiffSide::Before, 0, leftX).x(),
             char10);
    QVERIFY(within.canvas->showsColumns(DiffSide::After, 0, rightX + 4, rightX + 5));
    QCOMPARE(within.canvas->pointOf(DiffSide::After, 0, rightY + 10),
             within.canvas->pointOf(DiffSide::After, 0, rightY + 2));
  }

  void searchOpensBothSides() {
    FoldBench bench(left, right, onlyZ());
    const int l = bench.width(DiffSide::Before, left), r = bench.width(DiffSide::After, right);
    QCOMPARE(bench.view.setMatches({{.side = DiffSide::After, .line = 0, .column = 2, .length = 3},
                                    {.side = DiffSide::After, .line = 0, .column = rightY + 5, .length = 2}}),
             2);
    bench.view.setCurrentMatch(0);
    QCOMPARE(bench.width(DiffSide::After, right), r);
    bench.view.setCurrentMatch(1);
    QVERIFY(bench.width(DiffSide::After, right) > r);
    QVERIFY(bench.width(DiffSide::Before, left) > l);
    QVERIFY(bench.canvas->showsColumns(DiffSide::After, 0, rightY + 5, rightY + 7));
  }

  void linesThatComeLate() {
    PagedTextSource before, after;
    before.start(2);
    after.start(2);
    DiffView view;
    view.resize(1600, 400);
    view.setFolding(true);
    view.show();
    DiffData diff;
    diff.rows = {onlyZ()};
    view.setDiff(diff, &before, &after);
    auto *canvas = view.findChild<DiffCanvas *>();
    view.setMatches({{.side = DiffSide::After, .line = 0, .column = rightY + 5, .length = 2}});
    view.setCurrentMatch(0);
    view.grab();
    after.deliver(0, {right, u"end"_s});
    view.grab();
    QVERIFY(canvas->pointOf(DiffSide::After, 0, rightX + 10) != canvas->pointOf(DiffSide::After, 0, rightX + 2));
    before.deliver(0, {left, u"end"_s});
    view.grab();
    // Now it is known what is the same; what was searched is open.
    QCOMPARE(canvas->pointOf(DiffSide::After, 0, rightX + 10), canvas->pointOf(DiffSide::After, 0, rightX + 2));
    QVERIFY(canvas->pointOf(DiffSide::After, 0, rightY + 10) != canvas->pointOf(DiffSide::After, 0, rightY + 2));
    QVERIFY(canvas->pointOf(DiffSide::Before, 0, leftY + 10) != canvas->pointOf(DiffSide::Before, 0, leftY + 2));
    // Another diff begins with folds.
    view.setDiff(diff, &before, &after);
    QCOMPARE(canvas->pointOf(DiffSide::After, 0, rightY + 10), canvas->pointOf(DiffSide::After, 0, rightY + 2));
  }

  void copiesWholeLines() {
    FoldBench bench(left, right, onlyZ());
    bench.select(0);
    QTest::keyClick(bench.canvas, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), left);
    bench.view.setUnified(true);
    bench.select(0);
    QTest::keyClick(bench.canvas, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(bench.canvas, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), u'-' + left + u"\n+"_s + right);
  }

  void wrappedRowsStayAligned() {
    FoldBench bench(left, right, onlyZ());
    bench.view.resize(900, 500);
    bench.view.setWrapping(true);
    for (const bool unified : {false, true}) {
      bench.view.setUnified(unified);
      const int row = bench.canvas->rows().rowOf(false, 0), height = bench.canvas->rectOfRow(row).height();
      bench.click(DiffSide::Before, leftX);
      QVERIFY(bench.canvas->rectOfRow(row).height() > height);
      QCOMPARE(bench.canvas->rectOfRow(row + 1).top(), bench.canvas->rectOfRow(row).bottom() + 1);
      bench.click(DiffSide::After, int(right.indexOf(u']'))); // a bracket in another row of the line
      QCOMPARE(bench.canvas->rectOfRow(row).height(), height);
    }
  }

  void aLineAloneFoldsToo() {
    FoldBench bench(left, right,
                    {.kind = Kind::Added, .left = -1, .right = 0, .count = 1, .leftSpans = {}, .rightSpans = {}});
    const int r = bench.width(DiffSide::After, right);
    bench.click(DiffSide::After, rightX);
    QVERIFY(bench.width(DiffSide::After, right) > r);
    QHelpEvent help(QEvent::ToolTip, bench.canvas->pointOf(DiffSide::After, 0, rightY) + QPoint(3, 8), QPoint(10, 10));
    QCoreApplication::sendEvent(bench.canvas->viewport(), &help);
    QVERIFY2(QToolTip::text().contains(other), qPrintable(QToolTip::text()));
    QToolTip::hideText();
  }
};

QTEST_MAIN(DiffFoldsTest)
#include "DiffFoldsTest.moc"
