#include "core/tuning/space/SpaceReader.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/schedules/trace/Trace.h"
#include "core/tuning/space/PayloadSizes.h"
#include "core/tuning/space/Selection.h"
#include "gtest/gtest.h"

using namespace fuselage;
using namespace fuselage::tune;

namespace {

class SpaceReaderTest : public testing::Test {
protected:
  static std::string mainOf(llvm::StringRef body) {
    return "module attributes {transform.with_named_sequence} {\n"
           "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n" + // line 2
           body.str() +
           "transform.yield\n}\n}\n";
  }
  llvm::Expected<ScriptSpace> read(llvm::StringRef body, const SpaceOptions &options = {}) {
    auto module = session.parse(mainOf(body), "s.mlir");
    if (!module)
      return module.takeError();
    modules.push_back(std::move(*module));
    return readSpace(*modules.back(), options);
  }
  Space space(llvm::StringRef body, const SpaceOptions &options = {}) {
    auto found = read(body, options);
    if (!found) {
      Failure failure = takeFailure(found.takeError());
      ADD_FAILURE() << failure.message
                    << (failure.diagnostics.empty() ? "" : formatDiagnostic(failure.diagnostics.front()));
      return {};
    }
    return std::move(found->space);
  }
  std::string problem(llvm::StringRef body) {
    auto found = read(body);
    if (found)
      return "it can be read";
    Failure failure = takeFailure(found.takeError());
    return failure.diagnostics.empty() ? failure.message : formatDiagnostic(failure.diagnostics.front());
  }
  static std::vector<int64_t> valuesOf(const Knob &knob) {
    std::vector<int64_t> values;
    for (uint64_t i = 0; i < knob.domain.size(); ++i)
      values.push_back(knob.domain.at(i));
    return values;
  }
  static std::string knob(llvm::StringRef name, llvm::StringRef options) {
    return ("%" + name + " = transform.tune.knob<\"" + name + "\"> options = " + options + " -> !transform.any_param\n")
        .str();
  }
  using Values = std::vector<int64_t>;
  Session session{allDialects()};
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

TEST_F(SpaceReaderTest, ReadsOptions) {
  Space s = space(knob("a", "[32, 16, 8]") + knob("b", "{lower_bound = 3, upper_bound = 20, divisible_by = 4}") +
                  knob("c", "{divides = 12}") + knob("d", "{upper_bound = 70, power_of_two = true, lower_bound = 4}") +
                  knob("e", "[\"row\", \"column\"]") + knob("f", "[true, false]") +
                  knob("g", "{divides = [24, 36], divisible_by = 2}") + knob("h", "{divides = 96, power_of_two}"));
  ASSERT_EQ(s.knobs.size(), 8u);
  EXPECT_EQ(valuesOf(s.knobs[0]), (Values{8, 16, 32}));
  EXPECT_EQ(valuesOf(s.knobs[1]), (Values{4, 8, 12, 16, 20}));
  EXPECT_EQ(valuesOf(s.knobs[2]), (Values{1, 2, 3, 4, 6, 12}));
  EXPECT_EQ(valuesOf(s.knobs[3]), (Values{4, 8, 16, 32, 64}));
  EXPECT_EQ(s.knobs[4].textOf(1), "column");
  EXPECT_EQ(s.knobs[4].valueOf("row"), 0);
  EXPECT_EQ(s.knobs[5].valueOf("true"), 1);
  EXPECT_EQ(valuesOf(s.knobs[6]), (Values{2, 4, 6, 12}));
  EXPECT_EQ(valuesOf(s.knobs[7]), (Values{1, 2, 4, 8, 16, 32}));
}

TEST_F(SpaceReaderTest, ReadsRelationsBetweenKnobs) {
  Space s = space(knob("inner", "{divides = \"outer\"}") + knob("outer", "[4, 6]") +
                  knob("more", "{upper_bound = 12, divisible_by = \"outer\"}"));
  ASSERT_EQ(s.knobs.size(), 3u);
  EXPECT_EQ(s.knobs[0].domain.back(), 6); // it is no larger than what it divides
  EXPECT_TRUE(s.contains({2, 4, 8}));
  EXPECT_FALSE(s.contains({3, 4, 8}));
  EXPECT_FALSE(s.contains({2, 4, 6}));
  EXPECT_EQ(s.broken({3, 4, 8}), std::vector<std::string>{"outer mod inner = 0 (the schedule)"});
  EXPECT_EQ(s.conditions[0].place.line, 3u);
}

TEST_F(SpaceReaderTest, ReadsSizesOfThePayload) {
  auto payload = session.parse(
      "func.func @f(%a: tensor<48x?xf32>, %b: tensor<?x20xf32>, %c: tensor<48x20xf32>) -> tensor<48x20xf32> {\n"
      "  %0 = linalg.matmul ins(%a, %b : tensor<48x?xf32>, tensor<?x20xf32>) outs(%c : tensor<48x20xf32>) -> "
      "tensor<48x20xf32>\n"
      "  return %0 : tensor<48x20xf32>\n}",
      "p.mlir");
  ASSERT_TRUE(static_cast<bool>(payload));
  auto function = *payload->get().getOps<mlir::func::FuncOp>().begin();
  EXPECT_EQ(payloadSize(function, "linalg.matmul.1"), 20);
  EXPECT_EQ(payloadSize(function, "result0.0"), 48);
  for (llvm::StringRef none : {"arg0.1", "linalg.matmul.2", "arg3.0", "arg0.2", "linalg.fill.0", "arg0", "", "."})
    EXPECT_EQ(payloadSize(function, none), std::nullopt) << none.str();
  SpaceOptions options{.sizeNamed = [&](llvm::StringRef name) { return payloadSize(function, name); }};
  Space s = space(knob("a", "{divides = \"arg0.0\", lower_bound = 6, upper_bound = 40}"), options);
  ASSERT_EQ(s.knobs.size(), 1u);
  EXPECT_EQ(valuesOf(s.knobs[0]), (Values{6, 8, 12, 16, 24}));
}

TEST_F(SpaceReaderTest, KnobsOfARegionThatIsNotPickedCountOnce) {
  Space s = space("transform.tune.alternatives<\"way\"> {\n" + knob("in", "[1, 2, 3]") + "transform.yield\n}, {\n" +
                  "transform.yield\n}\n");
  ASSERT_EQ(s.knobs.size(), 2u);
  EXPECT_TRUE(s.knobs[0].isRegion);
  unsigned points = 0;
  for (int64_t way : {0, 1})
    for (int64_t in : {1, 2, 3})
      points += s.contains({way, in});
  EXPECT_EQ(points, 4u);
}

constexpr llvm::StringLiteral kTwo = R"(
%a = transform.tune.knob<"a"> options = [1, 2, 3, 4, 6, 8, 12] -> !transform.param<i64>
%b = transform.tune.knob<"b"> options = [1, 2, 3, 4, 6, 8, 12] -> !transform.param<i64>
)";

TEST_F(SpaceReaderTest, ReadsConstraints) {
  Space s = space((kTwo + R"(
    transform.smt.constrain_params(%a, %b) : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.int):
      %c0 = smt.int.constant 0
      %c24 = smt.int.constant 24
      %mul = smt.int.mul %x, %y
      %le = smt.int.cmp le %mul, %c24
      %mod = smt.int.mod %y, %x
      %divides = smt.eq %mod, %c0 : !smt.int
      %not = smt.distinct %x, %y : !smt.int
      %both = smt.and %le, %divides
      smt.assert %both
      smt.assert %not
    })")
                      .str());
  ASSERT_EQ(s.conditions.size(), 3u); // the conjunction is two
  EXPECT_EQ(s.conditions[0].text, "a * b <= 24");
  EXPECT_EQ(s.conditions[0].place.line, 17u);
  for (int64_t a : {1, 2, 3, 4, 6, 8, 12})
    for (int64_t b : {1, 2, 3, 4, 6, 8, 12})
      EXPECT_EQ(s.contains({a, b}), a * b <= 24 && b % a == 0 && a != b) << a << " " << b;
}

