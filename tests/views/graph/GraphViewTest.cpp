#include "views/graph/GraphView.h"
#include "tests/views/graph/SampleScene.h"
#include "views/common/Theme.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/PreparedScene.h"
#include <QAccessible>
#include <QFontInfo>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace fuselage;

class GraphViewTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void init();
  void cleanup() { delete view_; }
  void hitTestsFollowTheCamera();
  void clickSelectsAndEmptyCanvasClears();
  void areaSelects();
  void arrowsWalkAlongEdges();
  void arrowsPanWithoutSelection();
  void searchCentresMatches();
  void clustersToggle();
  void nodesActivate();
  void traceIsTransitive();
  void selectionFollowsOrigins();
  void cameraStaysOnTheSelection();
  void expandingUnfoldsFromTheNode();
  void zoomExtremesSurvive();
  void emptySceneIsCalm();
  void oddDataIsDrawn();
  void heatIgnoresWhatHasNoValue();
  void paintsOnAnyDevice();
  void followsThePalette();
  void contextMenuSelects();
  void describesItself();

private:
  QPoint at(NodeId id) const { return view_->rectOf(id).center().toPoint(); }
  GraphView *view_ = nullptr;
};

void GraphViewTest::initTestCase() {
  QVERIFY2(QFontInfo(graphFont(12)).family().contains(QStringLiteral("DejaVu")), "fonts-dejavu-core is missing");
}

void GraphViewTest::init() {
  view_ = new GraphView;
  view_->setAnimated(false);
  view_->resize(900, 600);
  view_->setScene(gridScene(4, 3));
  view_->show();
  QVERIFY(QTest::qWaitForWindowExposed(view_));
  view_->fit();
}

void GraphViewTest::hitTestsFollowTheCamera() {
  QCOMPARE(view_->nodeAt(at(5)), NodeId(5));
  view_->zoomTo(2);
  view_->reveal(11);
  QCOMPARE(view_->nodeAt(at(11)), NodeId(11));
  QCOMPARE(view_->nodeAt(view_->rectOf(11).bottomRight() + QPointF(6, 6)), noNode);
  QCOMPARE(view_->clusterAt(at(11)), NodeId(1000001));
}

void GraphViewTest::clickSelectsAndEmptyCanvasClears() {
  QSignalSpy spy(view_, &GraphView::selectionChanged);
  QTest::mouseClick(view_, Qt::LeftButton, {}, at(5));
  QCOMPARE(spy.size(), 1);
  QCOMPARE(spy[0][0].toLongLong(), 5);
  QTest::mouseClick(view_, Qt::LeftButton, Qt::ControlModifier, at(2));
  QCOMPARE(view_->selectedNodes(), (QList<NodeId>{2, 5}));
  QCOMPARE(view_->currentNode(), NodeId(2));
  QTest::mouseClick(view_, Qt::LeftButton, {}, QPoint(3, 3));
  QVERIFY(view_->selectedNodes().isEmpty());
  QCOMPARE(view_->currentNode(), noNode);
  QCOMPARE(spy.size(), 3);
  // Selecting by program is silent.
  view_->setSelection({5, 12345});
  QCOMPARE(view_->selectedNodes(), QList<NodeId>{5});
  QCOMPARE(spy.size(), 3);
}

void GraphViewTest::areaSelects() {
  QPoint from = view_->rectOf(1).topLeft().toPoint() - QPoint(4, 4), to = view_->rectOf(5).center().toPoint();
  QTest::mousePress(view_, Qt::LeftButton, Qt::ShiftModifier, from);
  QTest::mouseMove(view_, (from + to) / 2);
  QTest::mouseMove(view_, to);
  QTest::mouseRelease(view_, Qt::LeftButton, Qt::ShiftModifier, to);
  QCOMPARE(view_->selectedNodes(), (QList<NodeId>{1, 2, 4, 5}));
}

