#include "views/common/TextSource.h"
#include "views/common/Theme.h"
#include <QSignalSpy>
#include <QTest>

using namespace fuselage;

class CommonTest : public QObject {
  Q_OBJECT
private slots:
  void textReads_data();
  void textReads();
  void themeFollowsThePalette();
  void heatGrowsDarkerOrLighter();
  void kindsByName();
  void pagesAreAskedForOnce();
  void pagesAreDropped();
  void failedPagesAreAskedForAgain();
  void stringSource();
};

void CommonTest::textReads_data() {
  QTest::addColumn<bool>("dark");
  QTest::newRow("light") << false;
  QTest::newRow("dark") << true;
}

void CommonTest::textReads() {
  QFETCH(bool, dark);
  const Theme &t = dark ? Theme::night() : Theme::light();
  for (const QColor &token : t.tokens)
    for (const QColor &back : {t.surface, t.currentLine, t.opLines, t.selection, t.addedLine, t.removedLine,
                               t.changedLine, t.addedWord, t.removedWord, t.changedWord})
      QVERIFY2(contrastRatio(token, back) >= 4.5,
               qPrintable(token.name() + u' ' + back.name() + u' ' + QString::number(contrastRatio(token, back))));
  for (const QColor &back : {t.window, t.surface, t.surfaceMuted, t.canvas}) {
    QVERIFY(contrastRatio(t.text, back) >= 7);
    QVERIFY(contrastRatio(t.textMuted, back) >= 4.5);
  }
  for (const QColor &ink : {t.added, t.removed, t.changed, t.error, t.warning, t.success})
    for (const QColor &back : {t.surface, t.window, t.surfaceRaised, t.canvas})
      QVERIFY2(contrastRatio(ink, back) >= 4.5,
               qPrintable(ink.name() + u' ' + back.name() + u' ' + QString::number(contrastRatio(ink, back))));
  // Words in boxes of the graph: as they are, with the tint of a dispatch, and of what changed.
  for (int kind = 0; kind <= int(NodeData::Kind::Gap); ++kind)
    for (const QColor &ink : {t.text, t.textMuted})
      QVERIFY2(contrastRatio(ink, t.nodeFill(NodeData::Kind(kind))) >= 4.5,
               qPrintable(QStringLiteral("%1 in kind %2").arg(ink.name()).arg(kind)));
  for (int hue = 0; hue < Theme::hueCount; ++hue)
    for (const double tint : {0.08, 0.14, 0.22}) {
      const QColor ground = mix(t.dispatch(hue), t.surface, tint);
      for (const QColor &ink : {t.text, t.mutedOn(ground)})
        QVERIFY(contrastRatio(ink, ground) >= 4.5);
    }
  for (const Change change : {Change::Added, Change::Removed, Change::Changed}) {
    const QColor ground = mix(t.change(change), t.surface, t.dark ? 0.24 : 0.15);
    QVERIFY(contrastRatio(t.mutedOn(ground), ground) >= 4.5);
  }
  for (const QColor &ink : {t.edgeFused, t.edgePossible, t.edgeTried, t.edgeImpossible, t.edgeInput, t.edgeOutput})
    QVERIFY2(contrastRatio(ink, t.canvas) >= 4.5, qPrintable(ink.name()));
  for (const QColor &verdict : {t.edgeFused, t.edgePossible, t.edgeTried, t.edgeImpossible})
    QVERIFY(contrastRatio(t.edgeOutput, verdict) > 0 && t.edgeOutput != verdict &&
            std::abs(t.edgeOutput.hsvHue() - verdict.hsvHue()) > 25);
  QVERIFY(contrastRatio(t.gutterText, t.gutter) >= 4.5);
  QVERIFY(contrastRatio(t.accentText, t.accent) >= 4.5);
  // A selected row keeps its colours, and what is around a control can be seen.
  for (const QColor &ink : {t.text, t.textMuted, t.error, t.success})
    QVERIFY2(contrastRatio(ink, t.accentSoft) >= 4.5,
             qPrintable(ink.name() + u' ' + QString::number(contrastRatio(ink, t.accentSoft))));
  for (const QColor &ground : {t.surface, t.window}) {
    QVERIFY(contrastRatio(t.accent, ground) >= 3);    // focus
    QVERIFY(contrastRatio(t.textMuted, ground) >= 3); // boxes to check
  }
  for (int i = 0; i <= 20; ++i)
    QVERIFY(contrastRatio(readableOn(t.heat(i / 20.0)), t.heat(i / 20.0)) >= 4.5);
  for (int i = 0; i < 30; ++i)
    QVERIFY(t.dispatch(i) != t.dispatch(i + 1));
}

