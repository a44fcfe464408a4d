#include "app/gui/program/Options.h"
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

static ParsedOptions refuse(const QString &message) {
  return {.options = {},
          .message = u"fuselage-gui: error: %1\nTry 'fuselage-gui --help'.\n"_s.arg(message),
          .isError = true,
          .ends = true};
}

/// "1440x900"; an invalid size where that is not its form.
static QSize parseSize(const QString &text) {
  const QStringList parts = text.split(u'x');
  bool isWidth = false, isHeight = false;
  const QSize size(parts.value(0).toInt(&isWidth), parts.value(1).toInt(&isHeight));
  const bool isSane = size.width() >= 200 && size.height() >= 150 && size.width() <= 16384 && size.height() <= 16384;
  return parts.size() == 2 && isWidth && isHeight && isSane ? size : QSize();
}

static QStringList views() {
  return {u"graph"_s,   u"graphs"_s,   u"text"_s,     u"written"_s,  u"diff"_s,     u"run"_s,
          u"results"_s, u"roofline"_s, u"fusions"_s,  u"buffers"_s,  u"tiles"_s,    u"kernel"_s,
          u"outline"_s, u"pipeline"_s, u"compare"_s,  u"notes"_s,    u"schedule"_s, u"script"_s,
          u"tuning"_s,  u"values"_s,   u"rewrites"_s, u"patterns"_s, u"mesh"_s};
}

/// "graph, text or diff"
static QString viewNames() { return views().sliced(0, views().size() - 1).join(u", "_s) + u" or "_s + views().last(); }

