// What the engine says of a run, as the window's models show it.
#include "app/bridge/MessageReader.h"
#include "app/bridge/MessageWriter.h"
#include "views/models/Format.h"
#include "views/models/InputModel.h"
#include "views/models/KernelModel.h"
#include "views/models/OutputModel.h"
#include <QAbstractItemModelTester>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>
#include <cmath>

using namespace fuselage;
using namespace Qt::StringLiterals;

static constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

static protocol::RunReport reportOf(const QByteArray &json) {
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
  if (!document.isObject())
    qFatal("%s", qPrintable(problem.errorString()));
  protocol::RunReport report;
  decode(document.object(), report);
  return report;
}

/// A run that went wrong: a kernel, a piece on the host, a matrix and a scalar.
static protocol::RunReport wrongRun() {
  QFile file(QStringLiteral(RUN_REPORT));
  if (!file.open(QIODevice::ReadOnly))
    qFatal("run_report.json is missing");
  return reportOf(file.readAll());
}

/// Where members of both differ, "kernels[2].min_us"; empty: nowhere.
static QString differenceOf(const QJsonValue &sent, const QJsonValue &kept, const QString &at = {}) {
  if (sent.isArray() && kept.isArray()) {
    const QJsonArray left = sent.toArray(), right = kept.toArray();
    for (qsizetype i = 0; i < std::max(left.size(), right.size()); ++i)
      if (const QString place = differenceOf(left.at(i), right.at(i), at + u"[%1]"_s.arg(i)); !place.isEmpty())
        return place;
    return {};
  }
  if (sent.isObject() && kept.isObject()) {
    const QJsonObject left = sent.toObject(), right = kept.toObject();
    for (const QString &key : left.keys())
      if (right.contains(key))
        if (const QString place = differenceOf(left[key], right[key], at + u'.' + key); !place.isEmpty())
          return place;
    return {};
  }
  const bool isText = kept.isString() && (sent.isDouble() || sent.isArray()); // an element, as people read it
  const bool isNone = sent.isNull() || (kept.isNull() && sent.isObject() && sent["mean"_L1].isNull());
  return isText || isNone || sent == kept ? QString() : at;
}

class RunModelsTest : public QObject {
  Q_OBJECT
private slots:
  /// A report that was kept is the one that the engine sent; what follows from the rest is not kept.
  void aKeptReportIsTheOneThatWasSent() {
    QFile file(QStringLiteral(RUN_REPORT));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject sent = QJsonDocument::fromJson(file.readAll()).object();
    protocol::RunReport report;
    decode(sent, report);
    const QJsonObject kept = toJson(report);
    QCOMPARE(differenceOf(sent, kept), QString());
    protocol::RunReport again;
    decode(QJsonDocument::fromJson(QJsonDocument(kept).toJson()).object(), again);
    QCOMPARE(toJson(again), kept);
    QCOMPARE(again.kernels.size(), report.kernels.size());
    QVERIFY(std::isinf(again.kernels.last().maxAbsError) == std::isinf(report.kernels.last().maxAbsError));
  }

  void theReportIsReadWhole() {
    const protocol::RunReport report = wrongRun();
    QVERIFY(!report.ok());
    QCOMPARE(report.verdict, protocol::RunVerdict::Wrong);
    QCOMPARE(report.sumUs, 30.5);
    QCOMPARE(report.wallUs, 90.0);
    QCOMPARE(report.outputs[0].values,
             (QStringList{u"1"_s, u"2.5"_s, u"nan"_s, u"1 + -2i"_s, u"170141183460469231731687303715884105727"_s}));
    QVERIFY(report.outputs[0].heat.has_value());
    QVERIFY(std::isnan(report.outputs[0].heat->values[5]));
    QVERIFY(std::isinf(report.outputs[0].heat->errors[5]));
    QVERIFY(std::isnan(report.outputs[0].statistics.mean));
    QVERIFY(!report.outputs[1].heat && !report.outputs[1].worst);
    QCOMPARE(worstText(*report.outputs[0].worst), u"[1, 2] is nan, expected 0.5"_s);
  }

