// Two windows of one user: joined, or beside each other with a state of their own.
#include "app/gui/program/Joining.h"
#include "app/gui/program/Options.h"
#include "app/gui/program/Seat.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/shell/Draft.h"
#include "tests/views/window/programs/Program.h"
#include <QAbstractButton>
#include <QLocalSocket>
#include <QMessageBox>
#include <QProcessEnvironment>
#include <QSettings>
#include <QSignalSpy>
#include <QTimer>
#include <sys/stat.h>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// The real program, with a home of its own.
struct Home {
  QTemporaryDir folder;

  Home() {
    for (const auto *name : {"run", "config", "data", "state"})
      QDir(folder.path()).mkdir(QString::fromLatin1(name));
    ::chmod(qPrintable(folder.filePath(u"run"_s)), 0700);
  }
  std::unique_ptr<QProcess> start(const QStringList &arguments) const {
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"XDG_RUNTIME_DIR"_s, folder.filePath(u"run"_s));
    environment.insert(u"XDG_CONFIG_HOME"_s, folder.filePath(u"config"_s));
    environment.insert(u"XDG_DATA_HOME"_s, folder.filePath(u"data"_s));
    environment.insert(u"XDG_STATE_HOME"_s, folder.filePath(u"state"_s));
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process->start(QStringLiteral(FUSELAGE_GUI), arguments);
    [&] { QVERIFY(process->waitForStarted(patience)); }();
    return process;
  }
  /// The tabs that a window has saved.
  QStringList tabs(int window = 1) const {
    const QString file = window == 1 ? folder.filePath(u"config/fuselage/fuselage.conf"_s)
                                     : folder.filePath(u"state/fuselage/window-%1.ini"_s.arg(window));
    return QSettings(file, QSettings::IniFormat).value(u"openDocuments"_s).toStringList();
  }
  void awaitTabs(const QStringList &names, int window = 1) const {
    const auto found = [&] {
      QStringList list;
      for (const QString &path : tabs(window))
        list.append(QFileInfo(path).fileName());
      return list;
    };
    QTRY_COMPARE_WITH_TIMEOUT(found(), names, patience);
  }
};

int exitOf(QProcess &process) { return process.waitForFinished(patience) ? process.exitCode() : -1; }

void end(QProcess &process) {
  process.terminate();
  QVERIFY(process.waitForFinished(patience));
}

void kill(QProcess &process) {
  process.kill();
  QVERIFY(process.waitForFinished(patience));
}

/// Does something with the question as soon as it is there.
void whenAsked(const std::function<void(QMessageBox &)> &act) {
  QTimer::singleShot(0, qApp, [act] {
    auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
    if (box && QTest::qWaitForWindowActive(box))
      act(*box);
    else
      whenAsked(act);
  });
}

QAbstractButton *buttonOf(QMessageBox &box, const QString &text) {
  for (QAbstractButton *button : box.buttons())
    if (button->text() == text)
      return button;
  return nullptr;
}

const QString softmax = sample(u"softmax.mlir"_s), gelu = sample(u"mlp_gelu.mlir"_s);

} // namespace

class Act : public QObject {
  Q_OBJECT
public:
  explicit Act(const QString &folder) : folder_(folder) {}

private slots:
  /// In window 2.
  void typesInASeparateWindow() {
    Program program(folder_, {gelu}, 2);
    auto &scripts = program.get<ScriptController>();
    QVERIFY(scripts.newScript());
    scripts.showEditor();
    QTest::keyClicks(&scripts.edit(), u"// second "_s);
    QVERIFY(program.settings.drafts().flush());
    die();
  }

private:
  QString folder_;
};