void GraphViewTest::arrowsWalkAlongEdges() {
  view_->setSelection({5});
  QTest::keyClick(view_, Qt::Key_Down);
  QCOMPARE(view_->currentNode(), NodeId(8));
  QTest::keyClick(view_, Qt::Key_Up);
  QTest::keyClick(view_, Qt::Key_Up);
  QCOMPARE(view_->currentNode(), NodeId(2));
  QTest::keyClick(view_, Qt::Key_Right);
  QCOMPARE(view_->currentNode(), NodeId(3));
  QTest::keyClick(view_, Qt::Key_End);
  QCOMPARE(view_->currentNode(), NodeId(12));
  QTest::keyClick(view_, Qt::Key_Home);
  QCOMPARE(view_->currentNode(), NodeId(1));
  QTest::keyClick(view_, Qt::Key_Escape);
  QCOMPARE(view_->currentNode(), noNode);
}

void GraphViewTest::arrowsPanWithoutSelection() {
  view_->zoomTo(2);
  QRectF before = view_->rectOf(5);
  QTest::keyClick(view_, Qt::Key_Left);
  QVERIFY(view_->rectOf(5).left() > before.left());
}

void GraphViewTest::searchCentresMatches() {
  view_->zoomTo(2);
  QSignalSpy spy(view_, &GraphView::currentMatchChanged);
  view_->setMatches({2, 999, 11});
  QCOMPARE(view_->matchCount(), 2);
  view_->nextMatch();
  QCOMPARE(view_->currentMatch(), 0);
  QVERIFY(view_->rect().contains(at(2)));
  view_->nextMatch();
  QVERIFY((QPointF(at(11)) - QPointF(view_->rect().center())).manhattanLength() < 4);
  view_->nextMatch();
  QCOMPARE(view_->currentMatch(), 0);
  view_->previousMatch();
  QCOMPARE(view_->currentMatch(), 1);
  QCOMPARE(spy.last(), (QList<QVariant>{1, 2}));
  // By their titles and subtitles, of which many are the same.
  QCOMPARE(view_->find(QRegularExpression(QStringLiteral("128x1\\d*$"))), (QList<NodeId>{1, 10, 11, 12}));
  QCOMPARE(view_->find(QRegularExpression(QStringLiteral("768xf32"))).size(), view_->scene().nodes.size());
  QVERIFY(view_->find(QRegularExpression(QStringLiteral("conv"))).isEmpty());
  QCOMPARE(spy.last(), (QList<QVariant>{-1, 0}));
}

void GraphViewTest::clustersToggle() {
  QSignalSpy spy(view_, &GraphView::clusterToggled);
  QPoint title = view_->rectOf(1000001).topLeft().toPoint() + QPoint(80, 8);
  QTest::mouseDClick(view_, Qt::LeftButton, {}, title);
  QCOMPARE(spy.size(), 1);
  QCOMPARE(spy[0], (QList<QVariant>{qint64(1000001), true}));
  view_->zoomTo(1);
  QPoint chevron = (view_->rectOf(1000001).topLeft() + QPointF(12, 10)).toPoint();
  QTest::mouseClick(view_, Qt::LeftButton, {}, chevron);
  QCOMPARE(spy.size(), 2);

  SceneData scene = gridScene(2, 2);
  scene.nodes[0].collapsed = true;
  scene.nodes[0].hidden = 7;
  view_->setScene(scene);
  view_->setSelection({1});
  QTest::keyClick(view_, Qt::Key_Space);
  QCOMPARE(spy.last(), (QList<QVariant>{qint64(1), false}));
}

void GraphViewTest::nodesActivate() {
  QSignalSpy spy(view_, &GraphView::nodeActivated);
  QTest::mouseDClick(view_, Qt::LeftButton, {}, at(5));
  view_->setSelection({6});
  QTest::keyClick(view_, Qt::Key_Return);
  QCOMPARE(spy.size(), 2);
  QCOMPARE(spy[1][0].toLongLong(), 6);
}

void GraphViewTest::traceIsTransitive() {
  PreparedScene scene(gridScene(3, 4));
  // 9 hangs on 5 and 6, those on 1, 2 and 3.
  const auto idsOf = [&](const NodeFlags &flags) {
    QSet<NodeId> ids;
    for (const NodeData &node : scene.data().nodes)
      if (isSet(flags, scene.nodeIndex(node.id)))
        ids.insert(node.id);
    return ids;
  };
  QCOMPARE(idsOf(scene.reach({9}, true, false)), (QSet<NodeId>{9, 5, 6, 1, 2, 3}));
  QVERIFY(idsOf(scene.reach({1}, false, true)).contains(9));
  QVERIFY(!idsOf(scene.reach({1}, false, true)).contains(2));

  QSignalSpy spy(view_, &GraphView::traceChanged);
  view_->setTrace(Trace::Inputs);
  QCOMPARE(view_->trace(), Trace::None); // nothing is selected
  view_->setSelection({5});
  QTest::keyClick(view_, Qt::Key_I);
  QCOMPARE(view_->trace(), Trace::Inputs);
  QTest::keyClick(view_, Qt::Key_I);
  QCOMPARE(view_->trace(), Trace::None);
  QCOMPARE(spy.size(), 2);
}

