// Plugins: the list in the preferences, what the engine says of them, and engines that die of one.
#include "app/gui/plugins/PluginsController.h"
#include "app/gui/preferences/PreferencesController.h"
#include "tests/views/window/WindowBench.h"
#include "views/dialogs/PluginsPage.h"
#include "views/dialogs/PreferencesDialog.h"
#include "views/widgets/Banner.h"
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>

using namespace fuselage;
using namespace Qt::StringLiterals;

static QString plugin(const QString &name) { return QStringLiteral(FUSELAGE_PLUGINS) + u'/' + name; }

struct PluginsBench : WindowBench {
  PluginsController &plugins = window.controller<PluginsController>();
  PreferencesController &preferences = window.controller<PreferencesController>();

  PluginsPage &page() {
    plugins.showPage();
    return *plugins.page();
  }
  bool isLoaded(const QString &name) const {
    for (const protocol::Plugin &each : plugins.loaded())
      if (each.path.endsWith(name) && each.problem.isEmpty())
        return true;
    return false;
  }
  /// Of the last crash, as the engine printed it.
  QString lastStack() const { return session.lastCrash() ? session.lastCrash()->exit.stack.join(u'\n') : QString(); }
  /// A button of the banner; null: there is none of that name.
  QAbstractButton *button(const QString &text) const {
    for (QAbstractButton *each : banner.findChildren<QAbstractButton *>())
      if (each->text() == text)
        return each;
    return nullptr;
  }
};

