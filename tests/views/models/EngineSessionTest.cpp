#include "app/bridge/EngineSession.h"
#include "core/protocol/methods/GraphMethods.h"
#include "core/protocol/methods/TextMethods.h"
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <csignal>

using namespace fuselage;
using namespace Qt::StringLiterals;
using State = EngineSession::State;

static constexpr int patience = 60'000;

/// What the fake engine answers without doing anything.
struct Anything {
  static constexpr const char *name = "anything";
  template <class Types> using Request = method::NoParameters;
  template <class Types> using Reply = message::Nothing<Types>;
};

class EngineSessionTest : public QObject {
  Q_OBJECT

  static QStringList fake(const QString &mode = {}) {
    QStringList command{QStandardPaths::findExecutable(u"python3"_s), QStringLiteral(FAKE_ENGINE)};
    if (!mode.isEmpty())
      command.append(mode);
    return command;
  }

private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable(u"python3"_s).isEmpty())
      QSKIP("python3 is needed for the engine of this test");
  }

  void opensAndRecords() {
    EngineSession session(fake());
    QSignalSpy finished(&session, &EngineSession::stepFinished);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    QCOMPARE(session.document().functions, QStringList{u"f"_s});
    session.record({});
    QTRY_COMPARE_WITH_TIMEOUT(session.steps().size(), 3, patience);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    QCOMPARE(finished.size(), 3);
    QCOMPARE(session.steps()[2].opDelta.value(u"linalg.fill"_s), -2);
    QVERIFY(!session.steps()[1].changed);
  }

  void readsThroughABannerInSmallPieces() {
    EngineSession session(fake(u"banner"_s));
    QSignalSpy log(&session, &EngineSession::logged);
    session.start();
    QTRY_COMPARE_WITH_TIMEOUT(session.engineInfo().engine, u"fake"_s, patience);
    QTRY_VERIFY_WITH_TIMEOUT(log.size() >= 3, patience);
    QStringList lines;
    for (const auto &line : log)
      lines.append(line[0].toString());
    QVERIFY(lines.contains(u"Welcome to the machine"_s));
    QVERIFY(lines.contains(u"fake engine is up"_s));
  }

  void theEngineHasLargePagesButForTheUsersOwnTunables() {
    const QString own = u"glibc.malloc.tcache_count=5"_s;
    for (const QString &set : {QString(), own}) {
      if (set.isEmpty())
        qunsetenv("GLIBC_TUNABLES");
      else
        qputenv("GLIBC_TUNABLES", set.toUtf8());
      EngineSession session({u"/bin/sh"_s, u"-c"_s, u"echo \"tunables: $GLIBC_TUNABLES\" >&2; exec sleep 60"_s});
      QSignalSpy log(&session, &EngineSession::logged);
      session.start();
      QTRY_VERIFY_WITH_TIMEOUT(!log.isEmpty(), patience);
      QCOMPARE(log[0][0].toString(), u"tunables: "_s + (set.isEmpty() ? u"glibc.malloc.hugetlb=1"_s : own));
    }
    qunsetenv("GLIBC_TUNABLES");
  }

  void aBadFileKeepsTheDocument() {
    EngineSession session(fake());
    QSignalSpy failed(&session, &EngineSession::openFailed);
    session.start();
    session.open(u"/tmp/good.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.document().path, u"/tmp/good.mlir"_s, patience);
    session.open(u"/tmp/bad.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    const auto error = failed[0][1].value<protocol::Error>();
    QCOMPARE(error.diagnostics.size(), 1);
    QCOMPARE(error.diagnostics[0].line, 3);
    QCOMPARE(error.diagnostics[0].notes.size(), 1);
    QCOMPARE(session.document().path, u"/tmp/good.mlir"_s);
    QCOMPARE(session.state(), State::Ready);
  }

  void aTypoKeepsTheSteps() {
    EngineSession session(fake());
    QSignalSpy failed(&session, &EngineSession::recordFailed);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.record({});
    QTRY_COMPARE_WITH_TIMEOUT(session.steps().size(), 3, patience);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.record({.pipeline = u"typo"_s, .schedule = {}, .target = {}});
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QCOMPARE(session.steps().size(), 3);
  }

  void namesTheStepThatCrashedAndComesBack() {
    EngineSession session(fake(u"crash-step"_s));
    QSignalSpy crashed(&session, &EngineSession::crashed);
    QSignalSpy recovered(&session, &EngineSession::recovered);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.record({});
    QTRY_COMPARE_WITH_TIMEOUT(crashed.size(), 1, patience);
    const auto report = crashed[0][0].value<CrashReport>();
    QCOMPARE(report.exit.signal, SIGSEGV);
    QCOMPARE(report.exit.reason(), u"SIGSEGV"_s);
    QVERIFY(report.step.has_value());
    QCOMPARE(report.step->pass, u"pass-1"_s);
    QCOMPARE(report.goodSteps, 1);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QCOMPARE(recovered[0][0].toInt(), 1);
    QCOMPARE(session.steps().size(), 1);
    QCOMPARE(session.state(), State::Ready);
    QCOMPARE(session.document().path, u"/tmp/a.mlir"_s);
  }

  void aHangingStepIsCancelledByTheUser() {
    EngineSession session(fake(u"hang-step"_s));
    QSignalSpy started(&session, &EngineSession::stepStarted);
    QSignalSpy crashed(&session, &EngineSession::crashed);
    QSignalSpy recovered(&session, &EngineSession::recovered);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.record({});
    QTRY_COMPARE_WITH_TIMEOUT(started.size(), 2, patience);
    session.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QVERIFY(crashed[0][0].value<CrashReport>().cancelled);
    QCOMPARE(session.steps().size(), 1);
  }

  void aRunThatDoesNotStopEndsWithItsEngine() {
    EngineSession session(fake(u"hang-run"_s));
    QSignalSpy crashed(&session, &EngineSession::crashed);
    QSignalSpy recovered(&session, &EngineSession::recovered);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.run({});
    session.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    const auto report = crashed[0][0].value<CrashReport>();
    QVERIFY(report.cancelled && report.wasRunning);
    QCOMPARE(session.state(), State::Ready);
  }

  void killedWhileIdleComesBackWithAllSteps() {
    EngineSession session(fake());
    QSignalSpy recovered(&session, &EngineSession::recovered);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.record({});
    QTRY_COMPARE_WITH_TIMEOUT(session.steps().size(), 3, patience);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    const qint64 pid = session.client().processId();
    QVERIFY(pid > 0);
    ::kill(pid_t(pid), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QCOMPARE(session.steps().size(), 3);
    QVERIFY(session.client().processId() != pid);
  }

  void anEngineThatDiesOnOpeningIsNotRestartedForEver() {
    EngineSession session(fake(u"crash-open"_s));
    QSignalSpy crashed(&session, &EngineSession::crashed);
    session.start();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(crashed.size(), 1, patience);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    QVERIFY(!session.hasDocument());
  }

  void aFileThatKillsTheEngineIsReadAgainWithCare() {
    EngineSession session(fake(u"crash-expendable"_s));
    QSignalSpy crashed(&session, &EngineSession::crashed), launched(&session.client(), &EngineClient::launched);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    QCOMPARE(session.document().path, u"/tmp/a.mlir"_s);
    QCOMPARE(launched.size(), 2);
    QCOMPARE(crashed.size(), 0);
    // What is open is not risked for another file.
    session.open(u"/tmp/b.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.document().path, u"/tmp/b.mlir"_s, patience);
    QCOMPARE(launched.size(), 2);
  }

  void aRequestThatKillsTheEngineIsNotRepeatedForEver() {
    EngineSession session(fake(u"crash-scene"_s));
    QSignalSpy crashed(&session, &EngineSession::crashed);
    QString refused;
    int asked = 0;
    // What the views do: after each recovery they ask for what they show.
    const auto ask = [&] {
      ++asked;
      session.client().call<method::GraphScene, protocol::Nothing>({.scene = {.snapshot = 0}}, this, {},
                                                                   [&](const protocol::Error &error) {
                                                                     if (error.code == protocol::Error::Refused)
                                                                       refused = error.message;
                                                                   });
    };
    connect(&session, &EngineSession::recovered, this, ask);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    ask();
    QTRY_VERIFY_WITH_TIMEOUT(!refused.isEmpty() || crashed.size() > 4, patience);
    QCOMPARE(crashed.size(), 2);
    QCOMPARE(asked, 3);
    QVERIFY2(refused.contains(u"2 times"_s) && refused.contains(u"SIGSEGV"_s) && refused.contains(u"graph/scene"_s),
             qPrintable(refused));
    QCOMPARE(crashed[0][0].value<CrashReport>().activity, u"drawing the graph"_s);
    QCOMPARE(session.state(), State::Ready);
    // Other questions are answered, and another file begins anew.
    bool isAnswered = false;
    session.client().call<Anything>({}, this, [&](const protocol::Nothing &) { isAnswered = true; });
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered, patience);
    session.disconnect(this);
    session.open(u"/tmp/b.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    ask();
    QTRY_COMPARE_WITH_TIMEOUT(crashed.size(), 3, patience);
  }

  void cancelNamesTheRequestThatIsMeant() {
    EngineSession session(fake());
    QSignalSpy log(&session, &EngineSession::logged);
    QSignalSpy finished(&session, &EngineSession::runFinished);
    session.start();
    session.open(u"/tmp/a.mlir"_s);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    session.hold(u"test"_s, true); // a busy machine may take longer to answer than people wait
    session.run({});
    bool isAnswered = false;
    const quint64 other =
        session.client().call<Anything>({}, this, [&](const protocol::Nothing &) { isAnswered = true; });
    session.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered && finished.size() == 1, patience);
    session.client().cancel(other); // over: not even said
    const auto cancelled = [&] {
      QStringList messages;
      for (const auto &line : log)
        if (line[0].toString().startsWith(u"cancelled"_s))
          messages.append(line[0].toString());
      return messages;
    };
    QTRY_COMPARE_WITH_TIMEOUT(cancelled(), QStringList{u"cancelled: run/start"_s}, patience);
    session.run({});
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, patience);
    QCOMPARE(cancelled(), QStringList{u"cancelled: run/start"_s});
  }

  void givesUpOnWhatCannotTalk() {
    EngineSession other(fake(u"version"_s));
    QSignalSpy otherGaveUp(&other, &EngineSession::gaveUp);
    other.start();
    QTRY_COMPARE_WITH_TIMEOUT(otherGaveUp.size(), 1, patience);
    QCOMPARE(other.state(), State::Dead);

    EngineSession missing({u"/no/such/engine"_s});
    QSignalSpy missingGaveUp(&missing, &EngineSession::gaveUp);
    missing.start();
    QTRY_COMPARE_WITH_TIMEOUT(missingGaveUp.size(), 1, patience);
    QVERIFY(missingGaveUp[0][0].toString().contains(u"/no/such/engine"_s));

    EngineSession useless({u"/bin/false"_s});
    QSignalSpy uselessGaveUp(&useless, &EngineSession::gaveUp);
    useless.start();
    QTRY_COMPARE_WITH_TIMEOUT(uselessGaveUp.size(), 1, patience);
  }

  void aTagReplacesTheRequestBefore() {
    EngineSession session(fake());
    session.start();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ready, patience);
    QList<qint64> answers;
    for (int i = 0; i < 20; ++i)
      session.client().call<method::TextLines>(
          {.snapshot = 0, .first = i * 10, .count = 10}, this,
          [&](const protocol::TextLines &lines) { answers.append(lines.first); }, {}, u"view"_s);
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, patience);
    QCOMPARE(answers[0], 190);
    QCOMPARE(session.client().pendingRequests(), 0);
  }

  void callbacksGoWithTheirContext() {
    EngineSession session(fake());
    session.start();
    bool isCalled = false;
    auto context = std::make_unique<QObject>();
    session.client().call<Anything>({}, context.get(), [&](const protocol::Nothing &) { isCalled = true; });
    context.reset();
    bool isSecondCalled = false;
    session.client().call<Anything>({}, this, [&](const protocol::Nothing &) { isSecondCalled = true; });
    QTRY_VERIFY_WITH_TIMEOUT(isSecondCalled, patience);
    QVERIFY(!isCalled);
  }

  void splitsCommandLines() {
    QCOMPARE(splitCommand(u"ssh host 'fuselage serve'"_s), (QStringList{u"ssh"_s, u"host"_s, u"fuselage serve"_s}));
    QCOMPARE(defaultEngineCommand().last(), u"serve"_s);
  }
};

QTEST_GUILESS_MAIN(EngineSessionTest)
#include "EngineSessionTest.moc"
