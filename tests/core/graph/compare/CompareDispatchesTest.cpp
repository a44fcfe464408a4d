// Two compilers' cuts of one program.
#include "core/graph/compare/CompareDispatches.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/RandomChains.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <set>

namespace fuselage::test {
namespace {

/// Matmul, bias and relu, twice; in dispatches as `cuts` says: "(mbr)(mbr)", "(m)(br)(mbr)", ...
class Program {
public:
  explicit Program(llvm::StringRef cuts) {
    std::string body;
    std::string value = "%in";
    unsigned number = 0;
    bool inside = false;
    std::string region, last;
    for (char c : cuts) {
      if (c == '(') {
        inside = true;
        region.clear();
      } else if (c == ')') {
        std::string result = "%d" + std::to_string(number++);
        body += "    " + result + " = flow.dispatch.region -> (tensor<64x64xf32>) {\n" + region + "      flow.return " +
                value + " : tensor<64x64xf32>\n    }\n";
        value = result;
        inside = false;
      } else {
        std::string result = "%v" + std::to_string(number++);
        (inside ? region : body) += op(c, result, value);
        value = result;
      }
    }
    text = "#id = affine_map<(i, j) -> (i, j)>\nmodule {\n  func.func @f(%in: tensor<64x64xf32>, %w: "
           "tensor<64x64xf32>, %b: tensor<64x64xf32>) -> "
           "tensor<64x64xf32> {\n    %e = tensor.empty() : tensor<64x64xf32>\n    %zero = arith.constant 0.0 : f32\n" +
           body + "    return " + value + " : tensor<64x64xf32>\n  }\n}\n";
  }

