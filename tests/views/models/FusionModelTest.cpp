#include "views/models/FusionModel.h"
#include "app/bridge/MessageReader.h"
#include "views/models/ReasonModel.h"
#include "views/panels/FusionEvidence.h"
#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QTest>

using namespace fuselage;
using namespace Qt::StringLiterals;

static constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

static protocol::FusionEdge edge(qint64 from, qint64 to, qint64 bytes, bool separate = true) {
  protocol::FusionEdge result;
  result.from = from;
  result.to = to;
  result.fromOp = u"linalg.matmul"_s;
  result.toOp = u"linalg.generic"_s;
  result.fromLoc = u"a.mlir:%1:3"_s.arg(from);
  result.type = u"tensor<8xf32>"_s;
  result.verdict = separate ? protocol::FusionVerdict::Separate : protocol::FusionVerdict::SameDispatch;
  result.missed = separate;
  result.state = separate ? protocol::FusionState::Possible : protocol::FusionState::Fused;
  result.bytes = bytes;
  result.microseconds = bytes < 0 ? -1 : double(bytes) / 1000;
  result.share = bytes < 0 ? -1 : 0.25;
  if (separate)
    result.reasons = {{.code = u"MULTI_USE"_s,
                       .kind = {},
                       .sentence = u"The value has other users"_s,
                       .detail = u"also read by <x>"_s,
                       .legal = true,
                       .evidence = {.producerMap = {},
                                    .consumerMap = u"(d0, d1, d2) -> (d0, d2 floordiv 2, 0)"_s,
                                    .clash = 1,
                                    .culprit = -1,
                                    .culpritOp = {},
                                    .users = {7},
                                    .count = 9,
                                    .limit = 8,
                                    .moves = {}}}};
  result.legal = separate;
  result.unlocks = separate ? QStringList{u"fuse-multi-use"_s} : QStringList();
  return result;
}

static protocol::FusionReport report() {
  protocol::FusionReport result;
  result.snapshot = 0;
  result.gbps = 500;
  result.edges = {edge(1, 2, 100), edge(2, 3, -1), edge(3, 4, 900), edge(3, 5, 50, false), edge(1, 4, 30)};
  return result;
}

