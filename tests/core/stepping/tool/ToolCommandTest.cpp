#include "core/stepping/tool/ToolCommand.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/support/ShellWords.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

/// "a|b c": the words, or what is wrong.
std::string split(llvm::StringRef line) {
  auto words = splitShellWords(line);
  return words ? llvm::join(*words, "|") : takeFailure(words.takeError()).message;
}

TEST(ShellWords, AreSplitAsAShellDoes) {
  EXPECT_EQ(split("  a  b\tc "), "a|b|c");
  EXPECT_EQ(split("a 'b c' \"d e\" f\\ g"), "a|b c|d e|f g");
  EXPECT_EQ(split("--p='x(y{z=1})' ''"), "--p=x(y{z=1})|");
  EXPECT_EQ(split("\"a\\\"b\" '\\n' \"\\n\""), "a\"b|\\n|\\n");
}

TEST(ShellWords, RefuseWhatOnlyAShellCouldDo) {
  for (const char *line : {"a | b", "a; b", "a && b", "a > b", "a `b`", "a $(b)"})
    EXPECT_NE(split(line).find("no shell runs"), std::string::npos) << line;
  EXPECT_EQ(split("a '|' \"$(b)\" \\;"), "a|||$(b)|;");
  EXPECT_NE(split("a 'b").find("does not end"), std::string::npos);
  EXPECT_NE(split("a \\").find("quotes nothing"), std::string::npos);
}

TEST(ShellWords, JoinedSplitAlike) {
  const std::vector<std::string> words{"a", "", "b c", "it's", "$x", "--f={y=\"1\"}", "a;b"};
  auto again = splitShellWords(joinShellWords(words));
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*again, words);
}

ToolCommand commandOf(llvm::StringRef line) {
  auto words = splitShellWords(line);
  EXPECT_TRUE(bool(words));
  return {.words = *words, .path = "/bin/x", .family = &toolFamilyOf(words->front())};
}
std::string arguments(llvm::StringRef line, bool dumps = false) {
  return llvm::join(commandOf(line).argumentsFor("f.mlir", dumps), " ");
}

TEST(ToolCommand, PutsTheFileInItsPlace) {
  EXPECT_EQ(arguments("mlir-opt --cse"), "mlir-opt --cse f.mlir");
  EXPECT_EQ(arguments("tool {} --x"), "tool f.mlir --x");
  EXPECT_EQ(arguments("tool --in={} --x"), "tool --in=f.mlir --x");
}

TEST(ToolCommand, SwitchesDumpsOnByFamily) {
  EXPECT_NE(arguments("/opt/bin/iree-compile -o x", true).find("--mlir-print-ir-after-all"), std::string::npos);
  EXPECT_NE(arguments("some-new-opt", true).find("--mlir-print-ir-after-all"), std::string::npos);
  EXPECT_EQ(arguments("python3 {}", true), "python3 f.mlir") << "a script has no such flags";
  EXPECT_EQ(toolFamilyOf("python3.11").environment.front(), "MLIR_ENABLE_DUMP=1");
  // What the command says itself stands.
  EXPECT_EQ(arguments("mlir-opt --mlir-print-ir-after=cse", true), "mlir-opt --mlir-print-ir-after=cse f.mlir");
  EXPECT_EQ(arguments("opt -print-after-all", true), "opt -print-after-all f.mlir");
}

TEST(ToolCommand, OfAStepPrintsPlaces) {
  EXPECT_EQ(llvm::join(commandOf("mlir-opt --cse").stepArgumentsFor("f"), " "),
            "mlir-opt --mlir-print-debuginfo --cse f");
  EXPECT_EQ(llvm::join(commandOf("mlir-opt --mlir-print-debuginfo=0").stepArgumentsFor("f"), " "),
            "mlir-opt --mlir-print-debuginfo=0 f");
}

TEST(ToolCommand, KnowsWhereItDumpsTo) {
  EXPECT_EQ(commandOf("mlir-opt --mlir-print-ir-tree-dir=/d --x").dumpFolder(), "/d");
  EXPECT_EQ(commandOf("mlir-opt --mlir-print-ir-tree-dir /d").dumpFolder(), "/d");
  EXPECT_EQ(commandOf("mlir-opt --cse").dumpFolder(), "");
}

TEST(ToolCommand, ThatIsNotThereSaysHowToGetIt) {
  auto command = readToolCommand("no-such-compiler --x");
  ASSERT_FALSE(bool(command));
  EXPECT_NE(takeFailure(command.takeError()).message.find("not in a folder of PATH"), std::string::npos);
  auto path = readToolCommand("/no/such/compiler");
  ASSERT_FALSE(bool(path));
  EXPECT_NE(takeFailure(path.takeError()).message.find("there is no program"), std::string::npos);
  EXPECT_NE(toolFamilyOf("iree-compile").howToGet.find("pip install"), llvm::StringRef::npos);
}

/// "passes:a,b tool:x --y default": what the parts are.
std::string parts(llvm::StringRef pipeline) {
  auto split = splitPipeline(pipeline);
  if (!split)
    return "error: " + takeFailure(split.takeError()).message;
  std::string text;
  for (const PipelinePart &part : *split)
    text += part.kind == PipelinePart::Kind::Tool      ? "[tool " + part.text + "]"
            : part.kind == PipelinePart::Kind::Default ? "[default]"
                                                       : "[" + part.text + "]";
  return text;
}

TEST(PipelineParts, TakesToolsAndTheDefaultOut) {
  EXPECT_EQ(parts("canonicalize,cse"), "[canonicalize,cse]");
  EXPECT_EQ(parts("tool(a --b),default"), "[tool a --b][default]");
  EXPECT_EQ(parts("canonicalize,func.func(cse,x{a=1,2}) , tool(a 'b)' (c)),cse,default"),
            "[canonicalize,func.func(cse,x{a=1,2}) ][tool a 'b)' (c)][cse][default]");
  EXPECT_EQ(parts("builtin.module(tool(x))"), "[builtin.module(tool(x))]") << "only at the top";
}

TEST(PipelineParts, RefusesWhatDoesNotEnd) {
  EXPECT_NE(parts("tool(a 'b),cse").find("does not close"), std::string::npos);
  EXPECT_NE(parts("tool(a) cse").find("instead of a comma"), std::string::npos);
  EXPECT_NE(parts("tool(a),").find("ends in a comma"), std::string::npos);
  EXPECT_EQ(parts("cse,"), "[cse,]") << "MLIR's parser says that better";
}

TEST(PipelineParts, ReadAToolBack) {
  EXPECT_EQ(toolCommandOf(toolElement("a --b")), "a --b");
  EXPECT_EQ(toolCommandOf("builtin.module(cse)"), "");
}

} // namespace
} // namespace fuselage::test
