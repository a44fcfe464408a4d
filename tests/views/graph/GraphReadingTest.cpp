// What is seen of a graph at first sight: where it opens, what stands beside it, how wide its lines are.
#include "tests/views/graph/SampleScene.h"
#include "views/common/Theme.h"
#include "views/graph/GraphLegend.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include "views/graph/Minimap.h"
#include <QSignalSpy>
#include <QTest>

using namespace fuselage;

class GraphReadingTest : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup() { delete view_; }
  void opensWhereTheProgramBegins();
  void opensWithAllOfASmallGraph();
  void legendAndMinimapStandBesideTheGraph();
  void badgesOfAKindHaveOneRowOfTheLegend();
  void aLongThinGraphHasAMapToClickOn();
  void theChevronStaysUnderThePointer();
  void zoomsToNeighbours();
  void linesAreAsWideAtTwiceTheResolution();
  void notesAreSeen();
  void whatIsInSightIsAPicture();

private:
  QWidget *minimap() const { return view_->findChild<Minimap *>(); }
  GraphView *view_ = nullptr;
};

/// Two functions under each other, the second one the entry.
static SceneData twoFunctions(int rows) {
  SceneData scene = gridScene(rows, 3), second = gridScene(rows, 3);
  const double below = scene.bounds.height() + 200;
  for (NodeData &node : second.nodes) {
    node.id += 100000;
    node.rect.translate(0, below);
    scene.nodes.append(node);
  }
  ClusterData entry = second.clusters.first();
  entry.id = -5;
  entry.label = QStringLiteral("@main");
  entry.rect.translate(0, below);
  scene.clusters.append(entry);
  scene.bounds |= entry.rect;
  scene.entry = entry.id;
  return scene;
}

void GraphReadingTest::init() {
  view_ = new GraphView;
  view_->setAnimated(false);
  view_->resize(800, 600);
  view_->show();
  QVERIFY(QTest::qWaitForWindowExposed(view_));
}

void GraphReadingTest::opensWhereTheProgramBegins() {
  view_->setScene(twoFunctions(40));
  QCOMPARE(view_->zoom(), 1.0); // words of 11 px, and boxes that hold them
  const QRectF entry = view_->rectOf(-5);
  QVERIFY2(entry.top() >= 0 && entry.top() < 60, qPrintable(QString::number(entry.top())));
  QVERIFY(view_->canvasRect().contains(view_->rectOf(100001)));
  QVERIFY(!view_->canvasRect().intersects(view_->rectOf(1)));
}

void GraphReadingTest::opensWithAllOfASmallGraph() {
  view_->setScene(gridScene(4, 3));
  QVERIFY(view_->zoom() >= 0.95);
  QCOMPARE(view_->scene().nodes.size(), 12);
  for (const NodeData &node : view_->scene().nodes)
    QVERIFY(view_->canvasRect().contains(view_->rectOf(node.id)));
  QVERIFY(!minimap()->isVisible()); // there is nothing else to see
  QCOMPARE(view_->canvasRect().size(), QSizeF(view_->size()));
}

void GraphReadingTest::legendAndMinimapStandBesideTheGraph() {
  view_->setScene(gridScene(60, 3));
  QVERIFY(minimap()->isVisible());
  const QRectF before = view_->rectOf(1);
  const double height = view_->canvasRect().height();
  view_->setMarks(QList<EdgeMark>(view_->scene().edges.size(), EdgeMark{FusionMark::Possible, 1}),
                  {{0, 1, 2, 3, 0, 4}});
  QVERIFY2(view_->canvasRect().height() < height, "the legend takes a strip of its own");
  QVERIFY(!view_->canvasRect().intersects(QRectF(minimap()->geometry())));
  // What is in sight stays where it is, whatever comes to stand beside it.
  view_->lookAt({100, 900}, 1);
  const QRectF place = view_->rectOf(31);
  view_->setMarks({});
  QCOMPARE(view_->rectOf(31), place);
  view_->setMinimapVisible(false);
  QCOMPARE(view_->rectOf(31), place);
  QCOMPARE(view_->canvasRect().size(), QSizeF(view_->size()));
  // Nothing is selected through the legend.
  view_->setMarks(QList<EdgeMark>(view_->scene().edges.size(), EdgeMark{FusionMark::Possible, 1}),
                  {{0, 1, 2, 3, 0, 4}});
  view_->fit();
  for (int x = 5; x < view_->width(); x += 20)
    QCOMPARE(view_->nodeAt(QPointF(x, view_->height() - 5)), noNode);
  Q_UNUSED(before)
}

