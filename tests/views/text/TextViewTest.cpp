#include "views/text/TextView.h"
#include "tests/views/text/TextBench.h"
#include "views/text/MlirTokenizer.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace fuselage;

class TextViewTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void tokens();
  void tokensOfBrokenText();
  void byteColumns();
  void mouseSelectsAndCopies();
  void keysSelect();
  void clickSaysWhichLine();
  void findScrollsToTheMatch();
  void aMillionLinesStayAway();
  void copyWaitsForLines();
  void longLinesAreCutAndCopiedWhole();
  void emptyAndVanishingSources();
  void zoomKeepsThePlace();
};

/// The kinds of the named pieces of a line.
static TokenKind kindOf(const QString &line, const QString &piece, int occurrence = 0) {
  int column = -1;
  for (int i = 0; i <= occurrence; ++i)
    column = int(line.indexOf(piece, column + 1));
  for (const Token &token : tokenizeMlir(line))
    if (token.begin <= column && column < token.begin + token.length)
      return token.kind;
  return TokenKind::Plain;
}

void TextViewTest::initTestCase() { QVERIFY2(QFontInfo(monoFont(10)).fixedPitch(), "fonts-dejavu-core is missing"); }

void TextViewTest::tokens() {
  QString line = QStringLiteral(
      "%2:2 = linalg.matmul {tag = \"a // b\", n = -3 : i32} ins(%arg0 : tensor<?x128xf32>) -> !my.type // end");
  QCOMPARE(kindOf(line, QStringLiteral("%2")), TokenKind::Value);
  QCOMPARE(kindOf(line, QStringLiteral("linalg")), TokenKind::Op);
  QCOMPARE(kindOf(line, QStringLiteral("tag")), TokenKind::Attribute);
  QCOMPARE(kindOf(line, QStringLiteral("a // b")), TokenKind::String);
  QCOMPARE(kindOf(line, QStringLiteral("-3")), TokenKind::Number);
  QCOMPARE(kindOf(line, QStringLiteral("i32")), TokenKind::Type);
  QCOMPARE(kindOf(line, QStringLiteral("ins")), TokenKind::Keyword);
  QCOMPARE(kindOf(line, QStringLiteral("tensor")), TokenKind::Type);
  QCOMPARE(kindOf(line, QStringLiteral("x128xf32")), TokenKind::Type);
  QCOMPARE(kindOf(line, QStringLiteral("!my")), TokenKind::Type);
  QCOMPARE(kindOf(line, QStringLiteral("// end")), TokenKind::Comment);
  QString generic = QStringLiteral("  \"test.op\"(%0) <{value = dense<1.0e-3> : tensor<4xbf16>}> : () -> ()");
  QCOMPARE(kindOf(generic, QStringLiteral("test.op")), TokenKind::Op);
  QCOMPARE(kindOf(generic, QStringLiteral("1.0e-3")), TokenKind::Number);
  QCOMPARE(kindOf(generic, QStringLiteral("4xbf16")), TokenKind::Type);
  QString function = QStringLiteral("func.func private @main(%a: f32 {x.y = unit}) attributes {a.b = #c.d<e>} {");
  QCOMPARE(kindOf(function, QStringLiteral("func.func")), TokenKind::Op);
  QCOMPARE(kindOf(function, QStringLiteral("private")), TokenKind::Keyword);
  QCOMPARE(kindOf(function, QStringLiteral("@main")), TokenKind::Symbol);
  QCOMPARE(kindOf(function, QStringLiteral("#c")), TokenKind::Attribute);
  QCOMPARE(kindOf(QStringLiteral("^bb0(%in: f32):"), QStringLiteral("^bb0")), TokenKind::Label);
}

void TextViewTest::tokensOfBrokenText() {
  for (const QString &line :
       {QStringLiteral("\""), QStringLiteral("\"a\\"), QStringLiteral("%"), QStringLiteral("@\""), QStringLiteral("-"),
        QStringLiteral("0x"), QStringLiteral("1e"), QStringLiteral("1e-"), QStringLiteral("12x"), QString(),
        QStringLiteral("é世界\U0001F600 \t\x01"), QString(5000, u'(')}) {
    int end = 0;
    for (const Token &token : tokenizeMlir(line)) {
      QVERIFY(token.begin >= end && token.length > 0);
      end = token.begin + token.length;
    }
    QVERIFY(end <= line.size());
  }
}

void TextViewTest::byteColumns() {
  QString line = QStringLiteral("aé世\U0001F600b");
  QCOMPARE(utf16Column(line, 0), 0);
  QCOMPARE(utf16Column(line, 1), 1);
  QCOMPARE(utf16Column(line, 3), 2);
  QCOMPARE(utf16Column(line, 6), 3);
  QCOMPARE(utf16Column(line, 10), 5);
  QCOMPARE(utf16Column(line, 999), int(line.size()));
}

void TextViewTest::mouseSelectsAndCopies() {
  StringTextSource source(text(50));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  QSignalSpy available(&view, &TextView::copyAvailable);
  QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at(view, 2, 2));
  QTest::mouseMove(view.viewport(), at(view, 3, 4));
  QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, at(view, 3, 4));
  QCOMPARE(view.selectedText(), QStringLiteral("%2 = arith.addf %a, %b : f32\n  %3"));
  QCOMPARE(available.size(), 1);
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QGuiApplication::clipboard()->text(), view.selectedText());
  QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, at(view, 5, 9));
  QCOMPARE(view.selectedText(), QStringLiteral("arith.addf"));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(view, 5, 1));
  QVERIFY(!view.hasSelection());
}

