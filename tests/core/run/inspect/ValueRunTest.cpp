// Values inside of programs, as a run computes them.
#include "core/run/inspect/ValueRun.h"
#include "core/registration/Registration.h"
#include "core/run/inspect/NonFinite.h"
#include "core/run/values/InputValue.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

class ValueRun : public ::testing::Test {
protected:
  Session session_{allDialects()};
  OwningOpRef<ModuleOp> module_;

  /// The op with this attribute.
  Operation *marked(StringRef name) {
    Operation *found = nullptr;
    module_->walk([&](Operation *op) {
      if (op->hasAttr(name))
        found = op;
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  llvm::Expected<ComputedValue> compute(StringRef text, ValueOptions options = {}) {
    module_ = parse(session_, text);
    return computeValue(*module_, {marked("want")->getResult(0), nullptr}, options);
  }
  /// What operand 0 of the op `reader` holds when it is read.
  llvm::Expected<ComputedValue> computeRead(StringRef text, ValueOptions options = {}) {
    module_ = parse(session_, text);
    Operation *reader = marked("reader");
    return computeValue(*module_, {reader->getOperand(0), reader}, options);
  }
  std::vector<HostTensor> inputsOf(StringRef function) {
    std::vector<HostTensor> tensors;
    for (InputValue &input : valueOf(makeInputs(module_->lookupSymbol<func::FuncOp>(function), 1, {})))
      tensors.push_back(input.tensor);
    return tensors;
  }
};

} // namespace

static constexpr const char *chain = R"(
  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %unused: tensor<400000x400000xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.add {want} ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.mul {reader} ins(%1, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.extract_slice %unused[0, 0] [1, 4] [1, 1] : tensor<400000x400000xf32> to tensor<4xf32>
    return %2, %3 : tensor<4xf32>, tensor<4xf32>
  })";

TEST_F(ValueRun, IsThatOfTheRunsArguments) {
  // The other argument has 640 GB: nobody makes it.
  ComputedValue value = valueOf(compute(chain));
  EXPECT_EQ(value.function, "f");
  EXPECT_EQ(value.which, "");
  ASSERT_EQ(value.inputs.size(), 2u);
  EXPECT_EQ(value.inputs[1].name, "arg1");
  EXPECT_EQ(value.inputs[1].source, "random");
  EXPECT_EQ(value.ops, 2u); // tensor.empty and the addition
  EXPECT_EQ(value.flops, 4);
  auto a = valueOf(randomTensor(value.tensor.type(), 1, 0)), b = valueOf(randomTensor(value.tensor.type(), 1, 1));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(value.tensor.as<float>()[i], a.as<float>()[i] + b.as<float>()[i]);
}

TEST_F(ValueRun, TakesOtherSeedsAndInputs) {
  ComputedValue value = valueOf(compute(chain, {.inputs = {{"arg0", "ones"}, {"arg1", "iota"}}}));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(value.tensor.as<float>()[i], 1 + i);
  EXPECT_EQ(value.inputs[0].source, "ones");
}

TEST_F(ValueRun, IsNotComputedIfItTakesMoreThanIsAllowed) {
  ComputedValue value = valueOf(compute(chain, {.mostFlops = 3}));
  EXPECT_FALSE(value.tensor);
  EXPECT_EQ(value.flops, 4);
  EXPECT_TRUE(valueOf(compute(chain, {.mostFlops = 4})).tensor);
}

TEST_F(ValueRun, WorkInLoopsAndCallsCounts) {
  const char *text = R"(
    func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c10 = arith.constant 10 : index
      %0 = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %a) -> tensor<4xf32> {
        %1 = linalg.add ins(%acc, %acc : tensor<4xf32>, tensor<4xf32>) outs(%acc : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = call @twice(%0) {want} : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    })";
  EXPECT_EQ(valueOf(compute(text)).flops, 80);
  EXPECT_FALSE(valueOf(compute(text, {.mostFlops = 79})).tensor);
}

TEST_F(ValueRun, IsCancelled) {
  std::atomic<bool> cancelled = true;
  EXPECT_NE(errorOf(compute(chain, {.cancelled = &cancelled})).find("cancelled"), std::string::npos);
}

TEST_F(ValueRun, OfADispatchRegionIsTheOneInside) {
  const char *text = R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %r = flow.dispatch.region -> (tensor<4xf32>) {
        %0 = linalg.add {want} ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        flow.return %1 : tensor<4xf32>
      }
      %2 = linalg.negf {reader} ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %2 : tensor<4xf32>
    })";
  ComputedValue inside = valueOf(compute(text)), outside = valueOf(computeRead(text));
  auto a = valueOf(randomTensor(inside.tensor.type(), 1, 0));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(inside.tensor.as<float>()[i], 2 * a.as<float>()[i]);
    EXPECT_NEAR(outside.tensor.as<float>()[i], std::exp(2 * a.as<float>()[i]), 1e-4);
  }
}

