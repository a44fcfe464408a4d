// Folds, wrapped lines, lit names and copies of the text view.
#include "tests/views/text/TextBench.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace fuselage;

class TextReadingTest : public QObject {
  Q_OBJECT
private slots:
  void longAttributesFold();
  void foldsOpenAndCopyWhole();
  void linesWrap();
  void aMillionWrappedLinesStayAway();
  void wrappedLinesAreReadByKeyAndMouse();
  void scrollsSideways();
  void namesAreLit();
  void copiesWithNumbers();
};

static QString folded(const QString &line) {
  QString shown;
  int copied = 0;
  for (const LineFold &fold : foldsOf(line)) {
    shown += QStringView(line).sliced(copied, fold.begin - copied);
    shown += u'~';
    copied = fold.end;
  }
  shown += QStringView(line).sliced(copied);
  return shown;
}

void TextReadingTest::longAttributesFold() {
  const QString data(60, u'7'), maps = QStringList(20, QStringLiteral("#map")).join(QStringLiteral(", "));
  QCOMPARE(folded(QStringLiteral("%c = arith.constant dense<[%1]> : tensor<60xi8>").arg(data)),
           QStringLiteral("%c = arith.constant dense<~> : tensor<60xi8>"));
  QCOMPARE(folded(QStringLiteral("a {m = array<i64: %1>, n = 1 : i32} : i32").arg(data)),
           QStringLiteral("a {m = array<~>, n = 1 : i32} : i32"));
  QCOMPARE(folded(QStringLiteral("linalg.generic {indexing_maps = [%1], library_call = \"x\"} ins(%a)").arg(maps)),
           QStringLiteral("linalg.generic {indexing_maps = [~], library_call = \"x\"} ins(%a)"));
  QCOMPARE(folded(QStringLiteral("%1 {a = \"%2\", b = \"%2\", c = 2} : i32").arg(QStringLiteral("op"), data)),
           QStringLiteral("op {~} : i32"));
  // What is short, is no attribute, or is not closed stays.
  for (const QString &line :
       {QStringLiteral("dense<1> : tensor<1xi8>"), QStringLiteral("tensor<%1xf32>").arg(data),
        QStringLiteral("%b = tensor.extract_slice %a[%1] [%1]").arg(maps), QStringLiteral("dense<[%1").arg(data),
        QStringLiteral("// dense<%1>").arg(data), QStringLiteral("\"dense<%1>\"").arg(data),
        QStringLiteral("f(%1) -> (%1)").arg(maps), QStringLiteral("]}>)") + data, QStringLiteral("\"") + data,
        QStringLiteral("a > b < c -> d")})
    QCOMPARE(folded(line), line);
}

void TextReadingTest::foldsOpenAndCopyWhole() {
  const QString line = QStringLiteral("  %c = arith.constant dense<[%1]> : tensor<60xi8>").arg(QString(60, u'7'));
  StringTextSource source(line + QStringLiteral("\nshort"));
  TextView view;
  view.resize(1200, 300);
  view.setFolding(true);
  view.setSource(&source);
  view.show();
  QTest::keyClick(&view, Qt::Key_End);
  QCOMPARE(view.caret().column, int(line.size()));
  view.selectAll();
  QCOMPARE(view.selectedText(), line + QStringLiteral("\nshort"));
  // Right steps over what is folded, Return opens it.
  const int begin = int(line.indexOf(u'['));
  view.setCaret({0, begin});
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(view.caret().column, int(line.indexOf(u'>')));
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(view.caret().column, begin);
  QSignalSpy activated(&view, &TextView::lineActivated);
  QTest::keyClick(&view, Qt::Key_Return);
  QCOMPARE(activated.size(), 0);
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(view.caret().column, begin + 1);
  // Return in it folds it again, and so does a click on a bracket of it.
  const auto isFolded = [&] {
    view.setCaret({0, begin});
    QTest::keyClick(&view, Qt::Key_Right);
    return view.caret().column > begin + 1;
  };
  QTest::keyClick(&view, Qt::Key_Return);
  QCOMPARE(view.caret().column, begin);
  QVERIFY(isFolded());
  for (const int bracket : {begin - 1, int(line.indexOf(u'>'))}) {
    QTest::keyClick(&view, Qt::Key_Return);
    QVERIFY(!isFolded());
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(view, 0, bracket) + QPoint(4, 0));
    QVERIFY(isFolded());
  }
  QCOMPARE(activated.size(), 0);
  // Folded again, a click on the ellipsis opens it.
  view.setFolding(true);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(view, 0, begin) + QPoint(4, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(view, 0, begin + 3));
  QCOMPARE(view.caret().column, begin + 3);
  // A search hit in a fold is shown.
  view.setFolding(true);
  view.setMatches({{0, begin + 5, 2}});
  view.setCurrentMatch(0);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(view, 0, begin + 8));
  QCOMPARE(view.caret().column, begin + 8);
  // Also if its line comes later.
  PagedTextSource late;
  late.start(1);
  view.setSource(&late);
  view.setMatches({{0, begin + 5, 2}});
  view.setCurrentMatch(0);
  late.deliver(0, {line});
  QVERIFY(!isFolded());
}

