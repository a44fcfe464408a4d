// Writing by pointing: the lines find the very op that was meant, and run.
#include "core/schedules/write/WriteAction.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tests/core/schedules/ScheduleTestSupport.h"
#include "llvm/Support/FileSystem.h"

namespace fuselage::test {
namespace {

std::string emptyScript() { return Stage::mainOf(""); }

llvm::SmallVector<mlir::Operation *> opsOf(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> ops;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ops.push_back(op); });
  return ops;
}

/// The first op of that name.
OpId opOf(mlir::ModuleOp module, llvm::StringRef name) {
  for (auto [id, op] : llvm::enumerate(opsOf(module)))
    if (op->getName().getStringRef() == name)
      return id;
  ADD_FAILURE() << "there is no " << name.str();
  return 0;
}

struct Writing : Stage {
  using Stage::Stage;

  llvm::Expected<WrittenAction> write(llvm::StringRef text, mlir::ModuleOp seen, OpId op, llvm::StringRef action,
                                      std::map<std::string, std::string> options = {}) {
    auto script = parseScript(session, text, "schedule.mlir");
    if (!script)
      return script.takeError();
    PointedAction pointed{.action = findAction(action), .seen = seen, .op = op, .options = std::move(options)};
    return writeAction(session, std::move(*script), text, *payload, pointed);
  }

  /// The script with the action on the first op of that name in what the script leads to.
  std::string add(const std::string &text, llvm::StringRef op, llvm::StringRef action,
                  std::map<std::string, std::string> options = {}) {
    Trace before = run(text);
    auto written = write(text, *before.result, opOf(*before.result, op), action, std::move(options));
    EXPECT_TRUE(static_cast<bool>(written)) << (written ? "" : takeFailure(written.takeError()).message);
    return written ? written->text : text;
  }

  std::string problem(llvm::StringRef text, llvm::StringRef op, llvm::StringRef action,
                      std::map<std::string, std::string> options = {}) {
    auto written = write(text, *payload, opOf(*payload, op), action, std::move(options));
    return written ? "" : takeFailure(written.takeError()).message;
  }
};

/// A handle to every op, each checked by what the interpreter says that it holds.
void expectFound(Writing &stage) {
  llvm::SmallVector<mlir::Operation *> ops = opsOf(*stage.payload);
  ASSERT_FALSE(ops.empty());
  for (OpId id = 0; id < OpId(ops.size()); ++id) {
    auto written = stage.write(emptyScript(), *stage.payload, id, "annotate", {{"name", "test.here"}});
    ASSERT_TRUE(static_cast<bool>(written)) << takeFailure(written.takeError()).message;
    Trace trace = stage.run(written->text);
    ASSERT_FALSE(trace.failed) << written->text;
    unsigned marked = 0;
    for (auto [number, op] : llvm::enumerate(opsOf(*trace.result)))
      if (op->hasAttr("test.here")) {
        EXPECT_EQ(OpId(number), id) << written->text;
        ++marked;
      }
    EXPECT_EQ(marked, 1u) << written->text;
  }
}

} // namespace

TEST(WriteAction, EveryOpIsFound) {
  Writing stage;
  expectFound(stage);
}

TEST(WriteAction, EveryOpOfLoopsAndNumbersIsFound) {
  Writing stage(R"(
func.func @nest(%m: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %m[%i, %j] : memref<8x8xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %m[%i, %j] : memref<8x8xf32>
    } {inner}
    scf.for %k = %c0 to %c8 step %c1 {
      %v = memref.load %m[%k, %i] : memref<8x8xf32>
      memref.store %v, %m[%i, %k] : memref<8x8xf32>
    }
  }
  return
}
func.func private @other(%m: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0, %c0] : memref<8x8xf32>
  memref.store %v, %m[%c0, %c0] : memref<8x8xf32>
  return
}
)");
  expectFound(stage);
}

TEST(WriteAction, EveryOpOfTheSamplesIsFound) {
  std::error_code problem;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator at(FUSELAGE_SOURCE_DIR "/samples", problem), end; at != end && !problem;
       at.increment(problem)) {
    if (!llvm::StringRef(at->path()).ends_with(".mlir"))
      continue;
    Writing stage;
    auto module = stage.session.open(at->path());
    if (!module) { // of other tools
      llvm::consumeError(module.takeError());
      continue;
    }
    stage.payload = std::move(*module);
    if (opsOf(*stage.payload).size() > 60)
      continue;
    SCOPED_TRACE(at->path());
    expectFound(stage);
    ++files;
  }
  EXPECT_GT(files, 5u);
}