void GraphViewTest::selectionFollowsOrigins() {
  view_->setSelection({5, 6});
  SceneData next = gridScene(4, 3);
  next.snapshot = 2;
  QSignalSpy spy(view_, &GraphView::selectionChanged);
  view_->setScene(next, {{NodeId(8), NodeId(5)}});
  QCOMPARE(view_->selectedNodes(), QList<NodeId>{8});
  QCOMPARE(view_->currentNode(), NodeId(8));
  QCOMPARE(spy.size(), 0);
  next.snapshot = 3;
  view_->setScene(next);
  QVERIFY(view_->selectedNodes().isEmpty());
  QCOMPARE(spy.size(), 1); // what was selected is gone
}

void GraphViewTest::cameraStaysOnTheSelection() {
  view_->zoomTo(1.5);
  view_->reveal(5);
  view_->setSelection({5}, false);
  QPointF before = view_->rectOf(5).center();
  SceneData moved = gridScene(4, 3);
  for (NodeData &node : moved.nodes)
    node.rect.translate(300, 170);
  moved.bounds.adjust(0, 0, 300, 170);
  view_->setScene(moved);
  QVERIFY((view_->rectOf(5).center() - before).manhattanLength() < 0.01);
}

/// One node stands for a cluster; expanded, its inner nodes come from where it was, and a hand on the
/// canvas ends that at once.
void GraphViewTest::expandingUnfoldsFromTheNode() {
  constexpr NodeId cluster = -7;
  SceneData folded;
  folded.snapshot = 3;
  folded.bounds = QRectF(0, 0, 400, 300);
  auto node = [](NodeId id, const QString &title, const QRectF &rect) {
    NodeData data;
    data.id = id;
    data.title = title;
    data.rect = rect;
    return data;
  };
  NodeData pile = node(cluster, QStringLiteral("5 more like it"), QRectF(20, 20, 120, 40));
  pile.collapsed = true;
  pile.hidden = pile.count = 5;
  folded.nodes = {pile, node(1, QStringLiteral("matmul"), QRectF(20, 120, 120, 40))};
  SceneData open = folded;
  open.nodes.removeFirst();
  open.nodes[0].rect.moveTop(220);
  ClusterData box;
  box.id = cluster;
  box.label = pile.title;
  box.kind = ClusterData::Kind::Others;
  box.rect = QRectF(10, 10, 300, 180);
  open.clusters = {box};
  open.nodes.append(node(2, QStringLiteral("exp"), QRectF(30, 40, 100, 30)));

  view_->setScene(std::make_shared<const PreparedScene>(folded));
  view_->setAnimated(true);
  view_->setScene(std::make_shared<const PreparedScene>(open));
  QVERIFY(view_->isGliding());
  view_->grab();
  QTRY_VERIFY(!view_->isGliding());
  view_->setScene(std::make_shared<const PreparedScene>(folded));
  QVERIFY(view_->isGliding());
  view_->setScene(std::make_shared<const PreparedScene>(open)); // and back while it moves
  QVERIFY(view_->isGliding());
  QTest::keyClick(view_, Qt::Key_Down);
  QVERIFY(!view_->isGliding());
}

void GraphViewTest::zoomExtremesSurvive() {
  for (double scale : {1e-9, 1e9, 0.05, 0.2, 6.0}) {
    view_->zoomTo(scale);
    view_->grab();
  }
  QVERIFY(view_->zoom() <= Camera::maxScale);
  for (int i = 0; i < 60; ++i)
    QTest::keyClick(view_, Qt::Key_Minus);
  view_->grab();
  QVERIFY(view_->zoom() >= Camera::minScale);
  view_->resize(1, 1);
  view_->fit();
  view_->grab();
}

