// The Run panel with reports of every kind: what it says, what it greys, what it draws.
#include "views/panels/RunPanel.h"
#include "views/charts/HeatMap.h"
#include "views/charts/RooflineView.h"
#include "views/charts/RunTimeline.h"
#include "views/models/RunWords.h"
#include "views/panels/RunResults.h"
#include <QImage>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

static protocol::Output matrix() {
  protocol::Output output;
  output.type = u"tensor<4x2x6xf32>"_s;
  output.verdict = protocol::RunVerdict::Ok;
  output.elements = 48;
  output.maxAbsError = output.maxRelError = 1e-7;
  output.values = {u"1"_s, u"2"_s};
  output.worst = protocol::WorstElement{.index = {3, 1, 4}, .actual = u"0.25"_s, .expected = u"0.5"_s};
  output.heat = protocol::HeatSlice{.slice = {3, -1, -1},
                                    .rowDim = 1,
                                    .columnDim = 2,
                                    .rows = 2,
                                    .columns = 3,
                                    .rowExtent = 2,
                                    .columnExtent = 6,
                                    .rowStep = 1,
                                    .columnStep = 2,
                                    .values = {-1, 0, 1, 2, 3, 4},
                                    .errors = {0, 0, 0, 0, 0, 0.25}};
  return output;
}

static protocol::RunReport report(protocol::RunVerdict verdict) {
  protocol::RunReport report;
  report.device = u"host"_s;
  report.verdict = verdict;
  report.sumUs = 1500;
  report.wallUs = 2500;
  protocol::Kernel kernel;
  kernel.dispatch = u"softmax"_s;
  kernel.device = u"host"_s;
  kernel.medianUs = 1000;
  kernel.verdict = verdict;
  protocol::Kernel piece;
  piece.onHost = true;
  piece.dispatch = u"tensor.extract"_s;
  piece.device = u"host"_s;
  piece.medianUs = 500;
  report.kernels = {kernel, piece};
  report.outputs = {matrix()};
  return report;
}

/// The run is at dispatch `done` of 86, whose rows these are.
static protocol::RunProgress progress(int done, qint64 firstRow, const QList<protocol::Kernel> &rows) {
  protocol::RunProgress progress;
  progress.phase = protocol::RunPhase::Run;
  progress.phaseMs = {400, 3000, 12000, 0};
  progress.what = u"main_dispatch"_s;
  progress.dispatchesDone = done;
  progress.dispatches = 86;
  progress.leftMs = 40'000;
  progress.firstRow = firstRow;
  progress.rows = rows;
  return progress;
}

static protocol::Kernel row(const QString &dispatch, protocol::RunVerdict verdict) {
  protocol::Kernel kernel;
  kernel.dispatch = dispatch;
  kernel.device = u"host"_s;
  kernel.medianUs = 1000;
  kernel.verdict = verdict;
  return kernel;
}

