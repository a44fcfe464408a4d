// The window's bench with hosts: other processes, through `sh -c` or over a slow link.
#pragma once
#include "app/gui/hosts/HostsController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/widgets/Banner.h"
#include <QFileInfo>
#include <QPushButton>

namespace fuselage {

/// A machine of the tests, which has folders of its own.
struct HostBench : WindowBench {
  HostsController &hosts = window.controller<HostsController>();

  HostBench() { qputenv("XDG_CACHE_HOME", scratch.filePath(QStringLiteral("cache")).toLocal8Bit()); }
  ~HostBench() {
    qputenv("PATH", path);
    qunsetenv("XDG_CACHE_HOME");
  }
  /// Has the engine of the tests on PATH, or none.
  void setEngineOnPath(bool isThere) {
    const QByteArray folder = QFileInfo(engineOfTests().constFirst()).path().toLocal8Bit();
    qputenv("PATH", isThere ? folder + ":" + path : QByteArray("/usr/bin:/bin"));
  }
  /// Behind a link that takes this long each way, and that is cut while a file `down` is there.
  void useSlowLink(int milliseconds) {
    session.setPlace(QStringLiteral("gpu1"), QStringList{QStringLiteral("python3"), QStringLiteral(DELAYING_ENGINE),
                                                         QString::number(milliseconds), scratch.path()} +
                                                 engineOfTests());
    session.start();
  }
  /// Lines that the slow link has noted so far: "requests", "replies".
  QStringList noted(const QString &what) const {
    QFile file(scratch.filePath(what));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(QChar(u'\n'), Qt::SkipEmptyParts)
                                          : QStringList();
  }
  QPushButton *bannerButton(const QString &text) {
    for (QPushButton *button : banner.findChildren<QPushButton *>())
      if (button->isVisible() && button->text() == text)
        return button;
    return nullptr;
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience); }
  /// Shows a row of the steps; returns whether its graph, text and diff come to be on screen.
  bool stepTo(int row, int milliseconds = patience) {
    steps.select(row);
    return QTest::qWaitFor(
        [&] { return graph.view().scene().snapshot == row && text.snapshot() == row && text.isSettled(); },
        milliseconds);
  }
  /// Until what is asked for ahead has come.
  void waitForNeighbours() {
    constexpr int quiet = 500; // ms; the window waits for less before it asks
    qsizetype asked = -1;
    while (asked != noted(QStringLiteral("requests")).size() || asked != noted(QStringLiteral("replies")).size()) {
      asked = noted(QStringLiteral("requests")).size();
      QTest::qWait(quiet);
    }
  }

  const QByteArray path = qgetenv("PATH");
};

} // namespace fuselage
