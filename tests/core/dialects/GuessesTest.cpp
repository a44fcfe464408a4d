// Each place where the universal parser guesses, with a text that needs the guess. What is expected is
// MLIR's generic form of the op: operands, regions, attributes and types as they were understood.
#include "mlir/IR/OperationSupport.h"
#include "tests/core/dialects/TolerantTestSupport.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

struct Guess {
  const char *name;     ///< of the guess
  const char *body;     ///< with %a, %b : index, %t : tensor<4x8xf32>, %c : i1 and %p : memref<4xf32>
  const char *op;       ///< the op that is looked at
  const char *expected; ///< its generic form, without regions' contents
};

std::ostream &operator<<(std::ostream &os, const Guess &guess) { return os << guess.name; }

/// OpEnd.cpp
const Guess kOpEnds[] = {
    {"ADottedWordOnANewLine", "x.a %a : index\n  x.b", "x.a", "\"x.a\"(%arg0) : (index) -> ()"},
    {"AResultListOnTheSameLine", "x.a %a : index %r = x.b : i32", "x.a", "\"x.a\"(%arg0) : (index) -> ()"},
    {"ADottedWordBehindATypeOnTheSameLine", "x.a %a : index x.b", "x.a", "\"x.a\"(%arg0) : (index) -> ()"},
    {"AQuotedName", "x.a %a : index\n  \"x.b\"() : () -> ()", "x.a", "\"x.a\"(%arg0) : (index) -> ()"},
    {"AKeyIsNoOp", "x.a %a\n  x.key = 3 : index", "x.a", "\"x.a\"(%arg0) {x.key = 3 : i64} : (index) -> ()"},
    {"ABareWordThatIsKnown", "x.a %a : index", "x.a", "\"x.a\"(%arg0) : (index) -> ()"},
    {"ABareWordFurtherToTheRightGoesOn", "x.a %a : index\n    to %b", "x.a",
     "\"x.a\"(%arg0, %arg1) : (index, index) -> ()"},
    {"NothingEndsInsideOfBrackets", "x.a (%a,\n  %b) : index", "x.a", "\"x.a\"(%arg0, %arg1) : (index, index) -> ()"},
    {"NothingEndsBehindAComma", "x.a %a,\n  %b : index", "x.a", "\"x.a\"(%arg0, %arg1) : (index, index) -> ()"},
    {"AWordBehindTheNameBelongsToIt", "%r = x.a foo.bar %a : index", "x.a", "\"x.a\"(%arg0) : (index) -> index"},
};

/// NamedValues.cpp
const Guess kNames[] = {
    {"AKeywordAndAnEqualSign", "x.a depth = 3", "x.a", "\"x.a\"() {depth = 3 : i64} : () -> ()"},
    {"AKeywordAndParentheses", "x.a set(1) type(buffer)", "x.a",
     "\"x.a\"() {set = 1 : i64, type = \"buffer\"} : () -> ()"},
    {"NumbersAndValuesAreOneList", "x.a sizes = [4, %a]", "x.a",
     "\"x.a\"(%arg0) {sizes = array<i64: 4, -9223372036854775808>} : (index) -> ()"},
    {"ValuesAreNamedByTheirKind", "x.a 1 \"s\" @f 2.5", "x.a",
     "\"x.a\"() {string = \"s\", symbol = @f, value = 1 : i64, value_1 = 2.500000e+00 : f64} : () -> ()"},
    {"ASymbolInFrontOfAParenthesisIsCalled", "x.a @f(%a) : (index) -> ()", "x.a",
     "\"x.a\"(%arg0) {callee = @f} : (index) -> ()"},
    {"AWordAloneIsAKeyword", "x.a fast %a : index", "x.a", "\"x.a\"(%arg0) : (index) -> ()"},
};

/// Braces.cpp
const Guess kBraces[] = {
    {"ADictionary", "x.a {k = 1 : i32}", "x.a", "\"x.a\"() {k = 1 : i32} : () -> ()"},
    {"AKeyAloneIsADictionary", "x.a {inbounds}", "x.a", "\"x.a\"() {inbounds} : () -> ()"},
    {"ATerminatorAloneIsARegion", "x.a {x.return}", "x.a", "\"x.a\"() ({...}) : () -> ()"},
    {"AnOpIsARegion", "x.a {x.b %a : index}", "x.a", "\"x.a\"() ({...}) : () -> ()"},
    {"AResultListIsARegion", "x.a {%r = x.b : i32\n}", "x.a", "\"x.a\"() ({...}) : () -> ()"},
    {"AnEmptyPairOnTwoLinesIsARegion", "x.a {\n}", "x.a", "\"x.a\"() ({...}) : () -> ()"},
    {"ValuesAreSizes", "x.a %t : tensor<4x8xf32>{%a}", "x.a", "\"x.a\"(%arg2, %arg0) : (tensor<4x8xf32>, index) -> ()"},
    {"SymbolsAreAList", "x.a {@f, @g}", "x.a", "\"x.a\"() {value = [@f, @g]} : () -> ()"},
};

