#include "core/run/HostCheck.h"
#include "core/registration/Registration.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

/// An elementwise function whose payload turns %x into %y.
static std::string payload(const std::string &ops) {
  return R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<1000xf32>) -> tensor<1000xf32> {
      %e = tensor.empty() : tensor<1000xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) {
      ^bb0(%x: f32, %o: f32):
        %c = arith.constant 20.0 : f32
        )" +
         ops + R"(
        linalg.yield %y : f32
      } -> tensor<1000xf32>
      return %0 : tensor<1000xf32>
    })";
}

TEST(HostCheck, SmallElementsCountBesideLargeOnes) {
  Session session(allDialects());
  auto before = parse(session, payload("%y = math.exp %x : f32"));
  auto same = parse(session, payload("%n = arith.negf %x : f32\n%m = arith.negf %n : f32\n%y = math.exp %m : f32"));
  auto other =
      parse(session, payload("%k = arith.constant 1.001 : f32\n%s = arith.mulf %x, %k : f32\n%y = math.exp %s : f32"));
  EXPECT_TRUE(valueOf(checkOnHost(*before, *same, {.function = ""})).ok);
  EXPECT_FALSE(valueOf(checkOnHost(*before, *other, {.function = ""})).ok);
}

TEST(HostCheck, NothingIsShownByNaN) {
  Session session(allDialects());
  auto before = parse(session, payload("%s = arith.subf %x, %c : f32\n%y = math.sqrt %s : f32"));
  std::string error = errorOf(checkOnHost(*before, *before, {.function = ""}));
  EXPECT_NE(error.find("the results cannot be compared: of result 0 of @f, 1000 of 1000 elements"), std::string::npos)
      << error;
}

/// The mean of `length` numbers whose mean is 0, so that nothing is left of it but roundings; summed up `across` beside
/// each other.
static std::string meanOfCentred(int across, int length) {
  std::string inner = std::to_string(across), outer = std::to_string(768 / across), used = std::to_string(length);
  return R"(
    #all = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    #rowk = affine_map<(i, j, k) -> (i)>
    #split = affine_map<(i, j, k) -> (i, j, k)>
    #part = affine_map<(i, j, k) -> (i, k)>
    func.func @f(%x: tensor<64x768xf32>) -> tensor<64xf32> {
      %zero = arith.constant 0.0 : f32
      %n = arith.constant 768.0 : f32
      %e = tensor.empty() : tensor<64xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
      %sum = linalg.reduce { arith.addf } ins(%x : tensor<64x768xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
      %ec = tensor.empty() : tensor<64x768xf32>
      %centred = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
          ins(%x, %sum : tensor<64x768xf32>, tensor<64xf32>) outs(%ec : tensor<64x768xf32>) {
      ^bb0(%a: f32, %s: f32, %o: f32):
        %m = arith.divf %s, %n : f32
        %d = arith.subf %a, %m : f32
        linalg.yield %d : f32
      } -> tensor<64x768xf32>
      %cut = tensor.extract_slice %centred[0, 0] [64, )" +
         used + R"(] [1, 1] : tensor<64x768xf32> to tensor<64x)" + used + R"(xf32>
      %low = arith.constant 0.0 : f32
      %whole = tensor.pad %cut low[0, 0] high[0, )" +
         std::to_string(768 - length) + R"(] {
      ^bb0(%p: index, %q: index):
        tensor.yield %low : f32
      } : tensor<64x)" +
         used + R"(xf32> to tensor<64x768xf32>
      %wide = tensor.expand_shape %whole [[0], [1, 2]] output_shape [64, )" +
         outer + ", " + inner + R"(] : tensor<64x768xf32> into tensor<64x)" + outer + "x" + inner + R"(xf32>
      %ep = tensor.empty() : tensor<64x)" +
         inner + R"(xf32>
      %zp = linalg.fill ins(%zero : f32) outs(%ep : tensor<64x)" +
         inner + R"(xf32>) -> tensor<64x)" + inner + R"(xf32>
      %parts = linalg.generic {indexing_maps = [#split, #part], iterator_types = ["parallel", "reduction", "parallel"]}
          ins(%wide : tensor<64x)" +
         outer + "x" + inner + R"(xf32>) outs(%zp : tensor<64x)" + inner + R"(xf32>) {
      ^bb0(%a: f32, %o: f32):
        %t = arith.addf %o, %a : f32
        linalg.yield %t : f32
      } -> tensor<64x)" +
         inner + R"(xf32>
      %total = linalg.reduce { arith.addf } ins(%parts : tensor<64x)" +
         inner + R"(xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
      %mean = linalg.map ins(%total : tensor<64xf32>) outs(%e : tensor<64xf32>) (%t: f32, %o: f32) {
        %d = arith.divf %t, %n : f32
        linalg.yield %d : f32
      }
      return %mean : tensor<64xf32>
    })";
}

/// What is left of sums that cancel is rounding alone: another order is not wrong, and agreeing shows nothing.
TEST(HostCheck, SumsThatCancelMayBeAddedUpInAnotherOrder) {
  Session session(allDialects());
  auto before = parse(session, meanOfCentred(1, 768)), other = parse(session, meanOfCentred(16, 768));
  auto shorter = parse(session, meanOfCentred(16, 767));
  llvm::Expected<HostCheck> check = checkOnHost(*before, *other, {.function = ""});
  ASSERT_FALSE(bool(check));
  EXPECT_NE(takeFailure(check.takeError()).message.find("could be 0 or twice as large"), std::string::npos);
  EXPECT_FALSE(valueOf(checkOnHost(*before, *shorter, {.function = ""})).ok);
}
