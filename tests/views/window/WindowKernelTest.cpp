// The code of kernels in the real window with the real engine process.
#include "app/gui/kernel/KernelController.h"
#include "tests/views/window/WindowBench.h"
#include "views/dialogs/DeviceDialog.h"
#include "views/kernel/KernelPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/TargetBox.h"
#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace fuselage;
using namespace Qt::StringLiterals;

static QString factOf(const KernelPanel &panel, const QString &key) {
  for (const protocol::KernelUnit &kernel : panel.code().kernels)
    for (const protocol::KernelFact &fact : kernel.facts)
      if (fact.key == key)
        return fact.value;
  return {};
}

class WindowKernelTest : public QObject {
  Q_OBJECT
private slots:
  void followsTheSelectionAndTheTarget() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    auto &kernel = bench.window.controller<KernelController>();
    KernelPanel &panel = kernel.panel();
    kernel.raise();
    QVERIFY(!panel.hasCode());

    bench.text.select(bench.graph.find(u"matmul"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasCode(), patience);
    QVERIFY(panel.code().dispatch.contains(u"matmul_128x768x768"_s));
    QCOMPARE(panel.listing()->stage, u"spirv"_s);
    QVERIFY(panel.facts()->topLevelItemCount() > 0);
    QVERIFY(!factOf(panel, u"threads"_s).isEmpty());

    // What comes from the op is marked, and a line says where it comes from.
    QVERIFY(panel.showStage(u"linalg"_s));
    const protocol::KernelListing *listing = panel.listing();
    int line = -1;
    for (int i = 0; i < panel.text()->source()->lineCount(); ++i)
      if (panel.text()->source()->line(i)->contains(u"linalg.matmul"_s))
        line = i;
    QVERIFY(line >= 0 && !listing->places.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(panel.text()->rectOfLine(line).isValid(), patience);
    QTest::mouseClick(panel.text()->viewport(), Qt::LeftButton, {}, panel.text()->rectOfLine(line).center());
    QTRY_VERIFY(panel.origin()->text().contains(u"matmul_transpose_bias.mlir:"_s));

    // And leads there: back from another op of the dispatch.
    const NodeId product = bench.text.selected();
    bench.text.select(bench.graph.find(u"fill"_s), true);
    QVERIFY(bench.text.selected() != product);
    panel.text()->setFocus();
    QTest::keyClick(panel.text(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.selected(), product, patience);

    panel.target()->setLanguage(u"ptx"_s);
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasCode() && panel.code().target == u"ptx"_s, patience);
    QVERIFY2(panel.listing()->stage == u"linalg"_s, "the stage that was chosen stays");
    QVERIFY(panel.showStage(u"ptx"_s));
    QVERIFY(panel.listing()->text.contains(u".target "_s + panel.chip()));
  }

  void followsADeviceThatIsNotHere() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    auto &kernel = bench.window.controller<KernelController>();
    KernelPanel &panel = kernel.panel();
    kernel.raise();
    QTRY_VERIFY_WITH_TIMEOUT(panel.target()->hasModels(), patience);
    bench.text.select(bench.graph.find(u"matmul"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasCode(), patience);
    panel.target()->setDevice(u"a100"_s);
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasCode() && panel.code().chip == u"sm_80"_s, patience);
    QVERIFY(panel.target()->currentText().contains(u"A100"_s));
    panel.target()->setDevice(u"/nowhere/device.json"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.hasCode(), patience);
    QCOMPARE(panel.facts()->topLevelItemCount(), 0);
  }

  void tellsWhatIsKnownOfDevices() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.run.devicesAction()->trigger();
    auto *dialog = bench.window.findChild<DeviceDialog *>();
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->list()->count() > 2, patience);
    const QList<QListWidgetItem *> found = dialog->list()->findItems(u"H100"_s, Qt::MatchContains);
    QCOMPARE(found.size(), 1);
    dialog->list()->setCurrentItem(found.front());
    const QList<QTreeWidgetItem *> chip = dialog->facts()->findItems(u"chip"_s, Qt::MatchExactly);
    QCOMPARE(chip.size(), 1);
    QCOMPARE(chip.front()->text(1), u"sm_90"_s);
    QVERIFY(!chip.front()->text(2).isEmpty());
  }

  void checksForRaces() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    auto &kernel = bench.window.controller<KernelController>();
    KernelPanel &panel = kernel.panel();
    kernel.raise();
    QVERIFY(!panel.checkButton()->isEnabled());
    bench.text.select(bench.graph.find(u"transpose"_s), true);
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasCode(), patience);
    QVERIFY(panel.checkProgress()->isHidden());
    QSignalSpy progress(&bench.session, &EngineSession::kernelProgress);
    QTest::mouseClick(panel.checkButton(), Qt::LeftButton);
    QVERIFY(panel.isChecking() && !panel.checkProgress()->isHidden());
    int most = 0;
    connect(panel.checkProgress(), &QProgressBar::valueChanged, this,
            [&most](int value) { most = std::max(most, value); });
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isChecking(), patience);
    QVERIFY(panel.checkProgress()->isHidden());
    QVERIFY(!progress.isEmpty());
    QVERIFY2(most > 0 && most == progress.last()[0].value<protocol::KernelProgress>().total,
             "the last launch ran to its end");
    const QString found = panel.facts()->topLevelItem(0)->text(0);
    QVERIFY2(found.startsWith(u"Check for races: ok: "_s) && found.contains(u"elements compared with the host"_s),
             qPrintable(found));

    // A finding leads to the line of the mapped code that it is about.
    protocol::KernelCheck bad;
    bad.summary = u"1 finding"_s;
    protocol::KernelFinding finding;
    finding.kind = u"read-write race"_s;
    finding.first.op = u"memref.load"_s;
    finding.first.line = 3;
    bad.findings.append(finding);
    panel.setCheck(bad);
    QTreeWidgetItem *item = panel.facts()->topLevelItem(0)->child(0);
    QCOMPARE(item->text(0), finding.kind);
    emit panel.facts()->itemClicked(item, 0);
    QCOMPARE(panel.listing()->stage, u"mapped"_s);
    panel.target()->setLanguage(u"host"_s);
    QTRY_VERIFY_WITH_TIMEOUT(panel.hasCode() && panel.code().target == u"host"_s, patience);
    QVERIFY2(!panel.checkButton()->isEnabled(), "the host has no workgroups");
  }

  void saysWhatToDoWithoutADispatch() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    auto &kernel = bench.window.controller<KernelController>();
    kernel.raise();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(!kernel.panel().hasCode());
    QCOMPARE(kernel.panel().facts()->topLevelItemCount(), 0);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowKernelTest)
#include "WindowKernelTest.moc"
