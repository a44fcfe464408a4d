// The rewrite to blame for a wrong program, a failed step or a crash, by keyboard and by the buttons that offer it.
#include "app/gui/blame/BlameController.h"
#include "app/gui/rewrites/RewritesController.h"
#include "app/gui/rewrites/RewritesPanel.h"
#include "tests/views/window/WindowBench.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"
#include "views/widgets/StepChip.h"
#include <QPushButton>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
/// `softmax` after a pipeline, of so many steps; -1: it does not come to its end.
struct BlameBench : WindowBench {
  BlameController &blame;
  RewritesController &rewrites;
  BlameBench(const QString &pipeline, int count)
      : blame(window.controller<BlameController>()), rewrites(window.controller<RewritesController>()) {
    open(sample(u"softmax.mlir"_s));
    record(pipeline);
    const bool isThere = QTest::qWaitFor(
        [this, count] {
          return (count < 0 ? bannerButton(offer) != nullptr : session.steps().size() == count) && window.isSettled() &&
                 session.state() == EngineSession::State::Ready;
        },
        patience);
    if (!isThere)
      qFatal("the pipeline was not recorded");
  }
  static constexpr auto offer = "Find the Rewrite to Blame"_L1;
  bool settles() {
    return QTest::qWaitFor([this] { return window.isSettled(); }, patience);
  }
  /// The button of the banner with this text; null: there is none.
  QPushButton *bannerButton(QLatin1StringView text) const {
    for (QPushButton *button : banner.findChildren<QPushButton *>())
      if (button->isVisible() && button->text().remove(u'&') == text)
        return button;
    return nullptr;
  }
};

constexpr auto wrongPipeline = "builtin.module(canonicalize,fuselage-test-wrong,cse)"_L1;
} // namespace

class WindowBlameTest : public QObject {
  Q_OBJECT
private slots:
  void findsTheRewriteByKey() {
    BlameBench bench(wrongPipeline, 3);
    QTRY_VERIFY_WITH_TIMEOUT(bench.blame.findAction()->isEnabled(), patience);
    bench.steps.panel().list()->setFocus();
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_R, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().contains(u"SwapFirstSubtraction on arith.subf in @softmax"_s),
                             patience);
    QVERIFY2(bench.banner.text().startsWith(u"Step 1, "_s), qPrintable(bench.banner.text()));
    // Step and rewrite are selected.
    QCOMPARE(bench.steps.panel().currentRow(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.rewrites.shown() >= 0, patience);
    const protocol::StepRewrite &row = bench.rewrites.panel().model().rewrites()[bench.rewrites.shown()];
    QCOMPARE(row.pattern, u"SwapFirstSubtraction"_s);
    QCOMPARE(row.op, u"arith.subf"_s);
    QVERIFY(bench.settles());
    QVERIFY(bench.blame.findAction()->text().startsWith(u"Find"_s));
  }

  void saysThatNothingIsToBlame() {
    BlameBench bench(u"builtin.module(canonicalize,cse)"_s, 2);
    bench.blame.findAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().startsWith(u"Nothing is to blame"_s), patience);
  }

  void canBeStopped() {
    BlameBench bench(wrongPipeline, 3);
    bench.blame.findAction()->trigger();
    QVERIFY(!bench.blame.isSettled());
    QVERIFY(bench.blame.findAction()->text().startsWith(u"Stop"_s));
    bench.blame.findAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.blame.isSettled(), patience);
    QVERIFY(bench.blame.findAction()->text().startsWith(u"Find"_s));
    QVERIFY(bench.rewrites.shown() < 0);
  }

  void findsWhereAStepCrashes() {
    BlameBench bench(u"builtin.module(canonicalize,fuselage-test-crash)"_s, -1);
    bench.bannerButton(BlameBench::offer)->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().contains(u"signal 11"_s), patience);
    QVERIFY2(bench.banner.text().startsWith(u"Step 1, fuselage-test-crash: it crashes"_s),
             qPrintable(bench.banner.text()));
    QVERIFY2(bench.banner.text().contains(u"no rewrite before"_s), qPrintable(bench.banner.text()));
  }

  void selectsTheOpWhereAPatternCrashes() {
    BlameBench bench(u"builtin.module(canonicalize,fuselage-test-crash-at-subtraction)"_s, -1);
    bench.bannerButton(BlameBench::offer)->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().contains(u"CrashAtSubtraction on arith.subf in @softmax"_s), patience);
    QVERIFY2(bench.banner.text().endsWith(u"before was 0, CrashAtSubtraction on arith.addf in @softmax"_s),
             qPrintable(bench.banner.text()));
    // After the last good step, and after the rewrite that went before.
    QCOMPARE(bench.steps.panel().currentRow(), 1);
    QCOMPARE(bench.window.shell().centre().placeChip().text(),
             u"Step 1, after rewrite 0, where it tried CrashAtSubtraction on arith.subf in @softmax"_s);
    QVERIFY(bench.WindowBench::text.snapshot() != bench.session.steps().last().after);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && bench.WindowBench::text.selected() > 0, patience);
    TextView &view = bench.WindowBench::text.view();
    const QString line = view.source()->line(view.currentLine()).value_or(QString());
    QVERIFY2(line.contains(u"arith.subf"_s), qPrintable(line));
    QString marked;
    for (int i = 0; i < view.source()->lineCount(); ++i)
      if (const QString text = view.source()->line(i).value_or(QString()); text.contains(u"fuselage.test_seen"_s))
        marked += text;
    QVERIFY2(marked.count(u"arith.addf"_s) == 1, qPrintable(marked));
    bench.window.shell().centre().placeChip().click();
    QCOMPARE(bench.WindowBench::text.snapshot(), bench.session.steps().last().after);
  }

  void isOfferedForAWrongRun() {
    BlameBench bench(wrongPipeline, 3);
    RunPanel &panel = bench.run.panel();
    QVERIFY(panel.blameButton()->isHidden());
    protocol::RunReport wrong;
    wrong.verdict = protocol::RunVerdict::Wrong;
    panel.setReport(wrong);
    QVERIFY(!panel.blameButton()->isHidden());
    panel.blameButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().contains(u"SwapFirstSubtraction"_s), patience);
    wrong.verdict = protocol::RunVerdict::Ok;
    panel.setReport(wrong);
    QVERIFY(panel.blameButton()->isHidden());
  }

  void isOfferedForAStepThatFails() {
    BlameBench bench(u"builtin.module(canonicalize,fuselage-host-check-lowered)"_s, -1);
    bench.bannerButton(BlameBench::offer)->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.banner.text().startsWith(u"Step 1, fuselage-host-check-lowered: "_s), patience);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowBlameTest)
#include "WindowBlameTest.moc"
