// What the window says of its samples, and the examples of reasons.
#include "app/gui/document/StartPage.h"
#include "core/protocol/methods/FusionMethods.h"
#include "tests/views/window/WindowBench.h"
#include "views/panels/ReasonPanel.h"
#include "views/start/Welcome.h"
#include <QFileInfo>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct SamplesBench : WindowBench {
  /// As `fuselage explain` counts them, of the step on screen; -1: the engine does not say.
  int dispatches() {
    int count = -2;
    session.client().call<method::ReportFusion>(
        {.snapshot = text.snapshot(), .prove = false}, &window,
        [&count](const protocol::FusionReport &report) { count = report.totals.dispatches; },
        [&count](const protocol::Error &) { count = -1; });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(count != -2, patience); }();
    return count;
  }
  bool hasReason(const QString &code) {
    std::optional<bool> found;
    session.client().call<method::ReportFusion>(
        {.snapshot = text.snapshot()}, &window,
        [&found, code](const protocol::FusionReport &report) {
          found = false;
          for (const protocol::FusionEdge &edge : report.edges)
            for (const protocol::FusionReason &reason : edge.reasons)
              found = *found || reason.code == code;
        },
        [&found](const protocol::Error &) { found = false; });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(found.has_value(), patience); }();
    return *found;
  }
};
} // namespace

class WindowSamplesTest : public QObject {
  Q_OBJECT
private slots:
  void captionsCountRight_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("caption");
    for (const SampleFile &sample : StartPage::samples())
      QTest::newRow(qPrintable(sample.name)) << sample.name << sample.line;
  }

  /// "15 dispatches, 2 after Fuse All"
  void captionsCountRight() {
    QFETCH(QString, name);
    QFETCH(QString, caption);
    static const QRegularExpression counts(uR"(: (\d+) dispatch(?:es)?(?:, (\d+) after Fuse All)?$)"_s);
    const QRegularExpressionMatch match = counts.match(caption);
    QVERIFY2(match.hasMatch(), qPrintable(caption));
    SamplesBench bench;
    bench.open(sample(name + u".mlir"_s));
    const int before = bench.dispatches();
    QCOMPARE(match.captured(1).toInt(), before);
    bool isOver = false;
    connect(&bench.session, &EngineSession::fused, this, [&isOver] { isOver = true; });
    connect(&bench.session, &EngineSession::fuseFailed, this, [&isOver] { isOver = true; });
    bench.session.fuse({.what = FuseRequest::What::All, .snapshot = bench.text.snapshot(), .isChecked = false});
    QTRY_VERIFY_WITH_TIMEOUT(isOver && bench.window.isSettled(), patience);
    const int after = bench.dispatches();
    QCOMPARE(match.captured(2).isEmpty() ? before : match.captured(2).toInt(), after);
  }

  /// Each page of a reason has an example that can be opened.
  void reasonsOpenTheirExamples() {
    SamplesBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    for (ReasonHelp *reasons : {&bench.fusion.reasons(), &bench.buffers.reasons()}) {
      reasons->explain({});
      ReasonPanel &panel = reasons->panel();
      QTRY_VERIFY_WITH_TIMEOUT(panel.index()->model()->rowCount() > 10, patience);
      for (int row = 0; row < panel.index()->model()->rowCount(); ++row) {
        const QString code = panel.index()->model()->index(row, 0).data(ReasonModel::CodeRole).toString();
        panel.showReason(code);
        QVERIFY2(hasLink(*panel.page(), u"example:"_s + code), qPrintable(code));
      }
    }
    const QString code = u"CONSUMER_CONTRACTION"_s;
    bench.fusion.reasons().panel().showReason(code);
    emit bench.fusion.reasons().panel().page()->anchorClicked(QUrl(u"example:"_s + code));
    QTRY_COMPARE_WITH_TIMEOUT(QFileInfo(bench.session.document().path).fileName(), code + u".mlir"_s, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QVERIFY(bench.hasReason(code));
  }

  void examplesNameTheirPolicy() {
    const QString page = u"# A\n\n## Example\n\nPolicy: `%1`\n\n```mlir\nmodule {}\n```\n\n## Evidence\n"_s;
    QCOMPARE(ReasonPanel::exampleOf(page.arg(u"aggressive"_s)), u"module {}\n"_s);
    QVERIFY(ReasonPanel::exampleOf(page.arg(u"none"_s)).startsWith(u"// Select the policy 'none'"_s));
    QVERIFY(ReasonPanel::exampleOf(u"# A\n\n## Evidence\n"_s).isEmpty());
  }

private:
  static bool hasLink(const QTextBrowser &page, const QString &target) {
    for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
      for (QTextBlock::iterator it = block.begin(); !it.atEnd(); ++it)
        if (it.fragment().charFormat().anchorHref() == target)
          return true;
    return false;
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowSamplesTest)
#include "WindowSamplesTest.moc"
