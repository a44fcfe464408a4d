// Names in a snapshot, and what becomes of them over the steps.
#include "core/engine/search/Definitions.h"
#include "core/protocol/NameRank.h"
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// A file with this text, for as long as this lives.
class TemporaryFile {
public:
  TemporaryFile(llvm::StringRef suffix, llvm::StringRef text) {
    int fd = -1;
    llvm::sys::fs::createTemporaryFile("fuselage-search", suffix, fd, path_);
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path_); }
  std::string path() const { return path_.str().str(); }

private:
  llvm::SmallString<128> path_;
};

constexpr const char *twoOps = R"(func.func @layer(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q_mm = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %q_mm : tensor<8x8xf32>
}
)";

/// "op linalg.matmul, value %q_mm": kinds and names in their order.
std::string hits(EngineProcess &engine, llvm::StringRef text, Array kinds = {}) {
  Object found = engine.call("search/find", Object{{"snapshot", 0}, {"text", text}, {"kinds", std::move(kinds)}});
  std::string names;
  for (const llvm::json::Value &hit : *found.getArray("hits"))
    names += (names.empty() ? "" : ", ") + hit.getAsObject()->getString("kind")->str() + " " +
             hit.getAsObject()->getString("name")->str();
  return names;
}

/// "FoldX replaced arith.addf" of the rewrites of an event.
std::string rewritesOf(const llvm::json::Value &event) {
  std::string text;
  if (const llvm::json::Array *rewrites = event.getAsObject()->getArray("rewrites"))
    for (const llvm::json::Value &value : *rewrites) {
      const Object &rewrite = *value.getAsObject();
      text += (text.empty() ? "" : ", ") + rewrite.getString("pattern").value_or("-").str() + " " +
              rewrite.getString("change")->str() + " " + rewrite.getString("op")->str();
    }
  return text;
}

/// "-1 present, 1 removed".
std::string events(const Object &history) {
  std::string text;
  for (const llvm::json::Value &event : *history.getArray("events"))
    text += (text.empty() ? "" : ", ") + std::to_string(*event.getAsObject()->getInteger("step")) + " " +
            event.getAsObject()->getString("change")->str();
  return text;
}

TEST(Search, RanksNames) {
  EXPECT_EQ(rankOf("linalg.matmul", "linalg.matmul"), NameRank::Exact);
  EXPECT_EQ(rankOf("linalg.matmul", "lin"), NameRank::Prefix);
  EXPECT_EQ(rankOf("linalg.matmul", "mat"), NameRank::WordStart);
  EXPECT_EQ(rankOf("linalg.matmul", "alg.m"), NameRank::Inside);
  EXPECT_EQ(rankOf("linalg.matmul", "lmm"), NameRank::Scattered);
  EXPECT_EQ(rankOf("linalg.matmul", "lx"), NameRank::NoMatch);
  EXPECT_EQ(rankOf("linalg.matmul", "mat lin"), NameRank::WordStart);
  EXPECT_EQ(rankOf("linalg.matmul", "mat tosa"), NameRank::NoMatch);
  EXPECT_EQ(rankOf("%q_mm", "q_mm"), NameRank::Exact);
  EXPECT_EQ(rankOf("%q_mm", "%q_mm"), NameRank::Exact);
  EXPECT_EQ(rankOf("@main", "%main"), NameRank::NoMatch);
  EXPECT_EQ(rankOf("", "a"), NameRank::NoMatch);
  EXPECT_EQ(rankOf("a", ""), NameRank::Prefix);
}

TEST(Search, FindsDefinitionsInText) {
  auto names = [](llvm::StringRef line) {
    std::string text;
    forEachDefinition(line, [&](llvm::StringRef name) { text += name.str() + " "; });
    return text;
  };
  EXPECT_EQ(names("  %0 = arith.addf %a, %b : f32"), "%0 ");
  EXPECT_EQ(names("%a, %b:2 = scf.if %c -> (f32, f32, f32) {"), "%a %b ");
  EXPECT_EQ(names("func.func @f(%x: f32, %y: memref<?xf32>) {"), "%x %y ");
  EXPECT_EQ(names("^bb0(%in: f32, %out: f32):"), "%in %out ");
  EXPECT_EQ(names("%r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (f32) {"), "%r %i %acc ");
  EXPECT_EQ(names("  scf.forall (%i, %j) in (4, 8) {"), "%i %j ");
  EXPECT_EQ(names("  return %a : f32"), "");
  EXPECT_EQ(names("  linalg.fill ins(%z : f32) outs(%e : memref<4xf32>)"), "");
  EXPECT_EQ(names("%"), "");
  EXPECT_EQ(names(""), "");
}

