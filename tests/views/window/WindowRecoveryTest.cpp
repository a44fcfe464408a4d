// An engine that dies, hangs or works long, and the window that stays.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include <QSignalSpy>
#include <QTextBrowser>
#include <QTimer>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowRecoveryTest : public QObject {
  Q_OBJECT
private slots:
  void killedEngineComesBack() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.steps.select(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const qsizetype nodes = bench.graph.view().scene().nodes.size();
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.isVisible(), patience);
    QVERIFY2(bench.banner.text().contains(u"SIGKILL"_s), qPrintable(bench.banner.text()));
    QCOMPARE(bench.graph.view().scene().nodes.size(), nodes); // all of it stays on screen
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), rows);
    QCOMPARE(bench.steps.panel().currentRow(), 2);
    QVERIFY(bench.banner.isVisible());
    bench.steps.select(1);
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().scene().snapshot, 1, patience);
    QTRY_VERIFY(!bench.banner.isVisible()); // the next step works: it is over
  }

  void aCrashingPassIsNamed() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.record(u"builtin.module(cse,fuselage-test-crash,canonicalize)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const QString text = bench.banner.text();
    QVERIFY2(text.contains(u"fuselage-test-crash"_s) && text.contains(u"SIGSEGV"_s), qPrintable(text));
    QCOMPARE(bench.rows(), 3); // the input, cse, and what crashed
    const QString path = bench.scratch.filePath(u"crash.mlir"_s);
    QString written, problem;
    bench.session.saveCrashReproducer(
        path, this, [&](const QString &file) { written = file; },
        [&](const protocol::Error &error) { problem = error.message; });
    QTRY_VERIFY_WITH_TIMEOUT(!written.isEmpty() || !problem.isEmpty(), patience);
    QCOMPARE(problem, QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("fuselage-test-crash"));
    // Offered until something else was recorded.
    QVERIFY(bench.banner.isVisible());
    bench.window.setFocus();
    QTest::keyClick(&bench.window, Qt::Key_J);
    QTest::keyClick(&bench.window, Qt::Key_J);
    QTest::keyClick(&bench.window, Qt::Key_J);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.steps.currentRow(), 2);
    QCOMPARE(bench.graph.scenes().snapshot(), 1); // its input
    const QString page = bench.steps.panel().findChild<QTextBrowser *>()->toPlainText();
    QVERIFY2(page.contains(u"fuselage-test-crash"_s) && page.contains(u"SIGSEGV"_s), qPrintable(page));
    // The pass and what ran it, below the signal handler.
    QVERIFY2(page.contains(u"mlir::detail::OpToOpPassAdaptor::run"_s) && !page.contains(u"PrintStackTrace"_s),
             qPrintable(page));
    bench.record(u"builtin.module(cse,canonicalize)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.steps.model().crashed(), patience);
  }

  void aHangingPassIsStopped() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy started(&bench.session, &EngineSession::stepStarted);
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.record(u"builtin.module(cse,fuselage-test-hang)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty() &&
                                 started.last()[0].value<protocol::StepStarted>().pass == "fuselage-test-hang"_L1,
                             patience);
    bench.engine.cancelAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY2(bench.banner.text().contains(u"fuselage-test-hang"_s), qPrintable(bench.banner.text()));
    QCOMPARE(bench.rows(), 2);
  }

  void neverBlocksWhileTheEngineWorks() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.record(u"builtin.module(fuselage-test-hang)"_s);
    QSignalSpy started(&bench.session, &EngineSession::stepStarted);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.state() == EngineSession::State::Recording, patience);
    // The loop turns, whatever the engine does.
    int ticks = 0;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] { ++ticks; });
    timer.start(1);
    QTRY_VERIFY_WITH_TIMEOUT(ticks > 100, patience);
    QVERIFY(!bench.window.grab().isNull());
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.engine.cancelAction()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowRecoveryTest)
#include "WindowRecoveryTest.moc"
