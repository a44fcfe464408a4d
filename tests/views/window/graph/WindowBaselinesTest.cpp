// Runs side by side, and baselines that are kept with their document.
#include "app/gui/baselines/BaselinesController.h"
#include "app/gui/baselines/DifferencesPanel.h"
#include "app/gui/shell/Drafts.h"
#include "tests/views/window/WindowBench.h"
#include "views/panels/RunPanel.h"
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

struct Bench : WindowBench {
  BaselinesController &baselines = window.controller<BaselinesController>();
  DifferencesPanel &panel = baselines.panel();

  Bench() {
    open(sample(u"softmax.mlir"_s));
    window.activateWindow();
    run.panel().setDevice(u"host"_s);
    run.panel().setBaselines(false);
    run.panel().setRepeat(3);
  }
  void runNow() {
    QSignalSpy finished(&session, &EngineSession::runFinished);
    run.runAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() && window.isSettled(), patience);
  }
  void fuseAll() {
    QSignalSpy fused(&session, &EngineSession::fused);
    session.fuse({.what = FuseRequest::What::All});
    QTRY_VERIFY_WITH_TIMEOUT(!fused.isEmpty() && window.isSettled(), patience);
  }
};

/// Types into the next dialog that asks for a text, and ends it with a key.
void typeIntoDialog(const QString &text, Qt::Key key = Qt::Key_Return) {
  QTimer::singleShot(0, qApp, [=] {
    auto *dialog = qobject_cast<QInputDialog *>(QApplication::activeModalWidget());
    if (!dialog)
      return typeIntoDialog(text, key);
    auto *edit = dialog->findChild<QLineEdit *>();
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, key);
  });
}

void answer(QMessageBox::StandardButton button) {
  QTimer::singleShot(0, qApp, [button] {
    auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
    if (!box)
      return answer(button);
    QTest::mouseClick(box->button(button), Qt::LeftButton);
  });
}

RunDifferences threeRows() {
  const auto run = [](double a, double b, bool hasC) {
    TimedRun run{
        .device = "host", .function = "main", .clock = "host", .caches = "warm", .inputs = {}, .dispatches = {}};
    run.dispatches = {{.place = "m:1:1", .name = "a", .us = {a, a, a}},
                      {.place = "m:2:1", .name = "b", .us = {b, b, b}}};
    if (hasC)
      run.dispatches.push_back({.place = "m:3:1", .name = "c", .us = {3, 3, 3}});
    return run;
  };
  return differencesOf(run(10, 20, true), run(5, 40, false), DifferencesBy::Places);
}

} // namespace

class WindowBaselinesTest : public QObject {
  Q_OBJECT
private slots:
  void theTableOfDifferencesKeepsItsSumLast() {
    DifferenceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDifferences(threeRows());
    QCOMPARE(model.rowCount(), 4);
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(shown(0, DifferenceModel::Dispatch), u"b"_s); // the largest change
    QCOMPARE(shown(0, DifferenceModel::Change), u"+100.0 %"_s);
    QCOMPARE(model.index(0, 0).data(DifferenceModel::ToneRole).toInt(), int(DifferenceModel::Tone::Worse));
    QCOMPARE(shown(1, DifferenceModel::Change), u"\u221250.0 %"_s);
    QCOMPARE(shown(2, DifferenceModel::Remark), u"only before"_s);
    QCOMPARE(shown(2, DifferenceModel::After), u"\u2014"_s);
    QCOMPARE(shown(3, DifferenceModel::Before), u"33.0 µs"_s);
    QCOMPARE(shown(3, DifferenceModel::After), u"45.0 µs"_s);
    const QPersistentModelIndex held = model.index(0, 0);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
      for (int column = -1; column < DifferenceModel::ColumnCount; ++column) {
        model.sort(column, order);
        QCOMPARE(shown(3, DifferenceModel::Dispatch), u"Sum of one pass"_s);
        QCOMPARE(held.data().toString(), u"b"_s);
      }
    model.sort(DifferenceModel::Before, Qt::AscendingOrder);
    QCOMPARE(shown(0, DifferenceModel::Dispatch), u"c"_s);
    model.setDifferences({});
    QCOMPARE(model.rowCount(), 0);
  }

