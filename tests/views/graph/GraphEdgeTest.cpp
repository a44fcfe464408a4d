// Edges of the graph view: hit tests at every size, verdicts, selection by hand and by program.
#include "tests/views/graph/SampleScene.h"
#include "views/common/Theme.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include "views/graph/PreparedScene.h"
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace fuselage;

/// Two nodes side by side, and an edge that runs around by three bends.
static SceneData bentScene() {
  SceneData scene;
  scene.snapshot = 1;
  for (NodeId id : {1, 2}) {
    NodeData node;
    node.id = id;
    node.title = QStringLiteral("op %1").arg(id);
    node.rect = QRectF(id == 1 ? 0 : 400, 0, 100, 40);
    scene.nodes.append(node);
  }
  EdgeData edge;
  edge.from = 1;
  edge.to = 2;
  edge.label = QStringLiteral("8xf32");
  edge.points << QPointF(50, 40) << QPointF(50, 300) << QPointF(250, 300) << QPointF(250, -200) << QPointF(450, -200)
              << QPointF(450, 0);
  edge.uses = {{.from = 1, .to = 2, .operand = 0}, {.from = 1, .to = 2, .operand = 1}};
  scene.edges.append(edge);
  scene.bounds = QRectF(-20, -220, 540, 540);
  return scene;
}

class GraphEdgeTest : public QObject {
  Q_OBJECT
private slots:
  void init() {
    view_ = std::make_unique<GraphView>();
    view_->setAnimated(false);
    view_->resize(900, 600);
  }
  void cleanup() { view_.reset(); }

  void bentLinesAreHitAlongTheirWholeLength() {
    const PreparedScene scene(bentScene());
    const QPainterPath path = scene.edgePath(0);
    for (int i = 1; i < 20; ++i)
      QCOMPARE(scene.edgeAt(path.pointAtPercent(i / 20.0), 4), 0);
    QCOMPARE(scene.edgeAt(QPointF(250, 50), 4), 0);   // on a leg between two bends
    QCOMPARE(scene.edgeAt(QPointF(150, 100), 4), -1); // inside of its bounding box, far from the line
    QCOMPARE(scene.edgeAt(QPointF(350, 100), 4), -1);
  }

  void everyEdgeOfALargeSceneIsFound() {
    // The labels' layout is not needed: 100,000 nodes, 200,000 edges.
    const PreparedScene scene(squareScene(100'000));
    const qsizetype edges = scene.data().edges.size();
    QVERIFY(edges > 190'000);
    for (qsizetype edge = 0; edge < edges; edge += 997) {
      const QPointF middle = scene.edgePath(int(edge)).pointAtPercent(0.35);
      const int found = scene.edgeAt(middle, 2);
      QVERIFY(found >= 0);
      // Lines cross: what is found is as near.
      if (found != edge)
        QVERIFY(scene.edgeRect(found).contains(middle));
    }
  }

  void clicksSelectEdges() {
    show(bentScene());
    QSignalSpy selected(view_.get(), &GraphView::edgeSelected), nodes(view_.get(), &GraphView::selectionChanged);
    const QPoint place = view_->placeOf(0).toPoint();
    QCOMPARE(view_->edgeAt(place), 0);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->rectOf(1).center().toPoint());
    QCOMPARE(view_->currentNode(), NodeId(1));
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, place);
    QCOMPARE(view_->currentEdge(), 0);
    QCOMPARE(view_->currentNode(), noNode); // an edge or nodes
    QCOMPARE(selected.last()[0].toInt(), 0);
    QCOMPARE(nodes.last()[0].toLongLong(), qint64(noNode));
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->rectOf(2).center().toPoint());
    QCOMPARE(view_->currentEdge(), -1);
    QCOMPARE(selected.last()[0].toInt(), -1);
    // By program, nobody is told.
    selected.clear();
    view_->setCurrentEdge(0);
    QCOMPARE(view_->currentEdge(), 0);
    QVERIFY(selected.isEmpty());
    view_->setCurrentEdge(99);
    QCOMPARE(view_->currentEdge(), -1);
    // Another scene, other edges.
    view_->setCurrentEdge(0);
    view_->setScene(gridScene(3, 3));
    QCOMPARE(view_->currentEdge(), -1);
  }

