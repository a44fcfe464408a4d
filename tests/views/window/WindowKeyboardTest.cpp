// The window without a mouse: every panel is reached, every control has a name, no key means two things.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTextEdit>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// What a screen reader calls it.
static QString nameOf(QWidget *widget) {
  QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
  return interface ? interface->text(QAccessible::Name) : QString();
}

/// Whether somebody works with it, and it is no part of another control.
static bool isControl(const QWidget *widget) {
  const QWidget *parent = widget->parentWidget();
  if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith("qt_"_L1) ||
      qobject_cast<const QScrollBar *>(widget))
    return false;
  if (qobject_cast<const QComboBox *>(parent) || qobject_cast<const QAbstractSpinBox *>(parent) ||
      qobject_cast<const QLineEdit *>(parent))
    return false;
  return qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
         qobject_cast<const QComboBox *>(widget) || qobject_cast<const QAbstractSpinBox *>(widget) ||
         qobject_cast<const QAbstractSlider *>(widget) || qobject_cast<const QAbstractItemView *>(widget) ||
         qobject_cast<const QTextEdit *>(widget) || qobject_cast<const QPlainTextEdit *>(widget) ||
         (qobject_cast<const QAbstractScrollArea *>(widget) && widget->focusPolicy() == Qt::StrongFocus);
}

/// The letters after '&' in the texts of the controls.
static QStringList mnemonicsIn(const QWidget &window) {
  QStringList keys;
  const auto add = [&](const QString &text) {
    if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty())
      keys.append(key.toString());
  };
  for (const QAbstractButton *button : window.findChildren<QAbstractButton *>())
    add(button->text());
  for (const QLabel *label : window.findChildren<QLabel *>())
    if (label->buddy())
      add(label->text());
  return keys;
}

class WindowKeyboardTest : public QObject {
  Q_OBJECT
private slots:
  void noKeyMeansTwoThings_data() {
    QTest::addColumn<QString>("panel");
    QTest::newRow("in the graph") << QString();
    QTest::newRow("in a panel with keys of its own") << u"schedule"_s;
  }

  void noKeyMeansTwoThings() {
    QFETCH(QString, panel);
    WindowBench bench;
    bench.window.activateWindow();
    QWidget *place = &bench.graph.view();
    if (!panel.isEmpty()) {
      auto *dock = bench.window.findChild<QDockWidget *>(panel);
      dock->show();
      place = dock->findChild<QTableView *>();
    }
    QVERIFY(place);
    bench.window.showView(View::Graph);
    place->setFocus();
    if (!panel.isEmpty())
      QTRY_VERIFY(place->hasFocus());
    QHash<QString, QString> known;
    for (const QAction *action : bench.window.findChildren<QAction *>()) {
      const auto *owner = qobject_cast<const QWidget *>(action->parent());
      if (action->shortcutContext() != Qt::WindowShortcut && !(owner && owner->isAncestorOf(place)))
        continue; // of a panel where the keyboard is not
      for (const QKeySequence &key : action->shortcuts()) {
        const QString name = key.toString();
        QVERIFY2(!known.contains(name), qPrintable(name + u": "_s + known.value(name) + u" and "_s + action->text()));
        known.insert(name, action->text());
      }
    }
    QVERIFY(known.size() > 40);
    QCOMPARE(known.value(u"F11"_s).contains(u"Into"_s), !panel.isEmpty());
  }

  void panelsDoNotWidenTheWindow() {
    WindowBench bench;
    QCOMPARE(bench.window.size(), QSize(1440, 900));
  }

  void noLetterMeansTwoThings() {
    WindowBench bench;
    QStringList letters = mnemonicsIn(bench.window);
    for (const QAction *action : bench.window.menuBar()->actions())
      letters.append(QKeySequence::mnemonic(action->text()).toString());
    QVERIFY(letters.size() > 10);
    const QStringList ofFields = letters;
    for (const QAction *action :
         bench.window.findChildren<QAction *>()) // which would be ambiguous, so that neither does anything
      for (const QKeySequence &key : action->shortcuts())
        if (key.count() == 1 && key[0].keyboardModifiers() == Qt::AltModifier && key[0].key() >= Qt::Key_A &&
            key[0].key() <= Qt::Key_Z)
          QVERIFY2(!ofFields.contains(key.toString()),
                   qPrintable(key.toString() + u" is of a field, or of a menu, and of "_s + action->text()));
    letters.sort();
    const QString text = letters.join(u' ');
    QVERIFY2(letters.removeDuplicates() == 0, qPrintable(text));
  }

  void everyPanelOpensTakesTheKeyboardAndCloses() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.activateWindow();
    const QList<QAction *> panels = bench.window.shell().menus().panels()->actions();
    QCOMPARE(panels.size(), bench.window.findChildren<QDockWidget *>().size());
    for (QAction *panel : panels) {
      bench.graph.view().setFocus();
      panel->trigger();
      QDockWidget *dock = nullptr;
      for (QDockWidget *candidate : bench.window.findChildren<QDockWidget *>())
        if (candidate->windowTitle() == panel->text())
          dock = candidate;
      QVERIFY2(dock && dock->isVisible(), qPrintable(panel->text()));
      QVERIFY2(dock->isAncestorOf(bench.window.focusWidget()), qPrintable(panel->text()));
      QTRY_VERIFY_WITH_TIMEOUT(!dock->visibleRegion().isEmpty(),
                               patience); // before those it shares its place with
      if (dock->objectName() == "steps"_L1)
        continue; // it stays for the rest
      panel->trigger();
      QVERIFY2(dock->isHidden(), qPrintable(panel->text()));
      QVERIFY2(!dock->isAncestorOf(bench.window.focusWidget()), qPrintable(panel->text()));
    }
  }

  void everyControlHasAName() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    for (QDockWidget *dock : bench.window.findChildren<QDockWidget *>())
      dock->show();
    bench.showTiles(u"exp"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    int controls = 0;
    for (QWidget *widget : bench.window.findChildren<QWidget *>()) {
      if (widget->window() != &bench.window || !isControl(widget)) // lists of combo boxes are windows
        continue;
      ++controls;
      const QWidget *parent = widget->parentWidget();
      QVERIFY2(!nameOf(widget).isEmpty(), qPrintable(u"%1 '%2' in %3 '%4'"_s.arg(
                                              QLatin1String(widget->metaObject()->className()), widget->objectName(),
                                              QLatin1String(parent->metaObject()->className()), parent->objectName())));
    }
    QVERIFY(controls > 60);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowKeyboardTest)
#include "WindowKeyboardTest.moc"
