// A window with a payload and a schedule of knobs open, and the tuning panel in front.
#pragma once
#include "app/gui/schedule/ScheduleController.h"
#include "app/gui/schedule/ScriptController.h"
#include "app/gui/tuning/TuningController.h"
#include "tests/views/window/WindowBench.h"
#include "views/tuning/KnobList.h"
#include "views/tuning/TuningPanel.h"
#include <QPushButton>

using namespace fuselage;
using namespace Qt::StringLiterals;

/// A product of 48 x 32 x 48.
inline const QByteArray product =
    "func.func @f(%a: tensor<48x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x48xf32>) -> tensor<48x48xf32> {\n"
    "  %mm = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x48xf32>) outs(%c : tensor<48x48xf32>) -> "
    "tensor<48x48xf32>\n"
    "  return %mm : tensor<48x48xf32>\n}\n";

/// Tiles of the product; `most` results in one.
inline QByteArray knobs(const QByteArray &most = "1024") {
  return "module attributes {transform.with_named_sequence} {\n"
         "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
         "    %rows = transform.tune.knob<\"rows\"> = 16 from options = {lower_bound = 8, divides = \"arg0.0\"} -> "
         "!transform.param<i64>\n"
         "    %columns = transform.tune.knob<\"columns\"> = 8 from options = [8, 16, 48] -> !transform.param<i64>\n"
         "    transform.smt.constrain_params(%rows, %columns) : (!transform.param<i64>, !transform.param<i64>) -> () "
         "{\n"
         "    ^bb0(%r: !smt.int, %c: !smt.int):\n"
         "      %area = smt.int.mul %r, %c\n"
         "      %most = smt.int.constant " +
         most +
         "\n"
         "      %fits = smt.int.cmp le %area, %most\n"
         "      smt.assert %fits\n    }\n"
         "    %mm = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> "
         "!transform.any_op\n"
         "    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%rows, %columns] : (!transform.any_op, "
         "!transform.param<i64>, "
         "!transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)\n"
         "    transform.yield\n  }\n}\n";
}

/// A window with a payload and a schedule open, and the panel in front. Its journal is its own.
struct TuningBench : WindowBench {
  TuningBench(const QString &payload, const QString &schedule) {
    open(payload);
    QVERIFY(scripts().open(schedule));
    tuning().raise();
    QTRY_VERIFY_WITH_TIMEOUT(panel().knobs().hasSpace(), patience);
  }
  explicit TuningBench(const QByteArray &schedule = knobs()) : TuningBench(sampleOf(product), sampleOf(schedule)) {}
  static QString sampleOf(const QByteArray &text) {
    static QTemporaryDir folder;
    static int number = 0;
    QFile file(folder.filePath(u"%1.mlir"_s.arg(++number)));
    [&] { QVERIFY(file.open(QFile::WriteOnly) && file.write(text) == text.size()); }();
    return file.fileName();
  }
  TuningController &tuning() { return window.controller<TuningController>(); }
  ScriptController &scripts() { return window.controller<ScriptController>(); }
  ScheduleController &schedule() { return window.controller<ScheduleController>(); }
  TuningPanel &panel() { return tuning().panel(); }
  KnobRow &knob(const QString &name) { return *panel().knobs().row(name); }
  /// To a value, as by the keyboard.
  void move(const QString &name, const QString &value) {
    knob(name).slider()->setValue(int(knob(name).knob().values.indexOf(value)));
    QTRY_VERIFY_WITH_TIMEOUT(tuning().isSettled() && knob(name).knob().value == value, patience);
  }
  void tune(int trials, const QString &strategy) {
    panel().setBudget(trials, false);
    panel().setStrategy(strategy);
    QTest::mouseClick(panel().tuneButton(), Qt::LeftButton);
  }
  void awaitTuned() { QTRY_VERIFY_WITH_TIMEOUT(tuning().isSettled(), patience); }
};