TEST(Search, FindsOpsValuesSymbolsAndPlaces) {
  EngineProcess engine;
  TemporaryFile file("mlir", twoOps);
  engine.call("document/open", Object{{"path", file.path()}});
  EXPECT_EQ(engine.call("search/prepare", Object{{"snapshot", 0}}).size(), 0u);
  EXPECT_EQ(hits(engine, "linalg.matmul"), "op linalg.matmul");
  EXPECT_EQ(hits(engine, "q_mm"), "value %q_mm");
  EXPECT_EQ(hits(engine, "Layer"), "symbol @layer");
  EXPECT_EQ(hits(engine, "matmul 8x8x8"), "op matmul 8x8x8") << "what stands in the graph is a name, too";
  EXPECT_EQ(hits(engine, "zero", Array{"op"}), "");
  EXPECT_EQ(hits(engine, "nowhere"), "");
  EXPECT_EQ(hits(engine, ""), "");
  std::string name = llvm::sys::path::filename(file.path()).str();
  EXPECT_EQ(hits(engine, "5", Array{"location"}), "location " + name + ":5:11");
  EXPECT_EQ(hits(engine, name + ":5:11"), "location " + name + ":5:11");
  EXPECT_EQ(hits(engine, name + ":99"), "");

  Object found = engine.call("search/find", Object{{"snapshot", 0}, {"text", "linalg"}, {"limit", 1}});
  EXPECT_EQ(found.getArray("hits")->size(), 1u);
  EXPECT_EQ(found.getObject("totals")->getInteger("op"), 2);
  const Object &fill = *found.getArray("hits")->front().getAsObject();
  EXPECT_EQ(fill.getInteger("line"), 4);
  Object at = engine.call("text/opAt", Object{{"snapshot", 0}, {"line", 4}});
  EXPECT_EQ(fill.getInteger("op"), at.getInteger("id"));
  EXPECT_TRUE(fill.getString("detail")->starts_with("%init = linalg.fill"));
  engine.callError("search/find", Object{{"snapshot", 0}, {"text", "a"}, {"kinds", Array{"colour"}}});
  engine.callError("search/find", Object{{"snapshot", 7}, {"text", "a"}});
}

TEST(Search, FollowsADispatchOverTheSteps) {
  EngineProcess engine;
  TemporaryFile file("mlir",
                     std::string(twoOps) +
                         R"(func.func @other(%x: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
)");
  engine.call("document/open", Object{{"path", file.path()}});
  engine.call("pipeline/record", Object{{"pipeline", "builtin.module(cse,linalg-generalize-named-ops,symbol-dce)"}});
  Object matmul = engine.call("search/history", Object{{"dispatch", "MATMUL"}});
  EXPECT_EQ(events(matmul), "-1 present, 1 changed") << "cse left it alone";
  EXPECT_EQ(matmul.getString("followed"), "location");
  for (int snapshot : {0, 1, 2}) // the input's is looked at, too
    EXPECT_EQ(events(engine.call("search/history", Object{{"dispatch", "exp_4"}, {"snapshot", snapshot}})),
              "-1 present, 0 changed, 1 changed");
  EXPECT_EQ(events(engine.call("search/history", Object{{"dispatch", "conv"}})), "");
  engine.callError("search/history", Object{{"dispatch", ""}});
  engine.callError("search/history", Object{{"dispatch", "exp"}, {"snapshot", 99}});
}