constexpr llvm::StringLiteral kQuotient = R"(
    %size = transform.param.constant 48 -> !transform.param<i64>
    %trips = transform.smt.constrain_params(%a, %size) : (!transform.param<i64>, !transform.param<i64>) -> (!transform.param<i64>) {
    ^bb0(%x: !smt.int, %n: !smt.int):
      %q = smt.declare_fun "q" : !smt.int
      %all = smt.int.mul %q, %x
      %eq = smt.eq %n, %all : !smt.int
      smt.assert %eq
      %c8 = smt.int.constant 8
      %few = smt.int.cmp le %q, %c8
      smt.assert %few
      smt.yield %q : !smt.int
    }
)";

TEST_F(SpaceReaderTest, SolvesForVariablesOfConstraints) {
  auto read = this->read((kTwo + kQuotient).str());
  ASSERT_TRUE(static_cast<bool>(read));
  for (int64_t a : {1, 2, 3, 4, 6, 8, 12})
    EXPECT_EQ(read->space.contains({a, 1}), 48 % a == 0 && 48 / a <= 8) << a;
  ASSERT_EQ(read->results.size(), 1u);
  EXPECT_EQ(read->results[0].second[0].evaluate({12, 1}), 4);
}

TEST_F(SpaceReaderTest, ResolvesWhatIsSelected) {
  auto scriptOf = [&](llvm::StringRef value) {
    std::string text =
        mainOf((kTwo + kQuotient).str() +
               "transform.annotate %root \"foo.trips\" = %trips : !transform.any_op, !transform.param<i64>\n");
    auto script = parseScript(session, text, "s.mlir");
    EXPECT_TRUE(static_cast<bool>(script));
    auto read = readSpace(*script->module);
    EXPECT_TRUE(static_cast<bool>(read));
    int64_t number = 0;
    value.getAsInteger(10, number);
    EXPECT_FALSE(static_cast<bool>(select(*script, read->space, {number, 1})));
    return std::move(*script);
  };
  Script script = scriptOf("6");
  ASSERT_FALSE(static_cast<bool>(resolveConstraints(script)));
  auto payload = session.parse("module {}", "p.mlir");
  auto traced = trace(script, payload->get());
  ASSERT_TRUE(static_cast<bool>(traced));
  std::string said;
  for (const TraceStep &step : traced->steps)
    for (const Diagnostic &diagnostic : step.diagnostics)
      said += formatDiagnostic(diagnostic);
  for (const Diagnostic &diagnostic : traced->diagnostics)
    said += formatDiagnostic(diagnostic);
  ASSERT_FALSE(traced->failed) << said;
  EXPECT_EQ(mlir::cast<mlir::IntegerAttr>((*traced->result)->getAttr("foo.trips")).getInt(), 8);

  Script other = scriptOf("3"); // 16 trips are too many
  Failure failure = takeFailure(resolveConstraints(other));
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_NE(failure.diagnostics[0].message.find("a is 3"), std::string::npos) << failure.diagnostics[0].message;
}