class RunPanelTest : public QObject {
  Q_OBJECT
private slots:
  void rowsComeWhileARunGoesOn() {
    using protocol::RunVerdict;
    KernelModel model;
    RunPanel panel(&model);
    panel.begin();
    panel.setRunning(true, true);
    QVERIFY(!panel.partialReport());
    panel.setProgress(progress(1, 0, {row(u"a"_s, RunVerdict::Unchecked)}));
    QVERIFY2(panel.message().startsWith(u"1 of 86 dispatches, about 40 s left"_s), qPrintable(panel.message()));
    QTRY_COMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, KernelModel::AbsError).data().toString(), u"\u2014"_s); // nobody has compared it
    QPersistentModelIndex first = model.index(0, 0);
    panel.setProgress(progress(2, 1, {row(u"b"_s, RunVerdict::Unchecked)}));
    QTRY_COMPARE(model.rowCount(), 2);
    QVERIFY(first.isValid()); // it stays where it is
    // Both are compared: the rows take the place of those that were there.
    panel.setProgress(progress(2, 0, {row(u"a"_s, RunVerdict::Ok), row(u"b"_s, RunVerdict::Ok)}));
    QTRY_VERIFY(model.index(1, 0).data(KernelModel::OkRole).toBool());
    QCOMPARE(model.rowCount(), 2);
    QVERIFY2(panel.timeline().text().startsWith(u"read 400"_s), qPrintable(panel.timeline().text()));
    const auto partial = panel.partialReport();
    QVERIFY(partial && partial->cancelled);
    QCOMPARE(partial->cancelled->after, 2);
    QCOMPARE(partial->cancelled->of, 86);
    QCOMPARE(partial->sumUs, 2000.0);
    panel.setReport(*partial);
    QVERIFY2(panel.message().contains(u"cancelled after 2 of 86 dispatches; of those: 2 kernels, 2.00 ms in total"_s),
             qPrintable(panel.message()));
    QVERIFY(!panel.partialReport());
  }

  void nobodyKnowsHowLongItTakes() {
    KernelModel model;
    RunPanel panel(&model);
    panel.begin();
    protocol::RunProgress at = progress(1, 0, {});
    at.leftMs = -1;
    panel.setProgress(at);
    QVERIFY2(panel.message().startsWith(u"1 of 86 dispatches: "_s), qPrintable(panel.message()));
  }

  void showsChosenSizesAndSendsOnlyTheUsers() {
    KernelModel model;
    RunPanel panel(&model);
    auto field = [&](const QString &name) -> QSpinBox * {
      for (QSpinBox *box : panel.findChildren<QSpinBox *>())
        if (box->accessibleName() == u"Size of "_s + name)
          return box;
      return nullptr;
    };
    panel.offerSizes({{u"arg0.0"_s, 2}, {u"arg0.1"_s, 32}});
    QVERIFY(field(u"arg0.0"_s) && field(u"arg0.1"_s));
    QCOMPARE(field(u"arg0.1"_s)->value(), 32);
    QVERIFY(panel.request().sizes.isEmpty());
    field(u"arg0.1"_s)->setValue(64);
    QCOMPARE(panel.request().sizes, (QMap<QString, qint64>{{u"arg0.1"_s, 64}}));
    panel.offerSizes({{u"arg0.0"_s, 2}}); // the run's choice, after the user's
    QCOMPARE(panel.request().sizes, (QMap<QString, qint64>{{u"arg0.1"_s, 64}}));
    panel.requestSizes({u"arg1.0"_s});
    QCOMPARE(panel.request().sizes.size(), 2);
  }

  void saysWhatRanAndHowLong() {
    KernelModel model;
    RunPanel panel(&model);
    panel.setReport(report(protocol::RunVerdict::Ok));
    QCOMPARE(panel.message(), u"host: 1 kernel and 1 piece on the host, 1.50 ms in total, 2.50 ms end to end; "
                              "agrees with the unfused program (max rel error 1.0e-07)"_s);
    QCOMPARE(panel.table()->model()->rowCount(), 2);
    protocol::RunReport nothing;
    nothing.device = u"host"_s;
    nothing.why = u"@f has no op that makes a kernel"_s;
    panel.setReport(nothing);
    QCOMPARE(panel.message(), u"host: nothing to run: @f has no op that makes a kernel"_s);
    QVERIFY(!panel.message().contains(u"agrees"_s));
    protocol::RunReport vague = report(protocol::RunVerdict::NotComparable);
    vague.why = u"3 of 6 elements are not finite"_s;
    panel.setReport(vague);
    QVERIFY(panel.message().endsWith(u"not comparable: 3 of 6 elements are not finite"_s));
    protocol::RunReport wrong = report(protocol::RunVerdict::Wrong);
    panel.setReport(wrong);
    QVERIFY(panel.message().contains(u"WRONG"_s));
    panel.setReport(report(protocol::RunVerdict::Ok));
    panel.setStale(true);
    QVERIFY(panel.message().startsWith(u"Out of date"_s));
    QVERIFY(model.isStale() && panel.results().model().index(0, 0).data(OutputModel::StaleRole).toBool());
    panel.clear();
    QCOMPARE(panel.message(), QString());
    QCOMPARE(panel.results().model().rowCount(), 0);
  }

  void equalKernelsAreOneRowUntilEachIsWanted() {
    KernelModel model;
    RunPanel panel(&model);
    panel.setReport(report(protocol::RunVerdict::Ok));
    QVERIFY(panel.eachBox()->isHidden() && panel.table()->isColumnHidden(KernelModel::Total));
    protocol::RunReport twice = report(protocol::RunVerdict::Ok);
    twice.kernels.append(twice.kernels.first());
    protocol::KernelGroup kernels, piece;
    kernels.kernels = {0, 2};
    kernels.sumUs = 2000;
    piece.kernels = {1};
    twice.groups = {kernels, piece};
    twice.kernels[0].group = twice.kernels[2].group = 0;
    twice.kernels[1].group = 1;
    panel.setReport(twice);
    QVERIFY(!panel.eachBox()->isHidden());
    QCOMPARE(panel.table()->model()->rowCount(), 2);
    for (const int column : {KernelModel::Places, KernelModel::Total, KernelModel::TotalBytes, KernelModel::Where})
      QVERIFY(!panel.table()->isColumnHidden(column));
    QSignalSpy selected(&panel, &RunPanel::kernelSelected);
    panel.table()->selectRow(0);
    QCOMPARE(selected.size(), 1);
    QCOMPARE(panel.csv().count('\n'), 4); // rows with their groups
    QVERIFY(panel.csv().contains(",0,2,2000,"));
    panel.eachBox()->click();
    QCOMPARE(panel.table()->model()->rowCount(), 3);
    QVERIFY(panel.table()->isColumnHidden(KernelModel::Total));
    panel.eachBox()->click();
    QCOMPARE(panel.table()->model()->rowCount(), 2);
  }

  void saysWhereTheTimeWent() {
    KernelModel model;
    RunPanel panel(&model);
    protocol::RunReport told = report(protocol::RunVerdict::Ok);
    told.onceUs = 3000;
    told.shares = {.readMs = 0,
                   .inputsMs = 20,
                   .formMs = 1,
                   .compileMs = 2000,
                   .uploadMs = 0,
                   .runMs = 1500,
                   .checkMs = 479,
                   .uniqueDispatches = 3,
                   .dispatches = 24,
                   .uniquePieces = 5,
                   .pieces = 100};
    panel.setReport(told);
    QVERIFY2(panel.message().contains(u"1.50 ms in total and 3.00 ms once for weights"_s), qPrintable(panel.message()));
    const QString shares = panel.message().section(u"; "_s, -2);
    QVERIFY2(shares.startsWith(u"4.00 s in all: compiling "_s), qPrintable(shares));
    QVERIFY2(shares.contains(u", running "_s) && shares.contains(u", checking "_s), qPrintable(shares));
    QVERIFY2(shares.endsWith(u"; 3 distinct dispatches compiled for 24 dispatches"_s), qPrintable(shares));
    QVERIFY2(!shares.contains(u"upload"_s), "what took no time is not worth a word");
  }

  void filesOfWeightsGoWithTheRun() {
    KernelModel model;
    RunPanel panel(&model);
    auto *weights = panel.findChild<QToolButton *>(u"weights"_s);
    QVERIFY(weights);
    QCOMPARE(weights->text(), u"Weights: random \u25be"_s);
    QVERIFY(panel.request().parameters.isEmpty());
    QSignalSpy asked(&panel, &RunPanel::parametersRequested);
    const QList<QAction *> choices = weights->findChild<QMenu *>()->actions();
    QCOMPARE(choices.size(), 2);
    choices[0]->trigger();
    QCOMPARE(asked.count(), 1);
    QVERIFY(!choices[1]->isEnabled()); // they are random
    panel.setParameters({u"/models/bert.safetensors"_s, u"/models/head.irpa"_s});
    QCOMPARE(weights->text(), u"Weights: bert.safetensors, head.irpa \u25be"_s);
    QCOMPARE(panel.request().parameters, (QStringList{u"/models/bert.safetensors"_s, u"/models/head.irpa"_s}));
    protocol::RunInput weight;
    weight.name = u"arg1"_s;
    weight.parameter = u"model::head.bias"_s;
    weight.source = u"@/models/head.irpa"_s;
    panel.setArguments({weight});
    QCOMPARE(panel.inputs().index(0, InputModel::Argument).data().toString(), u"arg1 model::head.bias"_s);
    QCOMPARE(panel.inputs().index(0, InputModel::Source).data().toString(), u"@/models/head.irpa"_s);
    choices[1]->trigger();
    QCOMPARE(weights->text(), u"Weights: random \u25be"_s);
    panel.setParameters({u"/models/head.irpa"_s});
    panel.clear(); // another document has other weights
    QVERIFY(panel.request().parameters.isEmpty());
  }

  void theChosenInputsGoWithTheRun() {
    KernelModel model;
    RunPanel panel(&model);
    QVERIFY(panel.needsDevices());
    protocol::RunInput argument;
    argument.name = u"arg0"_s;
    panel.setArguments({argument});
    panel.inputs().setData(panel.inputs().index(0, InputModel::Source), u"iota"_s);
    QCOMPARE(panel.request().inputs.value(u"arg0"_s), u"iota"_s);
    protocol::Device host, gpu;
    host.id = u"host"_s;
    gpu.id = u"vulkan:0"_s;
    panel.setDevices({host, gpu});
    QVERIFY(!panel.needsDevices());
    QCOMPARE(panel.request().device, panel.device());
    QCOMPARE(panel.device(), u"vulkan:0"_s);
  }

  void theHeatMapTellsItsCells() {
    HeatMap map;
    map.resize(300, 200);
    QVERIFY(map.cellText(QPoint(20, 60)).isEmpty());
    QVERIFY(!map.grab().isNull()); // a hint
    map.setOutput(matrix());
    const QRectF cells = map.picture();
    QVERIFY(cells.isValid() && QRectF(map.rect()).contains(cells));
    const QPoint first = (cells.topLeft() + QPointF(3, 3)).toPoint(),
                 last = (cells.bottomRight() - QPointF(3, 3)).toPoint();
    QCOMPARE(map.cellText(first), u"[3, 0, 0\u20131]: largest -1, largest error 0"_s);
    QCOMPARE(map.cellText(last), u"[3, 1, 4\u20135]: largest 4, largest error 0.25"_s);
    const auto colours = [&] {
      const QImage image = map.grab().toImage();
      return std::pair(image.pixelColor(first), image.pixelColor(last));
    };
    const auto values = colours();
    QVERIFY(values.first != values.second);
    map.setShows(HeatMap::Shows::Errors);
    QVERIFY(colours().second != values.second);
    const QColor vivid = colours().second;
    map.setEnabled(false);
    QVERIFY(colours().second != vivid);
    map.resize(60, 40); // no room: nothing is drawn over its edge
    QVERIFY(!map.grab().isNull());
  }

  void theRooflineIsLinkedWithTheTable() {
    KernelModel model;
    RunPanel panel(&model);
    panel.resize(1200, 400);
    panel.setReport(report(protocol::RunVerdict::Ok));
    QVERIFY(panel.roofline().chart().isEmpty()); // no peaks were measured
    QVERIFY(panel.table()->isColumnHidden(KernelModel::Share));

    protocol::RunReport measured = report(protocol::RunVerdict::Ok);
    measured.peaks = protocol::DevicePeaks();
    measured.peaks->peaks = {{.kind = protocol::PeakKind::Bandwidth, .name = u"memory"_s, .rate = 10, .how = {}},
                             {.kind = protocol::PeakKind::Compute, .name = u"f32"_s, .rate = 100, .how = {}}};
    protocol::Kernel &slow = measured.kernels[0];
    slow.flops = 1e6;
    slow.bytes = 1e6;
    slow.limit = {.kind = protocol::LimitKind::Memory, .peak = u"memory"_s, .us = 100, .share = 0.1};
    slow.baselines = {
        {.kind = u"copy"_s, .name = u"copy"_s, .what = u"a copy of 977 KiB"_s, .us = 120, .launches = 10},
        {.kind = u"library"_s, .name = u"OpenBLAS 0.3.21, 2 threads"_s, .what = u"sgemm"_s, .us = 840, .launches = 10}};
    slow.samples = {990, 1000, 1000, 1000, 1010, 1200};
    protocol::Kernel fast = slow;
    fast.dispatch = fast.name = u"matmul"_s;
    fast.flops = 1e8;
    fast.loc = u"m.mlir:9:1"_s;
    measured.kernels.append(fast);
    panel.setReport(measured);
    panel.showRoofline();
    panel.show();
    QVERIFY(!panel.table()->isColumnHidden(KernelModel::Share));
    QCOMPARE(model.index(0, KernelModel::Share).data().toString(), u"10 % memory"_s);
    QCOMPARE(model.index(0, KernelModel::Library).data().toString(), u"0.84"_s);
    QCOMPARE(model.index(1, KernelModel::Library).data().toString(), u"\u2014"_s);
    QVERIFY(model.index(0, KernelModel::Median)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(histogram(measured.kernels[0].samples)));

    RooflineView &view = panel.roofline();
    QCOMPARE(view.chart().now.size(), 2u);
    QVERIFY(view.isVisible());
    QVERIFY(!view.accessibleName().isEmpty());
    QVERIFY(view.accessibleDescription().contains(u"10 % of the memory peak"_s));
    QSignalSpy selected(&panel, &RunPanel::kernelSelected);
    const QPointF place = view.positionOf(1);
    QVERIFY(QRectF(view.rect()).contains(place));
    const QImage before = view.grab().toImage();
    QTest::mouseClick(&view, Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0][0].value<protocol::Kernel>().dispatch, u"matmul"_s);
    QCOMPARE(panel.table()->currentIndex().row(), 2);
    QVERIFY(view.grab().toImage() != before); // it is set apart
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(panel.table()->currentIndex().row(), 0);
    QVERIFY(view.pointToolTip(0).contains(u"10 % of the memory peak"_s));
    QVERIFY(view.svg().contains("matmul</text>"));
    QVERIFY(view.csv().contains("dispatch,matmul,"));
  }

  void timesAreAHistogram() {
    QVERIFY(histogram({1, 2, 3}).isEmpty());
    const QString bars = histogram({1, 1, 1, 1, 9});
    QCOMPARE(bars.size(), 16);
    QCOMPARE(bars.front(), QChar(u'\u2588'));
    QCOMPARE(bars.back(), QChar(u'\u2582'));
    QCOMPARE(bars[8], QChar(u'\u00b7'));
    QCOMPARE(histogram({5, 5, 5, 5, 5}).front(), QChar(u'\u2588'));
  }

  void whatIsWrongIsSelected() {
    RunResults results;
    protocol::Output wrong = matrix();
    wrong.verdict = protocol::RunVerdict::Wrong;
    wrong.why = u"[3, 1, 4] is further off than it may be"_s;
    results.setOutputs({matrix(), wrong});
    QCOMPARE(results.table()->currentIndex().row(), 1);
    QVERIFY2(results.details().contains(wrong.why) &&
                 results.details().contains(u"[3, 1, 4] is 0.25, expected 0.5"_s) &&
                 results.details().contains(u"first 2 of 48: 1, 2"_s),
             qPrintable(results.details()));
    results.clear();
    QVERIFY(results.details().isEmpty());
  }
};

QTEST_MAIN(RunPanelTest)
#include "RunPanelTest.moc"