void TextViewTest::keysSelect() {
  StringTextSource source(QStringLiteral("alpha beta\ngamma\n\ndelta"));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(&view, Qt::Key_End, Qt::ShiftModifier);
  QCOMPARE(view.selectedText(), QStringLiteral("beta"));
  QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
  QCOMPARE(view.selectedText(), QStringLiteral("beta\ngamma"));
  QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(view.selectedText(), QStringLiteral("alpha beta\ngamma\n\ndelta"));
  QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
  QVERIFY(!view.hasSelection());
  for (int i = 0; i < 12; ++i)
    QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(view.currentLine(), 0);
  QTest::keyClick(&view, Qt::Key_PageDown);
  QCOMPARE(view.currentLine(), 3);
}

void TextViewTest::clickSaysWhichLine() {
  StringTextSource source(text(50));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  QSignalSpy spy(&view, &TextView::currentLineChanged);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at(view, 7, 5));
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(spy.size(), 2);
  QCOMPARE(spy[0][0].toInt(), 7);
  QCOMPARE(spy[1][0].toInt(), 8);
  view.setCurrentLine(20);
  QCOMPARE(spy.size(), 2);
  QCOMPARE(view.currentLine(), 20);
}

void TextViewTest::findScrollsToTheMatch() {
  StringTextSource source(text(5000));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  view.setMatches({{10, 2, 3}, {4000, 10, 5}});
  view.setCurrentMatch(1);
  QVERIFY(view.firstVisibleLine() <= 4000 && 4000 < view.firstVisibleLine() + view.visibleLineCount());
  view.grab();
  view.highlightLines(100, 120);
  view.scrollToLine(100);
  QVERIFY(view.firstVisibleLine() <= 100 && 100 < view.firstVisibleLine() + view.visibleLineCount());
  view.grab();
}

void TextViewTest::aMillionLinesStayAway() {
  AskedSource source(1000000, [](int i) { return QStringLiteral("%%1 = foo.bar").arg(i); });
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  view.grab();
  view.scrollToLine(999999);
  view.grab();
  QCOMPARE(view.firstVisibleLine() + view.visibleLineCount() >= 999999, true);
  for (int line : {500000, 250000, 123456})
    view.scrollToLine(line);
  view.grab();
  QVERIFY2(source.asked < 20000, qPrintable(QString::number(source.asked)));
}

void TextViewTest::copyWaitsForLines() {
  PagedTextSource source;
  QList<std::pair<int, int>> pending;
  connect(&source, &PagedTextSource::linesRequested, this, [&](int first, int count) {
    pending.append({first, count});
  });
  TextView view;
  view.resize(600, 400);
  source.start(30000);
  view.setSource(&source);
  view.show();
  QGuiApplication::clipboard()->setText(QStringLiteral("before"));
  view.setSelection({0, 0}, {29999, 3});
  view.copy();
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
  for (int round = 0; round < 1000 && !pending.isEmpty(); ++round) {
    auto [first, count] = pending.takeFirst();
    source.deliver(first, QStringList(count, QStringLiteral("abcdef")));
  }
  QString copied = QGuiApplication::clipboard()->text();
  QCOMPARE(copied.count(u'\n'), 29999);
  QVERIFY(copied.endsWith(QStringLiteral("abcdef\nabc")));
}

void TextViewTest::longLinesAreCutAndCopiedWhole() {
  QString longLine = QStringLiteral("x = \"") + QString(10 << 20, u'A') + u'"';
  StringTextSource source(longLine + QStringLiteral("\nshort"));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  view.grab();
  QTest::keyClick(&view, Qt::Key_End);
  view.grab();
  QVERIFY(view.charactersLaidOut() > LineRenderer::maxColumns);
  QVERIFY2(view.charactersLaidOut() < 10 * LineRenderer::maxColumns,
           qPrintable(QString::number(view.charactersLaidOut())));
  view.copy();
  QCOMPARE(QGuiApplication::clipboard()->text().size(), longLine.size());
}

void TextViewTest::emptyAndVanishingSources() {
  TextView view;
  view.resize(600, 400);
  view.show();
  view.grab();
  for (int key : {Qt::Key_Down, Qt::Key_End, Qt::Key_A, Qt::Key_C})
    QTest::keyClick(&view, Qt::Key(key), Qt::ControlModifier);
  {
    StringTextSource source(text(10));
    view.setSource(&source);
    view.setSelection({2, 0}, {5, 1});
    source.setText(QStringLiteral("one"));
    QVERIFY(!view.hasSelection());
    view.grab();
  }
  view.grab();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(100, 100));
  QCOMPARE(view.selectedText(), QString());
}

void TextViewTest::zoomKeepsThePlace() {
  StringTextSource source(text(500));
  TextView view;
  view.resize(600, 400);
  view.setSource(&source);
  view.show();
  view.scrollToLine(300);
  int first = view.firstVisibleLine();
  view.setZoom(2);
  QCOMPARE(view.firstVisibleLine(), first);
  view.setZoom(1000);
  QVERIFY(view.zoom() <= 4);
  view.grab();
}

QTEST_MAIN(TextViewTest)
#include "TextViewTest.moc"