TEST(Search, FollowsAnOpANameAndATextOverTheSteps) {
  EngineProcess engine;
  TemporaryFile file("mlir", twoOps);
  engine.call("document/open", Object{{"path", file.path()}});
  engine.call(
      "pipeline/record",
      Object{{"pipeline",
              "builtin.module(cse,linalg-generalize-named-ops,one-shot-bufferize{bufferize-function-boundaries},"
              "convert-linalg-to-loops)"}});
  Object found = engine.call("search/find", Object{{"snapshot", 0}, {"text", "linalg.matmul"}});
  int64_t op = *found.getArray("hits")->front().getAsObject()->getInteger("op");
  Object history = engine.call("search/history", Object{{"snapshot", 0}, {"op", op}});
  EXPECT_EQ(history.getString("followed"), "location");
  EXPECT_EQ(history.getInteger("steps"), 4);
  EXPECT_EQ(events(history), "-1 present, 1 changed, 2 changed, 3 changed");
  EXPECT_TRUE((*history.getArray("events"))[1].getAsObject()->getString("text")->contains("linalg.generic"));
  EXPECT_EQ(rewritesOf((*history.getArray("events"))[1]), "") << "not asked for";
  history = engine.call("search/history", Object{{"snapshot", 0}, {"op", op}, {"rewrites", true}});
  EXPECT_EQ(rewritesOf((*history.getArray("events"))[1]),
            "LinalgGeneralizationPattern replaced linalg.matmul, LinalgGeneralizationPattern created linalg.generic, "
            "LinalgGeneralizationPattern modified linalg.generic")
      << "the last one replaced the fill that it starts from";
  EXPECT_NE(rewritesOf((*history.getArray("events"))[2]).find("replaced linalg.generic"), std::string::npos);
  EXPECT_EQ(events(engine.call("search/history", Object{{"text", "linalg.matmul"}})), "-1 present, 1 removed");
  EXPECT_EQ(events(engine.call("search/history", Object{{"text", "memref.alloc"}})), "2 introduced");
  EXPECT_EQ(events(engine.call("search/history", Object{{"name", "linalg"}})), "") << "no whole word";
  EXPECT_TRUE(llvm::StringRef(events(engine.call("search/history", Object{{"name", "%q_mm"}})))
                  .starts_with("-1 present, 1 changed"));
  EXPECT_EQ(events(engine.call("search/history", Object{{"name", "%nobody"}})), "");
  engine.callError("search/history", Object{{"text", ""}});
  engine.callError("search/history", Object{{"text", "a\nb"}});
  engine.callError("search/history", Object{{"op", 9999}, {"snapshot", 0}});
}

TEST(Search, FollowsALineOfALog) {
  EngineProcess engine;
  auto dump = [](llvm::StringRef pass, llvm::StringRef body) {
    return ("// -----// IR Dump After " + pass + " //----- //\nfunc.func @f(%a: i32) -> i32 {\n" + body + "}\n\n")
        .str();
  };
  const char *add = "  %0 = arith.addi %a, %a : i32\n", *one = "  return %0 : i32\n";
  TemporaryFile file("log",
                     dump("CSE (cse)", std::string(add) + one) +
                         dump("A (a)", std::string("  %c = arith.constant 1 : i32\n  %1 = arith.addi %a, %a : i32\n") +
                                           "  return %1 : i32\n") +
                         dump("B (b)", std::string("  %0 = arith.addi %a, %a overflow<nsw> : i32\n") + one) +
                         dump("C (c)", "  return %a : i32\n"));
  Object document = engine.call("document/open", Object{{"path", file.path()}});
  ASSERT_EQ(document.getArray("steps")->size(), 4u);
  int64_t middle = *(*document.getArray("steps"))[2].getAsObject()->getInteger("after");
  Object found = engine.call("search/find", Object{{"snapshot", middle}, {"text", "arith.addi"}});
  int64_t op = *found.getArray("hits")->front().getAsObject()->getInteger("op");
  Object history = engine.call("search/history", Object{{"snapshot", middle}, {"op", op}});
  EXPECT_EQ(history.getString("followed"), "line");
  EXPECT_EQ(events(history), "0 present, 2 changed, 3 removed");
}

TEST(Search, ReadsTextsThatDoNotParse) {
  EngineProcess engine;
  TemporaryFile file("log", "// -----// IR Dump After CSE (cse) //----- //\nfunc.func private @broken(%arg: i32) {\n"
                            "  %sum = arith.addi %arg, \n  oh dear\n");
  engine.call("document/open", Object{{"path", file.path()}});
  EXPECT_NE(hits(engine, "broken").find("symbol @broken"), std::string::npos);
  EXPECT_NE(hits(engine, "sum").find("value %sum"), std::string::npos);
  EXPECT_NE(hits(engine, "arith.addi").find("op arith.addi"), std::string::npos);
}

} // namespace
} // namespace fuselage::test
