#include "core/stepping/dumps/DumpLog.h"
#include "core/stepping/dumps/DumpNotes.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuselage::test {
namespace {

DumpLog indexText(llvm::StringRef text) {
  auto log = DumpLog::index(llvm::MemoryBuffer::getMemBufferCopy(text, "test.log"));
  if (log)
    return std::move(*log);
  ADD_FAILURE() << llvm::toString(log.takeError());
  return {};
}

/// The IR of an entry.
std::string irOf(const DumpLog &log, const DumpEntry &entry) {
  auto bytes = log.files()[entry.file]->bytes();
  return bytes ? (*bytes)->getBuffer().slice(entry.ir.begin, entry.ir.end).str() : llvm::toString(bytes.takeError());
}

constexpr llvm::StringLiteral header = "// -----// IR Dump After CSE (cse) //----- //\n";

TEST(DumpLog, FindsDumpsAndWhatStandsBetween) {
  DumpLog log =
      indexText(("first line\n" + header + "module {\n  func.func @f() {\n    return\n  }\n}\n\n\n" +
                 "a.mlir:1:2: remark: said in between\n" + header + "func.func @f() {\n  return\n}\nlast line\n")
                    .str());
  ASSERT_EQ(log.entries().size(), 2u);
  EXPECT_EQ(log.preface().begin, 0u);
  EXPECT_EQ(log.preface().end, 11u);
  const DumpEntry &first = log.entries()[0], &second = log.entries()[1];
  EXPECT_EQ(first.headerLine, 2u);
  EXPECT_EQ(first.ir.firstLine, 3u);
  EXPECT_EQ(first.ir.lines, 5u);
  EXPECT_EQ(irOf(log, first), "module {\n  func.func @f() {\n    return\n  }\n}\n");
  EXPECT_EQ(first.op, "builtin.module");
  EXPECT_EQ(first.notes.firstLine, 8u);
  EXPECT_EQ(second.headerLine, 11u);
  EXPECT_EQ(irOf(log, second), "func.func @f() {\n  return\n}\n");
  EXPECT_EQ(second.op + " " + second.symbol, "func.func f");
  EXPECT_EQ(second.notes.firstLine, 15u);
}

TEST(DumpLog, TimingReportsAndOutputAreNoIr) {
  DumpLog log = indexText(
      (header + "module {\n}\n\n===---------===\n   ... Execution time report ...\n===-----===\n  0.1  Parser\n" +
       "module {\n  func.func private @out()\n}\n")
          .str());
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(irOf(log, log.entries()[0]), "module {\n}\n");
}

TEST(DumpLog, MessagesInFrontOfTheIrAreSkipped) {
  DumpLog log = indexText((header + "a.mlir:1:1: warning: odd\n  %0 = excerpt\n  ^\nmodule @m {\n}\n").str());
  EXPECT_EQ(irOf(log, log.entries()[0]), "module @m {\n}\n");
  EXPECT_EQ(log.entries()[0].ir.firstLine, 5u);
}

TEST(DumpLog, AliasesAndResourcesBelongToTheIr) {
  std::string ir = "#map = affine_map<(d0) -> (d0)>\n!t = tensor<4xf32>\nmodule {\n}\n#loc = loc(unknown)\n\n{-#\n  "
                   "dialect_resources: {\n  }\n#-}\n";
  DumpLog log = indexText((header + ir + "\nnote\n").str());
  EXPECT_EQ(irOf(log, log.entries()[0]), ir);
}

TEST(DumpLog, CarriageReturns) {
  DumpLog log = indexText("// -----// IR Dump After CSE (cse) //----- //\r\nmodule {\r\n  func.func @f() {\r\n    "
                          "return\r\n  }\r\n}\r\n\r\nnote\r\n");
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(log.entries()[0].argument, "cse");
  EXPECT_EQ(log.entries()[0].ir.lines, 5u);
  EXPECT_EQ(log.entries()[0].shape->symbols.size(), 1u);
}

TEST(DumpLog, GenericFormAndOtherLanguages) {
  DumpLog log =
      indexText((header +
                 "\"builtin.module\"() ({\n  \"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n    "
                 "\"func.return\"() : () -> ()\n  }) : () -> ()\n}) : () -> ()\nnote\n" +
                 header + "; ModuleID = 'x'\ndefine void @f() {\n  ret void\n}\n\ndeclare void @g()\n" + header +
                 "func @old(%arg0: f32) -> f32 {\n  %0 = addf %arg0, %arg0 : f32\n  return %0 : f32\n}\n")
                    .str());
  ASSERT_EQ(log.entries().size(), 3u);
  EXPECT_EQ(log.entries()[0].ir.lines, 5u);
  ASSERT_EQ(log.entries()[0].shape->symbols.size(), 1u);
  EXPECT_EQ(log.names().nameOf(log.entries()[0].shape->symbols[0].symbol), "f");
  EXPECT_EQ(log.entries()[1].shape->op, 0u);
  EXPECT_TRUE(llvm::StringRef(irOf(log, log.entries()[1])).ends_with("declare void @g()\n"));
  EXPECT_EQ(log.entries()[2].op + " " + log.entries()[2].symbol, "func.func old");
}

TEST(DumpLog, CountsOps) {
  DumpLog log = indexText(
      (header + "module {\n  func.func @f(%arg0: f32) -> f32 {\n    %0 = arith.addf %arg0, %arg0 : f32\n    %1:2 = "
                "scf.if %c -> (f32, f32) {\n      scf.yield %0, %0 : f32, f32\n    } else {\n      scf.yield %0, %0 : "
                "f32, f32\n    }\n    // arith.mulf in a comment\n    return %0 : f32\n  }\n}\n")
          .str());
  std::map<std::string, unsigned> counts;
  for (auto [op, count] : log.entries()[0].shape->opCounts)
    counts[log.names().nameOf(op).str()] = count;
  std::map<std::string, unsigned> expected{{"builtin.module", 1}, {"func.func", 1}, {"arith.addf", 1},
                                           {"scf.if", 1},         {"scf.yield", 2}, {"func.return", 1}};
  EXPECT_EQ(counts, expected);
}

TEST(DumpLog, AnEndHeaderClosesTheDump) {
  DumpLog log = indexText("// -----// IR Dump Begin After CSE (cse) //----- //\nmodule {\n}\n// -----// IR Dump End "
                          "//----- //\nmodule @other {\n}\n");
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(irOf(log, log.entries()[0]), "module {\n}\n");
}

TEST(DumpLog, TruncatedInTheMiddle) {
  DumpLog log = indexText((header + "module {\n  func.func @f() {\n    %0 = arith.const").str());
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_EQ(log.entries()[0].ir.lines, 3u);
  log = indexText("// -----// IR Dump After CSE (cse) //----- //");
  ASSERT_EQ(log.entries().size(), 1u);
  EXPECT_TRUE(log.entries()[0].ir.empty());
}

TEST(DumpLog, WithoutDumpsIsAClearFailure) {
  for (llvm::StringRef text : {"", "module {\n}\n"}) {
    auto log = DumpLog::index(llvm::MemoryBuffer::getMemBufferCopy(text, "none.log"));
    ASSERT_FALSE(bool(log));
    std::string message = takeFailure(log.takeError()).message;
    EXPECT_NE(message.find("there is no dump in 'none.log'"), std::string::npos) << message;
    EXPECT_NE(message.find("--mlir-print-ir-after-all"), std::string::npos) << message;
  }
  auto missing = DumpLog::open("/no/such/file.log");
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(takeFailure(missing.takeError()).message.find("/no/such/file.log"), std::string::npos);
}

TEST(DumpLog, CanBeCancelled) {
  TemporaryFile file((header + "module {\n}\n").str(), "log");
  auto log = DumpLog::open(file.path(), [] { return true; });
  ASSERT_FALSE(bool(log));
  EXPECT_NE(takeFailure(log.takeError()).message.find("cancelled"), std::string::npos);
}

TEST(DumpLog, AFileThatShrinksIsNoticed) {
  std::string big = (header + "module {\n").str();
  for (int i = 0; i < 20000; ++i)
    big += "  func.func private @f" + std::to_string(i) + "()\n";
  TemporaryFile file(big + "}\n", "log");
  auto log = DumpLog::open(file.path());
  ASSERT_TRUE(bool(log));
  std::error_code code;
  llvm::raw_fd_ostream(file.path(), code) << header;
  auto bytes = log->files()[0]->bytes();
  ASSERT_FALSE(bool(bytes));
  EXPECT_NE(takeFailure(bytes.takeError()).message.find("shorter"), std::string::npos);
}

TEST(DumpNotes, DiagnosticsAndTheRest) {
  auto notes = readNotes("a.mlir:7:10: error: op was not bufferized\n    %0 = \"foo.bar\"(%a)\n         ^\n"
                         "a.mlir:7:10: note: see current operation: %0 = \"foo.bar\"(%arg0)\n\n"
                         "loc(\"b.mlir\":2:3): warning: careful\n\nTotal time: 3 s\nsecond line\n",
                         100, "x.log");
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].message, "op was not bufferized");
  EXPECT_EQ(notes[0].file, "a.mlir");
  EXPECT_EQ(notes[0].column, 10u);
  EXPECT_EQ(notes[0].notes.size(), 1u);
  EXPECT_EQ(notes[1].file, "b.mlir");
  EXPECT_EQ(notes[1].line, 2u);
  EXPECT_EQ(notes[1].severity, Diagnostic::Severity::Warning);
  EXPECT_EQ(notes[2].severity, Diagnostic::Severity::Remark);
  EXPECT_EQ(notes[2].message, "Total time: 3 s\nsecond line");
  EXPECT_EQ(notes[2].line, 107u);
}

TEST(DumpNotes, AreBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "debug output " + std::to_string(i) + "\n";
  auto notes = readNotes(text, 1, "x.log");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].message.find("and 4980 more lines"), std::string::npos);
}

} // namespace
} // namespace fuselage::test
