// A whole model in the window: zooming into its layers, what stays open, its weights, and the way from a question to a
// run.
#include "app/gui/compare/CompareController.h"
#include "tests/views/window/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/charts/DispatchCards.h"
#include "views/graph/GraphView.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Breadcrumb.h"
#include "views/widgets/SearchBar.h"
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTreeView>
#include <QWheelEvent>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

struct ModelBench : WindowBench {
  GraphView &view = graph.view();
  explicit ModelBench(int layers = 20) {
    view.setAnimated(false);
    open(write(u"model.mlir"_s, layeredModel(layers)));
  }
  NodeId nodeCalled(const QString &title) const {
    for (const NodeData &node : view.scene().nodes)
      if (node.title == title)
        return node.id;
    return noNode;
  }
  NodeId boxCalled(const QString &label) const {
    for (const ClusterData &cluster : view.scene().clusters)
      if (cluster.label == label)
        return cluster.id;
    return noNode;
  }
  /// A notch of the wheel with Ctrl held.
  void zoom(QPoint position, int notches) {
    for (int i = 0; i < std::abs(notches); ++i) {
      QWheelEvent event(position, view.mapToGlobal(position), {}, {0, notches > 0 ? 120 : -120}, Qt::NoButton,
                        Qt::ControlModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&view, &event);
      QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience);
    }
  }
};

} // namespace

class WindowModelTest : public QObject {
  Q_OBJECT
private slots:
  void zoomingGoesThroughTheLevels() {
    ModelBench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.nodeCalled(u"layer.3"_s) != noNode, patience);
    const NodeId layer = bench.nodeCalled(u"layer.3"_s);
    bench.view.reveal(layer);
    const QPoint pointer = bench.view.rectOf(layer).center().toPoint();
    for (int i = 0; i < 12 && bench.boxCalled(u"layer.3"_s) == noNode; ++i)
      bench.zoom(pointer, 1);
    const NodeId box = bench.boxCalled(u"layer.3"_s);
    QCOMPARE(box, layer);
    QVERIFY(bench.view.isOpenedByZoom(layer));
    // What was under the pointer is there still, and the others are as they were.
    QVERIFY2(bench.view.rectOf(box).contains(pointer), "the box is not under the pointer");
    QVERIFY(bench.nodeCalled(u"layer.4"_s) != noNode);
    QVERIFY(bench.view.zoom() < 1);