void TextReadingTest::linesWrap() {
  StringTextSource source(QStringLiteral("  ") + QStringLiteral("word ").repeated(100) + QStringLiteral("\n") +
                          text(300));
  TextView view;
  view.resize(400, 300);
  view.setSource(&source);
  view.show();
  view.grab();
  QCOMPARE(view.rectOfLine(0).height(), view.rectOfLine(1).height());
  QTRY_VERIFY(view.horizontalScrollBar()->maximum() > 0);
  view.setWrapping(true);
  view.grab();
  QVERIFY(view.rectOfLine(0).height() > 8 * view.rectOfLine(1).height());
  QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
  QCOMPARE(view.rectOfLine(1).top(), view.rectOfLine(0).bottom() + 1);
  // The last line is reached, and stands at the bottom.
  view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
  const QRect last = view.rectOfLine(300);
  QVERIFY2(!last.isNull() && last.bottom() < view.viewport()->height() &&
               last.bottom() > view.viewport()->height() - 40,
           qPrintable(QStringLiteral("%1 of %2").arg(last.bottom()).arg(view.viewport()->height())));
  for (const int line : {0, 150, 300}) {
    view.scrollToLine(line);
    QVERIFY(!view.rectOfLine(line).isNull());
  }
  // By rows, one by one, everything comes by once.
  view.verticalScrollBar()->setValue(0);
  int rows = 0;
  for (int before = -1; view.verticalScrollBar()->value() != before; ++rows) {
    before = view.verticalScrollBar()->value();
    QWheelEvent event(QPointF(50, 50), view.viewport()->mapToGlobal(QPointF(50, 50)), QPoint(0, -20), {}, Qt::NoButton,
                      {}, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &event);
    QVERIFY(rows < 2000);
  }
  QVERIFY(rows > 200);
  view.setWrapping(false);
  view.scrollToLine(200);
  const int top = view.firstVisibleLine();
  view.setWrapping(true);
  QCOMPARE(view.firstVisibleLine(), top);
}

void TextReadingTest::aMillionWrappedLinesStayAway() {
  AskedSource source(
      1000000, [](int i) { return QStringLiteral("%%1 = foo.bar ").arg(i) + QStringLiteral("operand ").repeated(40); });
  TextView view;
  view.resize(600, 400);
  view.setWrapping(true);
  view.setSource(&source);
  view.show();
  view.grab();
  for (int line : {999999, 500000, 250000, 123456}) {
    view.scrollToLine(line);
    view.grab();
    QVERIFY(!view.rectOfLine(line).isNull());
  }
  QVERIFY2(source.asked < 20000, qPrintable(QString::number(source.asked)));
  // Some screenfuls of lines of some 340 characters.
  QVERIFY(view.charactersLaidOut() > 0);
  QVERIFY2(view.charactersLaidOut() < 1'000'000, qPrintable(QString::number(view.charactersLaidOut())));
}

