#include "core/schedules/normalize/AutoNormalize.h"
#include "tests/core/schedules/ScheduleTestSupport.h"

namespace fuselage::test {
namespace {

constexpr const char *kNest = R"(
func.func private @use(f32, index)
func.func @nest(%values: memref<64x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %c32 step %c1 {
    %hoistable = arith.muli %n, %n : index
    scf.for %i = %c0 to %c64 step %c1 {
      %value = memref.load %values[%i, %j] : memref<64x32xf32>
      func.call @use(%value, %hoistable) : (f32, index) -> ()
    }
  }
  return
}
)";

constexpr const char *kInterchange =
    "%load = transform.structured.match ops{[\"memref.load\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
    "%outer = transform.get_parent_op %load {op_name = \"scf.for\", nth_parent = 2} : (!transform.any_op) -> "
    "!transform.any_op\n"
    "%o, %i = transform.fuselage.interchange_loops %outer : (!transform.any_op) -> (!transform.any_op, "
    "!transform.any_op)\n";

AutoNormalized runAuto(Stage &stage, llvm::StringRef text) {
  auto script = parseScript(stage.session, text, "auto.mlir");
  EXPECT_TRUE(static_cast<bool>(script)) << (script ? "" : takeFailure(script.takeError()).message);
  if (!script)
    return {};
  stage.script = std::move(*script);
  auto normalized = autoNormalize(*stage.script, *stage.payload);
  EXPECT_TRUE(static_cast<bool>(normalized)) << (normalized ? "" : takeFailure(normalized.takeError()).message);
  return normalized ? std::move(*normalized) : AutoNormalized();
}

TEST(AutoNormalize, MakesTheInterchangeFire) {
  Stage stage(kNest);
  EXPECT_TRUE(stage.runMain(kInterchange).failed);
  AutoNormalized normalized = runAuto(stage, Stage::mainOf(kInterchange));
  ASSERT_FALSE(normalized.trace.failed);
  ASSERT_EQ(normalized.insertions.size(), 1u);
  EXPECT_EQ(normalized.insertions[0].form->name, "PerfectForNestForm");
  EXPECT_EQ(stage.script->ops[normalized.insertions[0].op].name, "transform.fuselage.interchange_loops");
  EXPECT_TRUE(normalized.unreached.empty());
  std::string result = PrintedModule(*normalized.trace.result).text();
  EXPECT_LT(result.find("to %c64"), result.find("to %c32")); // the loop over rows is the outer one now
}

TEST(AutoNormalize, TheExplicitScriptDoesTheSame) {
  Stage stage(kNest);
  AutoNormalized normalized = runAuto(stage, Stage::mainOf(kInterchange));
  ASSERT_TRUE(normalized.trace.result);
  std::string text = explicitText(*stage.script);
  EXPECT_EQ(text.find("transform.fuselage.position"), std::string::npos);
  Trace again = stage.run(text);
  ASSERT_FALSE(again.failed);
  EXPECT_EQ(PrintedModule(*again.result).text(), PrintedModule(*normalized.trace.result).text());
}

TEST(AutoNormalize, PutsNothingWhereTheFormHolds) {
  Stage stage(kNest);
  std::string body = "%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"nest\"} in %root : "
                     "(!transform.any_op) -> !transform.any_op\n"
                     "%loops = transform.structured.match interface{LoopLikeInterface} in %f : (!transform.any_op) -> "
                     "!transform.any_op\n"
                     "transform.apply_licm to %loops : !transform.any_op\n" +
                     std::string(kInterchange);
  AutoNormalized normalized = runAuto(stage, Stage::mainOf(body));
  EXPECT_FALSE(normalized.trace.failed);
  EXPECT_TRUE(normalized.insertions.empty());
}

TEST(AutoNormalize, NamedSequencesSayWhatTheyExpect) {
  Stage stage(kNest);
  std::string text = Stage::mainOf("%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = "
                                   "\"nest\"} in %root : (!transform.any_op) -> !transform.any_op\n"
                                   "transform.include @mark failures(propagate) (%f) : (!transform.any_op) -> ()\n",
                                   "transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) "
                                   "attributes {fuselage.requires = \"LoopForm\"} {\n"
                                   "  transform.annotate %op \"marked\" : !transform.any_op\n  transform.yield\n}\n");
  AutoNormalized normalized = runAuto(stage, text);
  ASSERT_FALSE(normalized.trace.failed);
  ASSERT_EQ(normalized.insertions.size(), 1u);
  EXPECT_EQ(normalized.insertions[0].form->name, "LoopForm");
  EXPECT_NE(normalized.insertions[0].why.find("'arith.muli' is the same in every iteration"), std::string::npos);
}

TEST(AutoNormalize, TakesHandlesIntoSeveralFunctions) {
  Stage stage; // @f and @g
  AutoNormalized normalized =
      runAuto(stage, Stage::mainOf("%f = transform.structured.match ops{[\"linalg.matmul\", \"linalg.exp\"]} in %root "
                                   ": (!transform.any_op) -> !transform.any_op\n"
                                   "transform.include @mark failures(propagate) (%f) : (!transform.any_op) -> ()\n",
                                   "transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) "
                                   "attributes {fuselage.requires = \"GeneralizedForm\"} {\n"
                                   "  transform.annotate %op \"marked\" : !transform.any_op\n  transform.yield\n}\n"));
  EXPECT_EQ(normalized.insertions.size(), 1u);
  ASSERT_FALSE(normalized.trace.failed);
  std::string result = PrintedModule(*normalized.trace.result).text();
  EXPECT_NE(result.find("linalg.fill"), std::string::npos); // nobody asked for it
  EXPECT_NE(result.find("marked"), std::string::npos);
  EXPECT_EQ(result.find("linalg.exp"), std::string::npos);
  EXPECT_EQ(result.find("linalg.matmul"), std::string::npos);
}

TEST(AutoNormalize, KeepsHoldOfWhatIsReplaced) {
  Stage stage;
  std::string body =
      "%mm = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
      "%i = transform.structured.interchange %mm iterator_interchange = [1, 0, 2] : (!transform.any_op) -> "
      "!transform.any_op\n"
      "transform.annotate %i \"interchanged\" : !transform.any_op\n";
  EXPECT_TRUE(stage.runMain(body).failed);
  AutoNormalized normalized = runAuto(stage, Stage::mainOf(body));
  ASSERT_FALSE(normalized.trace.failed);
  EXPECT_EQ(normalized.insertions.size(), 1u);
  EXPECT_NE(PrintedModule(*normalized.trace.result).text().find("interchanged"), std::string::npos);
  EXPECT_EQ(PrintedModule(*stage.run(explicitText(*stage.script)).result).text(),
            PrintedModule(*normalized.trace.result).text());
}

TEST(AutoNormalize, SaysWhenANormalizerTakesWhatAHandleHolds) {
  Stage stage("func.func @f(%a: tensor<1x8xf32>) -> tensor<1x8xf32> {\n"
              "  %r = linalg.exp ins(%a : tensor<1x8xf32>) outs(%a : tensor<1x8xf32>) -> tensor<1x8xf32>\n  return %r "
              ": tensor<1x8xf32>\n}\n");
  AutoNormalized normalized =
      runAuto(stage, Stage::mainOf("%exp = transform.structured.match ops{[\"linalg.exp\"]} in %root : "
                                   "(!transform.any_op) -> !transform.any_op\n"
                                   "transform.include @mark failures(propagate) (%exp) : (!transform.any_op) -> ()\n",
                                   "transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) "
                                   "attributes {fuselage.requires = \"UnitDimFreeForm\"} {\n"
                                   "  transform.annotate %op \"marked\" : !transform.any_op\n  transform.yield\n}\n"));
  ASSERT_EQ(normalized.unreached.size(), 1u);
  EXPECT_NE(normalized.unreached[0].why.find("it replaced 1 of the ops that the operand held"), std::string::npos);
}

TEST(AutoNormalize, SaysWhatNoNormalizerReaches) {
  std::string payload = kNest;
  size_t at = payload.find("    %hoistable");
  payload.insert(at, "    memref.store %zero, %values[%j, %j] : memref<64x32xf32>\n");
  payload.insert(payload.find("  %c0"), "  %zero = arith.constant 0.0 : f32\n");
  Stage stage(payload);
  AutoNormalized normalized = runAuto(stage, Stage::mainOf(kInterchange));
  EXPECT_TRUE(normalized.trace.failed); // it runs all the same, and says why it cannot
  ASSERT_EQ(normalized.unreached.size(), 1u);
  EXPECT_NE(normalized.unreached[0].why.find("'memref.store' stands between"), std::string::npos);
}

TEST(AutoNormalize, ATransformMayExpectSeveralForms) {
  Stage stage("func.func @f(%a: memref<8x4xindex>, %n: index) {\n  scf.forall (%i) in (8) {\n    %w = arith.muli %n, "
              "%n : index\n"
              "    memref.store %w, %a[%i, %i] : memref<8x4xindex>\n  }\n  return\n}\n");
  const std::string body =
      "%f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
      "transform.fuselage.check_form %f : !transform.any_op is \"CanonicalForm\"\n"
      "%l = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : (!transform.any_op) -> !transform.any_op\n";
  EXPECT_TRUE(stage.runMain(body).failed);
  AutoNormalized normalized = runAuto(stage, Stage::mainOf(body));
  ASSERT_FALSE(normalized.trace.failed);
  ASSERT_EQ(normalized.insertions.size(), 1u); // the loops are a nest already
  EXPECT_EQ(normalized.insertions[0].form->name, "GpuMappedForm");
  EXPECT_NE(PrintedModule(*normalized.trace.result).text().find("gpu.launch"), std::string::npos);
}

HoistedNormalization runHoist(Stage &stage, llvm::StringRef text) {
  auto script = parseScript(stage.session, text, "hoist.mlir");
  EXPECT_TRUE(static_cast<bool>(script)) << (script ? "" : takeFailure(script.takeError()).message);
  if (!script)
    return {};
  stage.script = std::move(*script);
  auto hoisted = hoistNormalization(*stage.script, *stage.payload);
  EXPECT_TRUE(static_cast<bool>(hoisted)) << (hoisted ? "" : takeFailure(hoisted.takeError()).message);
  return hoisted ? std::move(*hoisted) : HoistedNormalization();
}

const std::string kMark = "transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) attributes "
                          "{fuselage.requires = \"LoopForm\"} {\n"
                          "  transform.annotate %op \"marked\" : !transform.any_op\n  transform.yield\n}\n"
                          "transform.named_sequence @general(%op: !transform.any_op {transform.readonly}) attributes "
                          "{fuselage.requires = \"GeneralizedForm\"} {\n"
                          "  transform.yield\n}\n";
const std::string kMatch = "%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"nest\"} in "
                           "%root : (!transform.any_op) -> !transform.any_op\n";

TEST(Hoist, TakesANormalizationOutOfALoop) {
  Stage stage(kNest);
  // What is put before the include stands in the loop, and runs twice.
  std::string body = kMatch + "%a = transform.split_handle %f : (!transform.any_op) -> !transform.any_op\n"
                              "%both = transform.merge_handles %a, %f : !transform.any_op\n"
                              "transform.foreach %both : !transform.any_op {\n^bb0(%one: !transform.any_op):\n"
                              "transform.include @mark failures(propagate) (%one) : (!transform.any_op) -> ()\n}\n";
  HoistedNormalization hoisted = runHoist(stage, Stage::mainOf(body, kMark));
  ASSERT_TRUE(hoisted.form) << hoisted.why;
  EXPECT_EQ(hoisted.before.count, 2u);
  EXPECT_EQ(hoisted.after.count, 1u);
  EXPECT_EQ(stage.script->ops[hoisted.place].name, "transform.foreach");
  EXPECT_GT(hoisted.linesCompared, 5u);
  Trace again = stage.run(explicitText(*stage.script));
  ASSERT_FALSE(again.failed);
  EXPECT_EQ(PrintedModule(*again.result).text(), PrintedModule(*hoisted.normalized.trace.result).text());
}

TEST(Hoist, SaysWhyThereIsNone) {
  Stage stage(kNest);
  std::string include = "transform.include @mark failures(propagate) (%f) : (!transform.any_op) -> ()\n";
  HoistedNormalization one = runHoist(stage, Stage::mainOf(kMatch + include, kMark));
  EXPECT_FALSE(one.form);
  EXPECT_NE(one.why.find("no two normalizations"), std::string::npos);
  EXPECT_EQ(one.normalized.insertions.size(), 1u);
  // What is between the two breaks the form again, so that the second cannot be left out.
  std::string breaks =
      "%l = transform.structured.match ops{[\"scf.for\"]} in %f : (!transform.any_op) -> !transform.any_op\n"
      "transform.foreach %l : !transform.any_op {\n^bb0(%i: !transform.any_op):\ntransform.loop.unroll %i {factor = 2} "
      ": !transform.any_op\n}\n";
  HoistedNormalization broken = runHoist(stage, Stage::mainOf(kMatch + include + breaks + include, kMark));
  EXPECT_FALSE(broken.form);
  EXPECT_GT(broken.tries, 0u);
  EXPECT_EQ(broken.normalized.insertions.size(), 2u);
  EXPECT_FALSE(broken.normalized.trace.failed);
  Stage plain(kNest);
  EXPECT_EQ(
      PrintedModule(*broken.normalized.trace.result).text(),
      PrintedModule(*runAuto(plain, Stage::mainOf(kMatch + include + breaks + include, kMark)).trace.result).text());
}

TEST(Hoist, ComparesForms) {
  std::string payload = kNest;
  payload += "func.func @g(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n  %exp = linalg.exp ins(%a : tensor<8x8xf32>) "
             "outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
             "  return %exp : tensor<8x8xf32>\n}\n";
  Stage stage(payload);
  HoistedNormalization hoisted = runHoist(
      stage, Stage::mainOf(kMatch + "transform.include @mark failures(propagate) (%f) : (!transform.any_op) -> ()\n"
                                    "%g = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"g\"} "
                                    "in %root : (!transform.any_op) -> !transform.any_op\n"
                                    "transform.include @general failures(propagate) (%g) : (!transform.any_op) -> ()\n",
                           kMark));
  EXPECT_FALSE(hoisted.form);
  EXPECT_NE(hoisted.why.find("do not imply each other"), std::string::npos);
}

TEST(Interchange, SaysWhatIsInTheWay) {
  const std::pair<const char *, const char *> cases[] = {
      {"scf.for %i = %c0 to %n step %c1 {\nfunc.call @use(%i) : (index) -> ()\n}\n", "does not hold exactly one loop"},
      {"scf.for %i = %c0 to %n step %c1 {\nscf.for %j = %c0 to %i step %c1 {\nfunc.call @use(%j) : (index) -> "
       "()\n}\n}\n",
       "the inner loop's bounds depend on the outer loop"},
      {"%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {\n"
       "%s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (index) {\n%y = arith.addi %b, %j : "
       "index\nscf.yield %y : index\n}\n"
       "scf.yield %s : index\n}\n",
       "carry values"},
  };
  for (auto [body, why] : cases) {
    Stage stage(std::string("func.func private @use(index)\nfunc.func @f(%n: index) {\n%c0 = arith.constant 0 : "
                            "index\n%c1 = arith.constant 1 : index\n") +
                body + "return\n}\n");
    Trace trace = stage.runMain(
        "%loops = transform.structured.match ops{[\"scf.for\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
        "%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"f\"} in %root : "
        "(!transform.any_op) -> !transform.any_op\n"
        "%inner = transform.get_parent_op %loops {op_name = \"func.func\", deduplicate} : (!transform.any_op) -> "
        "!transform.any_op\n"
        "%all = transform.structured.match ops{[\"scf.for\"]} in %inner : (!transform.any_op) -> !transform.any_op\n"
        "transform.foreach %all : !transform.any_op {\n^bb0(%one: !transform.any_op):\n"
        "%p = transform.get_parent_op %one : (!transform.any_op) -> !transform.any_op\n"
        "transform.sequence %one : !transform.any_op failures(suppress) {\n^bb0(%x: !transform.any_op):\n"
        "%o, %i = transform.fuselage.interchange_loops %x : (!transform.any_op) -> (!transform.any_op, "
        "!transform.any_op)\n}\n}\n");
    bool isSaid = false;
    for (const TraceStep &step : trace.steps)
      for (const Diagnostic &diagnostic : step.diagnostics)
        isSaid |= llvm::StringRef(diagnostic.message).contains(why);
    EXPECT_TRUE(isSaid) << why;
  }
}

} // namespace
} // namespace fuselage::test