  void theMenuOfAnEdgeOpensByMouseAndKey() {
    show(bentScene());
    QSignalSpy menu(view_.get(), &GraphView::edgeMenuRequested),
        nodeMenu(view_.get(), &GraphView::contextMenuRequested);
    const QPoint place = view_->placeOf(0).toPoint();
    QContextMenuEvent byMouse(QContextMenuEvent::Mouse, place, view_->mapToGlobal(place));
    QCoreApplication::sendEvent(view_.get(), &byMouse);
    QCOMPARE(menu.size(), 1);
    QCOMPARE(view_->currentEdge(), 0);
    QContextMenuEvent byKey(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QCoreApplication::sendEvent(view_.get(), &byKey);
    QCOMPARE(menu.size(), 2);
    QVERIFY(nodeMenu.isEmpty());
  }

  void revealingBringsBothEndsIntoSight() {
    SceneData scene = squareScene(3000);
    show(scene);
    view_->zoomTo(1);
    const int last = int(scene.edges.size()) - 2; // the last one runs all the way round
    view_->setCurrentEdge(last);
    QVERIFY(view_->rect().contains(view_->placeOf(last).toPoint()));
    QVERIFY(view_->rect().contains(view_->rectOf(scene.edges[last].to).center().toPoint()));
  }

  void verdictsAreDrawnAndExplained() {
    show(bentScene());
    const QImage plain = view_->grab().toImage();
    view_->setMarks({{.mark = FusionMark::Possible, .missed = 2}});
    const QImage marked = view_->grab().toImage();
    QVERIFY(plain != marked);
    view_->setMarks({{.mark = FusionMark::Impossible, .missed = 2}});
    QVERIFY(marked != view_->grab().toImage());
    view_->setMarks({});                          // short lists are no mistake
    QTRY_COMPARE(view_->grab().toImage(), plain); // once it rests
    view_->setEdgeToolTipProvider([](int edge) { return QStringLiteral("because of %1").arg(edge); });
    const QPoint place = view_->placeOf(0).toPoint();
    QHelpEvent help(QEvent::ToolTip, place, view_->mapToGlobal(place));
    QCoreApplication::sendEvent(view_.get(), &help);
    QCOMPARE(QToolTip::text(), QStringLiteral("because of 0"));
    QToolTip::hideText();
  }

  void verdictsAreToldApart() {
    for (const Theme *theme : {&Theme::light(), &Theme::night()})
      for (FusionMark mark : {FusionMark::Fused, FusionMark::Possible, FusionMark::Tried, FusionMark::Impossible})
        for (const QColor &ground : {theme->canvas, theme->surface}) // of the legend
          QVERIFY(contrastRatio(theme->fusion(mark), ground) >= 4.5);
    // Without any colour, too.
    QSet<QString> patterns;
    for (FusionMark mark : {FusionMark::Possible, FusionMark::Tried, FusionMark::NotTried, FusionMark::Impossible}) {
      QString text;
      for (qreal length : fusionPen(mark, Qt::black, 2).dashPattern())
        text += QString::number(length) + QLatin1Char(' ');
      QVERIFY(!text.isEmpty());
      patterns.insert(text);
    }
    QCOMPARE(patterns.size(), 4);
    QVERIFY(fusionPen(FusionMark::Fused, Qt::black, 2).style() == Qt::SolidLine);
  }

  void paintsAtEveryScale() {
    SceneData scene = squareScene(2000);
    show(scene);
    QList<EdgeMark> marks;
    for (int i = 0; i < scene.edges.size(); ++i)
      marks.append({.mark = FusionMark(i % 6), .missed = i % 6 >= 2 ? i % 7 : 0});
    view_->setMarks(marks);
    view_->setCurrentEdge(3, false);
    for (double scale : {0.01, 0.08, 0.2, 0.5, 1.0, 4.0}) {
      view_->zoomTo(scale);
      QVERIFY(!view_->grab().isNull());
    }
  }

private:
  void show(const SceneData &scene) {
    view_->setScene(scene);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->fit();
  }
  std::unique_ptr<GraphView> view_;
};

QTEST_MAIN(GraphEdgeTest)
#include "GraphEdgeTest.moc"
