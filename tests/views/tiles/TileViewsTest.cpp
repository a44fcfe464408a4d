// Walks, planes, cards and sizes of the tile explorer, and its pictures.
#include "views/common/Theme.h"
#include "views/tiles/TileCanvas.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileNumbers.h"
#include "views/tiles/TilePainter.h"
#include "views/tiles/TileSizes.h"
#include "views/tiles/TileWalk.h"
#include <QImage>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

static protocol::TileAxis interval(qint64 from, qint64 size) { return {{.offset = from, .size = size}}; }

static protocol::TileFootprint footprint() {
  protocol::TileFootprint footprint;
  footprint.name = u"%arg0"_s;
  footprint.type = u"tensor<2x64x32xf32>"_s;
  footprint.shape = {2, 64, 32};
  footprint.role = u"input"_s;
  footprint.pieces = {{interval(0, 2), interval(16, 16), interval(0, 32)}};
  footprint.elements = 2 * 16 * 32;
  footprint.bytes = footprint.elements * 4;
  return footprint;
}

class TileViewsTest : public QObject {
  Q_OBJECT
private slots:
  void walksInLoopOrder() {
    TileWalk walk;
    walk.setLoops({10, 6}, {4, 3}, {1, 0});
    QCOMPARE(walk.total(), 6);
    QVERIFY(!walk.previous());
    QVERIFY(walk.next());
    QCOMPARE(walk.tile(), (QList<qint64>{1, 0})); // loop 0 is the inner one
    walk.setNumber(5);
    QCOMPARE(walk.tile(), (QList<qint64>{2, 1}));
    QVERIFY(walk.isAtEnd() && !walk.next());
    // Larger tiles: the place is as near as it can be.
    walk.setLoops({10, 6}, {10, 3}, {1, 0});
    QCOMPARE(walk.tile(), (QList<qint64>{0, 1}));
    // In another order it has as many tiles.
    walk.setLoops({10, 6}, {4, 3}, {1, 0});
    walk.setLoops({10, 6}, walk.sizes(), {0, 1});
    QCOMPARE(walk.total(), 6);
    walk.setLoops({}, {});
    QCOMPARE(walk.total(), 1);
    QVERIFY(!walk.next());
  }

  /// However large the figures are, the columns of the table do not touch.
  void figuresHaveRoom() {
    protocol::TileReport report;
    report.loops.append(protocol::TileLoop());
    report.untiled = {.flops = 1, .bytes = 1, .intensity = 1};
    TileNumbers numbers;
    numbers.setReport(report);
    const int small = numbers.minimumSizeHint().width();
    report.tiled = {.flops = 123.4e9, .bytes = 64.75 * (1 << 20), .bytesAtMost = true, .intensity = 1234.5};
    report.fused = report.tiled;
    numbers.setReport(report);
    QVERIFY(numbers.minimumSizeHint().width() > small);
    TileExplorerPanel panel;
    protocol::TileDomain domain;
    domain.loops.append(protocol::TileDomainLoop());
    panel.setDomain(domain);
    panel.setReport(report);
    QVERIFY(panel.minimumSizeHint().width() > numbers.minimumSizeHint().width());
  }

  void picksThePlaneThatSaysMost() {
    const TilePlane plane = planeOf(footprint().shape, footprint().pieces);
    QCOMPARE(plane.row, 1);
    QCOMPARE(plane.column, 2);
    QCOMPARE(plane.others, QList<int>{0});
    QVERIFY(plane.isStack);
    const TilePlane one = planeOf(QList<qint64>{7}, {});
    QCOMPARE(one.row, -1);
    QCOMPARE(one.column, 0);
    const TilePlane none = planeOf(QList<qint64>{}, {});
    QCOMPARE(none.column, -1);
  }

  void describesRunsAndTypes() {
    QCOMPARE(describeRuns(interval(0, 8), 8), u"all 8"_s);
    QCOMPARE(describeRuns({}, 8), u"none"_s);
    QCOMPARE(describeRuns(interval(2, 4), 8), u"2\u20135 of 8"_s);
    QCOMPARE(describeRuns({{.offset = 1, .size = 3, .stride = 2}}, 8), u"1\u20135 step 2 of 8"_s);
    QCOMPARE(describeType(u"tensor<2x64xf32>"_s), u"2\u00d764 f32"_s);
    QCOMPARE(describeType(u"tensor<f32>"_s), u"f32"_s);
    QCOMPARE(describeType(u"vector<4xf32>"_s), u"vector<4xf32>"_s);
  }

