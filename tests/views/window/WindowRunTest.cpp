// Kernels run from the window.
#include "tests/views/window/WindowBench.h"
#include "views/panels/RunPanel.h"
#include <QSignalSpy>
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
    bench.session.client().call<protocol::Devices>(u"devices/list"_s, {}, this, [&](const protocol::Devices &devices) {
      isAnswered = true;
      for (const protocol::Device &device : devices.devices)
        hasVulkan |= device.id == "vulkan:0"_L1;
    });
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered, patience);
    if (!hasVulkan)
      QSKIP("no Vulkan device here");
    runOn(u"vulkan:0"_s);
  }

private:
  void runOn(const QString &device) {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy failed(&bench.session, &EngineSession::runFailed);
    bench.window.runOn(device);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.kernels().rowCount() > 0 || !failed.isEmpty(), patience);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<protocol::Error>().message));
    for (int row = 0; row < bench.window.kernels().rowCount(); ++row)
      QVERIFY(bench.window.kernels().index(row, 0).data(KernelModel::OkRole).toBool());
    QVERIFY(bench.window.runPanel().isVisible());
    QCOMPARE(bench.window.runPanel().table()->model()->rowCount(), bench.window.kernels().rowCount());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowRunTest)
#include "WindowRunTest.moc"