    // Out again, all at once.
    for (int i = 0; i < 30 && bench.boxCalled(u"layer.3"_s) != noNode; ++i)
      bench.zoom(pointer, -1);
    QCOMPARE(bench.nodeCalled(u"layer.3"_s), layer);
    QVERIFY2(bench.view.rectOf(layer).adjusted(-2, -2, 2, 2).contains(pointer), "the layer is not under the pointer");
    QVERIFY(!bench.view.isOpenedByZoom(layer));
  }

  void theKeyboardZoomsIntoWhatIsSelectedAndWhatIsOpenedByHandStays() {
    ModelBench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.nodeCalled(u"layer.5"_s) != noNode, patience);
    const NodeId layer = bench.nodeCalled(u"layer.5"_s);
    bench.view.setFocus();
    bench.text.select(layer, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTest::keyClick(&bench.view, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(bench.boxCalled(u"layer.5"_s), layer, patience);
    QVERIFY(!bench.view.isOpenedByZoom(layer));
    for (int i = 0; i < 20; ++i)
      QTest::keyClick(&bench.view, Qt::Key_Minus);
    QTest::qWait(50);
    QCOMPARE(bench.boxCalled(u"layer.5"_s), layer);

    const NodeId next = bench.nodeCalled(u"layer.6"_s);
    bench.text.select(next, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    for (int i = 0; i < 12 && bench.boxCalled(u"layer.6"_s) == noNode; ++i) {
      QTest::keyClick(&bench.view, Qt::Key_Plus);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    }
    QCOMPARE(bench.boxCalled(u"layer.6"_s), next);
    QVERIFY(bench.view.isOpenedByZoom(next));
  }

  void whatIsOpenStaysOpenInOtherSteps() {
    ModelBench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.nodeCalled(u"layer.3"_s) != noNode, patience);
    emit bench.view.clusterToggled(bench.nodeCalled(u"layer.3"_s), false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.boxCalled(u"layer.3"_s) != noNode, patience);
    const int first = bench.steps.panel().currentRow();
    for (int row = first + 1; row < first + 4; ++row) {
      bench.steps.select(row);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
      QVERIFY2(bench.boxCalled(u"layer.3"_s) != noNode, qPrintable(QString::number(row)));
      QVERIFY2(bench.nodeCalled(u"layer.4"_s) != noNode, qPrintable(QString::number(row)));
    }
    // Closed there, it is closed here, too.
    emit bench.view.clusterToggled(bench.boxCalled(u"layer.3"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.nodeCalled(u"layer.3"_s) != noNode, patience);
    bench.steps.select(first);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.nodeCalled(u"layer.3"_s) != noNode);
  }

  void weightsAreInTheDetailsAndNodesOnDemand() {
    ModelBench bench(2);
    const NodeId matmul = bench.graph.find(u"matmul"_s);
    QVERIFY(matmul != noNode);
    bench.text.select(matmul, true);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const DetailsModel &details = bench.text.details();
    QString ports, weight;
    for (int row = 0; row < details.rowCount(); ++row)
      if (const QModelIndex section = details.index(row, 0); section.data().toString().startsWith(u"Weights"_s)) {
        ports = section.siblingAtColumn(1).data().toString();
        weight = details.index(0, 0, section).data().toString() + u' ' + details.index(0, 1, section).data().toString();
      }
    QVERIFY2(ports.startsWith(u"1 "_s), qPrintable(ports));
    QVERIFY2(weight.contains(u"encoder.layer.0.attention.query.weight"_s) && weight.contains(u"tensor<8x8xf32>"_s) &&
                 weight.contains(u"256 B"_s),
             qPrintable(weight));
    const qsizetype nodes = bench.view.scene().nodes.size();
    QVERIFY(bench.view.hasPorts(matmul));
    bench.graph.scenes().showPorts(matmul, true);
    QTRY_COMPARE_WITH_TIMEOUT(bench.view.scene().nodes.size(), nodes + 1, patience);
    QVERIFY(bench.nodeCalled(u"%attention_query0"_s) != noNode);
    QVERIFY(!bench.view.hasPorts(matmul));
    bench.graph.scenes().showPorts(matmul, false);
    QTRY_COMPARE_WITH_TIMEOUT(bench.view.scene().nodes.size(), nodes, patience);
  }

  void aLayerHasDetails() {
    ModelBench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.nodeCalled(u"layer.3"_s) != noNode, patience);
    bench.text.select(bench.nodeCalled(u"layer.3"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.text.details().isEmpty(), patience);
    QCOMPARE(bench.text.details().index(0, 1).data().toString(), u"layer.3"_s);
    const auto line = bench.text.view().source()->line(bench.text.view().currentLine());
    QVERIFY(line.has_value());
    QVERIFY2(line->contains(u"%h3"_s), qPrintable(*line));
  }

  void whatWasDecidedLeadsToWhereItWas() {
    ModelBench bench(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const QList<protocol::Step> &steps = bench.session.steps();
    int forming = -1, outlined = -1;
    for (const protocol::Step &step : steps) {
      if (step.name.contains(u"Form dispatches"_s))
        forming = step.index;
      if (step.name.contains(u"Outline"_s))
        outlined = step.index;
    }
    QVERIFY(forming >= 0 && outlined > forming);
    bench.steps.select(outlined + 1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    // An edge between two calls, by its line in the graph.
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.model().rowCount() > 0, patience);
    int edge = -1;
    for (int row = 0; row < bench.fusion.model().rowCount() && edge < 0; ++row)
      if (isDecided(*bench.fusion.model().edgeAt(row)))
        edge = row;
    QVERIFY(edge >= 0);
    const auto decided = *bench.fusion.model().edgeAt(edge);
    for (int i = 0; i < bench.view.scene().edges.size(); ++i)
      if (bench.view.scene().edges[i].uses.contains(
              EdgeUse{.from = decided.from, .to = decided.to, .operand = decided.operand})) {
        bench.view.setCurrentEdge(i);
        emit bench.view.edgeSelected(i);
      }
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.actions().decision->isEnabled(), patience);
    QVERIFY(!bench.fusion.actions().fuseEdge->isEnabled());
    bench.fusion.actions().decision->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.panel().currentRow(), forming, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.view.currentEdge() >= 0, patience);
    QVERIFY(bench.fusion.actions().why->isEnabled());
    QVERIFY(bench.fusion.actions().fuseEdge->isEnabled());
  }

  /// "Find layer 3's attention, see why it is not fused, fuse it, see it, run it", by keyboard and mouse.
  void fromAQuestionToARun() {
    ModelBench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.nodeCalled(u"layer.3"_s) != noNode, patience);
    constexpr int patience = 60'000; // a minute for all of it
    QElapsedTimer clock;
    clock.start();
    int inputs = 0;
    const auto press = [&](QWidget *widget, int key, Qt::KeyboardModifiers modifiers = {}) {
      ++inputs;
      QTest::keyClick(widget, Qt::Key(key), modifiers);
    };
    bench.search.findAction()->trigger();
    QTest::keyClicks(bench.search.bar().edit(), u"go to layer 3's attention"_s);
    // Who presses Return does not wait for the pause after the last letter.
    QCOMPARE(bench.graph.outline().find(bench.search.bar().pattern()).size(), 1);
    press(bench.search.bar().edit(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.boxCalled(u"layer.3"_s) != noNode, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.graph.breadcrumb().parts().last(), u"attention"_s);

    // A line in its layer, with the mouse.
    const QRectF box = bench.view.rectOf(bench.boxCalled(u"layer.3"_s));
    int missed = -1;
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.model().rowCount() > 0, patience);
    for (int i = 0; i < bench.view.scene().edges.size() && missed < 0; ++i)
      for (const EdgeUse &use : bench.view.scene().edges[i].uses) {
        const protocol::FusionEdge *edge = bench.fusion.model().edgeAt(bench.fusion.model().rowOf(use));
        if (edge && edge->missed && box.contains(bench.view.rectOf(use.from).center()) &&
            bench.view.edgeAt(bench.view.placeOf(i)) == i)
          missed = i;
      }
    QVERIFY(missed >= 0);
    ++inputs;
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.view.placeOf(missed).toPoint());
    QCOMPARE(bench.view.currentEdge(), missed);
    QVERIFY(bench.fusion.actions().why->isEnabled());
    ++inputs;
    bench.fusion.actions().why->trigger();
    const int rows = bench.rows();
    const int before = int(bench.fusion.model().report().totals.dispatches);
    ++inputs;
    bench.fusion.actions().fuseAll->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.rows() != rows && bench.session.state() == EngineSession::State::Ready &&
                                 bench.window.isSettled(),
                             patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.model().rowCount() > 0, patience);
    QVERIFY2(bench.fusion.model().report().totals.dispatches < before, "nothing was fused");
    // The place is open still, where there are so many ops left that there are boxes at all.
    QVERIFY(bench.boxCalled(u"layer.3"_s) != noNode || bench.nodeCalled(u"layer.4"_s) == noNode);
    ++inputs;
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.view.heat().isEmpty() || bench.session.state() == EngineSession::State::Ready,
                             patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY2(inputs <= 8, "too many inputs");
    QVERIFY2(clock.elapsed() < 60'000, qPrintable(QString::number(clock.elapsed())));
  }

  void comparingShowsWhereEachSideCuts() {
    ModelBench bench(2);
    auto &compare = bench.window.controller<CompareController>();
    compare.raise();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    ComparePanel &panel = compare.panel();
    panel.withBox()->setCurrentIndex(panel.withBox()->findText(u"Form dispatches"_s, Qt::MatchContains));
    QVERIFY2(panel.request().snapshot > 0, qPrintable(panel.withBox()->currentText()));
    QTest::mouseClick(panel.compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(compare.model().rowCount() > 0, patience);
    panel.table()->setFocus();
    panel.table()->selectRow(0);
    QCOMPARE(panel.cards()->row(), compare.model().rowCount() > 0 ? panel.cards()->row() : -1);
    QVERIFY(panel.cards()->cardCount() >= 2);
    // A is on screen, and its dispatch is selected there.
    QTRY_VERIFY_WITH_TIMEOUT(!bench.view.selectedNodes().isEmpty(), patience);
    // The card of B leads to its step.
    const int shown = bench.steps.panel().currentRow();
    panel.cards()->setFocus();
    for (int card = 0; card < panel.cards()->cardCount(); ++card)
      QTest::keyClick(panel.cards(), Qt::Key_Down);
    QTest::keyClick(panel.cards(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(bench.steps.panel().currentRow() != shown, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.text.selected() != noNode, patience);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowModelTest)
#include "WindowModelTest.moc"
