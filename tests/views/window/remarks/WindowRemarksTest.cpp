// Remarks of another compiler: in Problems by pass and name, as badges in the graph, and what cannot be read.
#include "app/gui/remarks/RemarksController.h"
#include "tests/views/window/WindowBench.h"
#include "views/graph/GraphView.h"

using namespace fuselage;
using namespace Qt::StringLiterals;

namespace {
struct RemarksBench : WindowBench {
  RemarksController &remarks = window.controller<RemarksController>();

  RemarksBench() {
    window.resize(1280, 800);
    open(sample(u"softmax.mlir"_s));
  }
  /// The rows of Problems that tell of remarks.
  QStringList rows() const {
    QStringList texts;
    const ProblemsModel &model = problems.model();
    for (int row = 0; row < model.rowCount(); ++row)
      texts.append(model.index(row, 0).data().toString());
    return texts;
  }
  QStringList below(int row) const {
    QStringList texts;
    const QModelIndex group = problems.model().index(row, 0);
    for (int note = 0; note < problems.model().rowCount(group); ++note)
      texts.append(problems.model().index(note, 0, group).data().toString());
    return texts;
  }
};
} // namespace

static QByteArray remark(const char *kind, const char *pass, const char *name, int line, int column) {
  return "--- !" + QByteArray(kind) + "\nPass: " + pass + "\nName: " + name +
         "\nDebugLoc: { File: softmax.mlir, Line: " + QByteArray::number(line) +
         ", Column: " + QByteArray::number(column) + " }\nFunction: nobody\nArgs:\n  - String: because\n...\n";
}

class WindowRemarksTest : public QObject {
  Q_OBJECT
private slots:
  void remarksAreGroupedAndMarked() {
    RemarksBench bench;
    const QString path = bench.write(u"r.opt.yaml"_s, remark("Missed", "vectorize", "NotLinear", 13, 10) +
                                                          remark("Missed", "vectorize", "NotLinear", 19, 3) +
                                                          remark("Passed", "tile", "Tiled", 900, 1));
    QVERIFY(bench.remarks.takeFile(path));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.rows().isEmpty(), patience);
    QCOMPARE(bench.rows(), QStringList({u"tile: Tiled, 1 remark"_s, u"vectorize: NotLinear, 2 remarks"_s}));
    QVERIFY2(bench.below(0).first().contains(u"no op comes from softmax.mlir:900:1"_s), qPrintable(bench.below(0)[0]));
    QVERIFY2(bench.below(1).first().contains(u"linalg.generic: missed: because"_s), qPrintable(bench.below(1)[0]));
    QCOMPARE(bench.remarks.remarks().placed, 2);
    QCOMPARE(bench.graph.view().remarkMarks().size(), 2);
    QCOMPARE(bench.graph.view().remarkMarks().first().text, u"1 remark"_s);

    // They follow the ops into later steps, and are gone with the document.
    bench.record(u"builtin.module(canonicalize)"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.isSettled(), patience);
    QCOMPARE(bench.remarks.remarks().placed, 2);
    bench.open(sample(u"batch_matmul.mlir"_s));
    QVERIFY(bench.graph.view().remarkMarks().isEmpty());
    QVERIFY(!bench.rows().join(u' ').contains(u"vectorize"_s));
  }

  void whatIsNoRemarksIsSaid() {
    RemarksBench bench;
    bench.remarks.openRemarks(bench.write(u"bad.yaml"_s, "RMRK and then nothing that anybody wrote"));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.rows().isEmpty(), patience);
    QVERIFY2(bench.rows().join(u' ').contains(u"bad.yaml"_s), qPrintable(bench.rows().join(u' ')));
    QVERIFY(!bench.remarks.takeFile(bench.write(u"model.mlir"_s, "module {}\n")));
    QVERIFY(bench.graph.view().remarkMarks().isEmpty());
  }
};

FUSELAGE_WINDOW_TEST_MAIN(WindowRemarksTest)
#include "WindowRemarksTest.moc"