  std::string text;

private:
  static std::string op(char kind, const std::string &result, const std::string &value) {
    if (kind == 'm')
      return "      " + result + " = linalg.matmul ins(" + value +
             ", %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>\n";
    std::string payload = kind == 'b' ? "arith.addf %x, %y : f32" : "arith.maximumf %x, %zero : f32";
    return "      " + result +
           " = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
           value +
           ", %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {\n      ^bb0(%x: f32, %y: f32, "
           "%o: f32):\n        %r = " +
           payload + "\n        linalg.yield %r : f32\n      } -> tensor<64x64xf32>\n";
  }
};

/// "merged 0|0,1 same 1|2": relations with dispatches of A and of B.
std::string compare(const std::string &a, const std::string &b) {
  Session session(allDialects());
  auto left = session.readText(a, "a.mlir"), right = session.readText(b, "b.mlir");
  if (!left || !right) {
    std::string problem = !left ? llvm::toString(left.takeError()) : llvm::toString(right.takeError());
    ADD_FAILURE() << problem;
    return "";
  }
  DispatchComparison comparison = compareDispatches(*left->module, *right->module);
  std::vector<std::string> rows;
  auto numbers = [](const std::vector<int> &indices) {
    std::vector<std::string> texts;
    for (int index : indices)
      texts.push_back(std::to_string(index));
    return llvm::join(texts, ",");
  };
  for (const message::ComparedRow<> &row : comparison.rows)
    rows.push_back(std::string(message::dispatchRelationNames[size_t(row.relation)]) + " " + numbers(row.a) + "|" +
                   numbers(row.b));
  return llvm::join(rows, " ");
}
std::string compareCuts(llvm::StringRef a, llvm::StringRef b) { return compare(Program(a).text, Program(b).text); }

TEST(CompareDispatches, TellsTheSame) {
  EXPECT_EQ(compareCuts("(mbr)(mbr)", "(mbr)(mbr)"), "same 0|0 same 1|1");
  EXPECT_EQ(compareCuts("(m)(br)", "(m)(br)"), "same 0|0 same 1|1");
}

TEST(CompareDispatches, TellsMergedAndSplit) {
  EXPECT_EQ(compareCuts("(mbr)(mbr)", "(m)(br)(mbr)"), "merged 0|0,1 same 1|2");
  EXPECT_EQ(compareCuts("(m)(br)(mbr)", "(mbr)(mbr)"), "split 0,1|0 same 2|1");
  EXPECT_EQ(compareCuts("(mbr)(mbr)", "(m)(br)(m)(br)"), "merged 0|0,1 merged 1|2,3");
}

TEST(CompareDispatches, TellsWhatIsCutElsewhere) {
  EXPECT_EQ(compareCuts("(mbr)(m)(br)", "(m)(brm)(br)"), "regrouped 0,1|0,1 same 2|2");
}

TEST(CompareDispatches, TellsWhatOnlyOneHas) {
  EXPECT_EQ(compareCuts("(mbr)(m)", "(mbr)"), "same 0|0 only_a 1|");
  EXPECT_EQ(compareCuts("(m)", "(m)(br)"), "same 0|0 only_b |1");
  EXPECT_EQ(compareCuts("(mbr)", "(m)"), "differs 0|0");
}

TEST(CompareDispatches, PlansWhereNoneAreFormed) {
  EXPECT_EQ(compareCuts("mbrmbr", "(mbr)(mbr)"), "same 0|0 same 1|1");
}

/// Another compiler's program: outlined, collapsed, without names of ours.
TEST(CompareDispatches, KnowsWorkInAnotherDialect) {
  std::string theirs = R"mlir(
module {
  flow.executable private @exe0 {
    flow.executable.export public @k0
    builtin.module {
      func.func @k0(%a: !flow.dispatch.tensor<readonly:tensor<64x64xf32>>, %b: !flow.dispatch.tensor<readonly:tensor<64x64xf32>>, %c: !flow.dispatch.tensor<writeonly:tensor<64x64xf32>>) {
        %cst = arith.constant 0.0 : f32
        %0 = flow.dispatch.tensor.load %a, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x64xf32>> -> tensor<64x64xf32>
        %1 = flow.dispatch.tensor.load %b, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x64xf32>> -> tensor<64x64xf32>
        %2 = tensor.empty() : tensor<64x64xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<64x64xf32>) -> tensor<64x64xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%3 : tensor<64x64xf32>) -> tensor<64x64xf32>
        flow.dispatch.tensor.store %4, %c, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf32> -> !flow.dispatch.tensor<writeonly:tensor<64x64xf32>>
        return
      }
    }
  }
  flow.executable private @exe1 {
    flow.executable.export public @k1
    builtin.module {
      func.func @k1(%a: !flow.dispatch.tensor<readonly:tensor<4096xf32>>, %c: !flow.dispatch.tensor<writeonly:tensor<4096xf32>>) {
        %0 = flow.dispatch.tensor.load %a, offsets = [0], sizes = [4096], strides = [1] : !flow.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %1 = tensor.empty() : tensor<4096xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4096xf32>) outs(%1 : tensor<4096xf32>) {
        ^bb0(%x: f32, %o: f32):
          %y = arith.addf %x, %x : f32
          linalg.yield %y : f32
        } -> tensor<4096xf32>
        flow.dispatch.tensor.store %2, %c, offsets = [0], sizes = [4096], strides = [1] : tensor<4096xf32> -> !flow.dispatch.tensor<writeonly:tensor<4096xf32>>
        return
      }
    }
  }
  func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<4096xf32> {
    %0 = flow.dispatch @exe0::@k0(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = flow.tensor.reshape %0 : tensor<64x64xf32> -> tensor<4096xf32>
    %2 = flow.dispatch @exe1::@k1(%1) : (tensor<4096xf32>) -> tensor<4096xf32>
    return %2 : tensor<4096xf32>
  }
}
)mlir";
  EXPECT_EQ(compare(Program("(mbr)").text, theirs), "merged 0|0,1");
  EXPECT_EQ(compare(Program("(m)(br)").text, theirs), "same 0|0 same 1|1");
}

