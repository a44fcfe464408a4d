// Missed fusions, driven through the real window and the real engine process.
#include "tests/support/LayeredModel.h"
#include "tests/views/window/WindowBench.h"
#include "views/common/Marks.h"
#include "views/dialogs/FusePartsDialog.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/ReasonPanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include "views/widgets/EmptyHint.h"
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBrowser>
#include <QToolTip>
#include <QTreeWidget>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// A bench with a sample open, the panel shown and the dearest missed edge selected.
struct FusionBench : WindowBench {
  explicit FusionBench(const QString &name, const QString &policy = u"conservative"_s) {
    fusion.panel().setPolicy(policy);
    open(sample(name));
    fusion.showDearest();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  const protocol::FusionReport &report() { return fusion.model().report(); }
  int missedRows() { return fusion.panel().table()->model()->rowCount(); }
  int missedGroups() {
    QSet<int> groups;
    for (const protocol::FusionEdge &edge : report().edges)
      if (edge.missed)
        groups.insert(edge.group);
    return int(groups.size());
  }
  /// The edge in the picture that stands for the selected row; -1: none.
  int lineOf(const protocol::FusionEdge &edge) {
    const SceneData scene = graph.view().scene();
    for (int i = 0; i < scene.edges.size(); ++i)
      if (scene.edges[i].uses.contains(EdgeUse{.from = edge.from, .to = edge.to, .operand = edge.operand}))
        return i;
    return -1;
  }
  /// A point in sight where the line is the nearest one.
  QPoint placeOn(int line) {
    const QPoint middle = graph.view().placeOf(line).toPoint();
    for (int y = 0; y < graph.view().height(); y += 3)
      for (int x = 0; x < graph.view().width(); x += 3)
        if (graph.view().edgeAt(QPointF(x, y)) == line && graph.view().nodeAt(QPointF(x, y)) == noNode)
          return QPoint(x, y);
    return middle;
  }
  /// The dearest missed edge that some line of the picture shows.
  int drawnRow() {
    int best = -1;
    for (int row = 0; row < fusion.model().rowCount(); ++row) {
      const protocol::FusionEdge *edge = fusion.model().edgeAt(row);
      if (edge->missed && lineOf(*edge) >= 0 && (best < 0 || edge->bytes > fusion.model().edgeAt(best)->bytes))
        best = row;
    }
    return best;
  }
};

} // namespace

