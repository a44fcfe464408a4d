// The clauses, taken together, say what linalg::areElementwiseOpsFusable says: on random pairs of ops.
#include "core/transforms/dispatch/ElementwiseClauses.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "tests/support/Draws.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace fuselage;
using namespace mlir;

namespace {

/// Writes a function with two linalg ops, the second of which reads the first. Loops have 4 iterations;
/// dimensions that a map leaves at 0 have size 1.
class PairWriter {
public:
  explicit PairWriter(std::mt19937 &random) : random_(random) {}

  std::string write() {
    unsigned loops = 1 + random_() % 3;
    bool reduces = random_() % 6 == 0, named = random_() % 12 == 0, fromNothing = !named && random_() % 6 == 0;
    std::string inputMap = mapOf(order(loops), loops);
    std::vector<int> written = named ? identity(loops) : choose(loops, /*allowZero=*/true);
    if (reduces && loops > 1 && !named)
      written.assign(1, 0);
    std::string input = typeOf(std::vector<int>(loops, 0)), value = typeOf(written);
    std::string producer =
        named ? "  %p = linalg.exp ins(%a : " + input + ") outs(%pi : " + value + ") -> " + value + "\n"
              : generic("%p", (fromNothing ? "" : inputMap + ", ") + mapOf(written, loops),
                        iterators(loops, reduces ? written : identity(loops)),
                        fromNothing ? "" : "ins(%a : " + input + ") ", "%pi", value, fromNothing ? 0 : 1);
    // The consumer has the loops that it needs to read the value, and perhaps more.
    unsigned outer = 1 + random_() % 3;
    std::vector<int> read = reading(written, outer);
    std::vector<int> out = order(outer);
    bool consumerReduces = random_() % 3 == 0 && outer > 1;
    if (consumerReduces)
      out.pop_back();
    bool isInit = random_() % 8 == 0, hasOther = random_() % 3 != 0;
    std::string result = typeOf(out), other = typeOf(std::vector<int>(outer, 0));
    std::string ins = "%p" + std::string(hasOther ? ", %b" : ""), types = value + (hasOther ? ", " + other : "");
    std::string maps =
        mapOf(read, outer) + ", " + (hasOther ? mapOf(identity(outer), outer) + ", " : "") + mapOf(out, outer);
    unsigned inputs = hasOther ? 2 : 1;
    std::string destination = "%ci";
    if (isInit && hasOther) {
      ins = "%b";
      types = other;
      maps = mapOf(identity(outer), outer) + ", " + mapOf(out, outer);
      inputs = 1;
      if (result == value)
        destination = "%p";
    }
    std::string consumer =
        generic("%c", maps, iterators(outer, out), "ins(" + ins + " : " + types + ") ", destination, result, inputs);
    return "func.func @main(%a: " + input + ", %b: " + other + ") -> " + result +
           " {\n  %pi = tensor.empty() : " + value + "\n  %ci = tensor.empty() : " + result + "\n" + producer +
           consumer + "  return %c : " + result + "\n}\n";
  }

private:
  std::vector<int> identity(unsigned loops) {
    std::vector<int> dims(loops);
    for (unsigned i = 0; i < loops; ++i)
      dims[i] = i;
    return dims;
  }
  std::vector<int> order(unsigned loops) {
    std::vector<int> dims = identity(loops);
    std::shuffle(dims.begin(), dims.end(), random_);
    return dims;
  }
  /// A selection of loops; -1 stands for the constant 0.
  std::vector<int> choose(unsigned loops, bool allowZero) {
    std::vector<int> dims = order(loops);
    if (dims.size() > 1 && random_() % 4 == 0)
      dims.pop_back();
    if (allowZero && random_() % 5 == 0)
      dims[random_() % dims.size()] = -1;
    return dims;
  }
  /// How a value with these dimensions is read by `loops` loops: any loop for each, perhaps one twice.
  std::vector<int> reading(const std::vector<int> &value, unsigned loops) {
    std::vector<int> pool = order(loops), dims;
    for (size_t i = 0; i < value.size(); ++i)
      dims.push_back(value[i] < 0                       ? -1
                     : i < pool.size() && random_() % 8 ? pool[i]
                                                        : static_cast<int>(random_() % loops));
    return dims;
  }
  static std::string mapOf(const std::vector<int> &dims, unsigned loops) {
    std::string text = "affine_map<(";
    for (unsigned i = 0; i < loops; ++i)
      text += (i ? ", d" : "d") + std::to_string(i);
    text += ") -> (";
    for (size_t i = 0; i < dims.size(); ++i)
      text += std::string(i ? ", " : "") + (dims[i] < 0 ? "0" : "d" + std::to_string(dims[i]));
    return text + ")>";
  }
  static std::string typeOf(const std::vector<int> &dims) {
    std::string text = "tensor<";
    for (int dim : dims)
      text += dim < 0 ? "1x" : "4x";
    return text + "f32>";
  }
  /// Loops that the result does not show are reductions.
  static std::string iterators(unsigned loops, const std::vector<int> &out) {
    std::string text = "[";
    for (unsigned i = 0; i < loops; ++i)
      text += std::string(i ? ", " : "") +
              (llvm::is_contained(out, static_cast<int>(i)) ? "\"parallel\"" : "\"reduction\"");
    return text + "]";
  }
  static std::string generic(const std::string &name, const std::string &maps, const std::string &iterators,
                             const std::string &ins, const std::string &init, const std::string &type,
                             unsigned inputs) {
    std::string arguments;
    for (unsigned i = 0; i < inputs; ++i)
      arguments += "%x" + std::to_string(i) + ": f32, ";
    return "  " + name + " = linalg.generic {indexing_maps = [" + maps + "], iterator_types = " + iterators + "} " +
           ins + "outs(" + init + " : " + type + ") {\n  ^bb0(" + arguments + "%o: f32):\n    %y = arith.addf " +
           (inputs ? "%x0" : "%o") + ", %o : f32\n    linalg.yield %y : f32\n  } -> " + type + "\n";
  }

