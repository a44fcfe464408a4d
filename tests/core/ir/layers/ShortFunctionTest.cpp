// Equal layers of a function, and the short copy that stands for all of them.
#include "core/ir/layers/ShortFunction.h"
#include "core/ir/Session.h"
#include "core/ir/layers/EqualOps.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"
#include "tests/support/LayeredModel.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

class Layers : public testing::Test {
protected:
  func::FuncOp parse(LayeredModelOptions options) {
    auto module = session_.parse(layeredModel(options), "model");
    EXPECT_TRUE(bool(module)) << llvm::toString(module.takeError());
    module_ = std::move(*module);
    return *module_->getOps<func::FuncOp>().begin();
  }
  static unsigned countMatmuls(func::FuncOp function) {
    unsigned count = 0;
    function.walk([&](linalg::MatmulOp) { ++count; });
    return count;
  }

  Session session_{allDialects()};
  OwningOpRef<ModuleOp> module_;
};

TEST_F(Layers, OfTwelveSixAreLeft) {
  func::FuncOp function = parse({.layers = 12});
  std::vector<EqualLayers> runs = findEqualLayers(function, 3);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs.front().count(), 12u);
  EXPECT_EQ(runs.front().reach(), 1u);
  auto few = ShortFunction::of(function);
  ASSERT_TRUE(few);
  EXPECT_EQ(countMatmuls(function), 24u);
  EXPECT_EQ(countMatmuls(few->get()), 2 * (FewLayers().first + FewLayers().last));
  EXPECT_TRUE(succeeded(verify(few->get())));
}

/// Experts differ in where they are cut out of the gate. A copy with a few layers has a copy with a few experts each.
TEST_F(Layers, ExpertsAreLayersOfALayer) {
  func::FuncOp function = parse({.layers = 9, .experts = 10});
  auto few = ShortFunction::of(function);
  ASSERT_TRUE(few);
  EXPECT_EQ(countMatmuls(few->get()), 6 * (3 + 10u));
  auto fewer = ShortFunction::of(few->get());
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->countRuns(), 6u);
  EXPECT_EQ(countMatmuls(fewer->get()), 6 * (3 + 6u));
  EXPECT_TRUE(succeeded(verify(fewer->get())));
}

/// The short copy of a long model is a shorter model: equal to that of any other length.
TEST_F(Layers, AShortCopyIsAShorterModel) {
  func::FuncOp twelve = parse({.layers = 12});
  auto few = ShortFunction::of(twelve);
  ASSERT_TRUE(few);
  OwningOpRef<ModuleOp> kept = std::move(module_);
  func::FuncOp shorter = parse({.layers = FewLayers().first + FewLayers().last});
  auto ops = [](func::FuncOp function) {
    std::vector<Operation *> list;
    for (Operation &op : function.front())
      list.push_back(&op);
    return list;
  };
  std::vector<Operation *> one = ops(few->get()), other = ops(shorter);
  ASSERT_EQ(one.size(), other.size());
  llvm::DenseMap<Value, Value> twins;
  for (auto [a, b] : llvm::zip(one, other)) {
    EXPECT_TRUE(areEqualOps(a, b));
    for (auto [left, right] : llvm::zip(a->getOperands(), b->getOperands()))
      if (!isa<BlockArgument>(left)) // weights keep their numbers
        EXPECT_EQ(twins.lookup(left), right);
    for (auto [left, right] : llvm::zip(a->getResults(), b->getResults()))
      twins[left] = right;
  }
}

TEST_F(Layers, ALayerThatDiffersDividesTheRun) {
  std::vector<EqualLayers> runs = findEqualLayers(parse({.layers = 20, .otherLayer = 8}), 3);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].count() + runs[1].count(), 19u);
}

TEST_F(Layers, FewLayersAreLeftAlone) {
  EXPECT_FALSE(ShortFunction::of(parse({.layers = FewLayers().first + FewLayers().last})));
}

/// What only a layer that is left out returns is not returned.
TEST_F(Layers, ResultsOfLayersLeftOutAreLeftOut) {
  func::FuncOp function = parse({.layers = 12, .returnsEach = true});
  auto few = ShortFunction::of(function);
  ASSERT_TRUE(few);
  EXPECT_EQ(few->get().getNumResults(), FewLayers().first + FewLayers().last);
  EXPECT_TRUE(succeeded(verify(few->get())));
}

/// Layers are moved by whole layers, with the weights that they alone read.
TEST_F(Layers, ValuesAreShiftedByLayers) {
  func::FuncOp function = parse({.layers = 12});
  EqualLayers layers = findEqualLayers(function, 3).front();
  for (size_t offset = 0; offset < layers.period(); ++offset) {
    Operation *op = layers.op({2, offset}), *later = layers.op({5, offset});
    for (auto [value, other] : llvm::zip(op->getOperands(), later->getOperands()))
      EXPECT_EQ(layers.shifted(value, 3), other);
  }
  EXPECT_FALSE(layers.shifted(layers.op({2, 0})->getResult(0), 40));
}

} // namespace
