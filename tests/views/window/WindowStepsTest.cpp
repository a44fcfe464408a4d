// Steps, diffs and pipelines in the window.
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/PipelinePanel.h"
#include "views/panels/StepsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include "views/widgets/SearchBar.h"
#include <QAbstractButton>
#include <QCompleter>
#include <QLineEdit>
#include <QTreeView>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowStepsTest : public QObject {
  Q_OBJECT
private slots:
  void stepsByKeyAndShowsTheDiff() {
    WindowBench bench;
    bench.open(sample(u"matmul_transpose_bias.mlir"_s));
    bench.steps.panel().list()->setFocus();
    QCOMPARE(bench.steps.panel().currentRow(), 0);
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_J);
    QCOMPARE(bench.steps.panel().currentRow(), 1);
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_J);
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_K);
    QCOMPARE(bench.steps.panel().currentRow(), 1);
    QTest::keyClick(bench.steps.panel().list(), Qt::Key_Down);
    QCOMPARE(bench.steps.panel().currentRow(), 2);
    bench.window.showView(View::Diff);
    int changed = 0;
    for (int row = 1; row < bench.rows() && !changed; ++row)
      if (bench.steps.model().stepAt(row)->changed)
        changed = row;
    QVERIFY(changed > 0);
    bench.steps.select(changed);
    QTRY_VERIFY_WITH_TIMEOUT(bench.text.diff().changeCount() > 0, patience);
    QTRY_COMPARE_WITH_TIMEOUT(bench.graph.view().scene().snapshot, changed, patience);
    bench.steps.select(0);
    QTRY_COMPARE_WITH_TIMEOUT(bench.text.diff().changeCount(), 0, patience);
  }

  void aTypoInAPipelineIsExplained() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    const int rows = bench.rows();
    bench.record(u"builtin.module(canonicalise)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.problems.model().errorCount() > 0, patience);
    QVERIFY2(bench.problems.model().toText().contains(u"canonicalize"_s), qPrintable(bench.problems.model().toText()));
    QCOMPARE(bench.rows(), rows);
  }

  void completesPassNames() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.pipeline.editAction()->trigger();
    PipelineEdit *edit = bench.pipeline.panel().edit();
    QTRY_VERIFY_WITH_TIMEOUT(edit->completer()->model()->rowCount() > 50, patience);
    edit->setPlainText(u"builtin.module(cse)"_s);
    QTest::keyClick(edit, Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.steps().size(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.rows(), 2);
  }

  void everythingIsReachedByKeyboard() {
    WindowBench bench;
    bench.open(sample(u"softmax.mlir"_s));
    bench.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&bench.window, patience));
    bench.graph.view().setFocus();
    QTest::keyClick(&bench.window, Qt::Key_J);
    QTRY_COMPARE_WITH_TIMEOUT(bench.steps.panel().currentRow(), 1, patience);
    QTest::keyClick(&bench.window, Qt::Key_3, Qt::ControlModifier);
    QTRY_VERIFY(bench.text.diff().isVisible());
    QTest::keyClick(&bench.window, Qt::Key_1, Qt::ControlModifier);
    QTRY_VERIFY(bench.graph.view().isVisible());
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(bench.search.bar().edit()->hasFocus());
    QTest::keyClick(bench.search.bar().edit(), Qt::Key_Escape);
    QTest::keyClick(&bench.window, Qt::Key_P, Qt::ControlModifier);
    QTRY_VERIFY(bench.pipeline.panel().edit()->hasFocus());
    // Every control that takes the keyboard says what it is.
    int controls = 0;
    for (const QWidget *widget : bench.window.findChildren<QWidget *>()) {
      const bool isOurs = (widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() &&
                          !widget->inherits("QTabBar") && !widget->objectName().startsWith(u"qt_"_s) &&
                          !widget->parentWidget()->inherits("QAbstractSpinBox");
      const auto *button = qobject_cast<const QAbstractButton *>(widget);
      controls += isOurs;
      if (isOurs)
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                 qPrintable(u"%1 in %2"_s.arg(QLatin1String(widget->metaObject()->className()),
                                              QLatin1String(widget->parentWidget()->metaObject()->className()))));
    }
    QVERIFY(controls > 5);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowStepsTest)
#include "WindowStepsTest.moc"