  std::mt19937 &random_;
};

TEST(ElementwiseClauses, AgreeWithMlirOnRandomPairs) {
  Session session(allDialects());
  unsigned valid = 0, fusable = 0;
  std::map<std::string, unsigned> seen;
  for (unsigned draw = 0; draw < 1500; ++draw) {
    std::mt19937 random = test::randomOf(draw, 3);
    std::string source = PairWriter(random).write();
    auto module = session.parse(source, "pair");
    if (!module) {
      llvm::consumeError(module.takeError());
      continue;
    }
    ++valid;
    (*module)->walk([&](Operation *op) {
      for (OpOperand &use : op->getOpOperands()) {
        auto value = dyn_cast<OpResult>(use.get());
        if (!value)
          continue;
        Refusals refusals = elementwiseRefusals({.value = value, .use = &use, .consumer = op});
        bool upstream = linalg::areElementwiseOpsFusable(&use);
        EXPECT_EQ(refusals.empty(), upstream) << source;
        fusable += upstream;
        for (const Refusal &refusal : refusals)
          if (isa<linalg::LinalgOp>(op) && isa<linalg::LinalgOp>(value.getOwner()))
            ++seen[infoOf(refusal.reason).code.str()];
      }
    });
    if (HasFailure())
      return;
  }
  EXPECT_GT(valid, 500u);
  EXPECT_GT(fusable, 50u);
  for (const char *code : {"NOT_GENERIC", "PRODUCER_REDUCTION", "OPERAND_IS_INIT", "RANK_MISMATCH",
                           "PRODUCER_MAP_NOT_PERMUTATION", "LOOP_BOUND_LOST"})
    EXPECT_GT(seen[code], 0u) << code;
}

} // namespace
