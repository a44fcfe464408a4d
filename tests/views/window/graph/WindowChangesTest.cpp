// What a step changed, and edges as objects: by mouse and keyboard.
#include "app/gui/navigation/ChangesController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/EdgeCard.h"
#include <QPushButton>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// A chain in which two additions of constants, far down, are folded by canonicalization.
static QByteArray chainModule(int ops) {
  QByteArray text = "func.func @main(%x0: tensor<8xf32>) -> tensor<8xf32> {\n";
  for (int i = 0; i < ops; ++i) {
    const QByteArray to = QByteArray::number(i + 1), from = QByteArray::number(i);
    text += "  %x" + to + " = math.exp %x" + from + " : tensor<8xf32>\n";
  }
  return text + "  %y = linalg.add ins(%x" + QByteArray::number(ops) +
         ", %x0 : tensor<8xf32>, tensor<8xf32>) outs(%x0 : tensor<8xf32>) -> tensor<8xf32>\n"
         "  return %y : tensor<8xf32>\n}\n";
}

class WindowChangesTest : public QObject {
  Q_OBJECT

  static bool isInSight(const GraphView &view, NodeId id) {
    return view.canvasRect().contains(view.rectOf(id).center());
  }

private slots:
  void nextStepGoesToItsFirstChange() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(bench.write(u"chain.mlir"_s, chainModule(60)));
    GraphView &view = bench.graph.view();
    bench.record(u"builtin.module(func.func(linalg-generalize-named-ops))"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.isBusy() && bench.window.isSettled(), 30'000);
    const int last = bench.rows() - 1;
    bench.steps.select(last - 1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), 30'000);
    view.lookAt(view.scene().bounds.center() - QPointF(0, 1500), 1);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_J);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.currentRow(), last, 30'000);
    const auto &changes = bench.window.controller<ChangesController>();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && !changes.places().isEmpty(), 30'000);
    const NodeId first = changes.places().first();
    QVERIFY(isInSight(view, first));
    QVERIFY(view.isFlashing());
    QTRY_VERIFY_WITH_TIMEOUT(!view.isFlashing(), 5000);
    QCOMPARE(view.currentNode(), noNode); // what is selected stays
    // The text is there, too.
    const int lines = bench.text.view().source()->lineCount();
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.view().firstVisibleLine() > lines / 2, 30'000);
  }

  void changesAreWalkedByKeys() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    GraphView &view = bench.graph.view();
    const auto &changes = bench.window.controller<ChangesController>();
    for (int row = 1; row < bench.rows() && changes.places().size() < 2; ++row) {
      bench.steps.select(row);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), 30'000);
    }
    const QList<NodeId> places = changes.places();
    QVERIFY(places.size() >= 2);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_N);
    QCOMPARE(view.currentNode(), places[0]);
    QCOMPARE(bench.text.selected(), places[0]);
    QTest::keyClick(&view, Qt::Key_N);
    QCOMPARE(view.currentNode(), places[1]);
    QVERIFY(isInSight(view, places[1]));
    QTest::keyClick(&view, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(view.currentNode(), places[0]);
    QTest::keyClick(&view, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(view.currentNode(), places.last());
  }

  void theFusedBoxIsInSight() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    GraphView &view = bench.graph.view();
    bench.fusion.showDearest();
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.actions().fuseEdge->isEnabled(), 30'000);
    view.lookAt(view.scene().bounds.topLeft(), 1.5);
    const int rows = bench.rows();
    bench.fusion.actions().fuseEdge->trigger();
    const auto &changes = bench.window.controller<ChangesController>();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.isBusy() && bench.steps.currentRow() > 0 && bench.window.isSettled() &&
                                 !changes.places().isEmpty(),
                             30'000);
    QVERIFY(bench.rows() != rows || bench.steps.currentRow() > 0);
    QVERIFY(isInSight(view, changes.places().first()));
  }

  void aDoubleClickFitsWhatItOpened() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    GraphView &view = bench.graph.view();
    bench.graph.actions().levelDispatches->setChecked(true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), 30'000);
    NodeId closed = noNode;
    for (const NodeData &node : view.scene().nodes)
      if (node.collapsed)
        closed = node.id;
    QVERIFY(closed != noNode);
    view.reveal(closed);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, view.rectOf(closed).center().toPoint() - QPoint(10, 0));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && view.nodeAt(view.rectOf(closed).center()) != closed, 30'000);
    const QRectF box = view.rectOf(closed);
    QVERIFY2(view.canvasRect().adjusted(-1, -1, 1, 1).contains(box.topLeft()) && box.intersects(view.canvasRect()),
             qPrintable(QStringLiteral("%1 %2").arg(box.left()).arg(box.top())));
  }

  void anEdgeHasACard() {
    WindowBench bench;
    bench.window.resize(1280, 800);
    bench.open(sample(u"bert_attention.mlir"_s));
    GraphView &view = bench.graph.view();
    EdgeCard &card = bench.text.detailsPanel().card();
    QVERIFY(!card.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.model().rowCount() > 0, 30'000);
    int missed = -1;
    for (int row = 0; row < bench.fusion.model().rowCount() && missed < 0; ++row)
      if (const protocol::FusionEdge *edge = bench.fusion.model().edgeAt(row); edge && edge->missed)
        for (int line = 0; line < view.scene().edges.size(); ++line)
          if (view.scene().edges[line].uses.contains({.from = edge->from, .to = edge->to, .operand = edge->operand}))
            missed = line;
    QVERIFY(missed >= 0);
    view.setCurrentEdge(missed, true);
    view.setCurrentEdge(-1);
    // By the mouse: a point of the line that is over no box.
    const QPointF place = view.placeOf(missed);
    QCOMPARE(view.edgeAt(place), missed);
    QTest::mouseClick(&view, Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(view.currentEdge(), missed);
    QVERIFY(card.isVisible());
    QVERIFY(card.text().contains(u"why:"_s));
    QVERIFY(card.text().contains(u"KiB"_s) || card.text().contains(u"MiB"_s));
    QVERIFY(card.text().contains(u"xf32"_s));
    QVERIFY(card.fuseButton()->isEnabled());
    QVERIFY(card.whyButton()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(card.text().contains(u"(d0, d1"_s), 30'000); // both maps
    // Arrow keys go on from the edge to its ends.
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Up);
    QCOMPARE(view.currentNode(), view.scene().edges[missed].from);
    QVERIFY(!card.isVisible());
  }

  void mapsOfAFusedEdgeAreShown() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    GraphView &view = bench.graph.view();
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.model().rowCount() > 0, 30'000);
    for (int line = 0; line < view.scene().edges.size(); ++line)
      if (view.scene().edges[line].label.startsWith(u"12x128xf32"_s)) {
        view.setCurrentEdge(line, true);
        emit view.edgeSelected(line);
        break;
      }
    EdgeCard &card = bench.text.detailsPanel().card();
    QTRY_VERIFY_WITH_TIMEOUT(card.text().contains(u"(d0, d1"_s), 30'000);
  }

  void arrowsBeginAtTheFirstBoxInSight() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    GraphView &view = bench.graph.view();
    view.setFocus();
    QCOMPARE(view.currentNode(), noNode);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.currentNode(), view.nodeAt(view.rectOf(view.currentNode()).center()));
    QVERIFY(view.currentNode() != noNode);
    const NodeId first = view.currentNode();
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(view.currentNode() != first);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowChangesTest)
#include "WindowChangesTest.moc"
