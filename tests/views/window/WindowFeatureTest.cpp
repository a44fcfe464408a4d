// A feature is a controller and a line that adds it; and what the window keeps from one start to the next.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/RunPanel.h"
#include "views/text/TextView.h"
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// A panel of its own: a note on the document, and a log of what it was told.
class NoteController : public Controller {
  Q_OBJECT
public:
  NoteController(Shell &shell, StepsController &steps)
      : Controller(shell), steps_(steps), edit_(new QLineEdit),
        pin_(toggle(u"Pin the &Note"_s, {}, {QKeySequence(u"Ctrl+Alt+Shift+N"_s)})),
        dock_(shell.docks().add(
            {.name = u"note"_s, .title = u"Note"_s, .shortcut = u"Ctrl+Alt+0"_s, .beside = u"problems"_s}, edit_)) {
    remember(pin_, u"pinNote"_s);
    shell.menus().add(Place::ViewMarks, {pin_});
  }
  QDockWidget &dock() { return *dock_; }
  QLineEdit &edit() { return *edit_; }
  QAction *pin() { return pin_; }
  QStringList takeNews() { return std::exchange(news_, {}); }
  /// Snapshots of the scenes that were shown.
  QList<int> takeGraphs() { return std::exchange(graphs_, {}); }
  void setBusy(bool busy) { isBusy_ = busy; }

  void opened(const protocol::Document &document) override {
    news_.append(u"opened "_s + QFileInfo(document.path).fileName());
  }
  void documentReset() override { news_.append(u"reset"_s); }
  void stepsReplaced(int row) override { news_.append(u"steps replaced, then row %1"_s.arg(row)); }
  void stepShown(const ShownStep &step) override {
    news_.append(u"row %1, snapshot %2, of %3"_s.arg(step.row).arg(step.snapshot).arg(steps_.model().rowCount()));
  }
  void graphShown(int snapshot) override { graphs_.append(snapshot); }
  void engineDied(const CrashReport &) override { news_.append(u"died"_s); }
  void engineRecovered(int) override { news_.append(u"recovered"_s); }
  void saveState(Settings &settings) const override {
    Controller::saveState(settings);
    settings.setText(u"note"_s, edit_->text());
  }
  void restoreState(const Settings &settings) override {
    Controller::restoreState(settings);
    edit_->setText(settings.text(u"note"_s));
  }
  bool isSettled() const override { return !isBusy_; }

private:
  StepsController &steps_;
  QLineEdit *edit_;
  QAction *pin_;
  QDockWidget *dock_;
  QStringList news_;
  QList<int> graphs_;
  bool isBusy_ = false;
};

/// The window's list, with one line more.
static void addFeaturesAndNote(MainWindow &window) {
  addFeatures(window);
  window.add<NoteController>(window.controller<StepsController>());
}

/// A layout as the window saved it before it was made of controllers: tiles at the left, problems and buffers at the
/// right, details at the bottom.
static QByteArray savedLayout() {
  return QByteArray::fromBase64(
      "AAAA/wAAAAD9AAAAAwAAAAAAAAKmAAACEvwCAAAAAvsAAAAKAHMAdABlAHAAcwEAAAA4AAABNQAAAMIA////+wAAAAoAdABpAGwA"
      "ZQBzAQAAAXMAAADXAAAAdwD///8AAAABAAABwAAAAhL8AgAAAAL8AAAAOAAAAVMAAADCAP////oAAAABAgAAAAL7AAAADgByAGUA"
      "YQBzAG8AbgBzAAAAAAD/////AAAAwgD////7AAAAFgBjAG8AcAB5AFIAZQBhAHMAbwBuAHMBAAAAAP////8AAADCAP////wAAAGR"
      "AAAAuQAAAKUBAAAa+gAAAAECAAAAAvsAAAAQAHAAcgBvAGIAbABlAG0AcwEAAAAA/////wAAAFcA////+wAAAA4AYgB1AGYAZgBl"
      "AHIAcwEAAAAA/////wAAAIoA////AAAAAwAABh4AAAEY/AEAAAAC/AAAAAAAAAUtAAADjgD////6AAAAAwEAAAAE+wAAAAYAcgB1"
      "AG4BAAAAAP////8AAAOOAP////sAAAAQAHAAaQBwAGUAbABpAG4AZQEAAAAA/////wAAAgMA////+wAAAAYAbABvAGcAAAAAAP//"
      "//8AAABEAP////sAAAAMAGYAdQBzAGkAbwBuAQAAAAD/////AAADgAD////7AAAADgBkAGUAdABhAGkAbABzAQAABTMAAADrAAAA"
      "RAD///8AAAGsAAACEgAAAAQAAAAEAAAACAAAAAj8AAAAAQAAAAIAAAABAAAADgB0AG8AbwBsAGIAYQByAQAAAAD/////AAAAAAAA"
      "AAA=");
}