class WindowPluginsTest : public QObject {
  Q_OBJECT
private slots:
  void aPluginIsAddedAndUsed() {
    PluginsBench bench;
    bench.open(QStringLiteral(FUSELAGE_PLUGIN_INPUTS) + u"/toy.mlir"_s);
    QCOMPARE(bench.page().rows().size(), 0);
    bench.plugins.add(plugin(u"toy.so"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.isLoaded(u"toy.so"_s), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.page().list()->topLevelItem(0)->text(0), u"Toy v1.2"_s);
    QCOMPARE(bench.page().list()->topLevelItem(0)->text(1), u"loaded"_s);
    QVERIFY2(bench.page().details().contains(u"toy-merge-scales"_s) &&
                 bench.page().details().contains(u"Dialects: toy"_s),
             qPrintable(bench.page().details()));
    // The document was opened again with the dialect; its passes complete, and are steps.
    bench.pipeline.requestCatalog();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.pipeline.catalog().passes.isEmpty(), patience);
    const auto &passes = bench.pipeline.catalog().passes;
    QVERIFY(std::any_of(passes.begin(), passes.end(),
                        [](const protocol::Pass &pass) { return pass.argument == "toy-lower"_L1; }));
    bench.record(u"builtin.module(toy-lower)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.session.steps().last().changed);
    // Kept for the next start, and for nobody but the user.
    QCOMPARE(bench.settings.plugins().size(), 1);
    QCOMPARE(bench.settings.pluginArguments(), QStringList{u"--load-plugin="_s + plugin(u"toy.so"_s)});
  }

  void itIsSwitchedOffAndRemovedByKeyboard() {
    PluginsBench bench;
    bench.plugins.add(plugin(u"toy.so"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.isLoaded(u"toy.so"_s), patience);
    QTreeWidget *list = bench.page().list();
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Space);
    QVERIFY(!bench.settings.plugins().first().isEnabled);
    QTRY_COMPARE_WITH_TIMEOUT(bench.page().list()->topLevelItem(0)->text(1), u"off"_s, patience);
    QVERIFY(bench.session.arguments().isEmpty());
    QTest::keyClick(list, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isLoaded(u"toy.so"_s), patience);
    bench.page().removeButton()->click();
    QVERIFY(bench.settings.plugins().isEmpty());
    QCOMPARE(bench.page().list()->topLevelItemCount(), 0);
  }

  void aSearchFindsThePage() {
    PluginsBench bench;
    bench.preferences.open();
    PreferencesDialog &dialog = *bench.preferences.dialog();
    QTest::keyClicks(dialog.searchEdit(), u"mlir-opt shared"_s);
    QCOMPARE(dialog.tabs()->tabText(dialog.tabs()->currentIndex()), u"Plugins"_s);
  }

  void oneThatIsRefusedIsNamed() {
    PluginsBench bench;
    bench.plugins.add(plugin(u"of_another_llvm.so"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.isVisible(), patience);
    QVERIFY2(bench.banner.text().contains(u"libMLIR.so.21.1"_s), qPrintable(bench.banner.text()));
    QCOMPARE(bench.page().list()->topLevelItem(0)->text(1), u"refused"_s);
    QVERIFY(bench.page().details().contains(u"libMLIR.so.22"_s));
    QVERIFY(bench.settings.plugins().first().isEnabled); // it can be built anew
    bench.open(sample(u"softmax.mlir"_s));
    QVERIFY(bench.rows() >= 1);
  }

  void oneThatCrashesWhileItIsLoadedIsSwitchedOff() {
    PluginsBench bench;
    QSignalSpy crashed(&bench.session, &EngineSession::crashed);
    bench.plugins.add(plugin(u"crashes.so"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.isVisible(), patience);
    QVERIFY2(bench.banner.text().contains(u"crashes.so"_s) && bench.banner.text().contains(u"switched off"_s),
             qPrintable(bench.banner.text()));
    QVERIFY(!bench.settings.plugins().first().isEnabled);
    QVERIFY(bench.settings.pluginArguments().isEmpty()); // of the next start
    QCOMPARE(crashed.size(), 0);
    bench.open(sample(u"softmax.mlir"_s));
    QCOMPARE(bench.session.state(), EngineSession::State::Ready);
  }

  void anEngineThatDiesInAPluginNamesIt() {
    PluginsBench bench;
    bench.plugins.add(plugin(u"toy.so"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.isLoaded(u"toy.so"_s), patience);
    bench.open(sample(u"softmax.mlir"_s));
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.record(u"builtin.module(cse,toy-crash)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    const QString text = bench.banner.text();
    QVERIFY2(text.contains(u"toy-crash"_s) && text.contains(u"SIGSEGV"_s) && text.contains(u"plugin Toy (toy.so)"_s),
             qPrintable(text));
    QVERIFY(bench.lastStack().contains(u"toy.so"_s));
    QAbstractButton *disable = bench.button(u"Disable the Plugin"_s);
    QVERIFY(disable);
    disable->click();
    QVERIFY(!bench.settings.plugins().first().isEnabled);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && !bench.isLoaded(u"toy.so"_s), patience);
  }

  void anEngineThatCannotStartIsStartedWithout() {
    PluginsBench bench;
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.state(), EngineSession::State::Ready, patience);
    // As if it died of what no copy dies of.
    bench.session.setCommand(
        {u"sh"_s, u"-c"_s, u"test $# -eq 0 || exit 3; exec '%1' serve"_s.arg(engineOfTests().first()), u"engine"_s});
    bench.plugins.add(plugin(u"toy.so"_s));
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.state(), EngineSession::State::Dead, patience);
    QAbstractButton *without = bench.button(u"Start Without Plugins"_s);
    QVERIFY(without);
    without->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.state(), EngineSession::State::Ready, patience);
  }

  void theCommandLineOfAStartIsNotKept() {
    PluginsBench bench;
    bench.settings.setPluginsOfStart({u"--load-pass-plugin="_s + plugin(u"toy.so"_s)});
    emit bench.settings.pluginsChanged();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isLoaded(u"toy.so"_s), patience);
    QVERIFY(bench.settings.plugins().isEmpty());
    QCOMPARE(bench.page().list()->topLevelItemCount(), 1);
    QVERIFY(!bench.page().removeButton()->isEnabled());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowPluginsTest)
#include "WindowPluginsTest.moc"