  void slidersSnapToDivisors() {
    TileSizes sizes;
    sizes.setLoops({{.name = u"d0"_s, .range = 12, .divisors = {1, 2, 3, 4, 6, 12}, .suggested = 4},
                    {.name = u"d1"_s, .isReduction = true, .range = 1, .divisors = {1}, .suggested = 1}});
    QSignalSpy changed(&sizes, &TileSizes::sizesChanged);
    QCOMPARE(sizes.sizes(), (QList<qint64>{4, 1}));
    sizes.slider(0)->setValue(4);
    QCOMPARE(sizes.sizes()[0], 6);
    QCOMPARE(changed.count(), 1);
    sizes.number(0)->setValue(5); // may be typed
    QCOMPARE(sizes.sizes()[0], 5);
    sizes.setSnapping(false);
    QCOMPARE(sizes.slider(0)->maximum(), 11);
    QCOMPARE(sizes.sizes()[0], 5);
    sizes.setSnapping(true);
    QCOMPARE(sizes.sizes()[0], 4);
    QVERIFY(!sizes.slider(1)->isEnabled());
  }

  void paintsWhatIsTouched() {
    const Theme &theme = Theme::light();
    QImage image(320, 160, QImage::Format_RGB32);
    image.fill(theme.canvas);
    QPainter painter(&image);
    protocol::TileFootprint touched = footprint();
    touched.halo = {{interval(0, 2), interval(28, 4), interval(0, 32)}};
    const TilePlane plane = planeOf(touched.shape, touched.pieces);
    paintFootprint(painter, QRectF(10, 20, 80, 128), touched, plane, theme);
    painter.end();
    const double pixelsARow = 128.0 / 64;
    auto at = [&](double row) { return image.pixelColor(50, int(20 + row * pixelsARow)); };
    QCOMPARE(at(20), theme.accent);
    QCOMPARE(at(8), theme.surface);
    QCOMPARE(at(48), theme.surface);
    QVERIFY(at(30) != theme.accent && at(30) != theme.surface);
  }

  void panelLivesWithoutAnEngine() {
    TileExplorerPanel panel;
    panel.resize(1000, 400);
    QVERIFY(!panel.hasDomain());
    panel.step(1);
    panel.setPlaying(true);
    QVERIFY(!panel.isPlaying());
    protocol::TileDomain domain;
    domain.op = {.id = 3, .op = u"linalg.exp"_s, .name = u"%0"_s};
    domain.loops = {{.name = u"d0"_s, .range = 64, .divisors = {1, 2, 4, 8, 16, 32, 64}, .suggested = 16}};
    domain.producers = {{.id = 2, .op = u"linalg.fill"_s, .name = u"%1"_s}};
    panel.setDomain(domain);
    QVERIFY(panel.hasDomain());
    QSignalSpy asked(&panel, &TileExplorerPanel::questionChanged);
    panel.step(1);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(panel.question().tile, QList<qint64>{1});
    panel.sizes().slider(0)->setValue(6);
    QCOMPARE(panel.question().sizes, QList<qint64>{64});
    QCOMPARE(panel.question().tile, QList<qint64>{0});
    protocol::TileReport report;
    report.loops = {{.name = u"d0"_s, .range = 64, .size = 16, .trips = 4, .lastSize = 16}};
    report.tile = {0};
    report.operands = {footprint()};
    report.assumptions = {u"untiled: each value moves once"_s, u"tiled: nothing stays"_s};
    panel.setReport(report);
    QCOMPARE(panel.canvas().cards().size(), 2);
    QCOMPARE(panel.assumptions(), u"untiled: each value moves once\ntiled: nothing stays"_s);
    const qsizetype before = asked.count();
    QCOMPARE(panel.question().cache, 0);
    panel.cacheNumber()->setValue(16);
    QCOMPARE(asked.count(), before + 1);
    QCOMPARE(panel.question().cache, 16 * 1024);
    QVERIFY(!panel.grab().isNull());
    panel.setEmpty(u"Nothing"_s, u"Select an op."_s);
    QVERIFY(panel.assumptions().isEmpty());
    QVERIFY(panel.canvas().cards().isEmpty());
  }
};

QTEST_MAIN(TileViewsTest)
#include "TileViewsTest.moc"