TEST(WriteAction, AHandleThatHoldsTheOpIsTaken) {
  Writing stage;
  std::string text = stage.add(emptyScript(), "linalg.matmul", "tile", {{"sizes", "32, 16"}, {"loop", "scf.forall"}});
  EXPECT_NE(text.find("%matmul = transform.structured.match ops{[\"linalg.matmul\"]} in %root"), std::string::npos)
      << text;
  EXPECT_NE(text.find("%tiled, %forall = transform.structured.tile_using_forall %matmul tile_sizes [32, 16] :"),
            std::string::npos)
      << text;
  text = stage.add(text, "linalg.matmul", "tile", {{"sizes", "0, 0, 8"}});
  EXPECT_NE(text.find("%tiled_0, %loop = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 8]"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("ops{", text.find("ops{") + 1), std::string::npos) << text; // one match
  text = stage.add(text, "linalg.fill", "fuse_into");
  EXPECT_NE(text.find("fuse_into_containing_op %fill into %forall"), std::string::npos) << text;
  EXPECT_FALSE(stage.run(text).failed) << text;
}

TEST(WriteAction, EveryActionRuns) {
  struct Case {
    const char *op, *action;
    std::map<std::string, std::string> options{};
  };
  for (const Case &each : std::vector<Case>{
           {"linalg.matmul", "tile", {{"sizes", "8"}}},
           {"linalg.add", "tile_and_fuse", {{"sizes", "8, 16"}}},
           {"linalg.add", "tile_and_fuse", {{"sizes", "8, 16"}, {"loop", "scf.forall"}}},
           {"linalg.matmul", "interchange", {{"order", "2, 0, 1"}}},
           {"linalg.matmul", "pad", {{"multiples", "48, 1, 1"}}},
           {"linalg.matmul", "promote", {{"operands", "0, 1"}}},
           {"linalg.matmul", "vectorize"},
           {"linalg.exp", "vectorize", {{"sizes", "8, 16"}}},
           {"linalg.exp", "generalize"},
           {"linalg.exp", "apply_patterns", {{"patterns", "canonicalization, linalg.tiling_canonicalization"}}},
           {"linalg.exp", "run_pass", {{"pass", "cse"}}},
           {"func.func", "run_pass", {{"pass", "inline"}, {"on", "module"}}},
           {"linalg.exp", "bufferize"},
           {"linalg.exp", "match"},
           {"linalg.exp", "annotate", {{"name", "my.mark"}}}}) {
    SCOPED_TRACE(std::string(each.action) + " on " + each.op);
    Writing stage;
    std::string text = stage.add(emptyScript(), each.op, each.action, each.options);
    EXPECT_NE(text, emptyScript());
    EXPECT_FALSE(stage.run(text).failed) << text;
  }
}

TEST(WriteAction, EveryActionOnLoopsRuns) {
  Writing stage(R"(
func.func @g(%a: memref<8x8xf32>, %o: memref<8x8xf32>) {
  linalg.exp ins(%a : memref<8x8xf32>) outs(%o : memref<8x8xf32>)
  return
}
)");
  std::string tiled = stage.add(emptyScript(), "linalg.exp", "tile", {{"sizes", "4, 2"}});
  for (const auto &[action, options] : std::vector<std::pair<const char *, std::map<std::string, std::string>>>{
           {"unroll", {{"factor", "2"}}}, {"interchange_loops", {}}}) {
    std::string text = stage.add(tiled, "scf.for", action, options);
    EXPECT_FALSE(stage.run(text).failed) << text;
  }
  std::string peeled = stage.add(stage.add(emptyScript(), "linalg.exp", "tile", {{"sizes", "3"}}), "scf.for", "peel");
  EXPECT_FALSE(stage.run(peeled).failed) << peeled;
}

TEST(WriteAction, UpToAKernel) {
  Writing stage(R"(
func.func @g(%a: tensor<64x64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %exp = linalg.exp ins(%a : tensor<64x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %exp : tensor<64x64xf32>
}
)");
  std::string text = stage.add(emptyScript(), "linalg.exp", "tile", {{"sizes", "8, 32"}, {"loop", "scf.forall"}});
  text = stage.add(text, "scf.forall", "map", {{"to", "block"}});
  text = stage.add(text, "linalg.exp", "tile", {{"sizes", "1, 1"}, {"loop", "scf.forall"}});
  Trace so_far = stage.run(text);
  OpId inner = 0;
  for (auto [id, op] : llvm::enumerate(opsOf(*so_far.result)))
    if (op->getName().getStringRef() == "scf.forall")
      inner = id;
  auto mapped = stage.write(text, *so_far.result, inner, "map", {{"to", "thread"}});
  ASSERT_TRUE(static_cast<bool>(mapped));
  text = stage.add(mapped->text, "func.func", "bufferize");
  text = stage.add(text, "func.func", "launch", {{"threads", "32, 8, 1"}});
  Trace trace = stage.run(text);
  ASSERT_FALSE(trace.failed) << text;
  opOf(*trace.result, "gpu.launch");
}

TEST(WriteAction, Refusals) {
  Writing stage;
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.matmul", "tile", {{"sizes", "8, 8, 8, 8"}}),
            "'sizes' has a number for each of the 3 loops, and 0 for those that stay whole; it has '8, 8, 8, 8'");
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.matmul", "tile", {{"sizes", "8] : x"}}),
            "'sizes' is a list of whole numbers from 0 on, such as 8, 16; it has '8] : x'");
  EXPECT_EQ(stage.problem(emptyScript(), "func.func", "tile"), "it has no loops that could be tiled");
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.exp", "interchange", {{"order", "0, 0"}}),
            "'order' has each of the numbers from 0 to 1 once; it has '0, 0'");
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.exp", "apply_patterns", {{"patterns", "no.such"}}),
            "there is no set of patterns 'no.such'");
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.exp", "run_pass", {{"pass", "cse\" to %x"}}),
            "'pass' is the name of one pass, such as canonicalize");
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.fill", "fuse_into"),
            "no loop reads what it computes; tile what reads it first");
  // Lines are put at the end: what is seen must be what is there.
  std::string tiled = stage.add(emptyScript(), "linalg.matmul", "tile", {{"sizes", "8"}});
  EXPECT_EQ(stage.problem(tiled, "linalg.exp", "generalize"),
            "the schedule has changed the module since this place: lines are put at its end, so point at the op there");
  std::string failing = Stage::mainOf(
      "%m = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
      "%p = transform.get_parent_op %m {op_name = \"scf.for\"} : (!transform.any_op) -> !transform.any_op\n");
  EXPECT_EQ(stage.problem(failing, "linalg.exp", "generalize"),
            "the schedule fails at line 4: lines are put at its end, which it has to come to");
  EXPECT_EQ(stage.problem(emptyScript(), "linalg.matmul", "promote", {{"operands", "0"}, {"space", "1} : x"}}),
            "'space' is one of those that are listed, or empty");
}