ParsedOptions parseOptions(const QStringList &arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(u"Fuselage: see, step and run the dispatches of an MLIR module."_s);
  const QCommandLineOption help({u"h"_s, u"help"_s}, u"Print this help."_s);
  const QCommandLineOption version({u"v"_s, u"version"_s}, u"Print the version."_s);
  const QCommandLineOption engine(
      u"engine"_s, u"Command line that starts the engine, such as 'ssh host fuselage serve'."_s, u"command"_s);
  const QCommandLineOption host(u"host"_s,
                                u"Run the files on this host of the preferences; NAME=COMMAND for another one, such as "
                                "'gpu1=ssh gpu1'."_s,
                                u"name"_s);
  const QCommandLineOption passPlugin(u"load-pass-plugin"_s,
                                      u"Load the passes of this plugin of MLIR, as mlir-opt does; may be repeated."_s,
                                      u"file"_s);
  const QCommandLineOption dialectPlugin(u"load-dialect-plugin"_s, u"The same for its dialects; may be repeated."_s,
                                         u"file"_s);
  const QCommandLineOption theme(u"theme"_s, u"light, dark or system."_s, u"theme"_s);
  const QCommandLineOption screenshot(u"screenshot"_s, u"Write a picture of the window to this PNG file, then exit."_s,
                                      u"file"_s);
  const QCommandLineOption size(u"size"_s, u"Size of the picture, such as 1440x900."_s, u"size"_s);
  const QCommandLineOption view(u"view"_s, u"What the picture shows: %1."_s.arg(viewNames()), u"view"_s);
  const QCommandLineOption step(u"step"_s, u"Step to select, as the list numbers it (from 0)."_s, u"number"_s);
  const QCommandLineOption run(u"run"_s, u"Device to run on before the picture is taken, such as vulkan:0."_s,
                               u"device"_s);
  const QCommandLineOption op(u"op"_s, u"Op to select: the first whose label has this in it, such as matmul."_s,
                              u"label"_s);
  const QCommandLineOption part(u"part"_s, u"Part of the model to open and go to, such as 'layer 3'."_s, u"name"_s);
  const QCommandLineOption zoom(u"zoom"_s, u"Scale of the graph in the picture, such as 0.5."_s, u"scale"_s);
  const QCommandLineOption measure(
      u"measure-start"_s, u"Print the time from the start of the process to the graph on screen, then exit."_s);
  const QCommandLineOption names(u"names"_s,
                                 u"Print the names of panels, views and commands for lessons, then exit."_s);
  const QCommandLineOption compare(u"compare"_s, u"Module or log that the view compare puts beside the file."_s,
                                   u"file"_s);
  const QCommandLineOption schedule(u"schedule"_s, u"Transform script that the view schedule runs on the file."_s,
                                    u"file"_s);
  const QCommandLineOption join(u"join"_s, u"Open the files in the open window, if there is one, instead of asking."_s);
  const QCommandLineOption newWindow(u"new-window"_s,
                                     u"Start a separate window with its own tabs, instead of asking."_s);
  parser.addOptions({help, version,   engine,     host,    passPlugin, dialectPlugin, theme,
                     join, newWindow, screenshot, size,    view,       step,          run,
                     op,   part,      zoom,       compare, schedule,   measure,       names});
  parser.addPositionalArgument(
      u"file"_s, u"Modules (.mlir or .mlirbc), pass-by-pass logs or folders of dumps to open, each in a tab."_s,
      u"[files]"_s);
  if (!parser.parse(arguments))
    return refuse(parser.errorText());

  ParsedOptions result;
  if (parser.isSet(help) || parser.isSet(version)) {
    result.message = parser.isSet(help) ? parser.helpText().replace(u"<executable_name>"_s, u"fuselage-gui"_s)
                                        : u"fuselage-gui %1\n"_s.arg(QCoreApplication::applicationVersion());
    result.ends = true;
    return result;
  }
  Options &options = result.options;
  options.files = parser.positionalArguments();
  options.engine = parser.value(engine);
  options.host = parser.value(host);
  if (parser.isSet(host) && (options.host.section(u'=', 0, 0).isEmpty() || options.files.isEmpty()))
    return refuse(u"--host names the host that the files run on: give a name and a file"_s);
  for (const QCommandLineOption &plugin : {passPlugin, dialectPlugin})
    for (const QString &file : parser.values(plugin))
      options.plugins.append(u"--%1=%2"_s.arg(plugin.names().first(), QFileInfo(file).absoluteFilePath()));
  options.theme = parser.value(theme);
  options.screenshot = parser.value(screenshot);
  options.run = parser.value(run);
  options.op = parser.value(op);
  options.part = parser.value(part);
  options.compare = parser.value(compare);
  options.schedule = parser.value(schedule);
  options.names = parser.isSet(names);
  options.measureStart = parser.isSet(measure);
  options.joins = parser.isSet(join);
  options.startsWindow = parser.isSet(newWindow);
  if (options.joins && options.startsWindow)
    return refuse(u"--join and --new-window exclude each other"_s);
  if (options.joins && !options.plugins.isEmpty())
    return refuse(u"--join opens the files in a window that runs already, and plugins are loaded when one starts: use "
                  "--new-window"_s);
  if (!options.theme.isEmpty() && !QStringList{u"light"_s, u"dark"_s, u"system"_s}.contains(options.theme))
    return refuse(u"unknown theme '%1': light, dark or system"_s.arg(options.theme));
  if (parser.isSet(size)) {
    options.size = parseSize(parser.value(size));
    if (!options.size.isValid())
      return refuse(u"'%1' is no size: write WIDTHxHEIGHT, such as 1440x900"_s.arg(parser.value(size)));
  }
  if (parser.isSet(view)) {
    options.view = parser.value(view);
    if (!views().contains(options.view))
      return refuse(u"unknown view '%1': %2"_s.arg(options.view, viewNames()));
  }
  if (parser.isSet(zoom)) {
    bool isNumber = false;
    options.zoom = parser.value(zoom).toDouble(&isNumber);
    if (!isNumber || !(options.zoom > 0 && options.zoom <= 100))
      return refuse(u"'%1' is no scale: write a number such as 0.5"_s.arg(parser.value(zoom)));
  }
  if (parser.isSet(step)) {
    bool isNumber = false;
    options.step = parser.value(step).toInt(&isNumber);
    if (!isNumber || options.step < 0)
      return refuse(u"'%1' is no number of a step"_s.arg(parser.value(step)));
  }
  return result;
}

} // namespace fuselage