/// RegionArguments.cpp
const Guess kArguments[] = {
    {"BehindAnEqualSign", "x.a %t : tensor<4x8xf32> = (%x: i32) {\n    x.b %x : i32\n  }", "x.a",
     "\"x.a\"(%arg2) ({^bb0(i32)...}) : (tensor<4x8xf32>) -> ()"},
    {"TightlyInFrontOfAColon", "x.a count(%x: i32) {\n    x.b %b : index\n  }", "x.a",
     "\"x.a\"() ({^bb0(i32)...}) : () -> ()"},
    {"WithABlankTheyAreOperands", "x.a (%a : index) {\n    x.b %b : index\n  }", "x.a",
     "\"x.a\"(%arg0) ({...}) : (index) -> ()"},
    {"InSquareBrackets", "x.a over(%t)[%i: index] : (tensor<4x8xf32>) {\n    x.b %i : index\n  }", "x.a",
     "\"x.a\"(%arg2) ({^bb0(index)...}) : (tensor<4x8xf32>) -> ()"},
    {"TwoLists", "x.a reducer(%x: i32) (%y: f32) {\n    x.b %x, %y : i32, f32\n  }", "x.a",
     "\"x.a\"() ({^bb0(i32, f32)...}) : () -> ()"},
    {"WordsBehindTheResults", "x.a block(%x: i32) -> i32 as (\"k\") {\n    x.b %x : i32\n  }", "x.a",
     "\"x.a\"() ({^bb0(i32)...}) {as = \"k\"} : () -> ()"},
    {"LoopVariables", "x.a %i = %a to %b {\n    x.b %i : index\n  }", "x.a",
     "\"x.a\"(%arg0, %arg1) ({^bb0(index)...}) : (index, index) -> ()"},
    {"InductionVariables", "x.a (%i, %j) in (%a, %b) {\n    x.b %i : index\n  }", "x.a",
     "\"x.a\"(%arg0, %arg1) ({^bb0(index, index)...}) : (index, index) -> ()"},
    {"InductionVariablesInFrontOfAnArrow", "x.a (%a)[%i, %j] -> (%k) in 3 {\n    x.b %i, %k : index\n  }", "x.a",
     "\"x.a\"(%arg0) ({^bb0(index, index, index)...}) {in = 3 : i64} : (index) -> ()"},
    {"IterationArguments", "x.a iter_args(%x = %t) -> tensor<4x8xf32> {\n    x.b %x : tensor<4x8xf32>\n  }", "x.a",
     "\"x.a\"(%arg2) ({^bb0(tensor<4x8xf32>)...}) : (tensor<4x8xf32>) -> ()"},
    {"BehindAs", "x.a with(%t as %x: tensor<4x8xf32>) {\n    x.b %x : tensor<4x8xf32>\n  }", "x.a",
     "\"x.a\"(%arg2) ({^bb0(tensor<4x8xf32>)...}) : (tensor<4x8xf32>) -> ()"},
};

/// ValueTypes.cpp
const Guess kTypes[] = {
    {"BehindAnArrow", "%r = x.a %a : (index) -> i32", "x.a", "\"x.a\"(%arg0) : (index) -> i32"},
    {"TheOneTypeIsTheResults", "%r = x.a %a, %b : i32", "x.a", "\"x.a\"(%arg0, %arg1) : (index, index) -> i32"},
    {"ByCountFromTheEnd", "%r = x.a %t, %a : tensor<4x8xf32>, index, i32", "x.a",
     "\"x.a\"(%arg2, %arg0) : (tensor<4x8xf32>, index) -> i32"},
    {"TiedToAnOperand", "%r = x.a %t : (tensor<4x8xf32>) -> %t", "x.a",
     "\"x.a\"(%arg2) : (tensor<4x8xf32>) -> tensor<4x8xf32>"},
    {"ComparisonsAreBits", "%r = x.cmp lt, %a, %b : index", "x.cmp",
     "\"x.cmp\"(%arg0, %arg1) {keyword = \"lt\"} : (index, index) -> i1"},
    {"SizesAreIndices", "%r = x.dim %t, 0 : tensor<4x8xf32>", "x.dim",
     "\"x.dim\"(%arg2) {value = 0 : i64} : (tensor<4x8xf32>) -> index"},
    {"LoadsAreElements", "%r = x.load %p[%a] : memref<4xf32>", "x.load",
     "\"x.load\"(%arg4, %arg0) : (memref<4xf32>, index) -> f32"},
    {"WithoutTypeALiteralsOwn", "%r = x.a dense<1> : tensor<2xi8>", "x.a",
     "\"x.a\"() {value = dense<1> : tensor<2xi8>} : () -> tensor<2xi8>"},
    {"WithoutTypeWhatTheNameSays", "%r = x.add.f64 %a", "x.add.f64", "\"x.add.f64\"(%arg0) : (index) -> f64"},
    {"WithoutTypeThatOfTheFirstOperand", "%r = x.a %t, %a", "x.a",
     "\"x.a\"(%arg2, %arg0) : (tensor<4x8xf32>, index) -> tensor<4x8xf32>"},
    {"OtherwiseAnIndex", "%r = x.a", "x.a", "\"x.a\"() : () -> index"},
    {"AConstantHasTheTypeOfItsResult", "%r = x.a 1 : i32", "x.a", "\"x.a\"() {value = 1 : i32} : () -> i32"},
};

