// Operands and moves that are the same but for where they are, as the table shows them.
#include "views/models/BufferModel.h"
#include <QAbstractItemModelTester>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

static constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

/// Three equal copies, one operand in place, two equal moves of which clean-up drops one.
static protocol::BuffersReport report() {
  protocol::BuffersReport report;
  report.hasTensors = true;
  for (int i = 0; i < 4; ++i) {
    const bool isCopy = i != 1;
    protocol::BufferOperand operand;
    operand.place = {.op = 10 + i, .operand = 1};
    operand.type = u"tensor<8xf32>"_s;
    operand.inPlace = !isCopy;
    operand.reason = isCopy ? u"READ_AFTER_WRITE"_s : QString();
    operand.group = isCopy ? 0 : 1;
    operand.buffer = isCopy ? int(report.buffers.size()) : -1;
    report.operands.append(operand);
    protocol::Buffer buffer;
    buffer.kind = u"copy"_s;
    buffer.size.bytes = 1024;
    if (isCopy)
      report.buffers.append(buffer);
    protocol::BufferOp op;
    op.id = 10 + i;
    op.name = u"tensor.insert"_s;
    op.line = 20 + i;
    op.layer = i < 2 ? QString() : u"layer %1"_s.arg(i);
    report.ops.append(op);
  }
  for (const bool remains : {false, true}) {
    protocol::BufferMove move;
    move.op = remains ? 13 : 12;
    move.size.bytes = 64;
    move.remains = remains;
    move.group = remains ? 3 : 2;
    report.moves.append(move);
  }
  return report;
}

class BufferModelTest : public QObject {
  Q_OBJECT
private slots:
  void equalRowsAreOne() {
    BufferModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setReport(report());
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QVERIFY(model.hasGroups());
    QCOMPARE(model.rowCount(), 3); // what clean-up drops is no row
    QCOMPARE(shown(0, BufferModel::Places), u"\u00d73"_s);
    QCOMPARE(shown(0, BufferModel::Bytes), u"1 KiB"_s);
    QCOMPARE(shown(0, BufferModel::Total), u"3 KiB"_s);
    QCOMPARE(shown(0, BufferModel::Where), u"line 21, layer 2 to 3"_s);
    QCOMPARE(model.index(0, BufferModel::Total).data(BufferModel::SortRole).toLongLong(), 3072);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"in 3 places: line 21"_s));
    QCOMPARE(shown(1, BufferModel::Places), QString());
    QCOMPARE(shown(1, BufferModel::Where), u"line 22"_s);
    QVERIFY(!model.operandAt(2) && model.moveAt(2));
    QCOMPARE(shown(2, BufferModel::Bytes), u"64 B"_s);
    QCOMPARE(model.rowOf(13, 1), 0);
    QCOMPARE(model.rowOf(13, -1), 2);
    QCOMPARE(model.rowOf(12, -1), -1);
    QCOMPARE(model.rowOf(99, 1), -1);

    model.setGrouped(false);
    QCOMPARE(model.rowCount(), 5);
    QVERIFY(model.hasGroups());
    QCOMPARE(model.rowOf(13, 1), 3);
    QCOMPARE(shown(3, BufferModel::Places), QString());
    QCOMPARE(shown(3, BufferModel::Total), u"1 KiB"_s);
    model.setReport({});
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.hasGroups());
  }

  void withoutGroupsEachIsARow() {
    protocol::BuffersReport old = report();
    for (protocol::BufferOperand &operand : old.operands)
      operand.group = -1;
    BufferModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setReport(old);
    QVERIFY(!model.hasGroups());
    QCOMPARE(model.rowCount(), 5);
  }
};

QTEST_GUILESS_MAIN(BufferModelTest)
#include "BufferModelTest.moc"
