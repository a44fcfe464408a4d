// The text of a document as its author wrote it, and the ops that come from its lines.
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

class WrittenFile {
public:
  WrittenFile(llvm::StringRef suffix, llvm::StringRef text) {
    int fd = -1;
    llvm::sys::fs::createTemporaryFile("fuselage-written", suffix, fd, path_);
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
  }
  ~WrittenFile() { llvm::sys::fs::remove(path_); }
  std::string path() const { return path_.str().str(); }

private:
  llvm::SmallString<128> path_;
};

constexpr const char *commented =
    "// Scores of one head.\r\n"
    "func.func @head(%x: tensor<8x8xf32>,\n"
    "    %w: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
    "  // Twice.\n"
    "  %twice = arith.addf %x,\n"
    "      %x : tensor<8x8xf32>\n"
    "  %zero = arith.constant 0.0 : f32  %e = tensor.empty() : tensor<8x8xf32>\n"
    "  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "  %mm = linalg.matmul ins(%twice, %w : tensor<8x8xf32>, tensor<8x8xf32>)\n"
    "      outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "  return %mm : tensor<8x8xf32>\n"
    "}";

std::string joined(const Object &reply) {
  std::string text;
  for (const llvm::json::Value &line : *reply.getArray("lines"))
    text += line.getAsString()->str() + "\n";
  return text;
}

/// "8-9"; empty where nothing is written.
std::string rows(const Object &reply) {
  std::string text;
  for (const llvm::json::Value &value : *reply.getArray("ranges")) {
    const Object &range = *value.getAsObject();
    text += (text.empty() ? "" : ", ") + std::to_string(*range.getInteger("first")) + "-" +
            std::to_string(*range.getInteger("last"));
  }
  return text;
}

Object written(EngineProcess &engine, int64_t snapshot) {
  return engine.call("text/source", Object{{"snapshot", snapshot}, {"first", 0}, {"count", 1000}});
}

Object from(EngineProcess &engine, int64_t snapshot, int64_t line) {
  return engine.call("text/opFrom", Object{{"snapshot", snapshot}, {"line", line}});
}

/// The name of the first op that comes from a line; empty: none does.
std::string nameFrom(EngineProcess &engine, int64_t snapshot, int64_t line) {
  Object found = from(engine, snapshot, line);
  if (found.getArray("ids")->empty())
    return "";
  return engine.call("op/details", Object{{"snapshot", snapshot}, {"id", (*found.getArray("ids"))[0]}})
      .getString("op")
      ->str();
}

/// The rows that the line of a snapshot's text comes from in which this stands.
std::string rowsOf(EngineProcess &engine, int64_t snapshot, llvm::StringRef piece) {
  Object found = engine.call("text/find", Object{{"snapshot", snapshot}, {"pattern", piece}});
  int64_t line = *found.getArray("matches")->front().getAsObject()->getInteger("line");
  return rows(engine.call("text/sourceOf", Object{{"snapshot", snapshot}, {"line", line}}));
}

TEST(Written, IsTheFileAsItWasOpened) {
  WrittenFile file("mlir", commented);
  EngineProcess engine;
  engine.call("document/open", Object{{"path", file.path()}});
  std::error_code code;
  llvm::raw_fd_ostream(file.path(), code) << "// somebody else wrote this since\n";
  Object text = written(engine, 0);
  EXPECT_EQ(text.getString("problem"), "");
  EXPECT_EQ(text.getString("file"), file.path());
  EXPECT_EQ(text.getInteger("total"), 12);
  std::string expected = std::string(commented) + "\n";
  expected.erase(expected.find('\r'), 1);
  EXPECT_EQ(joined(text), expected);
  Object some = engine.call("text/source", Object{{"snapshot", 0}, {"first", 3}, {"count", 1}});
  EXPECT_EQ(joined(some), "  // Twice.\n");
  Object found = engine.call("text/sourceFind", Object{{"snapshot", 0}, {"pattern", "// [ST]"}});
  EXPECT_EQ(found.getInteger("total"), 2);
  EXPECT_EQ((*found.getArray("matches"))[1].getAsObject()->getInteger("line"), 3);
  EXPECT_EQ((*found.getArray("matches"))[1].getAsObject()->getInteger("column"), 2);
}

TEST(Written, LinesAndOpsFindEachOther) {
  WrittenFile file("mlir", commented);
  EngineProcess engine;
  engine.call("document/open", Object{{"path", file.path()}});
  EXPECT_EQ(nameFrom(engine, 0, 4), "arith.addf");
  EXPECT_EQ(nameFrom(engine, 0, 5), "arith.addf");     // where it goes on
  EXPECT_EQ(nameFrom(engine, 0, 3), "func.func");      // a comment in it
  EXPECT_EQ(nameFrom(engine, 0, 6), "arith.constant"); // the first of two
  EXPECT_EQ(nameFrom(engine, 0, 9), "linalg.matmul");
  EXPECT_EQ(nameFrom(engine, 0, 0), "");
  EXPECT_EQ(rows(from(engine, 0, 9)), "8-9");
  EXPECT_EQ(rowsOf(engine, 0, "linalg\\.matmul"), "8-9");
  EXPECT_EQ(rowsOf(engine, 0, "func\\.func"), "1-11");
  EXPECT_EQ(rowsOf(engine, 0, "tensor\\.empty"), "6-6");

  // In a later step, by locations: what a line became, and that nothing came from it.
  engine.call("pipeline/record",
              Object{{"pipeline", "builtin.module(func.func(linalg-generalize-named-ops,canonicalize))"}});
  EXPECT_EQ(written(engine, 2).getInteger("snapshot"), 0);
  EXPECT_EQ(nameFrom(engine, 2, 8), "linalg.generic");
  EXPECT_EQ(rowsOf(engine, 2, "arith\\.addf %arg|arith\\.addf %x"), "4-5");
  EXPECT_EQ(rowsOf(engine, 2, "matmul|iterator_types = \\[.*reduction"), "8-9");
  engine.callError("text/opFrom", Object{{"snapshot", 0}, {"line", 12}});
  engine.callError("text/sourceOf", Object{{"snapshot", 0}, {"line", 1 << 20}});
}