  void nothingThatRanIsNotOk() {
    QCOMPARE(reportOf("{\"kernels\": [], \"outputs\": [], \"ok\": true}").verdict, protocol::RunVerdict::NothingToRun);
    QCOMPARE(reportOf("{\"kernels\": [], \"verdict\": \"nothing_to_run\", \"why\": \"no op makes a kernel\"}").verdict,
             protocol::RunVerdict::NothingToRun);
    QVERIFY(!reportOf("{\"kernels\": [], \"ok\": true}").ok());
    const protocol::RunReport vague = reportOf(
        "{\"kernels\": [{\"dispatch\": \"a\", \"verdict\": \"not_comparable\"}], \"verdict\": \"not_comparable\"}");
    QVERIFY(!vague.ok());
    QVERIFY(!vague.kernels[0].ok());
    QCOMPARE(comparedError(vague.kernels[0], 0), u"\u2014"_s); // no 0 where nothing was compared
  }

  void piecesOnTheHostAreRows() {
    KernelModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setKernels(wrongRun().kernels);
    QCOMPARE(model.rowCount(), 2);
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(shown(0, KernelModel::AbsError), u"infinite"_s);
    QCOMPARE(shown(0, KernelModel::RelError), u"unknown"_s);
    QCOMPARE(shown(0, KernelModel::Gbps), u"\u2014"_s);
    QCOMPARE(shown(1, KernelModel::Dispatch), u"on the host: tensor.extract, arith.addi"_s);
    QCOMPARE(shown(1, KernelModel::Device), u"host"_s);
    QCOMPARE(shown(1, KernelModel::Median), u"20.5 µs"_s);
    QCOMPARE(shown(1, KernelModel::AbsError), u"\u2014"_s);
    QCOMPARE(model.index(1, 0).data(KernelModel::VerdictRole).toInt(), -1);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"an element is infinite"_s));
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"caches flushed"_s));
    QVERIFY(!model.index(0, 0).data(KernelModel::StaleRole).toBool());
    model.setStale(true);
    QVERIFY(model.index(0, 0).data(KernelModel::StaleRole).toBool());
    model.setKernels({});
    QVERIFY(!model.isStale());
  }

  void kernelsOfADispatchAreToldApart() {
    protocol::Kernel first, second, other;
    first.dispatch = second.dispatch = u"conv"_s;
    first.name = u"conv_kernel"_s;
    second.name = u"conv_kernel_0"_s;
    other.dispatch = other.name = u"pool"_s;
    KernelModel model;
    model.setKernels({first, second, other, other}); // equal names: called twice
    const auto shown = [&](int row, int role = Qt::DisplayRole) {
      return model.index(row, KernelModel::Dispatch).data(role).toString();
    };
    QCOMPARE(shown(0), u"conv (1 of 2)"_s);
    QCOMPARE(shown(1), u"conv (2 of 2)"_s);
    QCOMPARE(shown(2), u"pool"_s);
    QCOMPARE(shown(3), u"pool"_s);
    QVERIFY(shown(1, Qt::ToolTipRole).contains(u"its 2 kernels together"_s));
    QVERIFY(!shown(2, Qt::ToolTipRole).contains(u"together"_s));
  }

  void equalKernelsAreOneRow() {
    protocol::RunReport report;
    report.sumUs = 45;
    for (int layer = 1; layer <= 3; ++layer) {
      protocol::Kernel kernel;
      kernel.dispatch = kernel.name = u"matmul_%1"_s.arg(layer);
      kernel.loc = u"a.mlir:%1:1"_s.arg(layer);
      kernel.layer = u"layer %1"_s.arg(layer);
      kernel.medianUs = 10 * layer / 2;
      kernel.bytes = 1024;
      kernel.verdict = protocol::RunVerdict::Ok;
      report.kernels.append(kernel);
      kernel.layer.clear();
      kernel.dispatch = kernel.name = u"exp"_s;
      kernel.loc = u"a.mlir:9:%1"_s.arg(layer);
      if (layer == 1)
        report.kernels.append(kernel);
    }
    protocol::KernelGroup matmuls, exp;
    matmuls.kernels = {0, 2, 3};
    matmuls.sumUs = 30;
    matmuls.bytes = 3072;
    exp.kernels = {1};
    exp.sumUs = 5;
    exp.bytes = 1024;
    report.groups = {matmuls, exp};

    KernelModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setReport(report);
    QVERIFY(model.hasGroups());
    QCOMPARE(model.rowCount(), 2);
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(shown(0, KernelModel::Dispatch), u"matmul_1"_s);
    QCOMPARE(shown(0, KernelModel::Places), u"\u00d73"_s);
    QCOMPARE(shown(0, KernelModel::Total), u"30.0 \u00b5s"_s);
    QCOMPARE(shown(0, KernelModel::Median), u"10.0 \u00b5s"_s);
    QCOMPARE(shown(0, KernelModel::Bytes), u"1 KiB"_s);
    QCOMPARE(shown(0, KernelModel::TotalBytes), u"3 KiB"_s);
    QCOMPARE(shown(0, KernelModel::Where), u"layer 1 to 3"_s);
    QCOMPARE(shown(1, KernelModel::Places), QString());
    QCOMPARE(model.index(0, KernelModel::Places).data(KernelModel::SortRole).toInt(), 3);
    QCOMPARE(model.rowOf(3), 0);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"in 3 places: layer 1 to 3"_s));

    // Beside a run before, in which one of them was not there and each took twice as long.
    QList<protocol::Kernel> before = report.kernels;
    before.removeLast();
    for (protocol::Kernel &kernel : before)
      kernel.medianUs *= 2;
    model.setBefore(before);
    QCOMPARE(model.before(0), 15.0);
    QCOMPARE(model.ratio(0), 0.5);

    model.setGrouped(false);
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(shown(3, KernelModel::Dispatch), u"matmul_3"_s);
    QCOMPARE(shown(3, KernelModel::Where), u"layer 3"_s);
    QCOMPARE(model.rowOf(3), 3);
    QCOMPARE(model.ratio(3), -1.0);
    model.setGrouped(true);
    report.groups[0].kernels = {0, 2, 7}; // of an engine that is wrong
    model.setReport(report);
    QCOMPARE(model.rowCount(), 4);
    model.setReport({});
    QVERIFY(!model.hasGroups());
  }

  void resultsHaveStatistics() {
    OutputModel model;
    QAbstractItemModelTester tester(&model, strict);
    model.setOutputs(wrongRun().outputs);
    QCOMPARE(model.rowCount(), 2);
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(shown(0, OutputModel::AbsError), u"2.5e-01"_s);
    QCOMPARE(shown(0, OutputModel::Nonfinite), u"1 (expected 0)"_s);
    QCOMPARE(shown(0, OutputModel::Min), u"-1.5"_s);
    QCOMPARE(shown(0, OutputModel::Mean), u"\u2014"_s);
    QVERIFY(verdictText(model.outputs()[1]).startsWith(u"agrees"_s));
    QVERIFY(valuesText(model.outputs()[0]).startsWith(u"first 5 of 100: 1, 2.5"_s));
    model.setStale(true);
    QVERIFY(model.index(1, 0).data(OutputModel::StaleRole).toBool());
  }

  void inputsAreChosenByArgument() {
    InputModel model;
    QAbstractItemModelTester tester(&model, strict);
    protocol::RunArguments told;
    decode({{u"arguments"_s, QJsonArray{QJsonObject{{u"name"_s, u"arg0"_s}, {u"type"_s, u"tensor<2x3xf32>"_s}}}}},
           told);
    model.setInputs(told.arguments);
    QCOMPARE(model.index(0, InputModel::Source).data().toString(), u"random"_s);
    QCOMPARE(model.index(0, InputModel::Note).data().toString(), QString());
    QVERIFY(model.chosen().isEmpty());
    QVERIFY(model.flags(model.index(0, InputModel::Source)).testFlag(Qt::ItemIsEditable));
    QVERIFY(!model.flags(model.index(0, InputModel::Type)).testFlag(Qt::ItemIsEditable));
    QVERIFY(model.setData(model.index(0, InputModel::Source), u" zeros "_s));
    QCOMPARE(model.chosen().value(u"arg0"_s), u"zeros"_s);
    model.setInputs(wrongRun().inputs); // of a run before: the choice stays
    QCOMPARE(model.index(0, InputModel::Source).data().toString(), u"zeros"_s);
    QCOMPARE(model.index(0, InputModel::Note).data().toString(), u"from the next run on"_s);
    QVERIFY(model.setData(model.index(0, InputModel::Source), u"random"_s));
    QVERIFY(model.chosen().isEmpty());
    QCOMPARE(model.index(0, InputModel::Note).data().toString(), u"normal distribution"_s);
    model.setData(model.index(0, InputModel::Source), u"7"_s);
    model.setInputs({}); // another function
    QVERIFY(model.chosen().isEmpty());
  }
};

QTEST_GUILESS_MAIN(RunModelsTest)
#include "RunModelsTest.moc"