void GraphReadingTest::badgesOfAKindHaveOneRowOfTheLegend() {
  const auto badge = [](NodeId id, MarkKind kind, const char *what) {
    return NodeMark{.id = id, .kind = kind, .text = QStringLiteral("2"), .what = QString::fromLatin1(what)};
  };
  const QList<NodeMark> badges{badge(1, MarkKind::Definition, "with remarks"), badge(2, MarkKind::Read, "collectives"),
                               badge(3, MarkKind::Definition, "with remarks"),
                               badge(900, MarkKind::Definition, "with remarks"),
                               badge(901, MarkKind::Write, "elsewhere")};
  const QList<LegendItem> rows = legendOf(
      {}, {}, badges, [](NodeId id) { return id < 900; }, Theme::light());
  QCOMPARE(rows.size(), 2);
  QCOMPARE(rows[0].text, QStringLiteral("with remarks"));
  QCOMPARE(rows[0].numbers, QStringLiteral("2")); // those in the picture
  QCOMPARE(rows[0].pen.color(), markColour(Theme::light(), MarkKind::Definition));
  QCOMPARE(rows[1].text, QStringLiteral("collectives"));
  QVERIFY(legendOf(
              {}, {}, {}, [](NodeId) { return true; }, Theme::light())
              .isEmpty());

  // The strip comes with the badges, and goes with them.
  view_->setScene(gridScene(4, 3));
  const double height = view_->canvasRect().height();
  view_->setRemarkMarks({badges[0]});
  QVERIFY(view_->canvasRect().height() < height);
  view_->setRemarkMarks({});
  QCOMPARE(view_->canvasRect().height(), height);
  view_->setMeshMarks({badges[1]});
  QVERIFY(view_->canvasRect().height() < height);
}

void GraphReadingTest::aLongThinGraphHasAMapToClickOn() {
  view_->setScene(gridScene(600, 1));
  QVERIFY(minimap()->isVisible());
  QCOMPARE(minimap()->height(), int(view_->canvasRect().height()));
  const QImage map = minimap()->grab().toImage();
  int widest = 0;
  for (int y = 0; y < map.height(); ++y) {
    int inked = 0;
    for (int x = 2; x < map.width(); ++x)
      inked += map.pixel(x, y) != map.pixel(map.width() - 2, map.height() - 2);
    widest = std::max(widest, inked);
  }
  QVERIFY2(widest > 20, qPrintable(QString::number(widest))); // drawn to scale it would be one pixel
  QTest::mouseClick(minimap(), Qt::LeftButton, {}, QPoint(minimap()->width() / 2, minimap()->height() - 12));
  QVERIFY(view_->canvasRect().intersects(view_->rectOf(595)));
}

void GraphReadingTest::theChevronStaysUnderThePointer() {
  constexpr NodeId box = -7;
  SceneData folded = gridScene(30, 3);
  folded.nodes[40].id = box;
  folded.nodes[40].collapsed = true;
  folded.nodes[40].hidden = 5;
  SceneData open = gridScene(30, 3);
  open.nodes.removeAt(40);
  ClusterData cluster;
  cluster.id = box;
  cluster.label = QStringLiteral("layer");
  cluster.rect = QRectF(250, 1500, 400, 700);
  open.clusters.append(cluster);
  view_->setScene(folded);
  view_->reveal(box);
  QSignalSpy toggled(view_, &GraphView::clusterToggled);
  const QPoint pointer = (QPointF(view_->rectOf(box).right() - 7, view_->rectOf(box).center().y())).toPoint();
  QTest::mouseClick(view_, Qt::LeftButton, {}, pointer);
  QCOMPARE(toggled.size(), 1);
  const double zoom = view_->zoom();
  view_->setScene(open);
  QCOMPARE(view_->zoom(), zoom);
  const QPointF chevron = view_->rectOf(box).topLeft() + QPointF(12, 10) * zoom;
  QVERIFY2((chevron - pointer).manhattanLength() < 3,
           qPrintable(QStringLiteral("%1 %2").arg(chevron.x()).arg(chevron.y())));
  // The same click closes it again, and everything is where it was.
  QTest::mouseClick(view_, Qt::LeftButton, {}, pointer);
  QCOMPARE(toggled.size(), 2);
  QCOMPARE(toggled.last(), (QList<QVariant>{qint64(box), true}));
  view_->setScene(folded);
  QVERIFY((QPointF(view_->rectOf(box).right() - 7, view_->rectOf(box).center().y()) - pointer).manhattanLength() < 3);
}