TEST_F(ValueRun, OfALoopIsThatOfTheFirstIteration) {
  ComputedValue value = valueOf(compute(R"(
    func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %0 = scf.for %i = %c2 to %c8 step %c2 iter_args(%acc = %a) -> tensor<8xf32> {
        %s = tensor.extract_slice %acc[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %t = linalg.add {want} ins(%s, %s : tensor<2xf32>, tensor<2xf32>) outs(%s : tensor<2xf32>) -> tensor<2xf32>
        %u = tensor.insert_slice %t into %acc[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
        scf.yield %u : tensor<8xf32>
      }
      return %0 : tensor<8xf32>
    })",
                                        {.inputs = {{"arg0", "iota"}}}));
  EXPECT_EQ(value.which, "the first of 3 iterations");
  EXPECT_EQ(value.tensor.as<float>()[0], 4);
  EXPECT_EQ(value.tensor.as<float>()[1], 6);
}

TEST_F(ValueRun, OfTilesInParallelIsThatOfTheFirst) {
  ComputedValue value = valueOf(compute(R"(
    func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %0 = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %e) -> (tensor<8xf32>) {
        %s = tensor.extract_slice %a[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
        %d = tensor.extract_slice %o[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
        %t = linalg.add {want} ins(%s, %s : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %t into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
        }
      }
      return %0 : tensor<8xf32>
    })",
                                        {.inputs = {{"arg0", "iota"}}}));
  EXPECT_EQ(value.which, "the first of 2 iterations");
  EXPECT_EQ(value.tensor.as<float>()[3], 6);
}

TEST_F(ValueRun, OfACalledFunctionIsThatOfTheFirstCall) {
  const char *text = R"(
    func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.add {want} ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @unrelated(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32>
    }
    func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %n = call @unrelated(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
      %2 = linalg.negf {reader} ins(%1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      return %n, %2 : tensor<4xf32>, tensor<4xf32>
    })";
  ComputedValue inside = valueOf(compute(text, {.inputs = {{"arg0", "iota"}}}));
  EXPECT_EQ(inside.function, "main");
  EXPECT_EQ(inside.which, "the first of 2 calls");
  EXPECT_EQ(inside.tensor.as<float>()[3], 6);
  ComputedValue outside = valueOf(computeRead(text, {.inputs = {{"arg0", "iota"}}}));
  EXPECT_EQ(outside.which, "");
  EXPECT_EQ(outside.ops, 2u); // the calls of @twice, and not the other
  EXPECT_EQ(outside.tensor.as<float>()[3], 12);
}

TEST_F(ValueRun, OfABufferIsWhatItHoldsWhenItIsRead) {
  ComputedValue value = valueOf(computeRead(R"(
    func.func @f(%a: memref<4xf32>) {
      linalg.add ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
      linalg.exp {reader} ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
      linalg.negf ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
      return
    })",
                                            {.inputs = {{"arg0", "iota"}}}));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(value.tensor.as<float>()[i], 2 * i);
}

TEST_F(ValueRun, OfABufferInALoopIsThatOfTheFirstIteration) {
  ComputedValue value = valueOf(computeRead(R"(
    func.func @f(%a: memref<4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        linalg.add ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
        %v = memref.subview %a[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
        linalg.exp {reader} ins(%v : memref<1xf32, strided<[1], offset: ?>>) outs(%v : memref<1xf32, strided<[1], offset: ?>>)
      }
      return
    })",
                                            {.inputs = {{"arg0", "ones"}}}));
  EXPECT_EQ(value.which, "the first of 4 iterations");
  EXPECT_EQ(value.tensor.elementCount(), 1);
  EXPECT_EQ(value.tensor.as<float>()[0], 2);
}

TEST_F(ValueRun, DynamicSizesAreThoseOfTheRun) {
  // The size is told by an op that the value does not depend on.
  ComputedValue value = valueOf(compute(R"(
    func.func @f(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<6xf32>) {
      %0 = linalg.exp {want} ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
      %1 = tensor.cast %a : tensor<?xf32> to tensor<6xf32>
      return %0, %1 : tensor<?xf32>, tensor<6xf32>
    })"));
  ASSERT_TRUE(value.tensor);
  EXPECT_EQ(value.tensor.elementCount(), 6);
  ComputedValue given = valueOf(compute(R"(
    func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.exp {want} ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })",
                                        {.sizes = {{"arg0.0", 11}}}));
  EXPECT_EQ(given.tensor.elementCount(), 11);
}

TEST_F(ValueRun, OfTheCountOfWorkgroupsThereIsNone) {
  EXPECT_EQ(errorOf(compute(R"(func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
      %r = flow.dispatch.region[%n] -> (tensor<4xf32>) {
        %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        flow.return %0 : tensor<4xf32>
      } count(%m: index) -> (index, index, index) {
        %1 = arith.addi %m, %m {want} : index
        flow.return %1, %1, %1 : index, index, index
      }
      return %r : tensor<4xf32>
    })")),
            "it counts the workgroups of a dispatch, which the host does not start");
}

