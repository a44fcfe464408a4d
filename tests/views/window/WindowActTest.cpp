// From look to act: sizes of tiles into the pipeline, a dispatch alone, runs beside each other, and what is remembered.
#include "app/gui/outcome/OutcomeController.h"
#include "app/gui/outcome/OutcomePanel.h"
#include "core/protocol/methods/RunMethods.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/RunPanel.h"
#include "views/tiles/TileExplorerPanel.h"
#include "views/tiles/TileSizes.h"
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowActTest : public QObject {
  Q_OBJECT
private slots:
  void tileSizesGoIntoThePipeline() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.showTiles(u"matmul"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.tiles.panel().hasDomain(), patience);
    const QString all = bench.tiles.panel().tileSizes().remove(u' '),
                  workgroups = bench.tiles.panel().workgroupSizes().remove(u' ');
    QTest::mouseClick(bench.tiles.panel().pipelineButton(), Qt::LeftButton);
    PipelineEdit *edit = bench.pipeline.panel().edit();
    QTRY_VERIFY(edit->hasFocus());
    const QString text = edit->toPlainText();
    QVERIFY2(text.contains(u"fuselage-tile-to-workgroups{tile-sizes=%1"_s.arg(workgroups)), qPrintable(text));
    QVERIFY2(text.contains(u"fuselage-tile-reductions{tile-sizes=%1"_s.arg(all)), qPrintable(text));
    // It is what is recorded, with these sizes, and it can be recorded.
    QSignalSpy recorded(&bench.session, &EngineSession::recorded);
    QTest::keyClick(edit, Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!recorded.isEmpty() && bench.window.isSettled(), patience);
    QVERIFY(!recorded[0][0].value<protocol::Recording>().failed);
    bool isUsed = false;
    for (const protocol::Step &step : bench.session.steps())
      isUsed |= step.options.contains(workgroups);
    QVERIFY(isUsed);
    // Once more: those in the editor are replaced, not added.
    const QString other = PipelinePanel::withTileSizes(text, u"1,2"_s, u"3,4"_s);
    QCOMPARE(other.count(u"tile-sizes"_s), text.count(u"tile-sizes"_s));
    QVERIFY(other.contains(u"fuselage-tile-to-workgroups{tile-sizes=1,2"_s));
    QCOMPARE(PipelinePanel::withTileSizes(u"cse,canonicalize{top-down}"_s, u"1"_s, u"1"_s), QString());
    QCOMPARE(PipelinePanel::withTileSizes(u"fuselage-tile-and-fuse{tile-sizes=8,8 fuse=true}"_s, u"1"_s, u"2,3"_s),
             u"fuselage-tile-and-fuse{tile-sizes=2,3 fuse=true}"_s);
  }

  void aPipelinesErrorStandsBesideTheEditor() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.pipeline.editAction()->trigger();
    PipelinePanel &panel = bench.pipeline.panel();
    panel.edit()->setPlainText(u"  cse,\n   canonicalise"_s);
    QSignalSpy failed(&bench.session, &EngineSession::recordFailed);
    QTest::keyClick(panel.edit(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), patience);
    QVERIFY(panel.errorLabel()->isVisible());
    QVERIFY(panel.errorLabel()->text().contains(u"canonicalise"_s));
    // The list of problems, which shares the place, stays after.
    QTest::qWait(50);
    QVERIFY(!panel.edit()->visibleRegion().isEmpty());
    QVERIFY(panel.edit()->hasFocus());
    // Beside: no pixel of the editor is under it.
    const auto placeOf = [&](QWidget *widget) { return QRect(widget->mapTo(&panel, QPoint()), widget->size()); };
    QWidget *area = panel.findChild<QScrollArea *>();
    QVERIFY(!placeOf(area).intersects(placeOf(panel.edit())));
    QVERIFY(placeOf(area).left() > placeOf(panel.edit()).right());
    // The word is underlined where it was typed, blanks and lines or not.
    const QList<QTextEdit::ExtraSelection> marks = panel.edit()->extraSelections();
    QCOMPARE(marks.size(), 1);
    QCOMPARE(marks[0].cursor.selectedText(), u"canonicalise"_s);
    QTest::keyClick(panel.edit(), Qt::Key_End);
    QTest::keyClicks(panel.edit(), u","_s);
    QVERIFY(!panel.errorLabel()->isVisible());
    QVERIFY(panel.edit()->extraSelections().isEmpty());
  }

  void aDispatchRunsAlone() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    const NodeId matmul = bench.graph.find(u"matmul"_s);
    QString place;
    for (const NodeData &node : bench.graph.view().scene().nodes)
      if (node.id == matmul)
        place = bench.graph.view().scene().dispatchLocs.value(node.dispatch);
    QVERIFY(!place.isEmpty());
    QSignalSpy finished(&bench.session, &EngineSession::runFinished);
    bench.run.panel().setDevice(u"host"_s);
    bench.run.panel().setRepeat(1);
    bench.run.runDispatch(place);
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), patience);
    const auto report = finished[0][0].value<protocol::RunReport>();
    QCOMPARE(report.verdict, protocol::RunVerdict::Ok);
    QCOMPARE(report.kernels.size(), 1);
    QCOMPARE(report.kernels[0].loc, place);
  }

  void aDispatchIsNotForgottenWhileDevicesAreLookedFor() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    const QStringList places = bench.graph.view().scene().dispatchLocs;
    QVERIFY(places.size() > 1);
    QSignalSpy finished(&bench.session, &EngineSession::runFinished);
    QVERIFY(bench.run.panel().needsDevices());
    bench.run.runDispatch(places.last());
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), patience);
    const auto report = finished[0][0].value<protocol::RunReport>();
    QCOMPARE(report.kernels.size(), 1);
    QCOMPARE(report.kernels[0].loc, places.last());
  }

  void aRunThatDiedWithTheEngineDoesNotComeLater() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy run(&bench.session, &EngineSession::runFinished), failed(&bench.session, &EngineSession::runFailed);
    bench.run.panel().setDevice(u"host"_s);
    bench.run.lowerAction()->trigger();
    QCOMPARE(bench.session.state(), EngineSession::State::Recording);
    bench.session.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() == EngineSession::State::Ready && bench.window.isSettled(),
                             patience);
    bench.record(u"builtin.module(cse)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QTest::qWait(500);
    QVERIFY(run.isEmpty() && failed.isEmpty() && bench.session.state() == EngineSession::State::Ready);
  }

  void aCancelledRecordingKeepsItsSteps() {
    WindowBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    QSignalSpy finished(&bench.session, &EngineSession::stepFinished);
    bench.steps.record({}, 0);
    QTRY_VERIFY_WITH_TIMEOUT(finished.size() >= 2, patience);
    bench.engine.cancelAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.session.steps().size() >= 2);
    QCOMPARE(bench.rows(), int(bench.session.steps().size()) + 1);
    // Also in an engine that comes after.
    const int rows = bench.rows();
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), rows);
  }

  void aCancelledSearchKeepsWhatItHasFound() {
    WindowBench bench;
    bench.open(sample(u"bert_attention.mlir"_s));
    bool isFound = false;
    connect(&bench.session, &EngineSession::fuseProgress, this, [&](const protocol::FuseProgress &progress) {
      if (!progress.found.isEmpty() && !std::exchange(isFound, true))
        bench.engine.cancelAction()->trigger();
    });
    QSignalSpy failed(&bench.session, &EngineSession::fuseFailed);
    bench.session.fuse({.what = FuseRequest::What::All});
    QTRY_VERIFY_WITH_TIMEOUT(isFound && bench.window.isSettled(), patience);
    QVERIFY(failed.isEmpty());
    QCOMPARE(bench.session.undoLevels(), 1);
    QVERIFY(bench.session.keptSteps() > 0);
  }

  void twoDevicesStandBesideEachOther() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    run(bench, u"host"_s);
    RunPanel &panel = bench.run.panel();
    QVERIFY(panel.comparison().isEmpty());
    QVERIFY(panel.table()->isColumnHidden(KernelModel::Ratio));
    run(bench, u"host"_s); // the same again is no other run
    QVERIFY(panel.comparison().isEmpty());
    if (!hasVulkan(bench))
      QSKIP("no Vulkan device here");
    run(bench, u"vulkan:0"_s);
    QVERIFY2(panel.comparison().contains(u"Before (host)"_s) && panel.comparison().contains(u"different clocks"_s),
             qPrintable(panel.comparison()));
    QVERIFY(!panel.table()->isColumnHidden(KernelModel::Before) && !panel.table()->isColumnHidden(KernelModel::Ratio));
    const KernelModel &model = bench.run.kernels();
    double sum = 0;
    for (int row = 0; row < model.rowCount(); ++row)
      sum += std::max(0.0, model.ratio(row));
    QVERIFY(sum > 0);
    // Both are in the CSV.
    const QList<QByteArray> lines = panel.csv().split('\n');
    QVERIFY(lines[0].startsWith("run,kind,dispatch"));
    QVERIFY2(panel.csv().contains("\nbefore: host,") && panel.csv().contains("\nnow,"), panel.csv().constData());
  }

  void beforeAndAfterAFusion() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    run(bench, u"host"_s);
    const qsizetype before = bench.run.kernels().rowCount();
    QSignalSpy fused(&bench.session, &EngineSession::fused);
    bench.session.fuse({.what = FuseRequest::What::All});
    QTRY_VERIFY_WITH_TIMEOUT(!fused.isEmpty() && bench.window.isSettled(), patience);
    QVERIFY(bench.run.kernels().isStale());
    // The card offers to go on.
    OutcomePanel &card = bench.window.controller<OutcomeController>().panel();
    QPushButton *offer = nullptr;
    for (QPushButton *button : card.buttons())
      if (button->text() == "Lower and Run"_L1)
        offer = button;
    QVERIFY(offer && offer->isVisible());
    QSignalSpy recorded(&bench.session, &EngineSession::recorded),
        finished(&bench.session, &EngineSession::runFinished);
    QTest::mouseClick(offer, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() && bench.window.isSettled(), patience);
    QCOMPARE(recorded.size(), 1);
    QVERIFY(bench.session.steps().size() > bench.session.keptSteps());
    QVERIFY(bench.run.kernels().rowCount() < before);
    const QString comparison = bench.run.panel().comparison();
    QVERIFY2(comparison.contains(u"another program"_s) && comparison.contains(u"merged or removed since"_s),
             qPrintable(comparison));
    QVERIFY2(comparison.contains(u"lie apart"_s) || comparison.contains(u"noise"_s), qPrintable(comparison));
  }

  /// Asked or chosen once: tiles and buffers use what the run shows, and the run what was given.
  void dynamicSizesAreKnownToRunTilesAndBuffers() {
    WindowBench bench;
    bench.open(sample(u"dynamic_matmul.mlir"_s));
    bench.showTiles(u"matmul"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.tiles.panel().hasDomain(), patience);
    run(bench, u"host"_s);
    RunPanel &panel = bench.run.panel();
    QVERIFY(panel.sizes().contains(u"arg0.0"_s));
    bench.tiles.raise();
    QSignalSpy shown(&bench.tiles, &TileController::shown);
    panel.setSizes({{u"arg0.0"_s, 96}});
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty() && bench.window.isSettled(), patience);
    bool isThere = false;
    for (QLabel *label : bench.tiles.panel().findChildren<QLabel *>())
      isThere |= label->text().contains(u"arg0.0 = 96"_s);
    QVERIFY(isThere);
    QCOMPARE(panel.request().sizes.value(u"arg0.0"_s), 96);
    bench.buffers.raise();
    const auto peak = [&] { return bench.buffers.model().report().peaks.value(u"global"_s); };
    QTRY_VERIFY_WITH_TIMEOUT(peak().bytes > 0 && bench.window.isSettled(), patience);
    QVERIFY(!peak().lowerBound);
    QCOMPARE(peak().bytes % (96 * 512 * 4), 0);
    panel.setSizes({{u"arg0.0"_s, 7}});
    QTRY_VERIFY_WITH_TIMEOUT(peak().bytes > 0 && peak().bytes % (96 * 512 * 4) != 0, patience);
    QCOMPARE(peak().bytes % (7 * 512 * 4), 0);
    QVERIFY(!peak().lowerBound);
    panel.setSizes({{u"arg0.0"_s, 96}});
    // They go with the document.
    QJsonObject state;
    bench.run.saveDocument(state);
    WindowBench other;
    other.open(sample(u"dynamic_matmul.mlir"_s));
    other.run.restoreDocument(state);
    QCOMPARE(other.run.panel().sizes().value(u"arg0.0"_s), 96);
    other.run.restoreDocument(QJsonObject{{u"dynamicSizes"_s, QJsonObject{{u"nonsense"_s, 3}, {u"arg1.0"_s, -4}}}});
    QVERIFY(!other.run.panel().sizes().contains(u"nonsense"_s));
  }

  void deviceRepeatsAndSeedAreRemembered() {
    QTemporaryDir folder;
    const QString path = folder.filePath(u"settings.ini"_s);
    {
      WindowBench bench;
      Settings settings(path);
      bench.run.panel().setDevice(u"host"_s);
      bench.run.panel().setRepeat(7);
      bench.run.panel().setSeed(42);
      bench.run.saveState(settings);
    }
    WindowBench bench;
    bench.run.restoreState(Settings(path));
    QCOMPARE(bench.run.panel().repeat(), 7);
    QCOMPARE(bench.run.panel().seed(), 42);
    bench.run.panel().setDevices({device(u"host"_s), device(u"vulkan:0"_s), device(u"vulkan:1"_s)});
    QCOMPARE(bench.run.panel().device(), u"host"_s);
    // One that is not there is not asked for.
    Settings(path).setText(u"runDevice"_s, u"cuda:9"_s);
    WindowBench other;
    other.run.restoreState(Settings(path));
    other.run.panel().setDevices({device(u"host"_s), device(u"vulkan:0"_s)});
    QCOMPARE(other.run.panel().request().device, u"vulkan:0"_s);
  }

private:
  static protocol::Device device(const QString &id) {
    protocol::Device device;
    device.id = id;
    return device;
  }
  static void run(WindowBench &bench, const QString &device) {
    QSignalSpy finished(&bench.session, &EngineSession::runFinished), failed(&bench.session, &EngineSession::runFailed);
    bench.run.panel().setRepeat(3);
    bench.run.runOn(device);
    QTRY_VERIFY_WITH_TIMEOUT((!finished.isEmpty() || !failed.isEmpty()) && bench.window.isSettled(), patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
  }
  bool hasVulkan(WindowBench &bench) {
    bool hasVulkan = false, isAnswered = false;
    bench.session.client().call<method::ListDevices>({}, this, [&](const protocol::Devices &devices) {
      isAnswered = true;
      for (const protocol::Device &device : devices.devices)
        hasVulkan |= device.id == "vulkan:0"_L1;
    });
    return QTest::qWaitFor([&] { return isAnswered; }, patience) && hasVulkan;
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowActTest)
#include "WindowActTest.moc"