TEST(Written, OpsWithForeignLocationsAreFoundByTheirOrder) {
  WrittenFile file("mlir", "// From Python.\n"
                           "module {\n"
                           "  func.func @f(%x: f32, %y: f32) -> f32 {\n"
                           "    %a = arith.addf %x, %y : f32 loc(\"net.py\":7:1)\n"
                           "    // Again.\n"
                           "    %b = arith.addf %a, %y : f32 loc(\"net.py\":8:1)\n"
                           "    return %b : f32 loc(\"net.py\":9:1)\n"
                           "  } loc(\"net.py\":6:1)\n"
                           "} loc(unknown)\n");
  EngineProcess engine;
  engine.call("document/open", Object{{"path", file.path()}});
  EXPECT_EQ(rows(from(engine, 0, 5)), "5-5");
  EXPECT_EQ(rowsOf(engine, 0, "%b = arith|%1 = arith"), "5-5");
  EXPECT_EQ(nameFrom(engine, 0, 6), "func.return");
  EXPECT_EQ(nameFrom(engine, 0, 4), "func.func");
}

TEST(Written, ADumpIsShownAsItStandsInItsLog) {
  WrittenFile log("log", "starting up\n"
                         "// -----// IR Dump After CSE (cse) //----- //\n"
                         "func.func @f(%arg0: i32) -> i32 {\n"
                         "  %0 = arith.addi %arg0, %arg0 : i32\n"
                         "  %1 = arith.muli %arg0, %arg0 : i32\n"
                         "  return %0 : i32\n}\n\n"
                         "// -----// IR Dump After Canonicalizer (canonicalize) //----- //\n"
                         "func.func @f(%arg0: i32) -> i32 {\n"
                         "  return %arg0 : i32\n}\n");
  EngineProcess engine;
  Object document = engine.call("document/open", Object{{"path", log.path()}});
  const Object &last = *document.getArray("steps")->back().getAsObject();
  Object text = written(engine, *last.getInteger("after"));
  EXPECT_EQ(text.getInteger("snapshot"), last.getInteger("after"));
  EXPECT_EQ(joined(text).substr(0, 15), "func.func @f(%a");
  EXPECT_EQ(text.getInteger("total"), 3);
  EXPECT_EQ((*text.getArray("runs"))[0].getAsObject()->getInteger("line"), 10);
  EXPECT_EQ(nameFrom(engine, *last.getInteger("before"), 1), "arith.addi");
  EXPECT_EQ(rowsOf(engine, *last.getInteger("before"), "arith\\.addi"), "1-1");
  // What was recorded from a dump has the text of the dump.
  engine.call("pipeline/record", Object{{"pipeline", "builtin.module(canonicalize)"}, {"from", 0}});
  EXPECT_EQ(written(engine, 1).getInteger("snapshot"), 0);
  EXPECT_EQ((*written(engine, 1).getArray("runs"))[0].getAsObject()->getInteger("line"), 3);
}

TEST(Written, LongLinesAreCut) {
  std::string weights(200'000, '0');
  WrittenFile file("mlir", "func.func @f() -> tensor<1x25000xf32> {\n"
                           "  %w = arith.constant dense<\"0x" +
                               weights +
                               "\"> : tensor<1x25000xf32>\n"
                               "  return %w : tensor<1x25000xf32>\n}\n");
  EngineProcess engine;
  engine.call("document/open", Object{{"path", file.path()}});
  std::string line = (*written(engine, 0).getArray("lines"))[1].getAsString()->str();
  EXPECT_TRUE(llvm::StringRef(line).ends_with(" bytes more")) << line.substr(line.size() - 40);
  EXPECT_LT(line.size(), 70'000u);

  Object none = engine.call("text/source", Object{{"snapshot", 0}, {"first", 1 << 30}, {"count", 1 << 30}});
  EXPECT_TRUE(none.getArray("lines")->empty());
}

TEST(Written, BytecodeIsPrinted) {
  EngineProcess engine;
  std::string bytes;
  Session session(allDialects());
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(succeeded(mlir::writeBytecodeToFile(**session.parse(commented, "commented.mlir"), os)));
  WrittenFile bytecode("mlirbc", bytes);
  engine.call("document/open", Object{{"path", bytecode.path()}});
  Object text = written(engine, 0);
  EXPECT_EQ(text.getString("problem").value_or(""), "");
  EXPECT_EQ(joined(text).substr(0, 6), "module");
  EXPECT_EQ(nameFrom(engine, 0, 1), "func.func");
  EXPECT_EQ(rowsOf(engine, 0, "arith\\.addf"), "2-2");
}

TEST(Written, AnArtifactIsTheStableHloThatItHolds) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", FUSELAGE_SOURCE_DIR "/tests/lit/tolerant/Inputs/portable.jaxexport"}});
  EXPECT_NE(joined(written(engine, 0)).find("\"stablehlo.dot_general\"("), std::string::npos);
  EXPECT_EQ(written(engine, 1).getInteger("snapshot"), 0);
}

} // namespace
} // namespace fuselage::test
