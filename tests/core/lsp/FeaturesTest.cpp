// What features make of a document, by the text alone and with facts.
#include "core/lsp/features/Features.h"
#include "core/lsp/text/Folding.h"
#include "core/lsp/text/RunLines.h"
#include "core/lsp/text/SemanticTokens.h"
#include "core/registration/Registration.h"
#include "core/support/JsonText.h"
#include "gtest/gtest.h"

namespace fuselage::lsp {
namespace {

using llvm::StringRef;

OpenDocument documentOf(StringRef text) {
  OpenDocument document;
  document.uri = "file:///f.mlir";
  document.path = "/f.mlir";
  document.text = TextBuffer(text.str());
  return document;
}

std::vector<std::string> foldsIn(StringRef text) {
  TextBuffer buffer(text.str());
  std::vector<std::string> folds;
  for (const Fold &fold : findFolds(buffer, findNames(text)))
    folds.push_back(std::to_string(fold.first) + "-" + std::to_string(fold.last));
  return folds;
}

TEST(Folding, BracketsCommentsAndParts) {
  EXPECT_EQ(foldsIn("// one\n// two\nfunc.func @f() {\n  %c = a.b [\n    1\n  ]\n  return\n}\n"),
            (std::vector<std::string>{"0-1", "2-6", "3-4"}));
  EXPECT_EQ(foldsIn("a.b\nc.d\n// -----\ne.f\ng.h\n"), (std::vector<std::string>{"0-1", "3-4"}));
  EXPECT_TRUE(foldsIn("func.func @f() { return }").empty());
  EXPECT_TRUE(foldsIn("}\n)\n{\n").empty());
}

std::string runLinesIn(StringRef text) {
  registerAllPasses();
  std::string found;
  for (const RunLine &run : findRunLines(TextBuffer(text.str())))
    found += std::to_string(run.first) + "-" + std::to_string(run.last) + " " + run.program + ": " + run.pipeline +
             (run.unknown.empty() ? "" : " without " + llvm::join(run.unknown, ",")) + "\n";
  return found;
}

TEST(RunLines, PassesOfCommandsThatAreCalledOpt) {
  EXPECT_EQ(runLinesIn("// RUN: mlir-opt %s -cse | FileCheck %s"), "0-0 mlir-opt: cse\n");
  EXPECT_EQ(runLinesIn("//RUN: /usr/bin/mlir-opt-22 %s --cse\n// RUN: cat %s | x-opt --cse"), "1-1 x-opt: cse\n");
  EXPECT_EQ(runLinesIn("x\n// RUN: not mlir-opt --cse --canonicalize=top-down=false %s 2>&1 | FileCheck %s"),
            "1-1 mlir-opt: cse,canonicalize{top-down=false}\n");
  EXPECT_EQ(
      runLinesIn("// RUN: mlir-opt %s \\\n// RUN:  --pass-pipeline=\"builtin.module(cse)\" --mlir-print-op-generic"),
      "0-1 mlir-opt: builtin.module(cse)\n");
  EXPECT_EQ(runLinesIn("// RUN: mlir-opt %s --pass-pipeline 'any(cse)' --foo"), "0-0 mlir-opt: any(cse) without foo\n");
  EXPECT_EQ(runLinesIn("// RUN: mlir-opt %s -cse && mlir-opt %s -sccp"), "0-0 mlir-opt: cse\n0-0 mlir-opt: sccp\n");
}

TEST(RunLines, NothingElse) {
  for (StringRef text : {"// RUN: mlir-opt %s | FileCheck %s", "// CHECK: mlir-opt -cse", "RUN: mlir-opt -cse",
                         "// RUN:", "// RUN: \\", "// RUN: mlir-opt 'cse", "// RUN: mlir-opt $(cse) -cse",
                         "// RUN: |;&<>", "// RUN: echo -cse", "// RUN: mlir-opt --pass-pipeline"})
    EXPECT_EQ(runLinesIn(text), "") << text.str();
}

TEST(SemanticTokens, NamesKnowWhatTheyAre) {
  StringRef text = "func.func @f(%a: i32) {\n  return %a : i32\n}";
  std::string found;
  for (const SemanticToken &token : findSemanticTokens(text, findNames(text), {0, text.size()}))
    found += text.slice(token.bytes.begin, token.bytes.end).str() + ":" + tokenTypes[static_cast<int>(token.type)] +
             (token.isDefinition ? "! " : " ");
  EXPECT_EQ(found, "func.func:method @f:function! %a:parameter! i32:type return:keyword %a:parameter i32:type ");
}

TEST(SemanticTokens, PackedAsDifferences) {
  TextBuffer text("a.b\n  %0 c.d");
  std::vector<int> packed =
      packTokens(text, findSemanticTokens(text.text(), findNames(text.text()), {0, text.text().size()}));
  EXPECT_EQ(packed, (std::vector<int>{0, 0, 3, 6, 0, 1, 2, 2, 0, 0, 0, 3, 3, 6, 0}));
}

// A line of a megabyte has 100,000 tokens: each is counted from the one before.
TEST(SemanticTokens, OfALongLine) {
  std::string line = "a.b dense<[";
  for (int i = 0; i < 100'000; ++i)
    line += "1.5, ";
  TextBuffer text(line + "2]>");
  std::vector<int> packed =
      packTokens(text, findSemanticTokens(text.text(), findNames(text.text()), {0, line.size() + 3}));
  EXPECT_EQ(packed.size(), 5 * 100'003u);
  EXPECT_EQ(packed[packed.size() - 4], 5);
}

TEST(Rename, EveryOccurrenceAndNoOther) {
  OpenDocument document = documentOf("func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n"
                                     "func.func @g(%a: i32) -> i32 {\n  return %a : i32\n}\n");
  auto edit = rename(document, {1, 10}, "b");
  ASSERT_TRUE(bool(edit));
  std::string text = compactJson(*edit);
  EXPECT_NE(text.find(R"("newText":"%b")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("line":0)"), std::string::npos);
  EXPECT_NE(text.find(R"("line":1)"), std::string::npos);
  EXPECT_EQ(text.find(R"("line":3)"), std::string::npos) << "of the other function";
}

TEST(Rename, RefusesNamesThatAreTakenOrNone) {
  OpenDocument document = documentOf("func.func @f(%a: i32, %b: i32) -> i32 {\n  return %a : i32\n}\n");
  for (StringRef name : {"b", "%b", "", "1a", "a b", "a}"}) {
    auto edit = rename(document, {1, 10}, name);
    EXPECT_FALSE(bool(edit)) << name.str();
    llvm::consumeError(edit.takeError());
  }
  auto number = rename(document, {1, 10}, "7");
  EXPECT_TRUE(bool(number));
  llvm::consumeError(number.takeError());
}

/// The text with the edits made, which are at most one.
std::string edited(StringRef from, StringRef to) {
  OpenDocument document = documentOf(from);
  llvm::json::Array edits = editsTo(document, to);
  if (edits.empty())
    return from.str();
  const llvm::json::Object *edit = edits.front().getAsObject();
  document.text.replace(*rangeFrom(edit->get("range")), *edit->getString("newText"));
  return document.text.text();
}

TEST(Edits, LeadFromOneTextToTheOther) {
  const char *texts[] = {"",     "a\n",       "a\nb\n",          "a\nb\nc\n", "b\nc\n",
                         "a\nc", "a\na\na\n", "x\na\nb\nc\ny\n", "a\nbb\nc\n"};
  for (const char *from : texts)
    for (const char *to : texts)
      EXPECT_EQ(edited(from, to), to) << from << " to " << to;
}

TEST(Uris, ThereAndBack) {
  EXPECT_EQ(pathOfUri("file:///a%20b/%C3%A9.mlir"), "/a b/\u00e9.mlir");
  EXPECT_EQ(pathOfUri(uriOfPath("/a b/%\u00e9?.mlir")), "/a b/%\u00e9?.mlir");
  EXPECT_EQ(pathOfUri("untitled:Untitled-1"), "untitled:Untitled-1");
  EXPECT_EQ(pathOfUri("file://host/x"), "/x");
}

} // namespace
} // namespace fuselage::lsp