/// Each row is in one group, the one that it names; groups agree, and add up to the byte.
void checkGroups(const DispatchComparison &comparison, const std::string &what) {
  std::multiset<int64_t> listed;
  for (auto [number, group] : llvm::enumerate(comparison.groups)) {
    const message::ComparedRow<> &first = comparison.rows.at(group.rows.at(0));
    std::optional<int64_t> bytesA = 0, bytesB = 0;
    auto add = [](std::optional<int64_t> &sum, int64_t bytes) {
      sum = sum && bytes >= 0 ? std::optional(*sum + bytes) : std::nullopt;
    };
    for (int64_t index : group.rows) {
      const message::ComparedRow<> &row = comparison.rows.at(index);
      EXPECT_EQ(row.group, int(number)) << what;
      EXPECT_EQ(row.relation, first.relation) << what;
      EXPECT_EQ(row.a.size(), first.a.size()) << what;
      EXPECT_EQ(row.b.size(), first.b.size()) << what;
      for (int dispatch : row.a)
        add(bytesA, comparison.a.dispatches[dispatch].bytes);
      for (int dispatch : row.b)
        add(bytesB, comparison.b.dispatches[dispatch].bytes);
      listed.insert(index);
    }
    EXPECT_EQ(group.bytesA, bytesA.value_or(-1)) << what;
    EXPECT_EQ(group.bytesB, bytesB.value_or(-1)) << what;
  }
  EXPECT_EQ(listed.size(), comparison.rows.size()) << what;
  EXPECT_EQ(std::set<int64_t>(listed.begin(), listed.end()).size(), listed.size()) << what;
}

TEST(CompareDispatches, GroupsExpandToTheRows) {
  for (auto [a, b] :
       {std::pair("(mbr)(mbr)(mbr)", "(mbr)(mbr)(mbr)"), std::pair("(mbr)(mbr)(m)(br)", "(m)(br)(m)(br)(mbr)"),
        std::pair("(m)(b)(r)(m)(b)(r)", "(mb)(r)(mb)(r)")}) {
    Session session(allDialects());
    auto left = session.parse(Program(a).text, "a.mlir"), right = session.parse(Program(b).text, "b.mlir");
    ASSERT_TRUE(left && right);
    DispatchComparison comparison = compareDispatches(**left, **right);
    checkGroups(comparison, std::string(a) + " " + b);
    EXPECT_LT(comparison.groups.size(), comparison.rows.size()) << a << " " << b;
  }
}

/// Models with more or fewer layers, and chains beside one that was drawn anew.
TEST(CompareDispatches, GroupsExpandToTheRowsOfRandomPrograms) {
  using namespace fuselage::test;
  size_t rows = 0, groups = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 29);
    auto program = [&](unsigned side) {
      ChainOptions chain{.ops = 2 + int(random() % 12), .results = 1 + int(random() % 2)};
      return draw % 2 == 0 ? randomChain(chain, random)
                           : layeredModel({.layers = 2 + (draw + 3 * side) % 5, .also = draw % 32});
    };
    std::string a = program(0), b = program(1);
    Session session(allDialects());
    auto left = session.parse(a, "a.mlir"), right = session.parse(b, "b.mlir");
    ASSERT_TRUE(left && right) << a << b;
    DispatchComparison comparison = compareDispatches(**left, **right);
    checkGroups(comparison, a + b);
    rows += comparison.rows.size();
    groups += comparison.groups.size();
  }
  EXPECT_LT(groups, rows);
}

TEST(CompareDispatches, FormatsEqualRowsAsOne) {
  Session session(allDialects());
  auto left = session.readText(Program("(mbr)(mbr)").text, "a.mlir"),
       right = session.readText(Program("(m)(br)(m)(br)").text, "b.mlir");
  ASSERT_TRUE(left && right);
  DispatchComparison comparison = compareDispatches(*left->module, *right->module);
  comparison.a.name = "ours";
  comparison.b.name = "theirs";
  std::string text = formatComparison(comparison, false);
  EXPECT_NE(text.find("2 merged in A (1 = n of B)"), std::string::npos) << text;
  EXPECT_NE(text.find("    2  merged"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n') + 1, [&] {
    std::string all = formatComparison(comparison, true);
    return std::count(all.begin(), all.end(), '\n');
  }());
}

} // namespace
} // namespace fuselage::test