TEST_F(SpaceReaderTest, SaysWhereItCannotRead) {
  auto expect = [&](const std::string &body, llvm::StringRef place, llvm::StringRef what) {
    std::string said = problem(body);
    EXPECT_TRUE(llvm::StringRef(said).starts_with(place)) << said;
    EXPECT_NE(said.find(what.str()), std::string::npos) << said;
  };
  expect(knob("a", "{lower_bound = 1}"), "s.mlir:3:", "has no end");
  expect(knob("a", "{divides = \"b\"}") + knob("b", "{divides = \"a\"}"), "s.mlir:3:", "has no end");
  expect(knob("a", "{upper_bound = 4, step = 2}"), "s.mlir:3:", "'step'");
  expect(knob("a", "{upper_bound = \"x\"}"), "s.mlir:3:", "whole number");
  expect(knob("a", "{divides = \"arg0.1\"}"), "s.mlir:3:", "neither a knob nor a size");
  expect(knob("a", "{divides = 0}"), "s.mlir:3:", "at least 1");
  expect(knob("a", "{}"), "s.mlir:3:", "no options");
  expect(knob("a", "7"), "s.mlir:3:", "neither a list nor a dictionary");
  expect(knob("a", "[1, 2]") + "%x = transform.tune.knob<\"a\"> options = [1, 3] -> !transform.any_param\n",
         "s.mlir:4:", "other options");
  expect("%x = transform.tune.knob<\"a\"> = 7 from options = {upper_bound = 4} -> !transform.any_param\n",
         "s.mlir:3:", "selects 7");
  expect("%k = transform.tune.knob<\"k\"> options = [1, 2] -> !transform.param<i8>\n"
         "transform.smt.constrain_params(%k) : (!transform.param<i8>) -> () {\n^bb0(%x: !smt.bv<8>):\n}\n",
         "s.mlir:4:", "sort");
  expect(kTwo.str() + "transform.smt.constrain_params(%a) : (!transform.param<i64>) -> () {\n^bb0(%x: !smt.int):\n"
                      "%q = smt.declare_fun : !smt.int\n%le = smt.int.cmp le %q, %x\nsmt.assert %le\n}\n",
         "s.mlir:8:", "no assertion fixes this variable");
  expect(kTwo.str() + "transform.smt.constrain_params(%a) : (!transform.param<i64>) -> () {\n^bb0(%x: !smt.int):\n"
                      "%bv = smt.int2bv %x : !smt.bv<8>\n}\n",
         "s.mlir:8:", "'smt.int2bv' is no op");
  expect("%n = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>\n"
         "transform.smt.constrain_params(%n) : (!transform.param<i64>) -> () {\n^bb0(%x: !smt.int):\n}\n",
         "s.mlir:4:", "parameter 0");
}

} // namespace
