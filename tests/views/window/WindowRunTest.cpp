// Kernels run from the window.
#include "core/protocol/methods/RunMethods.h"
#include "tests/views/window/WindowBench.h"
#include "views/charts/RunTimeline.h"
#include "views/graph/GraphView.h"
#include "views/panels/RunPanel.h"
#include "views/panels/RunResults.h"
#include "views/widgets/EmptyHint.h"
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// Matmuls of several sizes, one after the other: as many dispatches.
static QByteArray chain() {
  QByteArray text = "func.func @chain(%x: tensor<64x64xf32>) -> tensor<64x120xf32> {\n"
                    "  %zero = arith.constant 0.0 : f32\n";
  const int sizes[] = {64, 80, 96, 112, 72, 88, 104, 120};
  QByteArray last = "%x";
  for (int i = 0; i + 1 < int(std::size(sizes)); ++i) {
    const QByteArray n = QByteArray::number(i), k = QByteArray::number(sizes[i]);
    const QByteArray result = "tensor<64x" + QByteArray::number(sizes[i + 1]) + "xf32>";
    const QByteArray weight = "tensor<" + k + "x" + QByteArray::number(sizes[i + 1]) + "xf32>";
    text += "  %w" + n + " = arith.constant dense<0.01> : " + weight + "\n";
    text += "  %e" + n + " = tensor.empty() : " + result + "\n";
    text += "  %f" + n + " = linalg.fill ins(%zero : f32) outs(%e" + n + " : " + result + ") -> " + result + "\n";
    text += "  %m" + n + " = linalg.matmul ins(" + last + ", %w" + n + " : tensor<64x" + k + "xf32>, " + weight +
            ") outs(%f" + n + " : " + result + ") -> " + result + "\n";
    last = "%m" + n;
  }
  return text + "  return " + last + " : tensor<64x120xf32>\n}\n";
}
static constexpr int dispatches = 7;

/// A run that goes on for half a minute, and has rows by then.
struct LongRun : WindowBench {
  RunPanel &panel = run.panel();
  LongRun() {
    open(write(u"chain.mlir"_s, chain()));
    run.raise();
    panel.setDevice(u"host"_s);
    panel.setBaselines(false);
    panel.setRepeat(100'000);
  }
  bool isRunning() const { return session.state() == EngineSession::State::Running; }
  bool hasRows() { return run.kernels().rowCount() > 0 || !isRunning(); }
};

class WindowRunTest : public QObject {
  Q_OBJECT
private slots:
  void runsOnTheHostDevice() { runOn(u"host"_s); }