namespace {

struct NoteBench : WindowBench {
  NoteBench() : WindowBench(addFeaturesAndNote) {}
  NoteController &note = window.controller<NoteController>();
};

/// A window without an engine, for what needs none.
struct QuietWindow {
  EngineSession session{{u"/no/such/engine"_s}};
  MainWindow window;
  explicit QuietWindow(Settings &settings, const MainWindow::AddFeatures &features = addFeatures)
      : window(session, settings, features) {
    window.show();
  }
  QDockWidget *dock(const QString &name) { return window.findChild<QDockWidget *>(name); }
};

} // namespace

class WindowFeatureTest : public QObject {
  Q_OBJECT
private slots:
  void aPanelHasItsPlacesInTheMenus() {
    NoteBench bench;
    const QAction *panel = bench.window.shell().menus().panels()->actions().last();
    QCOMPARE(panel->text(), u"Note"_s);
    QCOMPARE(panel->shortcut(), QKeySequence(u"Ctrl+Alt+0"_s));
    QVERIFY(!bench.note.dock().isVisible());
    // A command stands after those that were at its place before, and Help lists it.
    const QList<QAction *> view = bench.window.menuBar()->actions()[2]->menu()->actions();
    const qsizetype first = view.indexOf(bench.graph.actions().trace), pin = view.indexOf(bench.note.pin());
    QVERIFY(first >= 0 && pin > first);
    for (const QAction *between : view.mid(first, pin - first))
      QVERIFY(!between->isSeparator());
    QStringList help;
    for (const ShortcutEntry &entry : bench.window.shell().menus().shortcuts())
      help.append(entry.text);
    QVERIFY(help.contains(u"Pin the Note"_s) && help.contains(u"Panels: Note"_s));
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window, patience));
    QTest::keyClick(&bench.window, Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(bench.note.dock().isVisible() && bench.note.edit().hasFocus());
    auto *problems = bench.window.findChild<QDockWidget *>(u"problems"_s);
    QVERIFY(bench.window.tabifiedDockWidgets(&bench.note.dock()).contains(problems));
  }

  void aControllerHearsWhatHappens() {
    NoteBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QStringList news = bench.note.takeNews();
    QCOMPARE(news.mid(0, 3), QStringList({u"opened softmax.mlir"_s, u"reset"_s, u"row 0, snapshot 0, of 1"_s}));
    // Then the default pipeline was recorded.
    QVERIFY(news.contains(u"steps replaced, then row 0"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.note.takeGraphs().contains(0));
    bench.steps.select(2);
    QCOMPARE(bench.note.takeNews(), QStringList(u"row 2, snapshot 2, of %1"_s.arg(bench.rows())));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.note.takeGraphs(), QList<int>{2});
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.killEngine();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    news = bench.note.takeNews();
    QCOMPARE(news.first(), u"died"_s);
    QVERIFY(news.contains(u"recovered"_s));
    bench.note.setBusy(true);
    QVERIFY(!bench.window.isSettled());
  }

  void aPanelIsAsItWasLeft() {
    QTemporaryDir scratch;
    Settings settings(scratch.filePath(u"settings.ini"_s));
    {
      QuietWindow first(settings, addFeaturesAndNote);
      auto &note = first.window.controller<NoteController>();
      QVERIFY(note.pin()->isChecked());
      note.pin()->setChecked(false);
      note.edit().setText(u"ask about the bias"_s);
      first.window.addDockWidget(Qt::LeftDockWidgetArea, &note.dock());
      note.dock().show();
      QVERIFY(first.window.close());
    }
    QuietWindow second(settings, addFeaturesAndNote);
    auto &note = second.window.controller<NoteController>();
    QVERIFY(!note.pin()->isChecked());
    QCOMPARE(note.edit().text(), u"ask about the bias"_s);
    QVERIFY(note.dock().isVisible());
    QCOMPARE(second.window.dockWidgetArea(&note.dock()), Qt::LeftDockWidgetArea);
    // A window without the panel takes the same settings.
    QVERIFY(second.window.close());
    QuietWindow third(settings);
    QVERIFY(!third.dock(u"note"_s) && third.dock(u"steps"_s)->isVisible());
  }

  void aLayoutOfAnEarlierVersionRestores() {
    QTemporaryDir scratch;
    Settings settings(scratch.filePath(u"settings.ini"_s));
    settings.setLayout(savedLayout());
    QuietWindow bench(settings);
    const QMap<QString, Qt::DockWidgetArea> areas{
        {u"steps"_s, Qt::LeftDockWidgetArea},      {u"tiles"_s, Qt::LeftDockWidgetArea},
        {u"reasons"_s, Qt::RightDockWidgetArea},   {u"copyReasons"_s, Qt::RightDockWidgetArea},
        {u"problems"_s, Qt::RightDockWidgetArea},  {u"buffers"_s, Qt::RightDockWidgetArea},
        {u"details"_s, Qt::BottomDockWidgetArea},  {u"run"_s, Qt::BottomDockWidgetArea},
        {u"pipeline"_s, Qt::BottomDockWidgetArea}, {u"log"_s, Qt::BottomDockWidgetArea},
        {u"fusion"_s, Qt::BottomDockWidgetArea}};
    // And those that came later.
    QVERIFY(bench.window.findChildren<QDockWidget *>().size() > areas.size());
    for (auto area = areas.begin(); area != areas.end(); ++area) {
      QDockWidget *dock = bench.dock(area.key());
      QVERIFY2(dock, qPrintable(area.key()));
      QVERIFY2(bench.window.dockWidgetArea(dock) == area.value(), qPrintable(area.key()));
      QCOMPARE(dock->isHidden(), area.key() == "log"_L1 || area.key() == "reasons"_L1);
    }
    QCOMPARE(bench.window.tabifiedDockWidgets(bench.dock(u"problems"_s)),
             QList<QDockWidget *>{bench.dock(u"buffers"_s)});
    QVERIFY(bench.window.tabifiedDockWidgets(bench.dock(u"details"_s)).isEmpty());
  }

  void switchesThatWereOffStayOff() {
    QTemporaryDir scratch;
    Settings settings(scratch.filePath(u"settings.ini"_s));
    for (const char *flag : {"splitText", "foldConstants", "minimap", "heat", "verdicts"})
      settings.setFlag(QString::fromLatin1(flag), false);
    QuietWindow bench(settings);
    auto &graph = bench.window.controller<GraphController>();
    QVERIFY(!graph.actions().foldConstants->isChecked() && !graph.scenes().options().foldConstants);
    QVERIFY(!graph.actions().minimap->isChecked() && !graph.view().isMinimapVisible());
    QVERIFY(!bench.window.controller<TextController>().view().isVisible());
    QVERIFY(!bench.window.controller<RunController>().panel().heat());
    QVERIFY(!bench.window.controller<FusionController>().actions().verdicts->isChecked());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowFeatureTest)
#include "WindowFeatureTest.moc"