void CommonTest::themeFollowsThePalette() {
  QVERIFY(Theme::of(Theme::night().palette()).dark);
  QVERIFY(!Theme::of(Theme::light().palette()).dark);
  QVERIFY(!Theme::of(QPalette(Qt::white)).dark);
}

void CommonTest::heatGrowsDarkerOrLighter() {
  for (const Theme *t : {&Theme::light(), &Theme::night()})
    for (int i = 0; i < 20; ++i) {
      double a = contrastRatio(t->heat(i / 20.0), Qt::black), b = contrastRatio(t->heat((i + 1) / 20.0), Qt::black);
      QVERIFY(t->dark ? b >= a : b <= a);
    }
  QCOMPARE(Theme::light().heat(qQNaN()), Theme::light().heat(0));
  QCOMPARE(Theme::light().heat(9), Theme::light().heat(1));
}

void CommonTest::kindsByName() {
  QCOMPARE(NodeData::kindFromName(u"compute"), NodeData::Kind::Compute);
  QCOMPARE(NodeData::kindFromName(u"Dispatch"), NodeData::Kind::Dispatch);
  QCOMPARE(NodeData::kindFromName(u"?"), NodeData::Kind::Other);
  QCOMPARE(ClusterData::kindFromName(u"function"), ClusterData::Kind::Function);
}

void CommonTest::pagesAreAskedForOnce() {
  PagedTextSource source;
  QSignalSpy asked(&source, &PagedTextSource::linesRequested), arrived(&source, &TextSource::linesArrived);
  source.start(1000);
  source.request(300, 50);
  source.request(310, 50);
  QCOMPARE(asked.size(), 1);
  QCOMPARE(asked[0], (QList<QVariant>{256, 256}));
  QVERIFY(!source.line(300));
  QStringList lines;
  for (int i = 256; i < 512; ++i)
    lines << QString::number(i);
  source.deliver(256, lines);
  QCOMPARE(arrived.size(), 1);
  QCOMPARE(*source.line(300), QStringLiteral("300"));
  // The last page is short; asking beyond the end asks for what there is.
  source.request(0, 100000);
  QCOMPARE(asked.size(), 3);
  QCOMPARE(asked[2], (QList<QVariant>{512, 488}));
  QVERIFY(!source.line(-1));
  QVERIFY(!source.line(1000));
  quint64 generation = source.generation();
  source.start(3);
  QVERIFY(source.generation() != generation);
  QCOMPARE(source.loadedPages(), 0);
}

void CommonTest::pagesAreDropped() {
  PagedTextSource source;
  connect(&source, &PagedTextSource::linesRequested, &source,
          [&source](int first, int count) { source.deliver(first, QStringList(count, QStringLiteral("x"))); });
  source.setMaxPages(16);
  source.start(1 << 20);
  for (int line = 0; line < 1 << 20; line += 512)
    source.request(line, 1);
  QVERIFY(source.loadedPages() <= 17);
  QVERIFY(source.line((1 << 20) - 512));
  QVERIFY(!source.line(0));
}

void CommonTest::failedPagesAreAskedForAgain() {
  PagedTextSource source;
  QSignalSpy asked(&source, &PagedTextSource::linesRequested);
  source.start(10);
  source.request(0, 10);
  source.forget(0, 10);
  source.request(0, 10);
  QCOMPARE(asked.size(), 2);
}

void CommonTest::stringSource() {
  StringTextSource source(QStringLiteral("a\nb\n"));
  QCOMPARE(source.lineCount(), 2);
  QCOMPARE(*source.line(1), QStringLiteral("b"));
  QVERIFY(!source.line(2));
  source.setText({});
  QCOMPARE(source.lineCount(), 0);
}

QTEST_MAIN(CommonTest)
#include "CommonTest.moc"
