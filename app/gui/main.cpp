// fuselage-gui: the window.
#include "app/gui/Features.h"
#include "app/gui/document/DocumentController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/hosts/HostCommand.h"
#include "app/gui/learn/LessonNames.h"
#include "app/gui/program/FirstPaint.h"
#include "app/gui/program/Joining.h"
#include "app/gui/program/Options.h"
#include "app/gui/program/Picture.h"
#include "app/gui/program/Seat.h"
#include "app/gui/program/SignalWatcher.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/workspace/Workspace.h"
#include "core/text/PrintableText.h"
#include "views/common/Style.h"
#include "views/common/Theme.h"
#include "views/dialogs/HostsPage.h"
#include "views/graph/GraphView.h"
#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <cstdio>
#include <ctime>
#include <unistd.h>

using namespace Qt::StringLiterals;

/// The first words of the command line decide what kind of application there is to be.
static QStringList arguments(int argc, char **argv) {
  QStringList list;
  for (int i = 0; i < argc; ++i)
    list.append(QString::fromLocal8Bit(argv[i]));
  return list;
}

static int print(const fuselage::ParsedOptions &parsed) {
  std::fputs(fuselage::printable(parsed.message.toStdString()).c_str(), parsed.isError ? stderr : stdout);
  if (parsed.isError)
    return 2;
  if (std::fflush(stdout) == 0)
    return 0;
  std::perror("fuselage-gui: cannot write to the standard output");
  return 1;
}

/// Qt ends the program where it finds no display: in a sentence, instead of by SIGABRT.
static void sayThatThereIsNoDisplay(QtMsgType type, const QMessageLogContext &, const QString &message) {
  if (type != QtFatalMsg) {
    std::fprintf(stderr, "%s\n", fuselage::printable(message.toStdString()).c_str());
    return;
  }
  const bool isNamed = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                       qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
  std::fprintf(
      stderr,
      "fuselage-gui: there is no display for the window: %s; 'fuselage graph', 'step' and 'run' need none, nor does "
      "--screenshot\n",
      isNamed ? "the one that DISPLAY, WAYLAND_DISPLAY or QT_QPA_PLATFORM names cannot be opened"
              : "neither DISPLAY nor WAYLAND_DISPLAY is set");
  _exit(1);
}

/// Milliseconds since this process began, loading of libraries included; resolution 10 ms.
static double processAge() {
  QFile stat(u"/proc/self/stat"_s);
  if (!stat.open(QIODevice::ReadOnly))
    return -1;
  // Field 22, counted after the name in parentheses, which may hold anything.
  const QByteArray line = stat.readAll();
  const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double began = fields.value(19).toDouble() * 1000 / double(sysconf(_SC_CLK_TCK));
  return double(now.tv_sec) * 1000 + double(now.tv_nsec) / 1e6 - began;
}

/// Has the files of the command line run on the host that it names, `NAME` or `NAME=COMMAND`. False: there is none.
static bool takeHost(const fuselage::Options &options, fuselage::Settings &settings) {
  if (options.host.isEmpty())
    return true;
  const QString name = options.host.section(u'=', 0, 0), command = options.host.section(u'=', 1);
  if (!command.isEmpty())
    settings.addHostOfStart({name, command});
  if (!fuselage::findHost(settings, name)) {
    std::fprintf(stderr,
                 "fuselage-gui: error: there is no host called '%s'; add it in Preferences, Hosts, or write "
                 "--host 'NAME=COMMAND'\n",
                 fuselage::printable(name.toStdString()).c_str());
    return false;
  }
  for (const QString &file : options.files)
    settings.setHostOfStart(QFileInfo(file).absoluteFilePath(), name);
  return true;
}

/// What a start does while another window is open. Without a screen, nobody can be asked.
static fuselage::SecondStart secondStart(const fuselage::Options &options) {
  using namespace fuselage;
  if (options.joins)
    return SecondStart::Join;
  if (options.startsWindow || !options.plugins.isEmpty() || QGuiApplication::platformName() == "offscreen"_L1)
    return SecondStart::NewWindow;
  applyStyle();
  const QString theme = options.theme.isEmpty() ? Settings().theme() : options.theme;
  applyThemeMode(theme == "dark"_L1 ? ThemeMode::Dark : theme == "light"_L1 ? ThemeMode::Light : ThemeMode::System);
  return askAboutSecondStart(options.files);
}

/// True: another window has the files, or the user wants none.
static bool endsAtSecondStart(const fuselage::Options &options) {
  using namespace fuselage;
  const int open = Seat::firstTaken();
  if (open == 0)
    return false;
  const SecondStart start = secondStart(options);
  if (start != SecondStart::Join)
    return start == SecondStart::Cancel;
  if (joinProgram(Seat::socketOf(open), options.files))
    return true;
  std::fputs("fuselage-gui: the window that is open does not answer; a new one starts\n", stderr);
  return false;
}

