// Dispatches that nobody would write: random graphs of matmuls, row sums, transposes and elementwise
// ops with several results. The tensor passes keep what they compute.
#include "core/registration/Registration.h"
#include "core/transforms/workgroups/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tests/support/Draws.h"
#include "tests/support/PassEquivalence.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

/// Writes a dispatch on `size` x `size` tensors, op by op.
class GraphWriter {
public:
  GraphWriter(int64_t size, std::mt19937 &random) : random_(random) {
    std::string n = std::to_string(size);
    square_ = "tensor<" + n + "x" + n + "xf32>";
    row_ = "tensor<" + n + "xf32>";
    flat_ = "tensor<" + std::to_string(size * size) + "xf32>";
    scale_ = std::to_string(size) + ".0";
  }

  std::string write(int ops, int results) {
    for (int i = 0; i < ops; ++i)
      addOp();
    std::string returned, types;
    for (int i = 0; i < results; ++i) {
      returned += (i ? ", " : "") + (i == 0 ? squares_.back() : squares_[random_() % squares_.size()]);
      types += (i ? ", " : "") + square_;
    }
    return R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @dispatch(%in: )" +
           square_ + ", %weight: " + square_ + ") -> (" + types +
           ") attributes {fuselage.dispatch = 0 : i64} {\n"
           "  %zero = arith.constant 0.0 : f32\n  %scale = arith.constant " +
           scale_ +
           " : f32\n"
           "  %init = tensor.empty() : " +
           square_ + "\n  %rows = tensor.empty() : " + row_ + "\n" + body_ + "  return " + returned + " : " + types +
           "\n}\n";
  }

private:
  std::string anyOf(const std::vector<std::string> &values) {
    // Late values more often, so that graphs are deep.
    size_t back = std::min(random_() % values.size(), random_() % values.size());
    return values[values.size() - 1 - back];
  }

  std::string next() { return "%v" + std::to_string(count_++); }

  void addOp() {
    std::string a = anyOf(squares_), b = anyOf(squares_), name = next();
    std::string fill = "  " + name + "f = linalg.fill ins(%zero : f32) outs(";
    switch (random_() % 8) {
    case 0: // a product, scaled down so that chains stay finite
      body_ += fill + "%init : " + square_ + ") -> " + square_ + "\n  " + name + "m = linalg.matmul ins(" + a + ", " +
               b + " : " + square_ + ", " + square_ + ") outs(" + name + "f : " + square_ + ") -> " + square_ + "\n" +
               generic(name, "#id, #id", name + "m : " + square_, "%x: f32", "%y = arith.divf %x, %scale : f32");
      squares_.push_back(name);
      break;
    case 1: // a row sum or a column sum
      body_ += fill + "%rows : " + row_ + ") -> " + row_ + "\n  " + name + " = linalg.generic {indexing_maps = [" +
               (random_() % 2 ? "#id" : "#swap") + ", #row], iterator_types = [\"parallel\", \"reduction\"]} ins(" + a +
               " : " + square_ + ") outs(" + name + "f : " + row_ +
               ") {\n  ^bb0(%x: f32, %o: f32):\n"
               "    %d = arith.divf %x, %scale : f32\n    %y = arith.addf %d, %o : f32\n"
               "    linalg.yield %y : f32\n  } -> " +
               row_ + "\n";
      rows_.push_back(name);
      break;
    case 2: // a row or a column onto a square
      if (!rows_.empty()) {
        body_ += generic(name, random_() % 2 ? "#id, #row, #id" : "#id, #column, #id",
                         a + ", " + anyOf(rows_) + " : " + square_ + ", " + row_, "%x: f32, %z: f32",
                         "%y = arith.subf %x, %z : f32");
        squares_.push_back(name);
        break;
      }
      [[fallthrough]];
    case 3: // through a reshape
      body_ += "  " + name + "c = tensor.collapse_shape " + a + " [[0, 1]] : " + square_ + " into " + flat_ + "\n  " +
               name + " = tensor.expand_shape " + name + "c [[0, 1]] output_shape [" +
               scale_.substr(0, scale_.size() - 2) + ", " + scale_.substr(0, scale_.size() - 2) + "] : " + flat_ +
               " into " + square_ + "\n";
      squares_.push_back(name);
      break;
    case 4: // a transposition on one side
      body_ += generic(name, "#id, #swap, #id", a + ", " + b + " : " + square_ + ", " + square_, "%x: f32, %z: f32",
                       "%y = arith.maximumf %x, %z : f32");
      squares_.push_back(name);
      break;
    default:
      body_ += generic(name, "#id, #id, #id", a + ", " + b + " : " + square_ + ", " + square_, "%x: f32, %z: f32",
                       "%y = arith.subf %x, %z : f32");
      squares_.push_back(name);
    }
  }

  std::string generic(const std::string &name, const std::string &maps, const std::string &ins,
                      const std::string &arguments, const std::string &payload) {
    return "  " + name + " = linalg.generic {indexing_maps = [" + maps +
           "], iterator_types = [\"parallel\", \"parallel\"]} ins(" + ins + ") outs(%init : " + square_ +
           ") {\n  ^bb0(" + arguments + ", %o: f32):\n    " + payload + "\n    linalg.yield %y : f32\n  } -> " +
           square_ + "\n";
  }

  std::mt19937 &random_;
  std::string square_, row_, flat_, scale_, body_;
  std::vector<std::string> squares_{"%in", "%weight"}, rows_;
  int count_ = 0;
};

TEST(RandomGraphs, KeepWhatTheyCompute) {
  for (unsigned graph = 0; graph < draws(40) && !HasFailure(); ++graph) {
    std::mt19937 random = randomOf(graph, 5);
    const int64_t sizes[] = {8, 24, 37, 64, 96, 100};
    const int64_t budgets[] = {31744, 31744, 12000, 2000};
    int64_t size = sizes[random() % 6], budget = budgets[random() % 4];
    int ops = 2 + random() % 11, results = 1 + random() % 3;
    std::string source = GraphWriter(size, random).write(ops, results);
    Session session(allDialects());
    Equivalence outcome = checkEquivalence(
        session, source,
        [&](OpPassManager &passes) {
          OpPassManager &functions = passes.nest<func::FuncOp>();
          TileToWorkgroupsPassOptions options;
          options.maxWorkgroupBytes = budget;
          functions.addPass(createTileToWorkgroupsPass(options));
          functions.addPass(createFuseProducersPass());
          functions.addPass(createTileReductionsPass());
          functions.addPass(createPromoteOperandsPass());
        },
        graph);
    EXPECT_EQ(outcome.problem, "") << "graph " << graph << "\n" << source << "\nbecame\n" << outcome.after;
  }
}

} // namespace
