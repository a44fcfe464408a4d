// Why there are copies, driven through the real window and the real engine process.
#include "tests/views/window/WindowBench.h"
#include "views/charts/BufferTimeline.h"
#include "views/graph/GraphView.h"
#include "views/panels/BuffersPanel.h"
#include "views/panels/ReasonPanel.h"
#include "views/text/TextView.h"
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QTableView>
#include <QTextBrowser>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

const QByteArray conflictModule = R"(func.func @main(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %written = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %written, %old : tensor<8xf32>, f32
}
)";

struct BuffersBench : WindowBench {
  explicit BuffersBench(const QByteArray &text) {
    open(write(u"module.mlir"_s, text));
    buffers.raise();
    settle();
  }
  void settle() {
    QTest::qWait(1); // a reset asks again when the event loop is back
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience);
  }
  const protocol::BuffersReport &report() { return buffers.model().report(); }
  QTableView &table() { return *buffers.panel().table(); }
};

} // namespace

class BuffersWindowTest : public QObject {
  Q_OBJECT
private slots:
  void aConflictIsSeenInTheTableTheGraphAndTheText() {
    BuffersBench bench(conflictModule);
    QAbstractItemModelTester tester(&bench.buffers.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTRY_COMPARE_WITH_TIMEOUT(bench.report().operands.size(), 3, patience);
    QAbstractItemModel *rows = bench.table().model();
    QAbstractItemModelTester filterTester(rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
    // The dearest is the first.
    QCOMPARE(rows->index(0, BufferModel::Op).data().toString(), u"tensor.insert, line 3"_s);
    QCOMPARE(rows->index(0, BufferModel::Place).data().toString(), u"copy"_s);
    QCOMPARE(rows->index(0, BufferModel::Bytes).data().toString(), u"32 B"_s);
    QCOMPARE(rows->index(0, BufferModel::Reason).data().toString(), u"Read after write"_s);
    QVERIFY(rows->index(0, BufferModel::Reason).data(Qt::ToolTipRole).toString().contains(u"READ_AFTER_WRITE"_s));
    bench.table().setCurrentIndex(rows->index(0, 0));
    bench.settle();
    const QList<NodeMark> marks = bench.graph.view().nodeMarks();
    QCOMPARE(marks.size(), 3);
    for (const NodeMark &mark : marks)
      QVERIFY2(!bench.graph.view().rectOf(mark.id).isNull(), qPrintable(mark.what));
    QCOMPARE(marks[0].kind, MarkKind::Read);
    QCOMPARE(marks[1].kind, MarkKind::Write);
    QCOMPARE(marks[2].kind, MarkKind::Definition);
    QVERIFY(marks[2].id < 0); // the function's argument
    const QList<LineMark> lines = bench.text.view().lineMarks();
    QCOMPARE(lines.size(), 3);
    QVERIFY(bench.text.view().source()->line(lines[0].line).value_or(QString()).contains("tensor.extract"_L1));
    QVERIFY(bench.text.view().source()->line(lines[1].line).value_or(QString()).contains("tensor.insert"_L1));
    QCOMPARE(bench.buffers.panel().timeline()->current(), bench.report().operands[0].buffer);
    // Another selection, other marks.
    bench.table().setCurrentIndex(rows->index(2, 0));
    QVERIFY(bench.graph.view().nodeMarks().size() < 3);
  }

  void aFilterLeavesWhatFits() {
    BuffersBench bench(conflictModule);
    QTRY_COMPARE_WITH_TIMEOUT(bench.table().model()->rowCount(), 3, patience);
    bench.buffers.panel().filter()->setText(u"extract"_s);
    QCOMPARE(bench.table().model()->rowCount(), 1);
    // A row that is asked for is shown all the same.
    bench.buffers.panel().selectRow(0);
    QVERIFY(bench.buffers.panel().filter()->text().isEmpty());
    QCOMPARE(bench.table().currentIndex().data(BufferModel::OpRole).toLongLong(), bench.report().operands[0].place.op);
  }

  void theTimelineSelectsOps() {
    BuffersBench bench(conflictModule);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.report().buffers.isEmpty(), patience);
    BufferTimeline *timeline = bench.buffers.panel().timeline();
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Down);
    QCOMPARE(timeline->current(), 0);
    while (bench.report().buffers[timeline->current()].operand < 0)
      QTest::keyClick(timeline, Qt::Key_Down);
    bench.settle();
    QCOMPARE(bench.graph.view().currentNode(), bench.report().operands[0].place.op);
    QCOMPARE(bench.table().currentIndex().data(BufferModel::OpRole).toLongLong(), bench.report().operands[0].place.op);
  }

  void aStepShowsThePeaksAroundIt() {
    BuffersBench bench(conflictModule);
    bench.record(u"one-shot-bufferize{bufferize-function-boundaries=1},canonicalize"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 3, patience);
    bench.settle();
    bench.steps.select(1);
    bench.settle();
    QTRY_COMPARE_WITH_TIMEOUT(bench.report().snapshot, 1, patience);
    QVERIFY(!bench.report().hasTensors);
    QCOMPARE(bench.table().model()->rowCount(), 1); // the copy that is left
    QCOMPARE(bench.report().peaks[u"global"_s].bytes, 32);
    bench.steps.select(0);
    QTRY_COMPARE_WITH_TIMEOUT(bench.report().operands.size(), 3, patience);
  }

  void aReasonHasItsPage() {
    BuffersBench bench(conflictModule);
    QTRY_VERIFY_WITH_TIMEOUT(bench.table().model()->rowCount() > 0, patience);
    emit bench.buffers.panel().helpRequested(u"READ_AFTER_WRITE"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.buffers.reasons().panel().page()->toPlainText().contains("What may help"_L1),
                             patience);
  }

  void aModuleWithoutTensorsSaysSo() {
    BuffersBench bench("module {}\n");
    QTRY_VERIFY_WITH_TIMEOUT(bench.report().snapshot == 0, patience);
    QCOMPARE(bench.table().model()->rowCount(), 0);
    QVERIFY(bench.report().buffers.isEmpty());
    bench.window.grab(); // the hints paint
  }
};

FUSELAGE_WINDOW_TEST_MAIN(BuffersWindowTest)
#include "BuffersWindowTest.moc"
