#include "tests/views/window/WindowBench.h"
#include "views/common/Style.h"
#include "views/graph/GraphView.h"
#include <QFile>
#include <QFileInfo>
#include <QFontInfo>
#include <csignal>

using namespace Qt::StringLiterals;

namespace fuselage {

QString sample(const QString &name) { return QStringLiteral(FUSELAGE_SAMPLES) + u'/' + name; }

QStringList engineOfTests() { return {QStringLiteral(FUSELAGE_ENGINE), u"serve"_s}; }

WindowBench::WindowBench(const MainWindow::AddFeatures &features)
    : session(engineOfTests()), window(session, settings, features) {
  graph.view().setAnimated(false);
  window.show();
  session.start();
}

void WindowBench::open(const QString &path) {
  documents.open(path);
  QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), patience);
}

QString WindowBench::write(const QString &name, const QByteArray &text) const {
  QFile file(scratch.filePath(name));
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
    qFatal("cannot write into the scratch folder");
  return file.fileName();
}

void WindowBench::killEngine() { ::kill(pid_t(session.client().processId()), SIGKILL); }

void WindowBench::showTiles(const QString &label) {
  tiles.raise();
  if (const NodeId op = graph.find(label); op != noNode)
    text.select(op, true);
}

void WindowBench::record(const QString &pipeline) {
  session.record({.pipeline = pipeline, .schedule = {}, .target = {}});
}

int runWindowTest(QObject &test, int argc, char **argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("FUSELAGE_TEST_PASSES", "1");
  QApplication application(argc, argv);
  applyStyle();
  QApplication::setFont(QFont(u"DejaVu Sans"_s, 10));
  if (!QFileInfo(QStringLiteral(FUSELAGE_ENGINE)).isExecutable())
    qFatal("build the target fuselage first");
  if (QFontInfo(QApplication::font()).pixelSize() <= 0)
    qFatal("no fonts here: every label would be a box");
  return QTest::qExec(&test, argc, argv);
}

} // namespace fuselage
