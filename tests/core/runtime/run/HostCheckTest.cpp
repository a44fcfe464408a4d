#include "core/registration/Registration.h"
#include "core/runtime/run/HostCheck.h"
#include "tests/core/runtime/RuntimeTestSupport.h"

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
        )" + ops + R"(
        linalg.yield %y : f32
      } -> tensor<1000xf32>
      return %0 : tensor<1000xf32>
    })";
}

TEST(HostCheck, SmallElementsCountBesideLargeOnes) {
  Session session(allDialects());
  auto before = parse(session, payload("%y = math.exp %x : f32"));
  auto same = parse(session, payload("%n = arith.negf %x : f32\n%m = arith.negf %n : f32\n%y = math.exp %m : f32"));
  auto other = parse(session, payload("%k = arith.constant 1.001 : f32\n%s = arith.mulf %x, %k : f32\n%y = math.exp %s : f32"));
  EXPECT_TRUE(valueOf(checkOnHost(*before, *same, {.function = ""})).ok);
  EXPECT_FALSE(valueOf(checkOnHost(*before, *other, {.function = ""})).ok);
}

TEST(HostCheck, NothingIsShownByNaN) {
  Session session(allDialects());
  auto before = parse(session, payload("%s = arith.subf %x, %c : f32\n%y = math.sqrt %s : f32"));
  std::string error = errorOf(checkOnHost(*before, *before, {.function = ""}));
  EXPECT_NE(error.find("the results cannot be compared: of result 0 of @f, 1000 of 1000 elements"), std::string::npos) << error;
}