  void runsOnVulkan() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bool hasVulkan = false, isAnswered = false;
    bench.session.client().call<method::ListDevices>({}, this, [&](const protocol::Devices &devices) {
      isAnswered = true;
      for (const protocol::Device &device : devices.devices)
        hasVulkan |= device.id == "vulkan:0"_L1;
    });
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered, patience);
    if (!hasVulkan)
      QSKIP("no Vulkan device here");
    runOn(u"vulkan:0"_s);
  }

  void theFirstRunUsesTheDeviceThatIsShown() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy finished(&bench.session, &EngineSession::runFinished), failed(&bench.session, &EngineSession::runFailed);
    bench.run.runAction()->trigger(); // the panel has never been open
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() || !failed.isEmpty(), patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
    QCOMPARE(finished.size(), 1);
    QCOMPARE(finished[0][0].value<protocol::RunReport>().device, bench.run.panel().device());
  }

  void whatCameOutIsShown() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.run.kernels().rowCount() > 0, patience);
    RunPanel &panel = bench.run.panel();
    QCOMPARE(panel.results().model().rowCount(), 1);
    QVERIFY2(panel.message().contains(u"in total"_s) && panel.message().contains(u"agrees"_s),
             qPrintable(panel.message()));
    QCOMPARE(panel.inputs().rowCount(), 1);
    QCOMPARE(panel.inputs().index(0, InputModel::Type).data().toString(), u"tensor<12x128x128xf32>"_s);
  }

  void sizesThatNobodyGaveAreChosenAndShown() {
    WindowBench bench;
    bench.open(sample(u"dynamic_matmul.mlir"_s));
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.run.kernels().rowCount() > 0, patience);
    QVERIFY2(bench.run.panel().message().contains(u"agrees"_s), qPrintable(bench.run.panel().message()));
    QStringList names;
    for (QSpinBox *box : bench.run.panel().findChildren<QSpinBox *>())
      names.append(box->accessibleName());
    QVERIFY2(names.contains(u"Size of arg0.0"_s), qPrintable(names.join(u", "_s)));
  }

  void resultsOfAnotherProgramAreOutOfDate() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.run.kernels().rowCount() > 0, patience);
    RunPanel &panel = bench.run.panel();
    const QString fresh = panel.message();
    QVERIFY(!bench.run.kernels().isStale());
    QVERIFY(!bench.graph.view().heat().isEmpty());
    bench.steps.select(1); // looking at another step changes nothing
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!bench.run.kernels().isStale());
    bench.session.fuse({.what = FuseRequest::What::All});
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.undoLevels() == 1, patience);
    QVERIFY(bench.run.kernels().isStale());
    QVERIFY2(panel.message().startsWith(u"Out of date"_s), qPrintable(panel.message()));
    QVERIFY(bench.graph.view().heat().isEmpty());
    bench.session.undoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.undoLevels() == 0, patience);
    QVERIFY(!bench.run.kernels().isStale()); // it is the program that ran
    QCOMPARE(panel.message(), fresh);
    QVERIFY(!bench.graph.view().heat().isEmpty());
    bench.session.redoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.undoLevels() == 1, patience);
    QVERIFY(bench.run.kernels().isStale());
    bench.run.runOn(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && !bench.run.kernels().isStale(), patience);
    bench.session.undoFusion();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.session.undoLevels() == 0, patience);
    QVERIFY(bench.run.kernels().isStale());
  }

  void rowsAppearAndTheCancelButtonKeepsThem() {
    LongRun bench;
    RunPanel &panel = bench.panel;
    QCOMPARE(panel.hint().title(), u"Nothing has run yet"_s);
    QTest::mouseClick(panel.runButton(), Qt::LeftButton);
    QVERIFY(bench.isRunning());
    QVERIFY(panel.hint().title() != "Nothing has run yet"_L1);
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasRows(), patience);
    QVERIFY(bench.isRunning());
    QVERIFY2(panel.message().contains(u" of 7 dispatches"_s), qPrintable(panel.message()));
    QVERIFY2(panel.timeline().isVisible() && panel.timeline().text().contains(u"compile "_s) &&
                 panel.timeline().text().contains(u"run "_s),
             qPrintable(panel.timeline().text()));
    QTest::mouseClick(panel.cancelButton(), Qt::LeftButton);
    expectKept(bench);
    QVERIFY2(panel.message().startsWith(u"host: cancelled after "_s), qPrintable(panel.message()));
    QVERIFY(!panel.csv().isEmpty());
    QVERIFY(!bench.graph.view().heat().isEmpty());
    QVERIFY2(panel.timeline().text().contains(u"run "_s), qPrintable(panel.timeline().text()));
    // The next one has all, and is not compared with a part.
    panel.setRepeat(1);
    QTest::mouseClick(panel.runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.run.kernels().rowCount(), dispatches);
    QVERIFY2(panel.message().contains(u"agrees"_s), qPrintable(panel.message()));
    QVERIFY(panel.comparison().isEmpty());
  }

  void theKeyboardCancelsARun() {
    LongRun bench;
    bench.window.activateWindow();
    QTest::keyClick(&bench.window, Qt::Key_R, Qt::ControlModifier);
    QVERIFY(bench.isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasRows(), patience);
    QTest::keyClick(&bench.window, Qt::Key_Period, Qt::ControlModifier);
    expectKept(bench);
    QVERIFY2(bench.panel.message().startsWith(u"host: cancelled after "_s), qPrintable(bench.panel.message()));
  }

  void aKilledEngineLeavesTheRowsThatThereAre() {
    LongRun bench;
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    QTest::mouseClick(bench.panel.runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.hasRows(), patience);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    expectKept(bench);
    const QString message = bench.panel.message();
    QVERIFY2(message.contains(u"SIGKILL"_s) && message.contains(u" of 7 dispatches had finished"_s),
             qPrintable(message));
    QVERIFY(!bench.panel.csv().isEmpty());
  }

  void aCancelBeforeTheFirstRowLeavesTheLastRun() {
    LongRun bench;
    bench.panel.setRepeat(1);
    bench.run.runAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.run.kernels().rowCount(), dispatches);
    bench.run.runAction()->trigger();
    bench.engine.cancelAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.run.kernels().rowCount(), dispatches);
    QVERIFY2(bench.panel.message().startsWith(u"Cancelled"_s), qPrintable(bench.panel.message()));
  }

private:
  /// Some rows, and not all.
  static void expectKept(LongRun &bench) {
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const int rows = bench.run.kernels().rowCount();
    QVERIFY2(rows > 0 && rows < dispatches, qPrintable(QString::number(rows)));
    for (int row = 0; row < rows; ++row)
      QVERIFY(!bench.run.kernels().index(row, KernelModel::Median).data().toString().isEmpty());
    QVERIFY(!bench.panel.cancelButton()->isEnabled() && bench.panel.runButton()->isEnabled());
  }

  void runOn(const QString &device) {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy failed(&bench.session, &EngineSession::runFailed);
    bench.run.runOn(device);
    QTRY_VERIFY_WITH_TIMEOUT((bench.window.isSettled() && bench.run.kernels().rowCount() > 0) || !failed.isEmpty(),
                             patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
    for (int row = 0; row < bench.run.kernels().rowCount(); ++row)
      QVERIFY(bench.run.kernels().index(row, 0).data(KernelModel::OkRole).toBool());
    QVERIFY(bench.run.panel().isVisible());
    QCOMPARE(bench.run.panel().table()->model()->rowCount(), bench.run.kernels().rowCount());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowRunTest)
#include "WindowRunTest.moc"
