// Panels are made when they are first seen or used, and nobody can tell.
#include "app/gui/outcome/OutcomeController.h"
#include "app/gui/outcome/OutcomePanel.h"
#include "app/gui/shell/LazyPanel.h"
#include "app/gui/tuning/TuningController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/BuffersPanel.h"
#include "views/panels/RunPanel.h"
#include "views/tuning/TuningPanel.h"
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QVBoxLayout>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {

/// Two fields, the first of which has the keyboard for both.
struct Fields : QWidget {
  explicit Fields(const QString &name) : first(new QLineEdit), second(new QLineEdit) {
    auto *layout = new QVBoxLayout(this);
    first->setObjectName(name + u"1"_s);
    second->setObjectName(name + u"2"_s);
    layout->addWidget(first);
    layout->addWidget(second);
    setFocusProxy(first);
  }
  QLineEdit *first, *second;
};

/// The names of the fields, in the order of the Tab key.
QStringList tabOrder(QWidget &window) {
  QStringList names;
  for (QWidget *widget = window.nextInFocusChain(); widget != &window; widget = widget->nextInFocusChain())
    if (qobject_cast<QLineEdit *>(widget))
      names.append(widget->objectName());
  return names;
}

} // namespace

class WindowPanelsTest : public QObject {
  Q_OBJECT
private slots:
  void newsArriveInOrderOnceThePanelIsMade() {
    QWidget window;
    QStringList heard;
    LazyPanel<QLabel> panel;
    panel.place()->setParent(&window);
    panel.tell([&](QLabel &) { heard.append(u"first"_s); });
    panel.tell(u"text"_s, [](QLabel &label) { label.setText(u"old"_s); });
    panel.tell([&](QLabel &) { heard.append(u"second"_s); });
    panel.tell(u"text"_s, [](QLabel &label) { label.setText(u"new"_s); });
    QVERIFY(!panel.isMade());
    QCOMPARE(heard, QStringList());
    QCOMPARE(panel->text(), u"new"_s);
    QCOMPARE(heard, QStringList({u"first"_s, u"second"_s}));
    panel.tell(u"text"_s, [](QLabel &label) { label.setText(u"newest"_s); });
    QCOMPARE(panel->text(), u"newest"_s);
    QCOMPARE(panel->window(), &window);
  }

  void aPlaceThatIsSeenMakesItsPanel() {
    QWidget window;
    LazyPanel<QLabel> seen, hidden;
    auto *layout = new QVBoxLayout(&window);
    layout->addWidget(seen.place());
    layout->addWidget(hidden.place());
    hidden.place()->hide();
    window.show();
    QVERIFY(seen.isMade() && !hidden.isMade());
    QVERIFY(seen->isVisible());
    hidden.place()->show();
    QVERIFY(hidden.isMade() && hidden->isVisible());
  }

  void aPlaceThatNobodyTookGoesWithItsPanel() {
    QPointer<QWidget> place, panel;
    {
      LazyPanel<QLabel> lazy;
      place = lazy.place();
      panel = &lazy.get();
    }
    QVERIFY(!place && !panel);
  }

  void fieldsOfAPanelHaveTheirTurnOfTheKeyboard() {
    QWidget window;
    LazyPanel<Fields> lazy([] { return new Fields(u"lazy"_s); });
    auto *layout = new QVBoxLayout(&window);
    layout->addWidget(new Fields(u"before"_s));
    layout->addWidget(lazy.place());
    layout->addWidget(new Fields(u"after"_s));
    lazy.get();
    QCOMPARE(tabOrder(window),
             QStringList({u"before1"_s, u"before2"_s, u"lazy1"_s, u"lazy2"_s, u"after1"_s, u"after2"_s}));
    window.show();
    lazy.place()->setFocus();
    QCOMPARE(window.focusWidget(), lazy->first);
  }

