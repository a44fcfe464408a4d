// Documents that run on other machines: here, other processes, through `sh -c` or over a slow link.
#include "app/gui/hosts/HostCommand.h"
#include "app/gui/hosts/HostInstall.h"
#include "app/gui/hosts/HostsController.h"
#include "app/gui/preferences/PreferencesController.h"
#include "tests/views/window/hosts/HostBench.h"
#include "views/dialogs/PreferencesDialog.h"
#include "views/graph/GraphView.h"
#include "views/models/ProblemsModel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/Banner.h"
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowHostsTest : public QObject {
  Q_OBJECT
private slots:
  void aTabMovesToAHostAndBack() {
    HostBench bench;
    bench.setEngineOnPath(true);
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.steps.select(2);
    bench.settle();
    bench.settings.setHosts({{u"gpu1"_s, u"sh -c"_s}});
    QCOMPARE(bench.hosts.menu()->actions().value(1)->text(), u"gpu1"_s);
    QVERIFY(!bench.hosts.label()->isVisible());
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.hosts.menu()->actions().value(1)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QCOMPARE(bench.session.place(), u"gpu1"_s);
    QCOMPARE(bench.hosts.link().state, u"up"_s);
    QCOMPARE(bench.hosts.label()->text(), u"On gpu1"_s);
    QVERIFY(bench.hosts.label()->isVisible());
    QCOMPARE(bench.rows(), rows);
    QCOMPARE(bench.steps.panel().currentRow(), 2);
    QCOMPARE(bench.settings.hostOf(sample(u"softmax.mlir"_s)), u"gpu1"_s);
    bench.steps.select(3);
    bench.settle();
    QCOMPARE(bench.graph.scenes().snapshot(), 3);
    bench.hosts.runOn({});
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 2, patience);
    bench.settle();
    QCOMPARE(bench.session.place(), QString());
    QVERIFY(!bench.hosts.label()->isVisible());
    QCOMPARE(bench.rows(), rows);
  }

  void aMissingEngineIsCopiedWhenTheUserAgrees() {
    HostBench bench;
    bench.setEngineOnPath(false);
    bench.settings.setHosts({{u"gpu1"_s, u"sh -c"_s}});
    bench.open(sample(u"softmax.mlir"_s));
    bench.hosts.runOn(u"gpu1"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.bannerButton(u"Copy It There"_s), patience);
    QVERIFY2(bench.banner.text().contains(u"gpu1 has no engine of this version"_s), qPrintable(bench.banner.text()));
    QVERIFY(!QFileInfo::exists(bench.scratch.filePath(u"cache/fuselage/engines"_s))); // nothing without a word
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.bannerButton(u"Copy It There"_s)->click();
    QVERIFY(bench.hosts.copy());
    bench.hosts.copy()->cancel();
    QTRY_VERIFY_WITH_TIMEOUT(bench.bannerButton(u"Try Again"_s), patience);
    bench.bannerButton(u"Try Again"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QCOMPARE(bench.hosts.label()->text(), u"On gpu1"_s);
    QVERIFY2(!bench.banner.isVisible(), qPrintable(bench.banner.text()));
    bench.hosts.runOn({}); // its files are about to go
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 2, patience);
  }

  void aCutLinkSaysSoUntilItIsBack() {
    HostBench bench;
    bench.useSlowLink(0);
    bench.open(sample(u"softmax.mlir"_s));
    QTRY_COMPARE_WITH_TIMEOUT(bench.hosts.link().state, u"up"_s, patience);
    bench.write(u"down"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.isVisible(), patience);
    QCOMPARE(bench.hosts.label()->text(), u"gpu1: link down"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(bench.banner.text().contains(u" s; 3 requests wait. Work goes on there."_s),
                              qPrintable(bench.banner.text()), patience);
    const QString first = bench.banner.text();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text() != first, patience); // seconds pass
    bench.steps.select(2);
    QTest::qWait(100);
    QVERIFY(!bench.window.isSettled()); // it waits
    QVERIFY(bench.bannerButton(u"Run on This Computer Instead"_s));
    bench.bannerButton(u"Try Now"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.banner.isVisible(), patience);
    bench.settle();
    QCOMPARE(bench.graph.scenes().snapshot(), 2);
    // Here instead: with document, steps and place.
    const int rows = bench.rows();
    bench.write(u"down"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(bench.bannerButton(u"Run on This Computer Instead"_s), patience);
    bench.bannerButton(u"Run on This Computer Instead"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.place(), QString(), patience);
    bench.settle();
    QCOMPARE(bench.rows(), rows);
    QVERIFY(!bench.banner.isVisible());
  }

  /// What the window asks for at the next step has come before. FUSELAGE_MODEL measures another model than the sample.
  /// With the link cut, the next step and the previous one are on screen all the same, as a rule.
  void neighboursAreAskedForAhead() {
    HostBench bench;
    bench.useSlowLink(40);
    bench.open(sample(u"bert_attention.mlir"_s));
    const int last = std::min(6, bench.rows() - 1);
    for (int row = 0; row <= 2; ++row) {
      bench.stepTo(row);
      bench.waitForNeighbours();
    }
    int walks = 0, shown = 0;
    const auto walk = [&](int row) {
      bench.write(u"down"_s, {});
      QTRY_COMPARE_WITH_TIMEOUT(bench.hosts.link().state, u"down"_s, patience);
      shown += bench.stepTo(row, patience / 40);
      ++walks;
      bench.session.client().notify(u"link/retry"_s);
      bench.settle();
      bench.waitForNeighbours();
    };
    for (int row = 3; row <= last; ++row)
      walk(row);
    for (int row = last - 1; row >= 1; --row)
      walk(row);
    // Where an op is scrolled to that was elsewhere before, other lines are asked for.
    QVERIFY2(shown * 2 > walks, qPrintable(u"%1 of %2"_s.arg(shown).arg(walks)));
    // What was kept is void when the recording changes.
    bench.record(u"canonicalize"_s);
    bench.settle();
    QVERIFY(bench.stepTo(1));
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), 2, patience);
  }
  void aHostThatDoesNotAnswerIsLeft() {
    HostBench bench;
    bench.settings.setHosts({{u"gpu1"_s, u"sh -c 'sleep 600'"_s}});
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.hosts.runOn(u"gpu1"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(bench.banner.text().contains(u"gpu1 has not answered for "_s),
                              qPrintable(bench.banner.text()), patience);
    QVERIFY(!bench.bannerButton(u"Try Now"_s));
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.bannerButton(u"Run on This Computer Instead"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QCOMPARE(bench.rows(), rows);
    QVERIFY(!bench.banner.isVisible());
  }

  /// Why is the other side's to say, and is shown as it is.
  void aRefusalSaysWhy() {
    HostBench bench;
    bench.settings.setHosts({{u"gpu1"_s, u"sh -c 'echo \"<b>no way</b>\" >&2; exit 3'"_s}});
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.hosts.runOn(u"gpu1"_s);
    QTRY_VERIFY2_WITH_TIMEOUT(bench.banner.text().contains(u"<b>no way</b>"_s), qPrintable(bench.banner.text()),
                              patience);
    QVERIFY(bench.bannerButton(u"Edit Hosts\u2026"_s));
    QCOMPARE(bench.hosts.label()->text(), u"gpu1: refused"_s);
    QCOMPARE(bench.problems.model().rowCount(), 0); // the document is none
    QVERIFY(bench.hosts.label()->toolTip().contains(u"&lt;b&gt;no way"_s));
    // The steps are still there, and come along.
    QSignalSpy recovered(&bench.session, &EngineSession::recovered);
    bench.bannerButton(u"Run on This Computer Instead"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(recovered.size(), 1, patience);
    bench.settle();
    QCOMPARE(bench.rows(), rows);
  }

  void hostsAreKeptAndTested() {
    HostBench bench;
    bench.setEngineOnPath(true);
    auto &preferences = bench.window.controller<PreferencesController>();
    preferences.open(u"Hosts"_s);
    HostsPage *page = bench.hosts.page();
    QVERIFY(page && page->isVisible());
    page->addButton()->click();
    QTest::keyClicks(page->nameEdit(), u"box"_s);
    QVERIFY2(page->result().contains(u"command that reaches it"_s), qPrintable(page->result()));
    QVERIFY(bench.settings.hosts().isEmpty());
    QTest::keyClicks(page->commandEdit(), u"sh -c"_s);
    QCOMPARE(bench.settings.hosts(), (QList<HostChoice>{{u"box"_s, u"sh -c"_s}}));
    page->testButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(page->result().contains(u"on PATH there is of this version"_s),
                              qPrintable(page->result()), patience);
    bench.setEngineOnPath(false);
    page->testButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(page->result().contains(u"not installed yet"_s), qPrintable(page->result()), patience);
    page->addButton()->click();
    QTest::keyClicks(page->commandEdit(), u"ssh box"_s);
    QTest::keyClicks(page->nameEdit(), u"box"_s);
    QVERIFY2(page->result().contains(u"There is a host called box already"_s), qPrintable(page->result()));
    QTest::keyClicks(page->nameEdit(), u"2"_s);
    QCOMPARE(bench.settings.hosts().size(), 2);
    page->removeButton()->click();
    QCOMPARE(bench.settings.hosts(), (QList<HostChoice>{{u"box"_s, u"sh -c"_s}}));
    page->commandEdit()->selectAll();
    QTest::keyClicks(page->commandEdit(), u"/nowhere/ssh"_s);
    page->testButton()->click();
    QTRY_VERIFY2_WITH_TIMEOUT(page->result().contains(u"cannot start '/nowhere/ssh'"_s), qPrintable(page->result()),
                              patience);
    // A host that is gone means this computer.
    useHost(bench.session, bench.settings, u"gone"_s);
    QCOMPARE(bench.session.place(), QString());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowHostsTest)
#include "WindowHostsTest.moc"
