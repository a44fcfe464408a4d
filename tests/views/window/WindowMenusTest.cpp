// Menus that people know: Edit does what the keyboard is in, Preferences are searched, keys are changed.
#include "app/gui/edit/EditController.h"
#include "app/gui/preferences/PreferencesController.h"
#include "app/gui/schedule/ScriptController.h"
#include "tests/views/window/WindowBench.h"
#include "views/common/Theme.h"
#include "views/dialogs/PreferencesDialog.h"
#include "views/editor/ScriptEdit.h"
#include "views/graph/GraphView.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct MenuBench : WindowBench {
  EditController &edit = window.controller<EditController>();
  ScriptController &scripts = window.controller<ScriptController>();

  MenuBench() {
    window.resize(1280, 800);
    window.activateWindow();
    [&] { QVERIFY(QTest::qWaitForWindowActive(&window, patience)); }();
  }
  QMenu *menu(Place place) { return window.shell().menus().menuOf(place); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
    window.activateWindow(); // offscreen, a menu that closes leaves no window active
    [&] { QVERIFY(QTest::qWaitForWindowActive(&window, patience)); }();
    QWidget *focus = window.focusWidget();
    QTest::keyClick(focus ? focus : &window, key, modifiers);
  }
  const Command *command(const QString &id) {
    for (const Command &command : window.shell().menus().commands())
      if (command.id == id)
        return &command;
    return nullptr;
  }
  PreferencesDialog &preferences() {
    window.controller<PreferencesController>().open();
    PreferencesDialog *dialog = window.controller<PreferencesController>().dialog();
    [&] { QVERIFY(QTest::qWaitForWindowActive(dialog, patience)); }();
    return *dialog;
  }
};

const QKeyCombination comma(Qt::ControlModifier, Qt::Key_Comma);
} // namespace

class WindowMenusTest : public QObject {
  Q_OBJECT
private slots:
  void theEditMenuHasWhatPeopleLookFor() {
    MenuBench bench;
    QCOMPARE(bench.window.menuBar()->actions()[1]->text(), u"&Edit"_s);
    QStringList texts;
    for (const QAction *action : bench.menu(Place::EditUndo)->actions())
      if (!action->isSeparator())
        texts.append(action->text().remove(u'&').remove(u'…').section(u' ', 0, 0));
    QCOMPARE(texts.mid(0, 6), QStringList({u"Undo"_s, u"Redo"_s, u"Cut"_s, u"Copy"_s, u"Paste"_s, u"Select"_s}));
    QVERIFY(texts.contains(u"Find"_s) && texts.contains(u"Preferences"_s));
    // Nothing stands in two menus.
    QStringList all;
    for (const Command &command : bench.window.shell().menus().commands())
      all.append(command.text);
    for (const QString &once : {u"Find"_s, u"Find Next"_s, u"Undo"_s, u"Preferences"_s})
      QCOMPARE(all.count(once), 1);
    QVERIFY(!all.contains(u"Undo Fusion"_s));
  }

