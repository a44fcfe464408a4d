// Labels of edges: they cover no box, no arrow head and no other label, and to place them costs what is in sight.
#include "views/common/Theme.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/LabelSpace.h"
#include "views/graph/PreparedScene.h"
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace fuselage;

/// `sources` nodes in a row, `step` px apart, whose values all go to one node below, side by side; `far` times the same
/// further down.
static SceneData meetingScene(int sources, double step, int far = 0) {
  SceneData scene;
  for (int group = 0; group <= far; ++group) {
    const double top = group * 4000.0, middle = sources * step / 2;
    NodeData sink;
    sink.id = group * 10'000;
    sink.title = QStringLiteral("sink");
    sink.rect = QRectF(middle - 60, top + 400, 120, 40);
    scene.nodes.append(sink);
    for (int i = 0; i < sources; ++i) {
      NodeData node;
      node.id = sink.id + 1 + i;
      node.title = QStringLiteral("source");
      node.rect = QRectF(i * step, top, std::min(100.0, step * 0.8), 40);
      scene.nodes.append(node);
      EdgeData edge;
      edge.from = node.id;
      edge.to = sink.id;
      edge.label = QStringLiteral("512x1x64xf32 \u00b7 128 KiB");
      const QPointF from(node.rect.center().x(), node.rect.bottom()),
          to(sink.rect.left() + (i + 0.5) * sink.rect.width() / sources, sink.rect.top());
      edge.points << from << QPointF(from.x(), from.y() + 60) << QPointF(to.x(), to.y() - 60) << to;
      // Where a layout puts it that does not know how large the words are here.
      if (i % 2)
        edge.labelRect = QRectF(to - QPointF(10, 22), QSizeF(20, 12));
      scene.edges.append(edge);
    }
  }
  scene.bounds = QRectF(-20, -20, sources * step + 40, far * 4000.0 + 500);
  return scene;
}

static GraphPainter::Labels labelsOf(const SceneData &data, double scale) {
  const PreparedScene scene(data);
  GraphPainter painter(scene);
  painter.setTheme(Theme::of(QPalette()));
  const QSizeF sight(1400, 800);
  QImage image(sight.toSize(), QImage::Format_ARGB32_Premultiplied);
  QPainter onImage(&image);
  const QRectF first = PreparedScene(meetingScene(1, 10)).bounds();
  painter.paint(onImage, Camera(QPointF(scene.bounds().center().x(), first.center().y()), scale), sight, {},
                PaintQuality::Rest);
  return painter.labels();
}

class GraphLabelTest : public QObject {
  Q_OBJECT
private slots:
  void labelsCoverNothingWhereEdgesMeet() {
    for (const double scale : {0.95, 1.0, 1.6}) {
      const SceneData scene = meetingScene(8, 160);
      const GraphPainter::Labels labels = labelsOf(scene, scale);
      QVERIFY2(labels.boxes.size() >= 5, qPrintable(QString::number(labels.boxes.size())));
      for (int i = 0; i < labels.boxes.size(); ++i) {
        const QRectF &box = labels.boxes[i];
        for (int j = 0; j < i; ++j)
          QVERIFY(!box.intersects(labels.boxes[j]));
        for (const NodeData &node : scene.nodes)
          QVERIFY(!box.intersects(node.rect));
        for (const EdgeData &edge : scene.edges) {
          const QPointF end = edge.points.last();
          QVERIFY(!box.intersects(QRectF(end - QPointF(3, 7), QSizeF(6, 7))));
        }
      }
    }
  }

  /// Six pairs of an addition and a multiplication, each of the two values before it, in a box.
  void labelsOfAChainKeepApart() {
    SceneData scene;
    ClusterData box;
    box.id = 100;
    box.label = QStringLiteral("add_64x64");
    box.kind = ClusterData::Kind::Dispatch;
    for (int i = 0; i < 14; ++i) {
      NodeData node;
      node.id = i;
      node.title = QStringLiteral("add 64x64");
      node.rect = i < 2 ? QRectF(i * 110, 0, 80, 40) : QRectF(40, 130 + (i - 2) * 85, 86, 40);
      scene.nodes.append(node);
      if (i < 2)
        continue;
      for (const int from : {i - 2, i - 1}) {
        EdgeData edge;
        edge.from = from;
        edge.to = i;
        edge.label = QStringLiteral("64x64xf32 \u00b7 16 KiB");
        const QPointF begin(scene.nodes[from].rect.center().x(), scene.nodes[from].rect.bottom()),
            end(node.rect.center().x() + (from == i - 1 ? 0
                                          : i % 2       ? 30
                                                        : -30),
                node.rect.top());
        edge.points << begin;
        if (from == i - 2)
          edge.points << QPointF(i % 2 ? 140 : 20, (begin.y() + end.y()) / 2);
        edge.points << end;
        scene.edges.append(edge);
      }
    }
    box.rect = QRectF(-10, 80, 190, 1100);
    scene.clusters.append(box);
    scene.bounds = QRectF(-20, -20, 240, 1250);
    const PreparedScene prepared(scene);
    GraphPainter painter(prepared);
    QImage image(1400, 800, QImage::Format_ARGB32_Premultiplied);
    QPainter onImage(&image);
    painter.paint(onImage, Camera(QPointF(100, 380), 1), QSizeF(1400, 800), {}, PaintQuality::Rest);
    const QList<QRectF> &labels = painter.labels().boxes;
    QVERIFY(!labels.isEmpty());
    for (int i = 0; i < labels.size(); ++i) {
      for (int j = 0; j < i; ++j)
        QVERIFY(!labels[i].intersects(labels[j]));
      for (const NodeData &node : scene.nodes)
        QVERIFY(!labels[i].intersects(node.rect));
      // Neither on the title, nor where edges leave it, nor on the sides of the box.
      QVERIFY(!labels[i].intersects(QRectF(box.rect.topLeft(), QSizeF(box.rect.width(), 30))));
      for (const double side : {box.rect.left(), box.rect.right()})
        QVERIFY(labels[i].right() < side || labels[i].left() > side || labels[i].bottom() < box.rect.top());
    }
  }