class WindowSecondStartTest : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() {
    ::chmod(qPrintable(runtime_.path()), 0700);
    qputenv("XDG_RUNTIME_DIR", runtime_.path().toUtf8());
  }

  void theQuestionIsAnsweredByMouse() {
    whenAsked([](QMessageBox &box) {
      QVERIFY(box.informativeText().contains(u"softmax.mlir"_s));
      QTest::mouseClick(buttonOf(box, u"&Open There"_s), Qt::LeftButton);
    });
    QCOMPARE(askAboutSecondStart({softmax}), SecondStart::Join);
    whenAsked([](QMessageBox &box) { QTest::mouseClick(buttonOf(box, u"&New Window"_s), Qt::LeftButton); });
    QCOMPARE(askAboutSecondStart({}), SecondStart::NewWindow);
  }

  void theQuestionIsAnsweredByKeyboard() {
    whenAsked([](QMessageBox &box) { QTest::keyClick(&box, Qt::Key_Return); });
    QCOMPARE(askAboutSecondStart({softmax, gelu}), SecondStart::Join);
    whenAsked([](QMessageBox &box) { QTest::keyClick(box.focusWidget(), Qt::Key_N, Qt::AltModifier); });
    QCOMPARE(askAboutSecondStart({softmax}), SecondStart::NewWindow);
    whenAsked([](QMessageBox &box) { QTest::keyClick(&box, Qt::Key_Escape); });
    QCOMPARE(askAboutSecondStart({softmax}), SecondStart::Cancel);
  }

  void filesGoToTheServer() {
    const QString socket = Seat::socketOf(7);
    writeFile(socket, "left by one that was killed");
    JoinServer server(socket);
    QSignalSpy joined(&server, &JoinServer::joined);
    // From another thread, since it waits for the answer.
    bool isJoined = false;
    std::unique_ptr<QThread> client(QThread::create([&] { isJoined = joinProgram(socket, {softmax, gelu}); }));
    client->start();
    QTRY_COMPARE_WITH_TIMEOUT(joined.size(), 1, patience);
    QVERIFY(client->wait(patience));
    QVERIFY(isJoined);
    QCOMPARE(joined[0][0].toStringList(), QStringList({softmax, gelu}));
    struct stat about {};
    QCOMPARE(::stat(qPrintable(socket), &about), 0);
    QCOMPARE(int(about.st_mode & 077), 0); // nobody else
    // What is no request is not answered.
    QLocalSocket other;
    other.connectToServer(socket);
    QVERIFY(other.waitForConnected(patience));
    other.write("no json\n");
    QTRY_COMPARE_WITH_TIMEOUT(other.state(), QLocalSocket::UnconnectedState, patience);
    QCOMPARE(joined.size(), 1);
  }

  void nobodyAnswersForADeadOne() {
    const QString socket = Seat::socketOf(8);
    writeFile(socket, "left by one that was killed");
    QVERIFY(!joinProgram(socket, {softmax}));
  }

  void aSeatIsTakenOnce() {
    const Seat first = Seat::takeFirstFree();
    QVERIFY(first.isTaken());
    QCOMPARE(first.number(), 1);
    QCOMPARE(Seat::takeFirstFree().number(), 2);
    QVERIFY(!Seat::take(1).isTaken());
    QCOMPARE(Seat::firstTaken(), 1);
  }

  void theSwitchesExcludeEachOther() {
    QVERIFY(parseOptions({u"fuselage-gui"_s, u"--join"_s}).options.joins);
    QVERIFY(parseOptions({u"fuselage-gui"_s, u"--new-window"_s}).options.startsWindow);
    QVERIFY(parseOptions({u"fuselage-gui"_s, u"--join"_s, u"--new-window"_s}).isError);
  }

  void aSecondStartJoins() {
    Home home;
    const auto first = home.start({softmax});
    home.awaitTabs({u"softmax.mlir"_s});
    const auto second = home.start({u"--join"_s, gelu});
    QCOMPARE(exitOf(*second), 0);
    home.awaitTabs({u"softmax.mlir"_s, u"mlp_gelu.mlir"_s});
    // Without a window to join, it is the first.
    kill(*first);
    const auto third = home.start({u"--join"_s, sample(u"bert_attention.mlir"_s)});
    home.awaitTabs({u"softmax.mlir"_s, u"mlp_gelu.mlir"_s, u"bert_attention.mlir"_s});
    QCOMPARE(third->state(), QProcess::Running);
    end(*third);
  }

  void aSeparateWindowHasTabsOfItsOwn() {
    Home home;
    const auto first = home.start({softmax});
    home.awaitTabs({u"softmax.mlir"_s});
    const auto second = home.start({u"--new-window"_s, gelu});
    home.awaitTabs({u"mlp_gelu.mlir"_s}, 2);
    end(*second);
    QCOMPARE(home.tabs(2), QStringList()); // the next one starts empty
    home.awaitTabs({u"softmax.mlir"_s});
    end(*first);
    home.awaitTabs({u"softmax.mlir"_s});
  }

  /// Nobody is asked where there is no screen, and a picture has nothing to do with windows.
  void withoutAScreenNobodyIsAsked() {
    Home home;
    const auto first = home.start({softmax});
    home.awaitTabs({u"softmax.mlir"_s});
    const auto second = home.start({gelu});
    home.awaitTabs({u"mlp_gelu.mlir"_s}, 2);
    const auto picture = home.start({u"--screenshot"_s, home.folder.filePath(u"p.png"_s), gelu});
    QCOMPARE(exitOf(*picture), 0);
    QVERIFY(QFile::exists(home.folder.filePath(u"p.png"_s)));
    home.awaitTabs({u"softmax.mlir"_s});
    end(*second);
    end(*first);
  }

  void aHangingWindowDoesNotBlock() {
    Home home;
    const auto first = home.start({softmax});
    home.awaitTabs({u"softmax.mlir"_s});
    ::kill(pid_t(first->processId()), SIGSTOP);
    const auto second = home.start({u"--join"_s, gelu});
    home.awaitTabs({u"mlp_gelu.mlir"_s}, 2);
    end(*second);
    ::kill(pid_t(first->processId()), SIGCONT);
    kill(*first);
  }

  /// Tabs of a separate window that was killed come back in the first one.
  void theFirstTakesOverFromOnesThatWereKilled() {
    Home home;
    const auto first = home.start({softmax});
    home.awaitTabs({u"softmax.mlir"_s});
    const auto second = home.start({u"--new-window"_s, gelu});
    home.awaitTabs({u"mlp_gelu.mlir"_s}, 2);
    kill(*second);
    kill(*first);
    const auto again = home.start({});
    home.awaitTabs({u"softmax.mlir"_s, u"mlp_gelu.mlir"_s});
    QCOMPARE(home.tabs(2), QStringList());
    end(*again);
  }

  void draftsAreKeptApartAndTakenOver() {
    QTemporaryDir folder;
    {
      Program first(folder.path(), {softmax});
      QVERIFY(isKilledIn(u"typesInASeparateWindow"_s, folder.path()));
      QVERIFY(first.get<ScriptController>().newScript());
      first.get<ScriptController>().showEditor();
      QTest::keyClicks(&first.get<ScriptController>().edit(), u"// first "_s);
    }
    Settings settings(settingsIn(folder.path()));
    QVERIFY(settings.hasLeft(2));
    settings.adopt(2);
    QCOMPARE(settings.openDocuments(), QStringList({softmax, gelu}));
    Program again(folder.path());
    for (int tab = 0; tab < 2; ++tab, again.workspace.step(1)) {
      again.rest();
      const bool isGelu = again.workspace.windowTitle().contains(u"mlp_gelu"_s);
      const QString text = again.get<ScriptController>().text();
      QVERIFY2(text.contains(isGelu ? u"// second"_s : u"// first"_s), qPrintable(text));
    }
  }

  /// Both had unsaved text for one document: the other one comes in a tab of its own.
  void draftsOfOneDocumentAreBothKept() {
    QTemporaryDir folder;
    QVERIFY(isKilledIn(u"typesInASeparateWindow"_s, folder.path()));
    {
      Program first(folder.path(), {gelu});
      QVERIFY(first.get<ScriptController>().newScript());
      first.get<ScriptController>().showEditor();
      QTest::keyClicks(&first.get<ScriptController>().edit(), u"// first "_s);
    }
    Settings(settingsIn(folder.path())).adopt(2);
    Program again(folder.path());
    QCOMPARE(again.workspace.tabCount(), 2);
    QStringList texts;
    for (int tab = 0; tab < 2; ++tab, again.workspace.step(1)) {
      again.rest();
      texts.append(again.get<ScriptController>().text());
    }
    QVERIFY2(texts.join(u' ').contains(u"// first"_s) && texts.join(u' ').contains(u"// second"_s),
             qPrintable(texts.join(u'|')));
  }

  /// Window 2 reads what the first has set, and writes none of it.
  void aSeparateWindowWritesNothingOfTheFirst() {
    QTemporaryDir folder;
    Settings first(settingsIn(folder.path()));
    first.setText(u"runDevice"_s, u"host"_s);
    first.setText(u"schedule"_s, u"/s.mlir"_s);
    first.setOpenDocuments({softmax});
    first.setDocumentState(softmax, {{u"row"_s, 1}});
    Settings second(settingsIn(folder.path()), 2);
    QCOMPARE(second.text(u"runDevice"_s), u"host"_s);
    QCOMPARE(second.text(u"schedule"_s), QString());
    QCOMPARE(second.openDocuments(), QStringList());
    QCOMPARE(second.documentState(softmax)["row"_L1].toInt(), 1);
    second.setText(u"runDevice"_s, u"cuda:0"_s);
    second.setDocumentState(softmax, {{u"row"_s, 2}});
    QCOMPARE(second.documentState(softmax)["row"_L1].toInt(), 2);
    QCOMPARE(first.text(u"runDevice"_s), u"host"_s);
    QCOMPARE(first.documentState(softmax)["row"_L1].toInt(), 1);
  }

private:
  QTemporaryDir runtime_;
};

WINDOW_PROGRAMS_MAIN(WindowSecondStartTest, Act)
#include "WindowSecondStartTest.moc"
