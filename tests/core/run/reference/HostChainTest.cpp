#include "core/run/reference/HostChain.h"
#include "core/registration/Registration.h"
#include "core/run/Specialize.h"
#include "tests/core/run/RunTestSupport.h"
#include <gmock/gmock.h>

using namespace fuselage;
using namespace fuselage::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class HostChainTest : public ::testing::Test {
protected:
  /// Plans the first function; compiles its pieces.
  std::unique_ptr<HostChain> plan(llvm::StringRef source) {
    module = parse(session, source);
    auto chain = HostChain::plan(valueOf(pickFunction(*module, "")), pieces);
    if (!chain) {
      ADD_FAILURE() << llvm::toString(chain.takeError());
      return nullptr;
    }
    pieces.compile();
    return std::move(*chain);
  }
  HostTensor floatsOf(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values) {
    return floats(session.context(), shape, values);
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  HostPieces pieces{session.context(), {.compile = {.checks = false}}};
};

} // namespace

static const char *layers = R"(
  #id = affine_map<(i) -> (i)>
  func.func @layers(%x: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.add ins(%x, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.add ins(%1, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %3 = linalg.exp ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %4 = tensor.expand_shape %3 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    return %1, %4 : tensor<4xf32>, tensor<2x2xf32>
  })";

TEST_F(HostChainTest, EqualPiecesAreCompiledOnce) {
  auto chain = plan(layers);
  EXPECT_EQ(pieces.total(), 4u);
  EXPECT_EQ(pieces.unique(), 2u) << "two layers of two ops each";
  HostTensor zeros = floatsOf({4}, {0, 0, 0, 0}), minusOne = floatsOf({4}, {-1, -1, -1, -1});
  auto results = valueOf(chain->call({zeros, zeros, minusOne}, nullptr)).values;
  ASSERT_EQ(results.size(), 2u);
  EXPECT_THAT(results[0].as<float>(), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(results[1].as<float>(), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(textOf(results[1].type()), "tensor<2x2xf32>");
}

TEST_F(HostChainTest, StepsThatReadOtherSlicesAreEqual) {
  // A slice of known shape needs no check, which would be a program as well.
  auto chain = plan(R"(
    func.func @steps(%x: tensor<4x2xf32>, %h: tensor<2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
      %e = tensor.empty() : tensor<2xf32>
      %o = tensor.empty() : tensor<3x2xf32>
      %x1 = tensor.extract_slice %x[1, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<2xf32>
      %1 = linalg.add ins(%h, %x1 : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %x2 = tensor.extract_slice %x[2, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<2xf32>
      %2 = linalg.add ins(%1, %x2 : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %x3 = tensor.extract_slice %x[3, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<2xf32>
      %3 = linalg.add ins(%2, %x3 : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %o1 = tensor.insert_slice %1 into %o[0, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<3x2xf32>
      %o2 = tensor.insert_slice %2 into %o1[1, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<3x2xf32>
      %o3 = tensor.insert_slice %3 into %o2[2, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<3x2xf32>
      return %3, %o3 : tensor<2xf32>, tensor<3x2xf32>
    })");
  EXPECT_EQ(pieces.total(), 7u);
  EXPECT_EQ(pieces.unique(), 3u) << "what slices, what adds, and all that inserts";
  auto results =
      valueOf(chain->call({floatsOf({4, 2}, {9, 9, 1, 2, 3, 4, 5, 6}), floatsOf({2}, {1, 1})}, nullptr)).values;
  ASSERT_EQ(results.size(), 2u);
  EXPECT_THAT(results[0].as<float>(), ElementsAre(10, 13));
  EXPECT_THAT(results[1].as<float>(), ElementsAre(2, 3, 5, 7, 10, 13));
}

TEST_F(HostChainTest, SizesReachThePiecesThatWriteIntoEmptyTensors) {
  // The size of %e is used by copies of tensor.empty only, one in the piece of the op and one in that of its checks.
  auto chain = plan(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
      %d = tensor.dim %c, %c0 : tensor<?xf32>
      %e = tensor.empty(%d) : tensor<?xf32>
      %r = linalg.negf ins(%c : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })");
  auto results = valueOf(chain->call({floatsOf({3}, {1, 2, 3})}, nullptr)).values;
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THAT(results[0].as<float>(), ElementsAre(-1, -2, -3));
}

TEST_F(HostChainTest, IsOnePieceWhereVectorsWouldBeCut) {
  auto chain = plan(R"(
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2xf32> {
      %c0 = arith.constant 0 : index
      %z = arith.constant 0.0 : f32
      %zeros = arith.constant dense<0.0> : vector<2xf32>
      %v = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true]} : tensor<2x3xf32>, vector<2x3xf32>
      %mask = vector.constant_mask [2, 2] : vector<2x3xi1>
      %s = vector.mask %mask { vector.multi_reduction <add>, %v, %zeros [1] : vector<2x3xf32> to vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
      %e = tensor.empty() : tensor<2xf32>
      %r = vector.transfer_write %s, %e[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
      return %r : tensor<2xf32>
    })");
  EXPECT_EQ(pieces.total(), 1u);
  auto results = valueOf(chain->call({floatsOf({2, 3}, {1, 2, 4, 8, 16, 32})}, nullptr)).values;
  ASSERT_EQ(results.size(), 1u);
  EXPECT_THAT(results[0].as<float>(), ElementsAre(3, 24));
}

TEST_F(HostChainTest, OtherConstantsAreOtherPieces) {
  auto chain = plan(R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2xf32>
      %c2 = arith.constant 2.0 : f32
      %c3 = arith.constant 3.0 : f32
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
      ^bb0(%in: f32, %out: f32):
        %m = arith.mulf %in, %c2 : f32
        linalg.yield %m : f32
      } -> tensor<2xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<2xf32>) outs(%e : tensor<2xf32>) {
      ^bb0(%in: f32, %out: f32):
        %m = arith.mulf %in, %c3 : f32
        linalg.yield %m : f32
      } -> tensor<2xf32>
      return %1 : tensor<2xf32>
    })");
  EXPECT_EQ(pieces.unique(), 2u);
  EXPECT_THAT(valueOf(chain->call(floatsOf({2}, {1, 2}), nullptr)).values[0].as<float>(), ElementsAre(6, 12));
}

TEST_F(HostChainTest, ArgumentsConstantsAndWhatIsWrittenIntoComeBack) {
  auto chain = plan(R"(
    func.func @f(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, index, tensor<4xi1>) {
      %zero = arith.constant 7.0 : f32
      %e = tensor.empty() : tensor<2xf32>
      %filled = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %true = arith.constant dense<true> : tensor<4xi1>
      %m = arith.addi %n, %n : index
      return %x, %c, %filled, %m, %true : tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, index, tensor<4xi1>
    })");
  HostTensor n = valueOf(HostTensor::create(mlir::IndexType::get(&session.context())));
  n.setInteger(0, 21);
  auto results = valueOf(chain->call({floatsOf({2}, {8, 9}), n}, nullptr)).values;
  EXPECT_THAT(results[0].as<float>(), ElementsAre(8, 9));
  EXPECT_THAT(results[1].as<float>(), ElementsAre(1, 2, 3));
  EXPECT_THAT(results[2].as<float>(), ElementsAre(7, 7));
  EXPECT_EQ(results[3].integerAt(0), 42);
  EXPECT_THAT(results[4].as<uint8_t>(), ElementsAre(1, 1, 1, 1));
}

TEST_F(HostChainTest, BranchesAndLoopsRun) {
  auto chain = plan(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      cf.br ^next(%x : tensor<4xf32>)
    ^next(%y: tensor<4xf32>):
      %0 = linalg.add ins(%y, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  EXPECT_THAT(valueOf(chain->call(floatsOf({4}, {1, 2, 3, 4}), nullptr)).values[0].as<float>(),
              ElementsAre(2, 4, 6, 8));
  chain = plan(R"(
    func.func @g(%x: tensor<4xf32>) -> tensor<2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %x) -> (tensor<4xf32>) {
        %e = tensor.empty() : tensor<4xf32>
        %s = linalg.add ins(%acc, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      }
      %q = tensor.extract_slice %r[%c1] [2] [2] : tensor<4xf32> to tensor<2xf32>
      return %q : tensor<2xf32>
    })");
  EXPECT_THAT(valueOf(chain->call(floatsOf({4}, {1, 2, 3, 4}), nullptr)).values[0].as<float>(), ElementsAre(8, 16));
}

TEST_F(HostChainTest, WhatStopsIsNamedByTheUsersFunction) {
  auto chain = plan(R"(
    func.func @f(%x: tensor<4xf32>, %n: index) -> f32 {
      %v = tensor.extract %x[%n] : tensor<4xf32>
      return %v : f32
    })");
  HostTensor n = valueOf(HostTensor::create(mlir::IndexType::get(&session.context())));
  n.setInteger(0, 4);
  std::string why = errorOf(chain->call({floatsOf({4}, {1, 2, 3, 4}), n}, nullptr));
  EXPECT_THAT(why, HasSubstr("@f stopped on the host: "));
  EXPECT_THAT(why, HasSubstr("'tensor.extract' (test.mlir:3:12)"));
}

TEST_F(HostChainTest, OneOfManyCallsFailsAlone) {
  auto chain = plan(R"(
    func.func @f(%x: tensor<2xf32>, %n: index) -> f32 {
      %v = tensor.extract %x[%n] : tensor<2xf32>
      return %v : f32
    })");
  HostTensor x = floatsOf({2}, {5, 6});
  std::vector<std::vector<HostTensor>> arguments;
  for (int64_t i : {1, 7, 0}) {
    HostTensor n = valueOf(HostTensor::create(mlir::IndexType::get(&session.context())));
    n.setInteger(0, i);
    arguments.push_back({x, n});
  }
  std::vector<HostChain::Call> calls;
  for (const auto &given : arguments)
    calls.push_back({.chain = chain.get(), .arguments = given});
  auto results = HostChain::callAll(calls, nullptr);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(valueOf(std::move(results[0])).values[0].floatAt(0), 6);
  EXPECT_THAT(errorOf(std::move(results[1])), HasSubstr("out-of-bounds"));
  EXPECT_EQ(valueOf(std::move(results[2])).values[0].floatAt(0), 5);
}

/// A convolution whose loops are laid out along its channels gives what one that is not gives.
TEST_F(HostChainTest, ConvolutionsAreWhatTheyWere) {
  auto chain = plan(R"(
    func.func @conv(%x: tensor<1x2x4x4xf32>, %w: tensor<16x2x3x3xf32>) -> (tensor<1x16x2x2xf32>, tensor<1x2x2x16xf32>) {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x16x2x2xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32>
      %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x4x4xf32>, tensor<16x2x3x3xf32>) outs(%z : tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32>
      %xt = tensor.empty() : tensor<1x4x4x2xf32>
      %x1 = linalg.transpose ins(%x : tensor<1x2x4x4xf32>) outs(%xt : tensor<1x4x4x2xf32>) permutation = [0, 2, 3, 1]
      %wt = tensor.empty() : tensor<3x3x2x16xf32>
      %w1 = linalg.transpose ins(%w : tensor<16x2x3x3xf32>) outs(%wt : tensor<3x3x2x16xf32>) permutation = [2, 3, 1, 0]
      %f = tensor.empty() : tensor<1x2x2x16xf32>
      %y = linalg.fill ins(%zero : f32) outs(%f : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
      %1 = linalg.conv_2d_nhwc_hwcf ins(%x1, %w1 : tensor<1x4x4x2xf32>, tensor<3x3x2x16xf32>) outs(%y : tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
      return %0, %1 : tensor<1x16x2x2xf32>, tensor<1x2x2x16xf32>
    })");
  std::vector<float> x(32), w(288);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(int(i * 7 % 13) - 6);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = float(int(i * 5 % 11) - 5);
  auto results = valueOf(chain->call({floatsOf({1, 2, 4, 4}, x), floatsOf({16, 2, 3, 3}, w)}, nullptr)).values;
  for (int channel = 0; channel < 16; ++channel)
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 2; ++column) {
        float expected = 0;
        for (int in = 0; in < 2; ++in)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              expected += x[in * 16 + (row + i) * 4 + column + j] * w[channel * 18 + in * 9 + i * 3 + j];
        EXPECT_EQ(results[0].as<float>()[channel * 4 + row * 2 + column], expected);
        EXPECT_EQ(results[1].as<float>()[(row * 2 + column) * 16 + channel], expected);
      }
}
