// The tile explorer in the real window with the real engine process.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include "views/tiles/TileTraceView.h"
#include <QComboBox>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <climits>

using namespace fuselage;
using namespace Qt::StringLiterals;

static const TileCard *cardOf(TileExplorerPanel &panel, const QString &section, const QString &title) {
  for (const TileCard &card : panel.canvas().cards())
    if (card.section == section && card.title.contains(title))
      return &card;
  return nullptr;
}

class TileExplorerTest : public QObject {
  Q_OBJECT
private slots:
  void saysWhatToDoWithoutASelection() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.showTiles();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!bench.tiles.panel().hasDomain());
    QVERIFY(bench.tiles.panel().canvas().cards().isEmpty());
  }

  void followsTheSelectionAndTheSliders() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.showTiles(u"matmul"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && !panel.canvas().cards().isEmpty(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled(), patience);
    QCOMPARE(panel.question().sizes.size(), 3);
    QVERIFY(cardOf(panel, u"Fused producers"_s, u"linalg.fill"_s));

    // A slider snaps to divisors of 128.
    panel.sizes().slider(0)->setValue(5);
    QCOMPARE(panel.question().sizes[0], 32);
    panel.sizes().slider(2)->setValue(panel.sizes().slider(2)->maximum());
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled(), patience);
    const TileCard *left = cardOf(panel, u"Operands"_s, u"%x"_s);
    QVERIFY(left);
    QCOMPARE(left->footprint.elements, 32 * 768);
    // A typed size may be uneven, and is told.
    panel.sizes().number(0)->setValue(48);
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled(), patience);
    QTRY_VERIFY(panel.canvas().cards().first().warning.contains(u"32"_s));
  }

  /// What the traffic assumes is said, and follows the cache that is set.
  void trafficIsOfTheCache() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.showTiles(u"matmul"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && bench.tiles.isSettled(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(panel.assumptions().contains(u"holds everything"_s), patience);
    QVERIFY(bench.tiles.report());
    QCOMPARE(bench.tiles.report()->cache, 0);
    const double before = bench.tiles.report()->untiled.bytes;
    panel.cacheNumber()->setValue(16);
    QTRY_VERIFY_WITH_TIMEOUT(panel.assumptions().contains(u"it fits"_s) && bench.tiles.isSettled(), patience);
    QCOMPARE(bench.tiles.report()->cache, 16 * 1024);
    QVERIFY(bench.tiles.report()->untiled.bytes > before);
    panel.cacheNumber()->setValue(0);
    QTRY_COMPARE_WITH_TIMEOUT(bench.tiles.report()->untiled.bytes, before, patience);
  }

  void walksTheTilesInLoopOrder() {
    WindowBench bench;
    bench.open(sample(u"conv_bias_relu.mlir"_s));
    bench.showTiles(u"conv"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.canvas().cards().isEmpty() && bench.tiles.isSettled(), patience);
    QVERIFY(panel.walk().total() > 1);
    panel.canvas().setFocus();
    QTest::keyClick(&panel.canvas(), Qt::Key_Right);
    QCOMPARE(panel.walk().number(), 1);
    QTest::keyClick(&panel.canvas(), Qt::Key_End);
    QCOMPARE(panel.walk().number(), panel.walk().total() - 1);
    QTest::keyClick(&panel.canvas(), Qt::Key_Home);
    QCOMPARE(panel.walk().number(), 0);
    QTest::keyClick(&panel.canvas(), Qt::Key_Space);
    QVERIFY(panel.isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(panel.walk().number() >= 2, patience);
    QTest::keyClick(&panel.canvas(), Qt::Key_Space);
    QVERIFY(!panel.isPlaying());
    // A click into the iteration domain goes to the tile below it.
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled(), patience);
    const QRectF picture = panel.canvas().pictureRect(0);
    QTest::mouseClick(panel.canvas().viewport(), Qt::LeftButton, {}, picture.bottomRight().toPoint() - QPoint(2, 2));
    const TilePlane plane = panel.canvas().cards().first().plane;
    QCOMPARE(panel.walk().tile()[plane.column], panel.walk().trips(plane.column) - 1);
  }

  /// 128 x 768 x 768 in tiles of 32 x 256: with the columns inside, the weights come four times, with the rows inside,
  /// the rows three times.
  void twoOrdersGoTogetherAndCountWhatTheyLoad() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.showTiles(u"matmul"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && bench.tiles.isSettled(), patience);
    panel.setCost(0, false);
    panel.setSizes({32, 256, 768});
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled(), patience);
    QCOMPARE(panel.sideCount(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(panel.side(0).counters().startsWith(u"loaded"_s), patience);
    QTest::mouseClick(panel.twoOrders(), Qt::LeftButton);
    QCOMPARE(panel.sideCount(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled() && panel.side(1).hasSequence(), patience);
    QCOMPARE(panel.side(1).walk().order(), (QList<int>{1, 0, 2}));
    panel.canvas().setFocus();
    QTest::keyClick(&panel.canvas(), Qt::Key_Right);
    QCOMPARE(panel.side(0).walk().tile(), (QList<qint64>{0, 1, 0}));
    QCOMPARE(panel.side(1).walk().tile(), (QList<qint64>{1, 0, 0}));
    QTest::keyClick(&panel.side(1).canvas(), Qt::Key_End);
    QCOMPARE(panel.walk().number(), 11);
    const qint64 rows = 128 * 768 * 4, weights = 768 * 768 * 4;
    QTRY_VERIFY(panel.side(0).hasSequence());
    QVERIFY(panel.side(0).counters().contains(formatBytes(rows + 4 * weights + rows)));
    QVERIFY(panel.side(1).counters().contains(formatBytes(3 * rows + weights + rows)));
    // Another order, by keyboard.
    QComboBox &orders = panel.side(1).orders();
    orders.setFocus();
    QTest::keyClick(&orders, Qt::Key_Home);
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled() && panel.side(1).hasSequence(), patience);
    QCOMPARE(panel.side(1).walk().order(), (QList<int>{0, 1, 2}));
    QCOMPARE(panel.side(1).counters(), panel.side(0).counters());
  }

  void showsWhatInterfaceMethodsMade() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.showTiles(u"matmul"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && bench.tiles.isSettled(), patience);
    emit panel.trace().traceRequested();
    QTRY_VERIFY_WITH_TIMEOUT(!panel.trace().isEmpty(), patience);
    QStringList texts;
    for (int event = 0; event < 20; ++event) {
      panel.trace().setCurrentEvent(event);
      if (panel.trace().currentEvent() != event)
        break;
      texts.append(panel.trace().shownText());
    }
    const QString all = texts.join(u'\n');
    QVERIFY(all.contains(u"scf.for"_s));
    QVERIFY(all.contains(u"tensor.extract_slice"_s));
    QVERIFY(all.contains(u"affine_map<"_s));
  }

  /// The window stays with the last question, whatever came in between, and never waits.
  void answersTheLastOfManyQuestions() {
    WindowBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    bench.showTiles(u"batch_matmul"_s);
    TileExplorerPanel &panel = bench.tiles.panel();
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasDomain() && bench.tiles.isSettled(), patience);
    QSlider *slider = panel.sizes().slider(1);
    QVERIFY(slider->maximum() > 2);
    QSignalSpy shown(&bench.tiles, &TileController::shown);
    for (int round = 0; round < 60; ++round)
      slider->setValue(round % (slider->maximum() + 1));
    slider->setValue(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled() && shown.count() > 0, patience);
    QElapsedTimer since;
    since.start();
    (void)panel.canvas().grab();
    qInfo("footprint in %.1f ms from question to answer, painted in %.1f ms", bench.tiles.lastMilliseconds(),
          double(since.nsecsElapsed()) / 1e6);
    const TileCard *result = cardOf(panel, u"Result"_s, u"%"_s);
    QVERIFY(result);
    qint64 product = 1;
    for (int loop = 0; loop < 3; ++loop)
      product *= panel.question().sizes[loop];
    QCOMPARE(result->footprint.elements, product);
  }

  void survivesOpsWithoutTiles() {
    WindowBench bench;
    bench.open(bench.write(
        u"odd.mlir"_s, "func.func @f(%a: tensor<?x4xf32>, %b: f32) -> f32 {\n  %e = tensor.empty() : tensor<4xf32>\n"
                       "  %c = math.exp %a : tensor<?x4xf32>\n  %d = math.exp %b : f32\n  return %d : f32\n}\n"));
    TileExplorerPanel &panel = bench.tiles.panel();
    bench.showTiles(u"exp"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!panel.hasDomain());
    QVERIFY(!bench.graph.view().scene().nodes.isEmpty());
    for (const NodeData &node : bench.graph.view().scene().nodes) {
      bench.tiles.select(0, node.id);
      QTRY_VERIFY_WITH_TIMEOUT(bench.tiles.isSettled(), patience);
      QVERIFY(!panel.hasDomain());
    }
    panel.step(1);
    panel.step(INT_MAX);
    panel.setPlaying(true);
    QVERIFY(!panel.isPlaying());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(TileExplorerTest)
#include "TileExplorerTest.moc"