  void undoIsOfTypingInTheEditorAndOfFusionsElsewhere() {
    MenuBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.fusion.actions().fuseAll->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() > 0 && bench.window.isSettled(), patience);
    bench.window.showView(View::Schedule);
    bench.scripts.edit().setFocus();
    const QString before = bench.scripts.edit().toPlainText();
    QTest::keyClicks(&bench.scripts.edit(), u"word"_s);
    QVERIFY(bench.scripts.edit().toPlainText() != before);
    QVERIFY(bench.scripts.edit().hasFocus());
    QMenu *menu = bench.menu(Place::EditUndo);
    emit menu->aboutToShow();
    QCOMPARE(bench.edit.undoAction()->text(), u"&Undo Typing"_s);
    QVERIFY(bench.edit.undoAction()->isEnabled());
    // By the menu, opened by mouse.
    QMenuBar *bar = bench.window.menuBar();
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(bar->actions()[1]).center());
    QTRY_VERIFY_WITH_TIMEOUT(menu->isVisible(), 5000);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(bench.edit.undoAction()).center());
    QTRY_COMPARE(bench.scripts.edit().toPlainText(), before);
    QVERIFY(bench.session.undoLevels() > 0); // the fusion is still there
    bench.window.showView(View::Graph);
    bench.graph.view().setFocus();
    emit menu->aboutToShow();
    QCOMPARE(bench.edit.undoAction()->text(), u"&Undo Fusion"_s);
    emit menu->aboutToHide();
    QTRY_VERIFY(bench.edit.undoAction()->isEnabled());
    bench.key(Qt::Key_Z);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() == 0 && bench.window.isSettled(), patience);
    bench.key(Qt::Key_Y);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.undoLevels() > 0 && bench.window.isSettled(), patience);
  }

  void theMenuBarByKeyboardKeepsWhatItIsAbout() {
    MenuBench bench;
    bench.window.showView(View::Schedule);
    bench.scripts.edit().setFocus();
    QTest::keyClicks(&bench.scripts.edit(), u"abc"_s);
    const QString typed = bench.scripts.edit().toPlainText();
    bench.window.menuBar()->setFocus(); // as Alt does it
    emit bench.menu(Place::EditUndo)->aboutToShow();
    QCOMPARE(bench.edit.undoAction()->text(), u"&Undo Typing"_s);
    bench.edit.undoAction()->trigger();
    QVERIFY(bench.scripts.edit().toPlainText() != typed);
  }

  void copyTakesWhatIsSelectedWhereTheKeyboardIs() {
    MenuBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    QClipboard *clipboard = QApplication::clipboard();
    clipboard->setText(u"nothing"_s);
    bench.window.showView(View::Text);
    bench.text.view().setFocus();
    bench.key(Qt::Key_A);
    bench.key(Qt::Key_C);
    QTRY_VERIFY_WITH_TIMEOUT(clipboard->text().contains(u"func.func"_s), patience);
    QTreeView *list = bench.steps.panel().list();
    list->setFocus();
    bench.steps.select(1);
    bench.key(Qt::Key_C);
    QVERIFY2(clipboard->text().contains(bench.steps.model().stepAt(1)->name), qPrintable(clipboard->text()));
    QVERIFY(!clipboard->text().contains(u"func.func"_s));
    bench.window.showView(View::Graph);
    bench.graph.view().setFocus();
    bench.key(Qt::Key_C);
    QVERIFY(clipboard->mimeData()->hasImage());
    // A menu that is open says what there is to copy, and with it closed the keys go on.
    emit bench.menu(Place::EditUndo)->aboutToShow();
    QCOMPARE(bench.edit.copyAction()->text(), u"&Copy as Image"_s);
    QVERIFY(!bench.edit.selectAllAction()->isEnabled());
    emit bench.menu(Place::EditUndo)->aboutToHide();
    QTRY_VERIFY(bench.edit.selectAllAction()->isEnabled());
  }

  void preferencesOpenByKeyAndAreSearched() {
    MenuBench bench;
    QTest::keyClick(&bench.window, comma.key(), comma.keyboardModifiers());
    PreferencesDialog *dialog = bench.window.controller<PreferencesController>().dialog();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(QTest::qWaitForWindowActive(dialog, patience));
    QTRY_VERIFY(dialog->searchEdit()->hasFocus());
    for (const QString &name : {u"Theme"_s, u"Text size"_s, u"Engine command"_s, u"Wrap Long Lines"_s, u"Repeats"_s,
                                u"Fusion policy"_s, u"Minimap"_s})
      QVERIFY2(dialog->editorOf(name), qPrintable(name));
    QTest::keyClicks(dialog->searchEdit(), u"ssh"_s);
    QVERIFY(dialog->editorOf(u"Engine command"_s)->isVisible());
    QVERIFY(!dialog->editorOf(u"Theme"_s)->isVisible());
    dialog->searchEdit()->clear();
    QTest::keyClicks(dialog->searchEdit(), u"Ctrl+Shift+E"_s); // a key leads to its command
    QCOMPARE(dialog->tabs()->currentIndex(), 1);
    dialog->shortcuts().select(u"Edit/Find"_s);
    QVERIFY(dialog->shortcuts().field()->isEnabled());
    dialog->searchEdit()->setText(u"no such thing"_s);
    QVERIFY(!dialog->shortcuts().field()->isEnabled()); // the command is out of sight
    QVERIFY(!dialog->editorOf(u"Theme"_s)->isVisible());
    dialog->searchEdit()->clear();
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
  }

  void choicesTakeEffectAtOnceAndStay() {
    MenuBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    PreferencesDialog &dialog = bench.preferences();
    auto *theme = qobject_cast<QComboBox *>(dialog.editorOf(u"Theme"_s));
    theme->setFocus();
    QTest::keyClick(theme, Qt::Key_End);
    QCOMPARE(bench.settings.theme(), u"dark"_s);
    QTRY_VERIFY(bench.window.palette().color(QPalette::Window).lightness() < 128);
    QTest::keyClick(theme, Qt::Key_Up);
    QCOMPARE(bench.settings.theme(), u"light"_s);
    // One of the command line is for this start, until another one is chosen.
    bench.settings.setThemeOfStart(u"dark"_s);
    QCOMPARE(bench.settings.theme(), u"dark"_s);
    bench.settings.setTheme(u"light"_s);
    QCOMPARE(bench.settings.theme(), u"light"_s);
    auto *size = qobject_cast<QSpinBox *>(dialog.editorOf(u"Text size"_s));
    size->setValue(150);
    QCOMPARE(bench.text.view().zoom(), 1.5);
    QCOMPARE(bench.scripts.edit().zoom(), 1.5);
    auto *minimap = qobject_cast<QCheckBox *>(dialog.editorOf(u"Minimap"_s));
    QVERIFY(minimap->isChecked());
    QTest::mouseClick(minimap, Qt::LeftButton, {}, QPoint(8, minimap->height() / 2));
    QVERIFY(!bench.graph.actions().minimap->isChecked());
    bench.graph.actions().minimap->trigger(); // the dialog shows what holds when it is opened again
    bench.preferences();
    QVERIFY(minimap->isChecked());
    MainWindow again(bench.session, bench.settings, addFeatures);
    QCOMPARE(again.controller<TextController>().view().zoom(), 1.5);
  }

  void aKeyIsChangedAndKept() {
    MenuBench bench;
    const Command *open = bench.command(u"View/Go to Anything"_s);
    QVERIFY(open);
    const QString tip = open->action->toolTip();
    QVERIFY2(tip.endsWith(u"(Ctrl+K)"_s), qPrintable(tip));
    PreferencesDialog &dialog = bench.preferences();
    ShortcutTable &table = dialog.shortcuts();
    dialog.tabs()->setCurrentIndex(1);
    table.select(open->id);
    table.field()->setFocus();
    QTest::keyClick(table.field(), Qt::Key_G, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(open->action->shortcut(), QKeySequence(u"Ctrl+Alt+G"_s));
    QVERIFY2(open->action->toolTip().endsWith(u"(Ctrl+Alt+G)"_s), qPrintable(open->action->toolTip()));
    const Command *save = bench.command(u"File/Save Schedule"_s);
    QToolButton *button = nullptr;
    for (QToolButton *candidate : bench.window.findChildren<QToolButton *>())
      if (candidate->toolTip() == u"Save the schedule (Ctrl+S)"_s)
        button = candidate;
    QVERIFY(save && button);
    bench.window.shell().shortcuts().setKeys(save->id, {QKeySequence(u"Ctrl+F12"_s)});
    QCOMPARE(button->toolTip(), u"Save the schedule (Ctrl+F12)"_s);
    bench.window.shell().shortcuts().reset(save->id);
    // Help lists it, and so does the next window.
    QList<QKeySequence> listed;
    for (const ShortcutEntry &entry : bench.window.shell().menus().shortcuts())
      if (entry.text == open->text)
        listed = entry.keys;
    QCOMPARE(listed, QList{QKeySequence(u"Ctrl+Alt+G"_s)});
    {
      MainWindow again(bench.session, bench.settings, addFeatures);
      for (const Command &command : again.shell().menus().commands())
        if (command.id == open->id)
          QCOMPARE(command.action->shortcut(), QKeySequence(u"Ctrl+Alt+G"_s));
    }
    QVERIFY(table.resetButton()->isEnabled());
    QTest::mouseClick(table.resetButton(), Qt::LeftButton);
    QCOMPARE(open->action->shortcut(), QKeySequence(u"Ctrl+K"_s));
    QCOMPARE(open->action->toolTip(), tip);
    // Backspace takes the key away; Reset All gives it back.
    table.field()->setFocus();
    QTest::keyClick(table.field(), Qt::Key_Backspace);
    QVERIFY(open->action->shortcuts().isEmpty());
    QCOMPARE(open->action->toolTip(), tip.section(u" ("_s, 0, 0));
    QTest::mouseClick(table.resetAllButton(), Qt::LeftButton);
    QCOMPARE(open->action->shortcut(), QKeySequence(u"Ctrl+K"_s));
    QVERIFY(bench.settings.shortcuts().isEmpty());
  }

  void aConflictIsSaidAndResolved() {
    MenuBench bench;
    const Command *locator = bench.command(u"View/Go to Anything"_s), *find = bench.command(u"Edit/Find"_s);
    QVERIFY(locator && find);
    PreferencesDialog &dialog = bench.preferences();
    ShortcutTable &table = dialog.shortcuts();
    dialog.tabs()->setCurrentIndex(1);
    table.select(locator->id);
    table.field()->setFocus();
    QTest::keyClick(table.field(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(locator->action->shortcut(), QKeySequence(u"Ctrl+K"_s)); // not yet
    QVERIFY2(table.message().contains(u"Edit"_s) && table.message().contains(u"Find"_s), qPrintable(table.message()));
    QVERIFY(table.reassignButton()->isVisible());
    QTest::mouseClick(table.reassignButton(), Qt::LeftButton);
    QCOMPARE(locator->action->shortcut(), QKeySequence(u"Ctrl+F"_s));
    QVERIFY(find->action->shortcuts().isEmpty());
    // The key of a view, or of the menu bar, is nobody else's.
    for (const auto &[key, modifiers] : {std::pair{Qt::Key_F, Qt::NoModifier}, {Qt::Key_E, Qt::AltModifier}}) {
      QTest::keyClick(table.field(), key, modifiers);
      QVERIFY2(table.message().contains(u"is taken"_s), qPrintable(table.message()));
      QVERIFY(!table.reassignButton()->isVisible());
      QCOMPARE(locator->action->shortcut(), QKeySequence(u"Ctrl+F"_s));
    }
    // What was given away is asked back in the same way.
    table.select(find->id);
    QTest::mouseClick(table.resetButton(), Qt::LeftButton);
    QVERIFY(table.reassignButton()->isVisible());
    QTest::mouseClick(table.reassignButton(), Qt::LeftButton);
    QCOMPARE(find->action->shortcut(), QKeySequence(u"Ctrl+F"_s));
    QTest::mouseClick(table.resetAllButton(), Qt::LeftButton);
    QHash<QString, QString> known; // as it was: no key twice
    for (const Command &command : bench.window.shell().menus().commands())
      for (const QKeySequence &key : command.action->shortcuts()) {
        QVERIFY2(!known.contains(key.toString()), qPrintable(key.toString() + u' ' + command.id));
        known.insert(key.toString(), command.id);
      }
  }

  void idsOfCommandsAreTheirOwn() {
    MenuBench bench;
    QSet<QString> ids;
    for (const Command &command : bench.window.shell().menus().commands()) {
      QVERIFY2(!ids.contains(command.id), qPrintable(command.id));
      ids.insert(command.id);
    }
    QVERIFY(ids.size() > 80);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowMenusTest)
#include "WindowMenusTest.moc"