class FusionModelTest : public QObject {
  Q_OBJECT
private slots:
  void listsAndFinds() {
    FusionModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setReport(report());
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.rowOf({.from = 3, .to = 4, .operand = 0}), 2);
    QCOMPARE(model.rowOf({.from = 3, .to = 4, .operand = 1}), -1);
    QCOMPARE(model.missedRowOf(4), 2); // the dearer of two that end there
    QCOMPARE(model.missedRowOf(1), 0); // none ends there: what begins
    QCOMPARE(model.missedRowOf(5), -1);
    QCOMPARE(model.index(0, FusionModel::Producer).data().toString(), u"linalg.matmul, line 1 of a.mlir"_s);
    QCOMPARE(model.index(1, FusionModel::Saves).data().toString(), u"unknown"_s);
    QCOMPARE(model.index(1, FusionModel::Time).data().toString(), QString());
    QVERIFY(!model.edgeAt(5) && !model.edgeAt(-1));
    QCOMPARE(model.index(2, FusionModel::Share).data().toString(), u"25.0 %"_s);
    QCOMPARE(shareText(0.0001), u"< 0.1 %"_s);
    model.setNames([](qint64 op) { return op == 1 ? u"matmul 8x8x8"_s : QString(); });
    QCOMPARE(model.index(0, FusionModel::Producer).data().toString(), u"matmul 8x8x8, line 1 of a.mlir"_s);
    QCOMPARE(model.index(0, FusionModel::Consumer).data().toString(), u"linalg.generic"_s);
    model.setReport({});
    QCOMPARE(model.rowCount(), 0);
  }

  void filtersAndSorts() {
    FusionModel model;
    FusionFilter filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester tester(&filter, strict);
    model.setReport(report());
    QCOMPARE(filter.rowCount(), 4);
    filter.sort(FusionModel::Saves, Qt::DescendingOrder);
    QCOMPARE(filter.mapToSource(filter.index(0, 0)).row(), 2);
    QCOMPARE(filter.mapToSource(filter.index(3, 0)).row(), 1); // what is unknown comes last
    filter.setShowsFused(true);
    QCOMPARE(filter.rowCount(), 5);
    filter.setWords(u"multi_use MATMUL"_s);
    QCOMPARE(filter.rowCount(), 4);
    filter.setWords(u"users several"_s); // or as it is said
    QCOMPARE(filter.rowCount(), 4);
    filter.setWords(u"multi_use nothing"_s);
    QCOMPARE(filter.rowCount(), 0);
  }

  void aGroupNamesItsLayers() {
    protocol::FusionReport layers = report();
    layers.edges[0].group = layers.edges[2].group = 0;
    protocol::FusionGroup group;
    group.edges = {0, 2};
    group.layers = {u"encoder.layer.0"_s, u"encoder.layer.1"_s};
    layers.groups = {group};
    FusionModel model;
    model.setReport(layers);
    QCOMPARE(model.index(0, FusionModel::Places).data().toString(), u"\u00d72"_s);
    QCOMPARE(model.index(0, FusionModel::Places).data(Qt::ToolTipRole).toString(), u"encoder.layer.0 to 1"_s);
    model.setGrouped(false);
    QCOMPARE(model.index(0, FusionModel::Places).data().toString(), QString());
    layers.groups[0].bytes = 2048;
    const QString evidence = describeEdge(
        layers.edges[0], layers, [](qint64) { return QString(); }, QPalette());
    QVERIFY2(evidence.contains(u"saves 2 KiB in all 2 places; here "_s), qPrintable(evidence));
  }

  void evidenceIsLitAndEscaped() {
    const QPalette palette;
    const QString map = mapToHtml(u"(d0, d1, d2) -> (d0, d2 floordiv 2, 0)"_s, 1, palette);
    QCOMPARE(map.count(u"background-color"_s), 2); // the result, and the loop in it
    QVERIFY(map.contains(u"&nbsp;d2&nbsp;"_s));
    QVERIFY(!mapToHtml(u"(d0) -> (d0)"_s, -1, palette).contains(u"background-color"_s));
    QCOMPARE(mapToHtml(u"(d0, d1, d10) -> (d0, d10)"_s, unusedLoops, palette).count(u"background-color"_s),
             1); // d1 is broadcast
    QCOMPARE(mapToHtml(u"no map"_s, 0, palette), u"no map"_s);
    // Two maps clash where nobody said in which dimension: the first that differs is lit in both, with its loop.
    protocol::FusionReport two = report();
    two.edges[0].reasons[0].evidence = {};
    two.edges[0].reasons[0].evidence.producerMap = u"(d0, d1) -> (d0, d1)"_s;
    two.edges[0].reasons[0].evidence.consumerMap = u"(d0, d1) -> (d0, 0)"_s;
    const QString clash = summarizeEdge(two.edges[0], two, palette);
    QCOMPARE(clash.count(u"&nbsp;d1&nbsp;"_s), 2);
    QCOMPARE(clash.count(u"&nbsp;0&nbsp;"_s), 1);
    const QString html = describeEdge(
        report().edges[0], report(), [](qint64 op) { return op == 7 ? u"op<%1>"_s.arg(op) : QString(); }, palette);
    for (const QString &part :
         {u"href='op:7'"_s, u"href='why:MULTI_USE'"_s, u"href='apply:fuse-multi-use'"_s, u"href='tried:2'"_s,
          u"href='patterns:2'"_s, u"op&lt;7&gt;"_s, u"linalg.matmul, line 1 of a.mlir"_s, u"9, where at most 8"_s})
      QVERIFY2(html.contains(part), qPrintable(part));
    QVERIFY(!summarizeEdge(report().edges[3], report(), palette).contains(u"href"_s));
    QVERIFY(summarizeEdge(report().edges[1], report(), palette).contains(u"dynamic"_s));
  }

  void reasonsAreSearched() {
    ReasonModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setReasons(
        {{.code = u"A"_s, .kindOf = {}, .sentence = {}, .page = u"one apple"_s, .unlocks = {}},
         {.code = u"B"_s, .kindOf = {}, .sentence = {}, .page = u"two Apples and a pear"_s, .unlocks = {}}});
    QCOMPARE(model.rowCount(), 2);
    model.setWords(u"apple pear"_s);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.rowOf(u"B"_s), 0);
    QCOMPARE(model.rowOf(u"A"_s), -1);
    QVERIFY(model.find(u"A"_s));
    QVERIFY(!model.find(u"C"_s));
  }

  void decodesAReport() {
    const QJsonObject json{
        {u"snapshot"_s, 2},
        {u"policy"_s, u"none"_s},
        {u"totals"_s,
         QJsonObject{{u"dispatches"_s, 3}, {u"edges"_s, 5}, {u"separate"_s, 2}, {u"missed_us"_s, QJsonValue()}}},
        {u"edges"_s, QJsonArray{QJsonObject{{u"from"_s, 1},
                                            {u"to"_s, 2},
                                            {u"verdict"_s, u"SEPARATE"_s},
                                            {u"missed"_s, true},
                                            {u"bytes"_s, QJsonValue()},
                                            {u"details"_s, QJsonArray{QJsonObject{{u"code"_s, u"X"_s}}}}}}}};
    protocol::FusionReport report;
    decode(json, report);
    QCOMPARE(report.totals.fused(), 3);
    QCOMPARE(report.totals.missedMicroseconds, -1.0);
    QCOMPARE(report.edges.size(), 1);
    QCOMPARE(report.edges[0].bytes, -1);
    QVERIFY(report.edges[0].missed);
    QCOMPARE(report.edges[0].reasons.size(), 1);
    protocol::FusionReport empty;
    decode({}, empty);
    QVERIFY(empty.edges.isEmpty());
  }

  /// A separate edge that moves nothing is no missed fusion: it counts, lists and shows as none.
  void freeEdgesAreNotMissed() {
    const QJsonObject edge{
        {u"from"_s, 3}, {u"to"_s, 4}, {u"verdict"_s, u"SEPARATE"_s}, {u"missed"_s, false}, {u"bytes"_s, 0}};
    const QJsonObject json{{u"totals"_s, QJsonObject{{u"edges"_s, 5}, {u"separate"_s, 2}, {u"missed"_s, 1}}},
                           {u"edges"_s, QJsonArray{edge}}};
    protocol::FusionReport report;
    decode(json, report);
    QCOMPARE(report.totals.missed, 1);
    QCOMPARE(report.totals.fused(), 3);
    QCOMPARE(markOf(report.edges[0]), FusionMark::None);
    FusionModel model;
    model.setReport(report);
    FusionFilter filter;
    filter.setSourceModel(&model);
    QCOMPARE(filter.rowCount(), 0);
    QCOMPARE(model.missedRowOf(4), -1);
  }
};

QTEST_MAIN(FusionModelTest)
#include "FusionModelTest.moc"
