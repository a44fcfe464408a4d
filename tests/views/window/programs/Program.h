// A program with its settings, which may be started again, in another process too.
#pragma once
#include "app/gui/shell/Drafts.h"
#include "app/gui/workspace/Workspace.h"
#include "tests/views/window/WindowBench.h"
#include <QFile>
#include <QProcess>
#include <csignal>

namespace fuselage {

/// The file that a program with its state in `folder` has its settings in.
inline QString settingsIn(const QString &folder) { return folder + QStringLiteral("/settings.ini"); }

struct Program {
  Settings settings;
  Workspace workspace;

  static std::unique_ptr<EngineSession> startSession(const QString &) {
    auto session = std::make_unique<EngineSession>(engineOfTests());
    session->start();
    return session;
  }
  explicit Program(const QString &folder, const QStringList &files = {}, int window = 1)
      : settings(settingsIn(folder), window), workspace(settings, startSession, addFeaturesOfTab) {
    workspace.restore(files);
    workspace.show();
    rest();
    // Killed before, it would ask whether to open the document again.
    QTRY_VERIFY_WITH_TIMEOUT(settings.pendingDocuments().isEmpty(), patience);
  }
  void rest() { QTRY_VERIFY_WITH_TIMEOUT(workspace.current().isSettled(), patience); }
  template <class T> T &get() { return workspace.current().controller<T>(); }
  Shell &shell() { return workspace.current().shell(); }
  QWidget &focus() {
    QWidget *widget = workspace.focusWidget();
    return widget ? *widget : workspace;
  }
};

inline QString writeFile(const QString &path, const QByteArray &text) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
    qFatal("cannot write into the scratch folder");
  return path;
}

inline QByteArray readFile(const QString &path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// This test again, as the process that `act` names: see WINDOW_PROGRAMS_MAIN. True: it ended by SIGKILL.
inline bool isKilledIn(const QString &act, const QString &folder) {
  QProcess process;
  process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--act"), act, folder});
  return process.waitForFinished(patience) && process.exitStatus() == QProcess::CrashExit &&
         process.exitCode() == SIGKILL;
}

/// As kill -9: nothing is written, closed or asked any more.
[[noreturn]] inline void die() {
  ::kill(::getpid(), SIGKILL);
  std::abort();
}

} // namespace fuselage

/// main() of a test with a second process: `Act` has a slot for each thing that one does before it dies.
#define WINDOW_PROGRAMS_MAIN(Test, Act)                                                                                \
  int main(int argc, char **argv) {                                                                                    \
    if (argc == 4 && QByteArray(argv[1]) == "--act") {                                                                 \
      Act act{QString::fromLocal8Bit(argv[3])};                                                                        \
      char *arguments[] = {argv[0], argv[2]};                                                                          \
      return fuselage::runWindowTest(act, 2, arguments);                                                               \
    }                                                                                                                  \
    Test test;                                                                                                         \
    return fuselage::runWindowTest(test, argc, argv);                                                                  \
  }
