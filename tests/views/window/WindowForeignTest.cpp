// Modules of dialects that MLIR does not know, in the window.
#include "app/gui/compare/CompareController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"
#include "views/panels/ComparePanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/Banner.h"
#include <QPushButton>
#include <algorithm>

using namespace fuselage;
using namespace Qt::StringLiterals;

class WindowForeignTest : public QObject {
  Q_OBJECT
private slots:
  void aProgramOfJaxIsLoweredWhenItOpens() {
    WindowBench bench;
    bench.open(sample(u"foreign/stablehlo_mlp.mlir"_s));
    QVERIFY(bench.rows() > 5);
    QCOMPARE(bench.problems.model().errorCount(), 0);
    for (const protocol::Step &step : bench.session.steps())
      QVERIFY2(!step.failed, qPrintable(step.name));
  }

  void nothingFailsWhereNothingCanBeTiled() {
    WindowBench bench;
    bench.open(sample(u"foreign/torch_block.mlir"_s));
    QVERIFY(bench.graph.view().scene().nodes.size() > 5);
    QVERIFY(bench.rows() <= 2);
    QCOMPARE(bench.problems.model().errorCount(), 0);
    QVERIFY(bench.banner.isVisible());
    QVERIFY2(bench.banner.text().contains(u"torch"_s, Qt::CaseInsensitive), qPrintable(bench.banner.text()));
    // A pipeline of the user's own still runs.
    const int rows = bench.rows();
    bench.record(u"builtin.module(canonicalize)"_s);
    QTRY_COMPARE_WITH_TIMEOUT(bench.rows(), rows + 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
  }

  void theDefaultPipelineEndsBeforeWhatCannotApply() {
    WindowBench bench;
    bench.open(sample(u"foreign/flow_regions.mlir"_s));
    QVERIFY(bench.rows() > 5);
    QVERIFY(!bench.session.steps().isEmpty());
    for (const protocol::Step &step : bench.session.steps())
      QVERIFY2(!step.failed, qPrintable(step.name));
    // The module as it was normalized.
    QCOMPARE(bench.steps.panel().currentRow(), 1);
    QVERIFY2(bench.banner.text().contains(u"Bufferize"_s), qPrintable(bench.banner.text()));
    // The next document starts without it.
    bench.open(sample(u"softmax.mlir"_s));
    QVERIFY(!bench.banner.isVisible());
  }

  void aDumpOfXlaIsLookedAtAndCompared() {
    WindowBench bench;
    bench.open(sample(u"foreign/xla_mlp.hlo"_s));
    QVERIFY(bench.graph.view().scene().nodes.size() > 5);
    QCOMPARE(bench.problems.model().errorCount(), 0);
    QVERIFY2(bench.banner.text().contains(u"a dump of XLA"_s, Qt::CaseInsensitive), qPrintable(bench.banner.text()));
    auto &compare = bench.window.controller<CompareController>();
    compare.raise();
    compare.compareWithFile(sample(u"foreign/stablehlo_mlp.mlir"_s));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled() && compare.model().rowCount() > 0, patience);
    const protocol::DispatchComparison &found = compare.model().comparison();
    QCOMPARE(found.a.dispatches.size(), 5);
    // What XLA has in one kernel, and why we do not.
    QVERIFY(std::any_of(found.rows.begin(), found.rows.end(),
                        [](const protocol::ComparedRow &row) { return !row.reasons.isEmpty(); }));
  }

  void aFolderOfInductorOpens() {
    WindowBench bench;
    bench.write(u"fx_graph_transformed.py"_s,
                "class <lambda>(torch.nn.Module):\n"
                "    def forward(self, arg0_1: \"f32[8, 16]\", arg1_1: \"f32[8, 16]\"):\n"
                "        add: \"f32[8, 16]\" = torch.ops.aten.add.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None\n"
                "        relu: \"f32[8, 16]\" = torch.ops.aten.relu.default(add);  add = None\n"
                "        return (relu,)\n");
    bench.open(bench.scratch.path());
    QVERIFY(bench.graph.find(u"add.Tensor 8x16"_s) != noNode);
    QCOMPARE(bench.problems.model().errorCount(), 0);
    QVERIFY(bench.banner.isVisible());
  }

  void repeatsFollowTheMenu() {
    WindowBench bench;
    QByteArray text = "func.func @f(%x0: f32) -> f32 {\n";
    constexpr int layers = 8;
    int next = 0;
    for (int l = 0; l < layers; ++l)
      for (const char *name : {"exp", "absf", "tanh", "sqrt"}) {
        text +=
            "  %x" + QByteArray::number(next + 1) + " = math." + name + " %x" + QByteArray::number(next) + " : f32\n";
        ++next;
      }
    text += "  return %x" + QByteArray::number(4 * layers) + " : f32\n}\n";
    bench.open(bench.write(u"layers.mlir"_s, text));
    const auto nodes = [&] { return bench.graph.view().scene().nodes.size(); };
    const qsizetype all = nodes();
    QVERIFY(all >= 4 * layers);
    bench.graph.actions().repeatsCollapse->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(nodes() < 12, patience);
    bench.graph.actions().repeatsAuto->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(nodes(), all, patience);
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowForeignTest)
#include "WindowForeignTest.moc"