void TextReadingTest::wrappedLinesAreReadByKeyAndMouse() {
  const QString words = QStringLiteral("word ").repeated(60).trimmed();
  StringTextSource source(words + QStringLiteral("\nsecond\n") + text(50));
  TextView view;
  view.resize(400, 300);
  view.setWrapping(true);
  view.setSource(&source);
  view.show();
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.caret().line, 0);
  const int perRow = view.caret().column;
  QVERIFY(perRow > 10 && perRow < 60);
  QTest::keyClick(&view, Qt::Key_Up);
  QCOMPARE(view.caret().column, 0);
  for (int i = 0; i < 50 && view.caret().line == 0; ++i)
    QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(view.caret().line, 1);
  QTest::keyClick(&view, Qt::Key_Up);
  QCOMPARE(view.caret().line, 0);
  QVERIFY(view.caret().column > int(words.size()) - perRow);
  // A click in the third row is there.
  LineRenderer renderer;
  renderer.setFont(monoFont(10));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(150, int(2.5 * renderer.lineHeight())));
  QCOMPARE(view.caret().line, 0);
  QVERIFY(view.caret().column > perRow && view.caret().column < 4 * perRow);
  QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
  QVERIFY(!view.rectOfLine(51).isNull());
}

static void wheel(QWidget *viewport, QPoint pixels, QPoint angle, Qt::KeyboardModifiers modifiers) {
  QWheelEvent event(QPointF(50, 50), viewport->mapToGlobal(QPointF(50, 50)), pixels, angle, Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(viewport, &event);
}

void TextReadingTest::scrollsSideways() {
  StringTextSource source(QString(1000, u'x') + QStringLiteral("\n") + text(500));
  TextView view;
  view.resize(400, 300);
  view.setSource(&source);
  view.show();
  view.grab();
  QTRY_VERIFY(view.horizontalScrollBar()->maximum() > 1000);
  QScrollBar *across = view.horizontalScrollBar(), *down = view.verticalScrollBar();
  wheel(view.viewport(), {}, {0, -120}, Qt::ShiftModifier);
  QVERIFY(across->value() > 20);
  QCOMPARE(down->value(), 0);
  wheel(view.viewport(), {}, {0, 120}, Qt::ShiftModifier);
  QCOMPARE(across->value(), 0);
  wheel(view.viewport(), {-30, -40}, {-30, -40}, {}); // a trackpad, aslant
  QCOMPARE(across->value(), 30);
  QCOMPARE(down->value(), 40);
  wheel(view.viewport(), {}, {0, -120}, {});
  QVERIFY(down->value() > 80);
  QCOMPARE(across->value(), 30);
}

void TextReadingTest::namesAreLit() {
  StringTextSource source(text(50));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  QImage before = view.grab().toImage();
  view.setNameUses({{3, 2, 2, true}, {5, 18, 2, false}});
  QVERIFY(view.grab().toImage() != before);
  QSignalSpy activated(&view, &TextView::nameActivated), moved(&view, &TextView::caretMoved);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier, at(view, 5, 3));
  QCOMPARE(activated.size(), 1);
  QCOMPARE(view.caret().line, 5);
  QVERIFY(!moved.isEmpty());
  QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier, at(view, 5, 9)); // a word that is no name
  QCOMPARE(activated.size(), 1);
  source.setText(QStringLiteral("other"));
  QVERIFY(view.nameUses().isEmpty());
}

void TextReadingTest::copiesWithNumbers() {
  StringTextSource source(text(120));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  view.setSelection({97, 2}, {99, 4});
  view.copyWithNumbers();
  QCOMPARE(QGuiApplication::clipboard()->text(),
           QStringLiteral(" 98  %97 = arith.addf %a, %b : f32\n 99    %98 = arith.addf %a, %b : f32\n100    %9"));
}

QTEST_MAIN(TextReadingTest)
#include "TextReadingTest.moc"