class WindowFusionTest : public QObject {
  Q_OBJECT
private slots:
  void verdictsAreSeenOnTheGraphAndInTheTable() {
    FusionBench bench(u"bert_attention.mlir"_s);
    QCOMPARE(bench.report().policy, u"conservative"_s);
    QVERIFY(bench.report().totals.dispatches >= 13);
    QCOMPARE(bench.missedRows(), bench.missedGroups());
    bench.fusion.panel().eachBox()->setChecked(true);
    QCOMPARE(bench.missedRows(), int(bench.report().totals.missed));
    QVERIFY(bench.missedRows() > bench.missedGroups());
    QAbstractItemModelTester tester(&bench.fusion.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    // The dearest first, and selected.
    QAbstractItemModel *rows = bench.fusion.panel().table()->model();
    QAbstractItemModelTester filterTester(rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(!rows->index(0, FusionModel::Saves).data().toString().isEmpty());
    QCOMPARE(bench.fusion.panel().table()->currentIndex().row(), 0);
    // Every missed edge between drawn ops has a line of its colour; nothing is lost on the way.
    qsizetype drawn = 0;
    for (const protocol::FusionEdge &edge : bench.report().edges)
      drawn += edge.missed && bench.lineOf(edge) >= 0;
    QVERIFY(drawn > 10);
    // Another policy, another report.
    bench.fusion.panel().policyBox()->setCurrentText(u"none"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.report().policy, u"none"_s, patience);
    // A filter without matches says so, and nothing of the fusions.
    bench.fusion.panel().filterEdit()->setFocus();
    QTest::keyClicks(bench.fusion.panel().filterEdit(), u"no such reason anywhere"_s);
    QCOMPARE(bench.missedRows(), 0);
    const auto *hint = bench.fusion.panel().table()->findChild<EmptyHint *>();
    QVERIFY(hint && hint->isVisible());
    QCOMPARE(hint->title(), u"No row matches"_s);
    QVERIFY2(hint->hint().contains(u"no such reason anywhere"_s), qPrintable(hint->hint()));
    bench.fusion.panel().filterEdit()->clear();
    QVERIFY(bench.missedRows() > 0);
  }

  /// A model of many equal layers has the rows of one; each place of a row is a click away, and so is each row.
  void equalLayersAreOneRow() {
    FusionBench bench(u"softmax.mlir"_s);
    bench.open(bench.write(u"layers.mlir"_s, QByteArray::fromStdString(test::layeredModel({.layers = 9}))));
    bench.fusion.showDearest();
    bench.settle();
    FusionPanel &panel = bench.fusion.panel();
    FusionModel &model = bench.fusion.model();
    QCOMPARE(bench.missedRows(), bench.missedGroups());
    QVERIFY(bench.missedRows() * 3 < bench.report().totals.missed);
    QAbstractItemModel *rows = panel.table()->model();
    QCOMPARE(rows->index(0, FusionModel::Places).data().toString(), u"\u00d79"_s);
    const int first = panel.currentRow();
    const QList<int> places = model.placesOf(first);
    QCOMPARE(places.size(), 9);
    QCOMPARE(places.first(), first);
    qint64 bytes = 0;
    for (const int place : places)
      bytes += model.edgeAt(place)->bytes;
    QCOMPARE(model.worthOf(first).bytes, bytes);
    QVERIFY(panel.evidence()->toPlainText().contains(u"Place 1 of 9"_s));

    // From the row to another place, in the graph and the text.
    emit panel.evidence()->anchorClicked(QUrl(u"place:%1"_s.arg(places[4])));
    QCOMPARE(panel.currentRow(), places[4]);
    QCOMPARE(panel.table()->currentIndex().row(), 0);
    QVERIFY(panel.evidence()->toPlainText().contains(u"Place 5 of 9"_s));
    // The layer is folded away to begin with.
    QTRY_VERIFY_WITH_TIMEOUT(bench.lineOf(*model.edgeAt(places[4])) >= 0, patience);
    const int line = bench.lineOf(*model.edgeAt(places[4]));
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().currentEdge(), line, patience);

    // From a place in the graph to the row.
    panel.setCurrentRow(-1);
    emit bench.graph.view().edgeSelected(line);
    QCOMPARE(model.shownRowOf(panel.currentRow()), first);
    QCOMPARE(panel.table()->currentIndex().row(), 0);

    // Next goes from row to row; a row for each place on request, with what is selected still selected.
    panel.move(1);
    QCOMPARE(panel.table()->currentIndex().row(), 1);
    const int chosen = panel.currentRow();
    panel.eachBox()->setChecked(true);
    QCOMPARE(bench.missedRows(), int(bench.report().totals.missed));
    QCOMPARE(panel.currentRow(), chosen);
    panel.eachBox()->setChecked(false);
    QCOMPARE(panel.currentRow(), chosen);
  }

  void selectionTiesTableGraphAndText() {
    FusionBench bench(u"bert_attention.mlir"_s);
    const int row = bench.drawnRow();
    QVERIFY(row >= 0);
    const protocol::FusionEdge edge = *bench.fusion.model().edgeAt(row);
    bench.fusion.panel().setCurrentRow(-1);
    emit bench.fusion.panel().rowSelected(row);
    const int line = bench.lineOf(edge);
    QCOMPARE(bench.graph.view().currentEdge(), line);
    QVERIFY(bench.graph.view().rect().contains(bench.graph.view().placeOf(line).toPoint()));
    bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.text.view().source()->line(bench.text.view().currentLine()).value_or(QString()).contains(edge.toOp),
        patience);

    // And back: a click on the line selects the row.
    bench.fusion.panel().setCurrentRow(-1);
    bench.graph.view().setCurrentEdge(-1);
    const QPoint place = bench.placeOn(line);
    QCOMPARE(bench.graph.view().edgeAt(place), line);
    QTest::mouseClick(&bench.graph.view(), Qt::LeftButton, {}, place);
    QCOMPARE(bench.graph.view().currentEdge(), line);
    const protocol::FusionEdge *selected = bench.fusion.model().edgeAt(bench.fusion.panel().currentRow());
    QVERIFY(selected);
    QCOMPARE(bench.lineOf(*selected), line);

    // Hovering says why.
    QHelpEvent help(QEvent::ToolTip, place, bench.graph.view().mapToGlobal(place));
    QCoreApplication::sendEvent(&bench.graph.view(), &help);
    QVERIFY2(QToolTip::text().contains(selected->reasons.first().code), qPrintable(QToolTip::text()));
    QVERIFY(QToolTip::text().contains(selected->reasons.first().sentence.toHtmlEscaped().left(30)));
    QToolTip::hideText();

    // Escape lets go of it.
    bench.graph.view().setFocus();
    QTest::keyClick(&bench.graph.view(), Qt::Key_Escape);
    QCOMPARE(bench.graph.view().currentEdge(), -1);
  }

