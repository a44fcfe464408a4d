// The command line of the window.
#pragma once
#include <QSize>
#include <QString>
#include <QStringList>

namespace fuselage {

/// What to open, how to start the engine, and the picture to take, if one is asked for.
struct Options {
  QStringList files;
  QString engine; ///< command line; empty: the one from the settings, else `fuselage serve`
  QString host;   ///< where the files run: "gpu1", or "gpu1=ssh gpu1" for one that is not in the list; empty: as last
  QStringList
      plugins;   ///< arguments for the engine, such as "--load-pass-plugin=libtoy.so"; a window of its own has them
  QString theme; ///< "light", "dark", "system" or empty: as remembered
  QString screenshot; ///< path of a PNG; the window is then never shown on a screen
  QSize size{1440, 900};
  QString view = QStringLiteral("graph"); ///< "graph", "text", "diff", "run", "fusions", "buffers", "tiles", "kernel",
                                          ///< "outline", "pipeline", "compare", "schedule", "script" or "tuning"
  int step = -1;                          ///< step to select, numbered from 0; -1: none
  bool joins = false;                     ///< a window that is open gets the files
  bool startsWindow = false;              ///< a window of its own, whatever is open
  bool names = false;                     ///< print what lessons can point at, and exit
  bool measureStart = false;              ///< say how long the graph took to be on screen, and exit
  QString op;                             ///< to select, and whose tiles the view "tiles" shows; empty: none
  QString part;                           ///< of the model to go to, such as "layer 3"; empty: none
  double zoom = 0;                        ///< of the graph in the picture; 0: as it is
  QString compare;                        ///< module or log to compare with; empty: none
  QString schedule;                       ///< transform script to run; empty: none
  QString run;                            ///< device to run on before the picture is taken
};

/// What main() does next.
struct ParsedOptions {
  Options options;
  QString message; ///< to be printed
  bool isError = false;
  bool ends = false; ///< --help, --version or an error
};

ParsedOptions parseOptions(const QStringList &arguments);

} // namespace fuselage