/// Signature.cpp; at the level of the module
const Guess kSignatures[] = {
    {"AFunctionByItsName", "x.func @f(%u: i32) -> i32 {\n  x.return %u : i32\n}", "x.func",
     "\"x.func\"() ({^bb0(i32)...}) {function_type = (i32) -> i32, sym_name = \"f\"} : () -> ()"},
    {"AFunctionByItsVisibility", "x.thing private @f(i32) -> i32", "x.thing",
     "\"x.thing\"() {function_type = (i32) -> i32, sym_name = \"f\", sym_visibility = \"private\"} : () -> ()"},
    {"AFunctionByItsBody", "x.kernel @f(%u: i32) {\n  x.return %u : i32\n}", "x.kernel",
     "\"x.kernel\"() ({^bb0(i32)...}) {function_type = (i32) -> (), sym_name = \"f\"} : () -> ()"},
    {"PortsOfAModule", "x.module @m<W: i32 = 8>(in %u : i8, out v : i8) {\n  x.output %u : i8\n}", "x.module",
     "\"x.module\"() ({^bb0(i8)...}) {function_type = (i8) -> (), sym_name = \"m\", value = [\"W\", 8]} : () -> ()"},
    {"PortsBehindTheArrow", "x.component @m(%u: i8) -> (%v: i8 {done}) {\n  x.assign %v = %u : i8\n}", "x.component",
     "\"x.component\"() ({^bb0(i8, i8)...}) {function_type = (i8) -> i8, res_attrs = [{done}], sym_name = \"m\"} : () "
     "-> ()"},
    {"VariadicArguments", "x.import @f(%u : i32, %v : i64 ...) -> i32", "x.import",
     "\"x.import\"() {function_type = (i32, i64) -> i32, sym_name = \"f\"} : () -> ()"},
    {"TiedResults", "x.func @f(%u: i32, %v: f32) -> (%u as i8, %v) {\n  x.return\n}", "x.func",
     "\"x.func\"() ({^bb0(i32, f32)...}) {function_type = (i32, f32) -> (i8, f32), sym_name = \"f\"} : () -> ()"},
};

/// The op in generic form; of a region, the types of its arguments.
std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->removeDiscardableAttr("fuselage.syntax");
  os << "\"" << op->getName() << "\"(";
  llvm::interleaveComma(op->getOperands(), os, [&](Value operand) {
    if (auto argument = dyn_cast<BlockArgument>(operand))
      os << "%arg" << argument.getArgNumber();
    else
      os << "%";
  });
  os << ")";
  for (Region &region : op->getRegions()) {
    os << " ({";
    if (region.getNumArguments()) {
      os << "^bb0(";
      llvm::interleaveComma(region.getArgumentTypes(), os);
      os << ")";
    }
    os << "...})";
  }
  if (!op->getAttrs().empty())
    os << " " << op->getAttrDictionary();
  os << " : (";
  llvm::interleaveComma(op->getOperandTypes(), os);
  os << ") -> ";
  if (op->getNumResults() == 1)
    os << op->getResult(0).getType();
  else {
    os << "(";
    llvm::interleaveComma(op->getResultTypes(), os);
    os << ")";
  }
  return text;
}

class Guesses : public testing::TestWithParam<Guess> {
protected:
  void check(const std::string &text) {
    TolerantReading reading;
    OwningOpRef<ModuleOp> module = reading.parse(text);
    ASSERT_TRUE(module) << reading.errors << text;
    Operation *op = findOp(*module, GetParam().op);
    ASSERT_TRUE(op) << TolerantReading::print(*module);
    EXPECT_EQ(describe(op), GetParam().expected);
  }
};
class SignatureGuesses : public Guesses {};

TEST_P(Guesses, AreAsDocumented) {
  check("func.func @f(%a: index, %b: index, %t: tensor<4x8xf32>, %c: i1, %p: memref<4xf32>) {\n  " +
        std::string(GetParam().body) + "\n  return\n}\n");
}
TEST_P(SignatureGuesses, AreAsDocumented) { check(std::string(GetParam().body) + "\n"); }

std::string nameOf(const testing::TestParamInfo<Guess> &info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(OpEnd, Guesses, testing::ValuesIn(kOpEnds), nameOf);
INSTANTIATE_TEST_SUITE_P(NamedValues, Guesses, testing::ValuesIn(kNames), nameOf);
INSTANTIATE_TEST_SUITE_P(Braces, Guesses, testing::ValuesIn(kBraces), nameOf);
INSTANTIATE_TEST_SUITE_P(RegionArguments, Guesses, testing::ValuesIn(kArguments), nameOf);
INSTANTIATE_TEST_SUITE_P(ValueTypes, Guesses, testing::ValuesIn(kTypes), nameOf);
INSTANTIATE_TEST_SUITE_P(Signature, SignatureGuesses, testing::ValuesIn(kSignatures), nameOf);

} // namespace
} // namespace fuselage