TEST_F(ValueRun, OfABufferThatADispatchGivesIsWhatItHolds) {
  // Its reader is the terminator of the dispatch, which is gone when that is inlined.
  ComputedValue value = valueOf(computeRead(R"(func.func @f(%a: memref<4xf32>) {
      %r = flow.dispatch.region -> (memref<4xf32>) {
        linalg.add ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
        flow.return {reader} %a : memref<4xf32>
      }
      linalg.negf ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)
      return
    })",
                                            {.inputs = {{"arg0", "iota"}}}));
  ASSERT_TRUE(value.tensor);
  EXPECT_EQ(value.tensor.as<float>()[3], 6);
}

TEST_F(ValueRun, SaysWhyThereIsNone) {
  auto refusal = [&](StringRef text) { return errorOf(compute(text)); };
  EXPECT_EQ(refusal(R"(func.func @f() -> tensor<4xf32> {
      %0 = tensor.empty() {want} : tensor<4xf32>
      return %0 : tensor<4xf32>
    })"),
            "'tensor.empty' gives a shape and no contents: nothing has been written yet");
  EXPECT_EQ(refusal(R"(func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
      ^bb0(%x: f32):
        %1 = arith.addf %x, %x {want} : f32
        linalg.yield %1 : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })"),
            "it is one element inside of 'linalg.generic', computed again for each iteration");
  EXPECT_EQ(refusal(R"(func.func @f(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = scf.if %c -> tensor<4xf32> {
        %1 = linalg.exp {want} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      } else {
        scf.yield %a : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    })"),
            "it is inside of 'scf.if', which may run never or several times");
  EXPECT_EQ(refusal(R"(func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
      %1 = linalg.exp {want} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32>
    })"),
            "it is in @g, which @f does not call");
  EXPECT_EQ(refusal(R"(func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> tensor<4xf32> {
        %1 = linalg.exp {want} ins(%acc : tensor<4xf32>) outs(%acc : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    })"),
            "it is inside of 'scf.for', whose bounds are no constants: how often it is computed is known only while it "
            "runs");
}

TEST_F(ValueRun, UnwrittenMemoryIsNoValue) {
  std::string error = errorOf(compute(R"(func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.exp {want} ins(%e : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })"));
  EXPECT_NE(error.find("uninitialised memory"), std::string::npos) << error;
  error = errorOf(compute(R"(func.func @f(%a: tensor<4xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = tensor.extract_slice %e[1] [2] [1] {want} : tensor<4xf32> to tensor<2xf32>
      return %0 : tensor<2xf32>
    })"));
  EXPECT_EQ(error, "nothing has been written to it yet: it is a part of the 'tensor.empty' at test.mlir:2:12");
}

static constexpr const char *masked = R"(
  func.func @f(%a: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<f32>
    %d = tensor.empty() : tensor<4xf32>
    %init = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %m = linalg.reduce { arith.maximumf } ins(%a : tensor<4xf32>) outs(%init : tensor<f32>) dimensions = [0]
    %r = flow.dispatch.region -> (tensor<4xf32>) {
      %0 = linalg.log {log} ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
      %1 = linalg.sub {sub} ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
      flow.return %1 : tensor<4xf32>
    }
    return %m, %r : tensor<f32>, tensor<4xf32>
  })";

TEST_F(ValueRun, TheFirstNonFiniteValueIsFound) {
  module_ = parse(session_, masked);
  auto find = [&](const std::string &how) { return valueOf(findNonFinite(*module_, {.inputs = {{"arg0", how}}})); };
  NonFiniteFinding none = find("ones");
  EXPECT_FALSE(none.value); // where the maximum begins is meant to be infinite
  EXPECT_EQ(none.checked, 4u);
  EXPECT_EQ(none.function, "f");
  // log 0 is infinite; NaN is what comes of that, and what is looked for first.
  NonFiniteFinding nan = find("iota");
  ASSERT_TRUE(nan.value);
  EXPECT_EQ(nan.value.getDefiningOp(), marked("sub"));
  EXPECT_EQ(nan.nan, 1);
  EXPECT_EQ(nan.infinite, 0);
  NonFiniteFinding negative = find("-1");
  EXPECT_EQ(negative.value.getDefiningOp(), marked("log"));
  EXPECT_EQ(negative.nan, 4);
  module_ = parse(session_, R"(func.func @f(%a: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = linalg.log {log} ins(%a : tensor<4xbf16>) outs(%a : tensor<4xbf16>) -> tensor<4xbf16>
      return %0 : tensor<4xbf16>
    })");
  NonFiniteFinding infinite = find("iota");
  EXPECT_EQ(infinite.value.getDefiningOp(), marked("log"));
  EXPECT_EQ(infinite.infinite, 1);
}