  void equalDispatchesHaveTheirNumber() {
    TimedRun run{.device = "host", .function = "main", .clock = {}, .caches = {}, .inputs = {}, .dispatches = {}};
    for (const char *place : {"m:1:1", "m:2:1", "m:3:1"})
      run.dispatches.push_back({.place = place, .name = "main_dispatch_4_add", .group = 0, .us = {2, 1, 3}});
    TimedRun after = run;
    after.dispatches.pop_back();
    DifferenceModel model;
    model.setDifferences(differencesOf(run, run, DifferencesBy::Places));
    QCOMPARE(model.index(0, DifferenceModel::Dispatch).data().toString(), u"4_add \u00d73"_s);
    QCOMPARE(model.index(0, DifferenceModel::Before).data().toString(), u"6.00 µs"_s);
    QCOMPARE(model.index(0, DifferenceModel::Remark).data().toString(), u"within noise"_s);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().startsWith(u"main_dispatch_4_add\n"_s));
    model.setDifferences(differencesOf(run, after, DifferencesBy::Names));
    QCOMPARE(model.index(0, DifferenceModel::Dispatch).data().toString(), u"4_add \u00d73 \u2192 \u00d72"_s);
  }

  void aBaselineIsWrittenWhole() {
    KeptRun run;
    run.name = u"first"_s;
    run.of = u"Step 1, x"_s;
    run.when = QDateTime::fromString(u"2026-01-02T03:04:05"_s, Qt::ISODate);
    run.run = {.device = "vulkan:0",
               .function = "main",
               .clock = "device",
               .caches = "flushed",
               .inputs = "f32",
               .isOk = true,
               .launches = 3,
               .dispatches = {{.place = "m:1:1",
                               .name = "a",
                               .onHost = true,
                               .once = true,
                               .group = 4,
                               .us = {2, 1, 3},
                               .parts = {"m:1:1", "m:2:1"}}}};
    const KeptRun read = keptRunOf(toJson(run));
    QCOMPARE(toJson(read), toJson(run));
    QCOMPARE(read.run.dispatches[0].group, 4);
    QCOMPARE(read.run.dispatches[0].us.high, 3.0);
    QCOMPARE(read.run.dispatches[0].parts.size(), size_t(2));
    QVERIFY(keptRunOf({}).run.dispatches.empty());
  }

  void twoRunsOfASessionAreATable() {
    Bench bench;
    bench.run.raise();
    bench.baselines.compareAction()->trigger();
    QVERIFY(bench.panel.isVisible() && bench.panel.model().rowCount() == 0);
    QVERIFY(!bench.baselines.keepAction()->isEnabled() && !bench.panel.csvButton()->isEnabled());
    bench.runNow();
    QCOMPARE(bench.panel.model().rowCount(), 0);
    const double before = bench.run.kernels().rowCount();
    bench.fuseAll();
    bench.runNow();
    const RunDifferences &table = bench.panel.model().differences();
    QVERIFY(bench.panel.model().rowCount() > 1 && bench.run.kernels().rowCount() < before);
    QVERIFY(std::any_of(table.rows.begin(), table.rows.end(),
                        [](const RunDifference &row) { return !row.mergedInto.empty(); }));
    QVERIFY2(bench.panel.summary().contains(u" before, "_s), qPrintable(bench.panel.summary()));
    QVERIFY(bench.panel.csvButton()->isEnabled());
    // The keyboard chooses others: with itself there is nothing to compare.
    bench.panel.afterBox()->setFocus();
    QTest::keyClick(bench.panel.afterBox(), Qt::Key_Down);
    QCOMPARE(bench.panel.before(), bench.panel.after());
    QCOMPARE(bench.panel.model().rowCount(), 0);
    QTest::keyClick(bench.panel.afterBox(), Qt::Key_Up);
    QVERIFY(bench.panel.model().rowCount() > 1);
  }

  void baselinesAreKeptRenamedAndDeletedByKeyboard() {
    Bench bench;
    bench.runNow();
    typeIntoDialog(u"before the fusion"_s);
    bench.baselines.keepAction()->trigger();
    QCOMPARE(bench.baselines.runs()[0].name, u"before the fusion"_s);
    bench.fuseAll();
    bench.runNow();
    QCOMPARE(bench.panel.before(), 0); // a baseline stays what runs are compared with
    QVERIFY(bench.panel.model().rowCount() > 1);
    const QString shown = bench.panel.summary();
    // On disk at once, for a window that is killed.
    const Drafts::Name name{u"baselines"_s, bench.session.document().path};
    {
      Settings again(bench.scratch.filePath(u"settings.ini"_s));
      QCOMPARE(again.drafts().find(name)["baselines"_L1].toArray().size(), 1);
    }
    typeIntoDialog(u"unfused"_s);
    bench.baselines.renameAction()->trigger();
    QCOMPARE(bench.baselines.runs()[0].name, u"unfused"_s);
    QCOMPARE(bench.panel.summary(), shown);
    // It comes back with its document, without the runs of the session before.
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    QVERIFY(bench.baselines.runs().isEmpty());
    bench.open(sample(u"softmax.mlir"_s));
    QCOMPARE(bench.baselines.runs().size(), 1);
    bench.runNow();
    QCOMPARE(bench.panel.before(), 0);
    QVERIFY(bench.panel.model().rowCount() > 1);
    answer(QMessageBox::No);
    bench.baselines.removeAction()->trigger();
    QCOMPARE(bench.baselines.runs().size(), 2);
    answer(QMessageBox::Yes);
    bench.baselines.removeAction()->trigger();
    QCOMPARE(bench.baselines.runs().size(), 1);
    QVERIFY(!bench.baselines.removeAction()->isEnabled() && !bench.baselines.renameAction()->isEnabled());
    Settings again(bench.scratch.filePath(u"settings.ini"_s));
    QVERIFY(again.drafts().find(name).isEmpty());
  }

  void aDialogThatIsLeftKeepsNothing() {
    Bench bench;
    bench.runNow();
    typeIntoDialog(u"x"_s, Qt::Key_Escape);
    bench.baselines.keepAction()->trigger();
    QCOMPARE(bench.baselines.runs().size(), 1);
    QVERIFY(!bench.baselines.runs()[0].isBaseline());
  }

  void aNameThatIsTakenIsAskedFor() {
    Bench bench;
    bench.runNow();
    const KeptRun run = bench.baselines.runs()[0];
    bench.baselines.keep(run, u"a"_s);
    QTimer::singleShot(0, this, [] { typeIntoDialog(u"a"_s); });
    QTimer::singleShot(0, this, [] { answer(QMessageBox::Yes); });
    bench.baselines.keepAction()->trigger();
    QCOMPARE(bench.baselines.runs().size(), 2);
    bench.baselines.keep(run, u"b"_s);
    bench.baselines.rename(1, u"a"_s); // nothing is replaced by a new name
    QCOMPARE(bench.baselines.runs()[1].name, u"b"_s);
  }

  void aDispatchAloneIsNoRunToCompare() {
    Bench bench;
    QSignalSpy finished(&bench.session, &EngineSession::runFinished);
    bench.run.runDispatch(u"0"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() && bench.window.isSettled(), patience);
    QVERIFY(bench.baselines.runs().isEmpty());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowBaselinesTest)
#include "WindowBaselinesTest.moc"