/// What windows that were killed have left comes back in the first one.
static void adoptOthers(fuselage::Settings &settings) {
  using namespace fuselage;
  for (int number = 2; number <= Seat::most; ++number)
    if (settings.hasLeft(number))
      if (const Seat left = Seat::take(number); left.isTaken()) // nobody works in it
        settings.adopt(number);
}

/// Of a window without an engine.
static int printNames(fuselage::Settings &settings) {
  using namespace fuselage;
  EngineSession session({});
  MainWindow window(session, settings, addFeatures);
  const QStringList names = lessonNames(window.shell());
  return print({.options = {}, .message = names.join(u'\n') + u'\n'});
}

int main(int argc, char **argv) {
  using namespace fuselage;
  QCoreApplication::setApplicationName(u"fuselage-gui"_s);
  QCoreApplication::setApplicationVersion(QStringLiteral(FUSELAGE_VERSION));
  const ParsedOptions parsed = parseOptions(arguments(argc, argv));
  if (parsed.ends)
    return print(parsed);
  const Options &options = parsed.options;
  const bool isPicture = !options.screenshot.isEmpty() || options.measureStart || options.names;
  if (isPicture && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");

  const QtMessageHandler messages = qInstallMessageHandler(sayThatThereIsNoDisplay);
  QApplication application(argc, argv);
  qInstallMessageHandler(messages);
  QGuiApplication::setDesktopFileName(u"fuselage"_s);
  QApplication::setApplicationDisplayName(u"Fuselage"_s);
  // A picture neither reads nor leaves traces of how someone arranged the window.
  QTemporaryDir scratch;
  if (!isPicture && endsAtSecondStart(options))
    return 0;
  const Seat seat = isPicture ? Seat() : Seat::takeFirstFree();
  Settings settings(isPicture ? scratch.filePath(u"settings.ini"_s) : QString(), seat.number());
  if (!isPicture && seat.number() == 1)
    adoptOthers(settings);
  settings.setThemeOfStart(options.theme);
  settings.setPluginsOfStart(options.plugins);
  settings.setEngineOfStart(options.engine);
  if (!takeHost(options, settings))
    return 2;

  if (options.names)
    return printNames(settings);
  const auto startSession = [&](const QString &path) {
    auto session = std::make_unique<EngineSession>(QStringList());
    useHost(*session, settings, settings.hostOf(path));
    session->setArguments(settings.pluginArguments());
    session->start();
    return session;
  };
  // The engine has the longer way: it is off before fonts, icons and styles are looked up.
  std::unique_ptr<EngineSession> first = startSession({});
  applyStyle();
  QApplication::setWindowIcon(QIcon(u":/fuselage.svg"_s));
  const auto makeSession = [&](const QString &path) {
    return first && settings.hostOf(path).isEmpty() ? std::move(first) : startSession(path);
  };
  Workspace workspace(settings, makeSession, addFeaturesOfTab);
  workspace.restore(options.files);
  first.reset(); // all tabs run elsewhere: nobody needs it
  MainWindow &window = workspace.current();

  std::unique_ptr<JoinServer> joins;
  if (seat.isTaken()) {
    joins = std::make_unique<JoinServer>(Seat::socketOf(seat.number()));
    QObject::connect(joins.get(), &JoinServer::joined, &workspace, [&](const QStringList &files) {
      for (const QString &file : files)
        workspace.open(file);
      workspace.comeForward();
    });
  }

  int status = 0;
  SignalWatcher signals_;
  QObject::connect(&signals_, &SignalWatcher::terminated, &workspace, [&] {
    workspace.close();
    QApplication::quit();
  });
  if (!options.screenshot.isEmpty()) {
    workspace.resize(options.size);
    auto *picture = new Picture(window, options, &window);
    QObject::connect(picture, &Picture::taken, &window, [&](bool ok, const QString &message) {
      if (!ok)
        std::fprintf(stderr, "fuselage-gui: error: %s\n", printable(message.toStdString()).c_str());
      status = ok ? 0 : 1;
      QApplication::quit();
    });
  }
  auto &graph = window.controller<GraphController>();
  FirstPaint paint(graph.view());
  if (options.measureStart) {
    QObject::connect(&graph.scenes(), &GraphScenes::shown, &paint, &FirstPaint::await);
    QObject::connect(&paint, &FirstPaint::painted, &window, [] {
      std::printf("graph on screen after %.0f ms\n", processAge());
      QApplication::quit();
    });
  }
  workspace.show();
  QApplication::exec();
  return status;
}
