// What may stand at the caret, in scripts that do not parse yet. "|" is the caret.
#include "core/schedules/edit/Completion.h"
#include "core/schedules/edit/OpDocs.h"
#include "core/schedules/edit/ScriptPlace.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "tests/core/schedules/ScheduleTestSupport.h"

namespace fuselage::test {
namespace {

struct Editing : Stage {
  std::string word; ///< that an item would take the place of

  std::vector<CompletionItem> at(llvm::StringRef marked, llvm::StringRef library = "") {
    auto [front, back] = marked.split('|');
    std::string text = (front + back).str();
    CompletionQuery query{.text = text, .caret = front.size(), .context = &session.context(), .payload = *payload};
    query.libraries = {library.str()};
    query.passes = {{"canonicalize", "pass", "tidies up"}, {"cse", "pass", ""}, {"gpu-module-to-binary", "pass", ""}};
    Completion completion = completeScript(query);
    word = text.substr(completion.begin, front.size() - completion.begin);
    return completion.items;
  }
};

const CompletionItem *find(const std::vector<CompletionItem> &items, llvm::StringRef text) {
  auto found = llvm::find_if(items, [&](const CompletionItem &item) { return item.text == text; });
  return found == items.end() ? nullptr : &*found;
}

std::string in(llvm::StringRef body) {
  return "module attributes {transform.with_named_sequence} {\n"
         "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n" +
         body.str();
}

std::string names(const std::vector<CompletionItem> &items) {
  std::string text;
  for (const CompletionItem &item : items)
    text += item.text + " ";
  return text;
}

} // namespace

TEST(Completion, OpsWithSummaryAndSyntax) {
  Editing editing;
  auto items = editing.at(in("    %a = transform.structured.mat|\n"));
  EXPECT_EQ(editing.word, "transform.structured.mat");
  const CompletionItem *match = find(items, "transform.structured.match");
  ASSERT_TRUE(match) << names(items);
  EXPECT_EQ(items.front().text.rfind("transform.structured.mat", 0), 0u);
  EXPECT_TRUE(llvm::StringRef(match->detail).starts_with("Match op with the specified constraints")) << match->detail;
  EXPECT_TRUE(llvm::StringRef(match->detail).contains("in $target attr-dict : functional-type($target, results)"))
      << match->detail;
  // A part of the name will do, and names of ours are there.
  EXPECT_TRUE(find(editing.at(in("    tile_using|\n")), "transform.structured.tile_using_for"));
  EXPECT_TRUE(find(editing.at(in("    transform.fuselage.|\n")), "transform.fuselage.interchange_loops"));
  EXPECT_FALSE(find(editing.at(in("    transform.apply_patterns.|\n")), "transform.apply_patterns.canonicalization"));
}

TEST(Completion, EveryTransformOpOfMlirIsDocumented) {
  Editing editing;
  editing.at("|");
  unsigned documented = 0, all = 0;
  std::string missing;
  for (mlir::RegisteredOperationName op : editing.session.context().getRegisteredOperations()) {
    if (op.getDialectNamespace() != "transform")
      continue;
    ++all;
    const OpDoc *doc = docOf(op.getStringRef());
    documented += doc != nullptr;
    if (!doc)
      missing += op.getStringRef().str() + " ";
  }
  EXPECT_GT(all, 200u);
  EXPECT_EQ(documented, all) << missing;
}

TEST(Completion, PatternsInApplyPatternsOnly) {
  Editing editing;
  auto items = editing.at(in("    transform.apply_patterns to %root {\n      transform.|\n"));
  EXPECT_TRUE(find(items, "transform.apply_patterns.canonicalization")) << names(items);
  EXPECT_FALSE(find(items, "transform.structured.match"));
  EXPECT_TRUE(
      find(editing.at(in("    transform.apply_patterns to %root {\n      transform.apply_patterns.canonicalization\n   "
                         " } : !transform.any_op\n    transform.structured.m|")),
           "transform.structured.match"));
}

TEST(Completion, HandlesInScopeWithTypes) {
  Editing editing;
  auto items = editing.at(
      in("    %m = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> "
         "!transform.op<\"linalg.matmul\">\n"
         "    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [8, 8] : (!transform.any_op) -> "
         "(!transform.any_op, !transform.any_op, "
         "!transform.param<i64>)\n"
         "    transform.foreach %m : !transform.any_op {\n    ^bb0(%one: !transform.any_value):\n      %in = "
         "transform.x %one : (!transform.any_op) -> (!transform.any_op)\n"
         "    }\n    %p = transform.param.constant 8 : i64 -> !transform.any_param\n    transform.print %|"));
  ASSERT_EQ(names(items), "%p %l#1 %l#0 %t %m %root ");
  EXPECT_EQ(find(items, "%m")->detail, "!transform.op<\"linalg.matmul\">");
  EXPECT_EQ(find(items, "%l#1")->detail, "!transform.param<i64>");
  EXPECT_EQ(find(items, "%p")->detail, "!transform.any_param");
  EXPECT_EQ(find(items, "%root")->detail, "!transform.any_op");
  items = editing.at(in("    transform.foreach %root : !transform.any_op {\n    ^bb0(%one: !transform.any_value):\n    "
                        "  transform.print %o|"));
  ASSERT_TRUE(find(items, "%one"));
  EXPECT_EQ(find(items, "%one")->detail, "!transform.any_value");
  // Not its own results, and nothing of another sequence.
  EXPECT_FALSE(find(editing.at(in("    %self = transform.structured.match in %|")), "%self"));
  items = editing.at(in(
      "    transform.yield\n  }\n  transform.named_sequence @other(%x: !transform.any_op) {\n    transform.print %|"));
  EXPECT_EQ(names(items), "%x ");
}

TEST(Completion, SequencesOfTheScriptAndOfLibraries) {
  Editing editing;
  auto items =
      editing.at("transform.named_sequence @helper(%a: !transform.any_op) {\n" + in("    transform.include @|"),
                 "transform.named_sequence @of_library(%a: !transform.any_op) -> !transform.any_op {\n");
  ASSERT_TRUE(find(items, "@helper"));
  EXPECT_EQ(find(items, "@helper")->detail, "(%a: !transform.any_op)");
  EXPECT_EQ(find(items, "@of_library")->detail, "of a library: (%a: !transform.any_op) -> !transform.any_op");
  EXPECT_TRUE(find(editing.at(in("    transform.foreach_match in %root\n      @__tr|")), "@__transform_main"));
}

TEST(Completion, PassesThatAScriptMayRun) {
  Editing editing;
  auto items = editing.at(in("    %f = transform.apply_registered_pass \"c|"));
  EXPECT_EQ(editing.word, "c");
  EXPECT_EQ(names(items), "canonicalize cse ");
  EXPECT_EQ(names(editing.at(in("    %f = transform.apply_registered_pass \"|"))), "canonicalize cse ");
}

TEST(Completion, OpsOfThePayloadFirst) {
  Editing editing;
  for (const char *body :
       {"    %f = transform.structured.match ops{[\"|", "    %f = transform.structured.match ops{[\"scf.for\", \"|",
        "    transform.match.operation_name %root [\"|", "    %f = transform.get_parent_op %root {op_name = \"|"}) {
    auto items = editing.at(in(body));
    ASSERT_FALSE(items.empty()) << body;
    EXPECT_TRUE(llvm::StringRef(items.front().detail).contains("in the module"));
    EXPECT_TRUE(find(items, "linalg.matmul")) << body;
  }
  EXPECT_TRUE(find(editing.at(in("    %f = transform.structured.match ops{[\"linalg.mat|")), "linalg.matmul"));
}

TEST(Completion, TypesParse) {
  Editing editing;
  auto items = editing.at(in("    %f = transform.structured.match in %root : (!|"));
  ASSERT_GE(items.size(), 7u);
  for (const CompletionItem &item : items)
    EXPECT_TRUE(mlir::parseType(item.text, &editing.session.context())) << item.text;
}

TEST(Completion, AttributesAndWordsOfTheOp) {
  Editing editing;
  auto items = editing.at(in("    %t, %l = transform.structured.tile_using_for %root |"));
  EXPECT_TRUE(find(items, "tile_sizes")) << names(items);
  EXPECT_TRUE(find(items, "interchange")) << names(items);
  items = editing.at(in("    %t = transform.get_parent_op %root {nth_parent = 1 : i64, |"));
  EXPECT_TRUE(find(items, "op_name")) << names(items);
  EXPECT_FALSE(find(items, "nth_parent")) << names(items);
  EXPECT_EQ(names(editing.at(in("    transform.include @x failures(|"))), "propagate suppress ");
  EXPECT_TRUE(find(editing.at(in("    %f = transform.structured.match interface{|")), "TilingInterface"));
}

TEST(Completion, NothingInCommentsAndOtherStrings) {
  Editing editing;
  EXPECT_TRUE(editing.at(in("    // transform.|")).empty());
  EXPECT_TRUE(editing.at(in("    transform.annotate %root \"|")).empty());
}

TEST(Completion, AnyCaretInAnyTextIsAnswered) {
  Editing editing;
  std::string text = in("    %t, %l:2 = \"transform.x\"(%root) ({\n ^bb0(%a: !t<[{(\">, %b:\n } }}} ]) {a = 1, \"b\"} "
                        ": (% -> (!, # @\"q\n @ ^(%c\n{{{(");
  for (size_t caret = 0; caret <= text.size(); ++caret)
    editing.at(text.substr(0, caret) + "|" + text.substr(caret));
  EXPECT_FALSE(placeIn(text, text.size() + 100).isComment);
}

} // namespace fuselage::test