void GraphReadingTest::zoomsToNeighbours() {
  view_->setScene(gridScene(60, 3));
  view_->setSelection({32}, false); // row 10, the middle one
  QTest::keyClick(view_, Qt::Key_B);
  for (const NodeId id : {29, 30, 32, 34, 35})
    QVERIFY2(view_->canvasRect().contains(view_->rectOf(id)), qPrintable(QString::number(id)));
  QVERIFY(!view_->canvasRect().contains(view_->rectOf(1)));
}

/// The ink of a straight line between two nodes, across it, in px of its own colour at its darkest at scale 1.
static double lineWidth(double ratio, double scale) {
  SceneData scene;
  scene.bounds = QRectF(0, 0, 100, 300);
  NodeData above, below;
  above.id = 1, below.id = 2;
  above.rect = QRectF(0, 0, 100, 40);
  below.rect = QRectF(0, 260, 100, 40);
  scene.nodes = {above, below};
  EdgeData edge;
  edge.from = 1, edge.to = 2;
  edge.bytes = qint64(1) << 30;
  edge.points << QPointF(50, 40) << QPointF(50, 260);
  scene.edges = {edge};
  PreparedScene prepared(scene);
  GraphPainter painter(prepared);
  const QSize size(200, 200);
  QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  QPainter on(&image);
  painter.paint(on, Camera({50, 130}, scale), size, {}, PaintQuality::Rest);
  on.end();
  double ink = 0;
  const int y = image.height() / 2, left = int(image.width() * 0.4);
  for (int x = left; x < image.width() * 0.6; ++x)
    ink += qAbs(qGray(image.pixel(x, y)) - qGray(image.pixel(left, y)));
  const Theme &theme = painter.theme();
  return ink / qAbs(qGray(theme.edgeStrong.rgb()) - qGray(theme.canvas.rgb())) / ratio;
}

void GraphReadingTest::linesAreAsWideAtTwiceTheResolution() {
  for (const double scale : {0.3, 0.6, 1.0, 3.0}) {
    const double once = lineWidth(1, scale), twice = lineWidth(2, scale);
    QVERIFY2(once > 0.4, qPrintable(QStringLiteral("%1: %2").arg(scale).arg(once)));
    QVERIFY2(qAbs(once - twice) < 0.3 * once + 0.15,
             qPrintable(QStringLiteral("%1: %2 and %3").arg(scale).arg(once).arg(twice)));
  }
}

void GraphReadingTest::notesAreSeen() {
  view_->setScene(gridScene(4, 3));
  const QImage before = view_->grab().toImage();
  view_->setNoted({5});
  QCOMPARE(view_->noted(), QSet<NodeId>{5});
  const QImage after = view_->grab().toImage();
  const QRectF node = view_->rectOf(5);
  const QPoint ribbon = QPointF(node.right() - 16, node.top()).toPoint();
  QVERIFY(before.pixel(ribbon) != after.pixel(ribbon));
  QCOMPARE(after.pixelColor(ribbon).rgb(), Theme::of(view_->palette()).accent.rgb());
  QVERIFY(view_->canvasRect().height() < view_->height()); // and explained
  view_->setNoted({});
  QCOMPARE(view_->grab().toImage().pixel(ribbon), before.pixel(ribbon));
}

void GraphReadingTest::whatIsInSightIsAPicture() {
  view_->setScene(gridScene(60, 3));
  view_->setMarks(QList<EdgeMark>(view_->scene().edges.size(), EdgeMark{FusionMark::Fused, 0}), {{0, 1}});
  const QSize size = view_->sightSize().toSize();
  QVERIFY(size.height() > view_->canvasRect().height()); // the legend is in it
  for (const bool print : {false, true}) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    view_->paintSight(painter, print);
    painter.end();
    const QPoint inside = view_->rectOf(1).center().toPoint() + QPoint(0, 16);
    QVERIFY(image.rect().contains(inside));
    QVERIFY(image.pixelColor(inside) != Theme::of(view_->palette()).canvas);
    QCOMPARE(image.pixelColor(size.width() - 3, size.height() - 3).rgb(), Theme::of(view_->palette()).surface.rgb());
  }
}

QTEST_MAIN(GraphReadingTest)
#include "GraphReadingTest.moc"
