// Kernels run from the window.
#include "core/protocol/methods/RunMethods.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/RunPanel.h"
#include "views/panels/RunResults.h"
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

using namespace fuselage;
using namespace Qt::StringLiterals;

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
    QVERIFY2(panel.message().contains(u"in sum"_s) && panel.message().contains(u"agrees"_s),
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

private:
  void runOn(const QString &device) {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy failed(&bench.session, &EngineSession::runFailed);
    bench.run.runOn(device);
    QTRY_VERIFY_WITH_TIMEOUT(bench.run.kernels().rowCount() > 0 || !failed.isEmpty(), patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
    for (int row = 0; row < bench.run.kernels().rowCount(); ++row)
      QVERIFY(bench.run.kernels().index(row, 0).data(KernelModel::OkRole).toBool());
    QVERIFY(bench.run.panel().isVisible());
    QCOMPARE(bench.run.panel().table()->model()->rowCount(), bench.run.kernels().rowCount());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowRunTest)
#include "WindowRunTest.moc"