  void theEvidenceHasLinksAndTheHelpPageOpens() {
    FusionBench bench(u"bert_attention.mlir"_s);
    const protocol::FusionEdge *edge = bench.fusion.model().edgeAt(bench.fusion.panel().currentRow());
    QVERIFY(edge);
    QTextBrowser *evidence = bench.fusion.panel().evidence();
    const QString code = reasonPageOf(*edge);
    QVERIFY2(evidence->toHtml().contains(u"why:"_s + code), qPrintable(evidence->toPlainText()));
    QVERIFY(evidence->toPlainText().contains(edge->reasons.first().sentence));
    emit evidence->anchorClicked(QUrl(u"why:"_s + code));
    QTRY_VERIFY_WITH_TIMEOUT(bench.fusion.reasons().panel().page()->toPlainText().contains(code), patience);
    QVERIFY(bench.fusion.reasons().panel().isVisible());
    QVERIFY(bench.fusion.reasons().panel().index()->model()->rowCount() > 30);
    QAbstractItemModelTester tester(bench.fusion.reasons().panel().index()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    bench.fusion.reasons().panel().searchEdit()->setText(u"tensor.concat"_s);
    QVERIFY(bench.fusion.reasons().panel().index()->model()->rowCount() < 5);
    QVERIFY(bench.fusion.reasons().panel().index()->model()->rowCount() > 0);
    bench.fusion.reasons().panel().searchEdit()->clear();
    // An op in the evidence is one click away.
    emit evidence->anchorClicked(QUrl(u"op:%1"_s.arg(edge->from)));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!bench.text.details().isEmpty());
  }

  void fusesAnEdgeAndTakesItBack() {
    FusionBench bench(u"matmul_transpose_bias.mlir"_s);
    const int rows = bench.rows();
    int unlockable = -1;
    for (int row = 0; row < bench.fusion.model().rowCount() && unlockable < 0; ++row)
      if (const protocol::FusionEdge *edge = bench.fusion.model().edgeAt(row); edge->missed && !edge->unlocks.isEmpty())
        unlockable = row;
    QVERIFY(unlockable >= 0);
    bench.fusion.panel().setCurrentRow(unlockable);
    emit bench.fusion.panel().rowSelected(unlockable);
    bench.settle();
    QVERIFY(bench.fusion.actions().fuseEdge->isEnabled());
    QVERIFY(!bench.fusion.actions().undo->isEnabled());
    QSignalSpy fused(&bench.session, &EngineSession::fused);
    bench.fusion.actions().fuseEdge->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(fused.size(), 1, patience);
    bench.settle();
    const auto result = fused[0][0].value<protocol::FuseResult>();
    QVERIFY2(result.fused, qPrintable(result.reasons.join(u'\n')));
    QCOMPARE(bench.rows(), 1 + int(result.history.steps.size()));
    QCOMPARE(bench.steps.panel().currentRow(), bench.rows() - 1);
    const protocol::Step *last = bench.steps.model().stepAt(bench.rows() - 1);
    QVERIFY(last && last->fusion && last->fusion->checked && last->fusion->ok);
    QVERIFY(last->fusion->maxRelError < 1e-4);
    QVERIFY2(bench.fusion.panel().message().contains(u"max abs error"_s), qPrintable(bench.fusion.panel().message()));
    QCOMPARE(bench.graph.view().scene().snapshot, bench.rows() - 1);
    bench.window.showView(View::Diff);
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.diff().changeCount() > 0, patience);
    bench.window.showView(View::Graph);