  /// What is out of sight costs nothing, and thousands of edges that meet in a box cost as much each as a few.
  void workIsLinearInWhatIsInSight() {
    const size_t alone = labelsOf(meetingScene(30, 40), 1).work;
    QVERIFY(alone > 0);
    QCOMPARE(labelsOf(meetingScene(30, 40, 200), 1).work, alone);
    const auto perEdge = [](int edges) {
      return double(labelsOf(meetingScene(edges, 1200.0 / edges), 1).work) / edges;
    };
    const double few = perEdge(200), many = perEdge(3200);
    QVERIFY2(many < 1.3 * few, qPrintable(QStringLiteral("%1 cells an edge, %2 of many").arg(few).arg(many)));
  }

  /// Of a line that is much longer than what is in sight only that is stroked, and it looks the same.
  void ofLongLinesAPartIsPainted() {
    const QRectF area(0, 0, 400, 300);
    const QList<QPolygonF> lines = {
        QPolygonF({QPointF(-50'000, -90'000), QPointF(120, 40), QPointF(260, 200), QPointF(300'000, 700'000)}),
        QPolygonF({QPointF(150, -400'000), QPointF(150, 100), QPointF(250, 110), QPointF(250, 500'000)}),
        QPolygonF({QPointF(100, -3000), QPointF(300, 5000)}), QPolygonF({QPointF(200, -90'000), QPointF(200, 90'000)}),
        QPolygonF({QPointF(-900, 4000), QPointF(-900, 9000), QPointF(900, 9000)})};
    for (const QPolygonF &line : lines) {
      SceneData data = meetingScene(1, 10);
      data.edges[0].points = line;
      const PreparedScene scene(data);
      const auto painted = [&](const QList<PreparedScene::EdgePart> &parts) {
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setPen(QPen(Qt::black, 3));
        for (const PreparedScene::EdgePart &part : parts)
          painter.drawPath(part.path);
        return image;
      };
      const QList<PreparedScene::EdgePart> parts = scene.edgeParts(0, area);
      double length = 0;
      for (const PreparedScene::EdgePart &part : parts)
        length += part.path.length();
      QVERIFY2(length < 4 * (area.width() + area.height()), qPrintable(QString::number(length)));
      const QImage whole = painted({{.path = scene.edgePath(0), .start = 0}}), part = painted(parts);
      int different = 0;
      for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 400; ++x)
          different += whole.pixel(x, y) != part.pixel(x, y);
      QVERIFY2(different < 150, qPrintable(QString::number(different))); // curves are flattened elsewhere
    }
    // A short one is one part.
    const PreparedScene scene(meetingScene(1, 10));
    QCOMPARE(scene.edgeParts(0, QRectF(-1000, -1000, 3000, 3000)).size(), 1);
    QCOMPARE(scene.edgeParts(0, QRectF(-1000, -1000, 3000, 3000))[0].path, scene.edgePath(0));
  }

  void aRasterTellsWhatIsTakenAndCrossed() {
    LabelSpace space(QRectF(100, 100, 400, 400), 4);
    QVERIFY(space.isFree(QRectF(200, 200, 50, 20)));
    space.take(QRectF(210, 210, 4, 4));
    QVERIFY(!space.isFree(QRectF(200, 200, 50, 20)));
    QVERIFY(space.isFree(QRectF(240, 200, 50, 20)));
    QVERIFY(space.isFree(QRectF(0, 0, 90, 90))); // out of the area
    space.cross(QPolygonF({QPointF(300, -5000), QPointF(300, 9000)}));
    QCOMPARE(space.crossed(QRectF(280, 200, 40, 15)), 4);
    QCOMPARE(space.crossed(QRectF(310, 200, 40, 15)), 0);
    QVERIFY(space.work() < 1000);
  }
};

QTEST_MAIN(GraphLabelTest)
#include "GraphLabelTest.moc"