  void fewPanelsAreThereAtTheStart() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QVERIFY(!bench.window.findChild<BuffersPanel *>());
    QVERIFY(!bench.window.findChild<TuningPanel *>());
    QVERIFY(!bench.window.findChild<OutcomePanel *>());
    QVERIFY(!bench.window.findChild<RunPanel *>());
    bench.buffers.raise();
    QVERIFY(bench.window.findChild<BuffersPanel *>());
    QVERIFY(bench.window.findChild<BuffersPanel *>()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(bench.buffers.model().rowCount() > 0, patience); // of the step on screen
  }

  void theRunPanelHasWhatWasRememberedAndTheFunctions() {
    WindowBench bench;
    bench.settings.setText(u"runRepeats"_s, u"7"_s);
    bench.run.restoreState(bench.settings);
    bench.open(bench.write(u"two.mlir"_s, "func.func @f(%a: f32) -> f32 { return %a : f32 }\n"
                                          "func.func @g(%a: f32) -> f32 { return %a : f32 }\n"));
    QVERIFY(!bench.window.findChild<RunPanel *>());
    bench.run.saveState(bench.settings);
    QCOMPARE(bench.settings.text(u"runRepeats"_s), u"7"_s); // a panel that is not there changes nothing
    bench.run.raise();
    auto *panel = bench.window.findChild<RunPanel *>();
    QVERIFY(panel && panel->isVisible());
    QCOMPARE(panel->repeat(), 7);
    bool hasFunctions = false;
    for (const QComboBox *box : panel->findChildren<QComboBox *>())
      hasFunctions |= box->findText(u"g"_s) >= 0 && box->isVisible();
    QVERIFY(hasFunctions);
    bench.run.panel().setRepeat(9);
    bench.run.saveState(bench.settings);
    QCOMPARE(bench.settings.text(u"runRepeats"_s), u"9"_s);
  }

  /// A part that is shown before it has its place is a window of its own for a moment, which takes the keyboard away.
  void noPanelOpensAWindow() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.activateWindow();
    QTRY_VERIFY(bench.window.isActiveWindow());
    bench.graph.view().setFocus();
    Docks &docks = bench.window.shell().docks();
    for (const QString &name : docks.names()) {
      const qsizetype windows = QGuiApplication::allWindows().size();
      QSignalSpy activations(qApp, &QGuiApplication::focusWindowChanged);
      docks.raise(docks.find(name));
      QVERIFY2(QGuiApplication::allWindows().size() == windows, qPrintable(name));
      QCoreApplication::processEvents();
      QVERIFY2(activations.isEmpty(), qPrintable(name));
    }
    QVERIFY(bench.graph.view().hasFocus());
  }

  void buttonsOfALatePanelFollowChosenKeys() {
    WindowBench bench;
    Shortcuts &shortcuts = bench.window.shell().shortcuts();
    const QList<Command> commands = bench.window.shell().menus().commands();
    const auto withKey =
        std::find_if(commands.begin(), commands.end(), [](const Command &command) { return !command.keys.isEmpty(); });
    QVERIFY(withKey != commands.end());
    const auto tipOf = [](const QKeySequence &key) {
      return u"Do it (%1)"_s.arg(key.toString(QKeySequence::NativeText));
    };
    const QKeySequence chosen(u"Ctrl+Alt+F9"_s);
    shortcuts.setKeys(withKey->id, {chosen});
    QWidget panel;
    auto *button = new QPushButton(&panel);
    button->setToolTip(tipOf(withKey->keys.first()));
    emit bench.window.shell().docks().panelMade(&panel);
    QCOMPARE(button->toolTip(), tipOf(chosen));
  }

  void settingsOfAPanelThatNobodyOpenedStay() {
    WindowBench bench;
    bench.settings.setText(u"tuneStrategy"_s, u"random"_s);
    bench.settings.setText(u"kernelChip"_s, u"sm_80"_s);
    bench.window.saveAll();
    QCOMPARE(bench.settings.text(u"tuneStrategy"_s), u"random"_s);
    QCOMPARE(bench.settings.text(u"kernelChip"_s), u"sm_80"_s);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowPanelsTest)
#include "WindowPanelsTest.moc"