void GraphViewTest::emptySceneIsCalm() {
  view_->clear();
  view_->setEmptyText(QStringLiteral("Nothing here"), QStringLiteral("Open a file"));
  for (int key : {Qt::Key_Up, Qt::Key_F, Qt::Key_Plus, Qt::Key_Space, Qt::Key_End, Qt::Key_T})
    QTest::keyClick(view_, Qt::Key(key));
  view_->nextMatch();
  view_->fitSelection();
  QCOMPARE(view_->nodeAt({10, 10}), noNode);
  view_->grab();
  // The next scene is seen from its start.
  view_->setScene(gridScene(2, 2));
  QVERIFY(QRectF(view_->rect()).contains(view_->rectOf(1)));
}

void GraphViewTest::oddDataIsDrawn() {
  SceneData scene = gridScene(2, 2);
  scene.edges[0].points.clear();
  scene.edges[1].points = {QPointF(5, 5), QPointF(5, 5)};
  scene.edges[2].from = 4711;
  scene.nodes[0].rect = QRectF();
  scene.nodes[1].title.clear();
  scene.nodes[2].title = QString(100000, u'x');
  scene.clusters[0].label = QString(100000, u'y');
  view_->setScene(scene);
  for (double scale : {0.05, 0.3, 1.0}) {
    view_->zoomTo(scale);
    view_->grab();
  }
  view_->setSelection({4});
  QTest::keyClick(view_, Qt::Key_T);
  QTest::keyClick(view_, Qt::Key_Up);
}

void GraphViewTest::heatIgnoresWhatHasNoValue() {
  GraphPaintState state;
  state.heat.dispatches = {{0, 10.0}, {7, 1e9}};
  state.heat.nodes = {{NodeId(7), 30.0}, {NodeId(8), qQNaN()}};
  SceneData scene = gridScene(4, 3);
  state.measureHeat(scene);
  QCOMPARE(state.heatLow, 10.0);
  QCOMPARE(state.heatHigh, 30.0);
  QCOMPARE(state.heatOf(scene.nodes[0]), 0.0);
  QCOMPARE(state.heatOf(scene.nodes[6]), 1.0);
  QCOMPARE(state.heatOf(scene.nodes[7]), -1.0);
  QCOMPARE(state.heatOf(scene.nodes[11]), -1.0);
  view_->setHeat(state.heat);
  view_->setChanges({{NodeId(1), Change::Added}, {NodeId(2), Change::Removed}, {NodeId(3), Change::Changed}});
  view_->grab();
}

void GraphViewTest::paintsOnAnyDevice() {
  QImage image(400, 300, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::white);
  QPainter painter(&image);
  view_->paintScene(painter, QRectF(0, 0, 400, 300));
  painter.end();
  QVERIFY(image != QImage(image.size(), image.format()));
  int inked = 0;
  for (int x = 0; x < image.width(); ++x)
    inked += image.pixel(x, image.height() / 2) != qRgb(255, 255, 255);
  QVERIFY(inked > 40);
}

void GraphViewTest::followsThePalette() {
  view_->setPalette(Theme::night().palette());
  QImage night = view_->grab().toImage();
  QVERIFY(qGray(night.pixel(5, 5)) < 80);
  view_->setPalette(Theme::light().palette());
  QVERIFY(qGray(view_->grab().toImage().pixel(5, 5)) > 200);
}

void GraphViewTest::contextMenuSelects() {
  QSignalSpy spy(view_, &GraphView::contextMenuRequested);
  QContextMenuEvent event(QContextMenuEvent::Mouse, at(6), view_->mapToGlobal(at(6)));
  QCoreApplication::sendEvent(view_, &event);
  QCOMPARE(spy.size(), 1);
  QCOMPARE(spy[0][0].toLongLong(), 6);
  QCOMPARE(view_->currentNode(), NodeId(6));
}

void GraphViewTest::describesItself() {
  QAccessibleInterface *face = QAccessible::queryAccessibleInterface(view_);
  QVERIFY(face);
  QVERIFY(!face->text(QAccessible::Name).isEmpty());
  QTest::mouseClick(view_, Qt::LeftButton, {}, at(5));
  QVERIFY(face->text(QAccessible::Description).contains(QStringLiteral("matmul 128x5")));
}

QTEST_MAIN(GraphViewTest)
#include "GraphViewTest.moc"