TEST(WriteAction, ConsumedHandlesAreNoWayToAnOp) {
  Writing stage;
  std::string text = Stage::mainOf(
      "%p = transform.apply_registered_pass \"cse\" to %root : (!transform.any_op) -> !transform.any_op\n");
  text = stage.add(text, "linalg.exp", "generalize");
  EXPECT_NE(text.find("in %p :"), std::string::npos) << text;
  EXPECT_FALSE(stage.run(text).failed) << text;
}

/// The name of an op that nobody knows may hold anything; it stays a name.
TEST(WriteAction, NamesAreNoScript) {
  Writing stage;
  stage.session.context().allowUnregisteredDialects();
  auto parsed = stage.session.parse("func.func @f() {\n  \"a.b\\22]} in %root\\0A %zz = \"() : () -> ()\n  return\n}\n",
                                    "payload.mlir");
  ASSERT_TRUE(static_cast<bool>(parsed));
  stage.payload = std::move(*parsed);
  auto written = stage.write(emptyScript(), *stage.payload, 2, "match");
  ASSERT_TRUE(static_cast<bool>(written)) << takeFailure(written.takeError()).message;
  EXPECT_NE(written->text.find("ops{[\"a.b\\22]} in %root\\0A %zz = \"]}"), std::string::npos) << written->text;
  EXPECT_EQ(written->first, written->last);
}

TEST(WriteAction, AnEntryThatOnlyReadMayConsumeNow) {
  Writing stage;
  std::string reads = emptyScript();
  reads.replace(reads.find("consumed"), 8, "readonly");
  std::string text = stage.add(reads, "linalg.exp", "bufferize");
  EXPECT_EQ(text.find("readonly"), std::string::npos) << text;
  EXPECT_FALSE(stage.run(text).failed) << text;
  EXPECT_NE(stage.add(reads, "linalg.exp", "generalize").find("readonly"), std::string::npos);
  EXPECT_NE(stage.problem(reads, "linalg.exp", "apply_patterns", {{"patterns", "gpu.unroll_vectors_subgroup_mma"}}),
            "");
  EXPECT_EQ(stage.problem(reads, "linalg.fill", "promote", {{"operands", "0"}}),
            "operand 0 is a scalar, of which there is nothing to promote");
}

TEST(WriteAction, WhereTheYieldStands) {
  Writing stage;
  std::string oneLine = "module attributes {transform.with_named_sequence} { transform.named_sequence "
                        "@__transform_main(%root: !transform.any_op) { transform.yield } }";
  std::string text = stage.add(oneLine, "linalg.exp", "generalize");
  EXPECT_FALSE(stage.run(text).failed) << text;
  EXPECT_NE(text.find("generalize"), std::string::npos);
}

TEST(ScriptNames, TakesWhatIsFree) {
  ScriptNames names("%a = x %a_0, %b#1");
  EXPECT_EQ(names.fresh("a"), "%a_1");
  EXPECT_EQ(names.fresh("b"), "%b_0");
  EXPECT_EQ(names.fresh("4d"), "%op4d");
  EXPECT_EQ(names.fresh("new"), "%new");
  EXPECT_EQ(names.fresh("new"), "%new_0");
}

} // namespace fuselage::test