    QVERIFY(bench.fusion.actions().undo->isEnabled());
    bench.fusion.actions().undo->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), rows, patience);
    bench.settle();
    QCOMPARE(bench.steps.panel().currentRow(), 0);
    bench.fusion.actions().redo->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 1 + int(result.history.steps.size()), patience);
    bench.settle();
    // What is recorded now goes after the fusion.
    bench.record(u"builtin.module(cse)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 2 + int(result.history.steps.size()), patience);
    QVERIFY(bench.steps.model().stepAt(1)->fusion);
  }

  void everythingThatPaysLeavesTwoDispatches() {
    FusionBench bench(u"bert_attention.mlir"_s, u"aggressive"_s);
    QVERIFY(bench.report().totals.dispatches >= 13);
    bench.fusion.actions().fuseAll->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 1, patience);
    bench.settle();
    QTRY_COMPARE_WITH_TIMEOUT(bench.report().snapshot, bench.rows() - 1, patience);
    QVERIFY2(bench.report().totals.dispatches <= 2, qPrintable(QString::number(bench.report().totals.dispatches)));
    const protocol::Step *last = bench.steps.model().stepAt(bench.rows() - 1);
    QVERIFY(last->fusion && last->fusion->ok && last->fusion->checked);
    QVERIFY(last->fusion->maxRelError < 1e-4);
  }

  void runsWhatWasFusedAndTellsTimesByThat() {
    FusionBench bench(u"softmax.mlir"_s, u"aggressive"_s);
    const qint64 before = bench.report().totals.dispatches;
    QCOMPARE(bench.report().gbps, 500.0);
    bench.fusion.actions().fuseAll->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 1, patience);
    bench.settle();
    QTRY_COMPARE_WITH_TIMEOUT(bench.report().snapshot, bench.rows() - 1, patience);
    QVERIFY(bench.report().totals.dispatches < before);
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.run.kernels().rowCount() > 0, patience);
    QCOMPARE(qint64(bench.run.kernels().rowCount()), bench.report().totals.dispatches);
    QVERIFY(bench.run.kernels().index(0, 0).data(KernelModel::OkRole).toBool());
    bench.settle();
    QVERIFY(bench.report().gbps != 500.0);
    // Or by a measurement of its own.
    const double reached = bench.report().gbps;
    emit bench.fusion.panel().measureRequested();
    QTRY_VERIFY_WITH_TIMEOUT(bench.report().gbps != reached, patience);
  }

  void whatIsFasterIsMeasuredOnTheChosenDevice() {
    FusionBench bench(u"matmul_transpose_bias.mlir"_s, u"aggressive"_s);
    std::optional<protocol::FuseResult> result;
    connect(&bench.session, &EngineSession::fused, &bench.session,
            [&](const protocol::FuseResult &fused) { result = fused; });
    bench.fusion.actions().fuseFaster->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(result.has_value(), patience);
    bench.settle();
    QCOMPARE(result->measure, u"measured"_s);
    QVERIFY(result->times && result->times->device == bench.run.panel().device());
    QVERIFY(result->times->before > 0 && result->times->after > 0 && result->times->noise > 0);
    QVERIFY(result->times->after <= result->times->before + result->times->noise);
  }

  void partsSayWhatWasPredictedAndMeasured() {
    protocol::FuseResult result;
    result.times = {u"vulkan:0"_s, 1000, 800, 10, 90};
    result.prediction = u"by what was measured on vulkan:0, 7 samples"_s;
    result.parts = {{u"fuse-a"_s, true, 2, 4096, 120.5, 10, 90},
                    {u"fuse-b"_s, false, 1, 0, -50, 10, -4},
                    {u"fuse-c"_s, true, 1, -64, 3, 10}};
    const FusePartsDialog dialog(result);
    const auto labels = dialog.findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const QLabel *label) { return label->text().contains(u"0, 7 samples"_s); }));
    const auto text = [&](int row, int column) { return dialog.table()->topLevelItem(row)->text(column); };
    QCOMPARE(dialog.table()->topLevelItemCount(), 3);
    QVERIFY2(text(0, 1).contains(u"2 dispatch"_s) && text(0, 1).contains(u"less through memory"_s),
             qPrintable(text(0, 1)));
    QVERIFY2(text(0, 1).endsWith(u"faster"_s) && text(1, 1).endsWith(u"slower"_s) && text(2, 1).endsWith(u"memory"_s),
             qPrintable(text(0, 1)));
    QVERIFY2(text(0, 2).contains(u"faster"_s) && text(0, 3) == u"kept"_s, qPrintable(text(0, 2)));
    QVERIFY2(text(1, 2).contains(u"slower"_s) && text(1, 3) == u"taken back"_s, qPrintable(text(1, 2)));
    QVERIFY2(text(2, 1).contains(u"more through memory"_s) && text(2, 2).contains(u"no difference"_s),
             qPrintable(text(2, 2)));
  }

  void anImpossibleFusionSaysWhy() {
    WindowBench bench;
    bench.open(bench.write(u"stuck.mlir"_s, R"(func.func private @other(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %init = tensor.empty() : tensor<8x8xf32>
  %p = linalg.exp ins(%a : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = func.call @other(%p) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
)"));
    bench.fusion.showDearest();
    int stuck = -1;
    for (int row = 0; row < bench.fusion.model().rowCount() && stuck < 0; ++row)
      if (const protocol::FusionEdge *edge = bench.fusion.model().edgeAt(row); edge->missed && edge->unlocks.isEmpty())
        stuck = row;
    QVERIFY(stuck >= 0);
    const int rows = bench.rows();
    emit bench.fusion.panel().rowSelected(stuck);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QSignalSpy fused(&bench.session, &EngineSession::fused);
    // By itself it cannot be fused: the message says why, and nothing was tried.
    bench.fusion.actions().fuseEdge->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(fused.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!fused[0][0].value<protocol::FuseResult>().fused);
    QVERIFY2(bench.fusion.panel().message().startsWith(u"Not fused. "_s), qPrintable(bench.fusion.panel().message()));
    fused.clear();
    bench.fusion.actions().fusePlaces->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(fused.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!fused[0][0].value<protocol::FuseResult>().fused);
    QVERIFY2(bench.fusion.panel().message().startsWith(u"Tried without success"_s),
             qPrintable(bench.fusion.panel().message()));
    QCOMPARE(bench.rows(), rows);
    QVERIFY(!bench.fusion.actions().undo->isEnabled());
    // It is remembered: in the table, in the evidence and in the graph.
    const protocol::FusionEdge *tried = bench.fusion.model().edgeAt(stuck);
    QVERIFY(tried && tried->missed);
    QVERIFY(tried->state == protocol::FusionState::Tried || tried->state == protocol::FusionState::Impossible);
    QCOMPARE(bench.fusion.model().index(stuck, FusionModel::State).data().toString(), fusionWords(markOf(*tried)));
    for (const QString &name : fused[0][0].value<protocol::FuseResult>().tried)
      QVERIFY2(tried->tried.contains(name), qPrintable(name));
  }

  void collapsedDispatchesAggregate() {
    FusionBench bench(u"bert_attention.mlir"_s, u"aggressive"_s);
    bench.graph.actions().levelDispatches->trigger();
    bench.settle();
    const SceneData scene = bench.graph.view().scene();
    QVERIFY(!scene.hiddenOps.isEmpty());
    // A missed edge between two dispatches has the line between their boxes.
    int found = 0;
    for (int row = 0; row < bench.fusion.model().rowCount(); ++row) {
      const protocol::FusionEdge *edge = bench.fusion.model().edgeAt(row);
      const NodeId from = scene.hiddenOps.value(edge->from, edge->from), to = scene.hiddenOps.value(edge->to, edge->to);
      const int line = bench.lineOf(*edge);
      if (!edge->missed || line < 0 || (from == edge->from && to == edge->to))
        continue;
      QCOMPARE(scene.edges[line].from, from);
      QCOMPARE(scene.edges[line].to, to);
      ++found;
    }
    QVERIFY(found > 3);
    // An op of the evidence that is folded away selects the box that it is in.
    const auto hidden = scene.hiddenOps.constBegin();
    emit bench.fusion.panel().opActivated(hidden.key());
    QCOMPARE(bench.graph.view().currentNode(), hidden.value());
  }

  void fusesADumpOfALog() {
    QFile file(sample(u"matmul_transpose_bias.mlir"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray dump = file.readAll();
    WindowBench bench;
    bench.open(bench.write(u"build.log"_s, "// -----// IR Dump Before CSE (cse) //----- //\n" + dump +
                                               "\n// -----// IR Dump After CSE (cse) //----- //\n" + dump));
    QVERIFY(bench.session.showsLog());
    const int rows = bench.rows();
    bench.steps.select(1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.fusion.model().rowCount() > 0);
    bench.fusion.actions().cleanUp->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!bench.session.showsLog());
    QVERIFY(bench.rows() > 1);
    QVERIFY(bench.steps.model().index(0, StepModel::Name).data().toString().contains(u"cse"_s));
    QCOMPARE(bench.steps.panel().currentRow(), bench.rows() - 1);
    bench.fusion.actions().undo->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.showsLog(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), rows);
  }

  void aKilledEngineBringsFusionsBack() {
    FusionBench bench(u"matmul_transpose_bias.mlir"_s);
    bench.fusion.actions().cleanUp->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 1, patience);
    bench.settle();
    const int rows = bench.rows();
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QCOMPARE(bench.rows(), rows);
    QCOMPARE(bench.session.undoLevels(), 1);
    bench.fusion.actions().undo->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.undoLevels(), 0, patience);
    bench.settle();
    QVERIFY(bench.rows() > 5); // the default pipeline, as it was recorded first
    QVERIFY(!bench.steps.model().stepAt(1)->fusion);
    // What was undone when the engine died can be done again.
    const int recorded = bench.rows();
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 2, patience);
    bench.settle();
    QCOMPARE(bench.rows(), recorded);
    QVERIFY(!bench.steps.model().stepAt(1)->fusion);
    QCOMPARE(bench.session.undoLevels(), 0);
    QCOMPARE(bench.session.redoLevels(), 1);
    bench.fusion.actions().redo->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.undoLevels(), 1, patience);
    bench.settle();
    QCOMPARE(bench.rows(), rows);
    QVERIFY(bench.steps.model().stepAt(1)->fusion);
  }

  void aCrashingTransformLeavesTheWindowUp() {
    FusionBench bench(u"softmax.mlir"_s);
    const int rows = bench.rows();
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.session.fuse({.what = FuseRequest::What::Pipeline, .pipeline = u"builtin.module(fuselage-test-crash)"_s});
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QVERIFY2(bench.banner.text().contains(u"SIGSEGV"_s) && bench.banner.text().contains(u"fuselage-test-crash"_s),
             qPrintable(bench.banner.text()));
    QCOMPARE(bench.rows(), rows);
    QVERIFY(!bench.graph.view().scene().nodes.isEmpty());
  }

  void aHangingTransformIsCancelled() {
    FusionBench bench(u"softmax.mlir"_s);
    QSignalSpy progress(&bench.session, &EngineSession::fuseProgress);
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.session.fuse({.what = FuseRequest::What::Pipeline, .pipeline = u"builtin.module(fuselage-test-hang)"_s});
    QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty(), patience);
    QVERIFY(bench.engine.cancelAction()->isEnabled());
    bench.engine.cancelAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QVERIFY(bench.rows() > 1);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowFusionTest)
#include "WindowFusionTest.moc"
