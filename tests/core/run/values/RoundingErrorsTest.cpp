#include "core/run/values/RoundingErrors.h"
#include "core/registration/Registration.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

/// The bounds of the results of @f.
static std::vector<ErrorBound> boundsOf(Session &session, const std::string &source) {
  auto module = parse(session, source);
  return module ? errorBoundsOf(module->lookupSymbol<func::FuncOp>("f")) : std::vector<ErrorBound>(8);
}

/// The bound of a function on tensors of four elements with this body, which defines %r.
static double elementwise(Session &session, const std::string &arguments, const std::string &body,
                          const std::string &type) {
  return boundsOf(session, "func.func @f(" + arguments + ") -> tensor<4x" + type + "> {\n" + body +
                               "\n  return %r : tensor<4x" + type + ">\n}")
      .front()
      .relative;
}

static Type arithType(Session &session, const char *name) { return parseType(name, &session.context()); }

TEST(RoundingErrors, UnitRoundoffsOfTypes) {
  Session session(allDialects());
  Builder b(&session.context());
  EXPECT_EQ(unitRoundoff(b.getF64Type()), std::ldexp(1, -53));
  EXPECT_EQ(unitRoundoff(b.getF32Type()), std::ldexp(1, -24));
  EXPECT_EQ(unitRoundoff(b.getF16Type()), std::ldexp(1, -11));
  EXPECT_EQ(unitRoundoff(b.getBF16Type()), std::ldexp(1, -8));
  EXPECT_EQ(unitRoundoff(b.getI32Type()), 0);
}

TEST(RoundingErrors, OnlyTypesOnTheWayToTheResultCount) {
  Session session(allDialects());
  double add = elementwise(session, "%a: tensor<4xf32>", "%r = arith.addf %a, %a : tensor<4xf32>", "f32");
  EXPECT_DOUBLE_EQ(add, 2 * std::ldexp(1, -24)); // of each side
  // A narrow value that is read but not rounded to, or that the result does not depend on.
  EXPECT_DOUBLE_EQ(
      elementwise(session, "%a: tensor<4xbf16>",
                  "%x = arith.extf %a : tensor<4xbf16> to tensor<4xf32>\n%r = arith.addf %x, %x : tensor<4xf32>",
                  "f32"),
      add);
  EXPECT_DOUBLE_EQ(elementwise(session, "%a: tensor<4xf32>, %b: tensor<4xbf16>",
                               "%x = arith.addf %b, %b : tensor<4xbf16>\n%r = arith.addf %a, %a : tensor<4xf32>",
                               "f32"),
                   add);
  // One that it was rounded to.
  double rounded = elementwise(session, "%a: tensor<4xf32>",
                               "%x = arith.truncf %a : tensor<4xf32> to tensor<4xbf16>\n%y = arith.extf %x : "
                               "tensor<4xbf16> to tensor<4xf32>\n%r = arith.addf %y, %y : tensor<4xf32>",
                               "f32");
  EXPECT_NEAR(rounded, 2 * std::ldexp(1, -8), 1e-6);
  // Moving and choosing is exact.
  EXPECT_EQ(elementwise(session, "%a: tensor<4xf32>", "%r = arith.maximumf %a, %a : tensor<4xf32>", "f32"), 0);
  // Functions are computed to a few units in the last place, in their own type.
  EXPECT_DOUBLE_EQ(
      elementwise(session, "%a: tensor<4xf64>, %b: tensor<1xbf16>", "%r = math.exp %a : tensor<4xf64>", "f64"),
      80 * std::ldexp(1, -53));
}

TEST(RoundingErrors, GrowWithTheLengthOfSums) {
  Session session(allDialects());
  auto matmul = [&](int length, const std::string &type) {
    std::string k = std::to_string(length), a = "tensor<4x" + k + "x" + type + ">",
                b = "tensor<" + k + "x4x" + type + ">", c = "tensor<4x4x" + type + ">";
    return boundsOf(session, "func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c + ") -> " + c +
                                 " {\n %r = linalg.matmul ins(%a, %b : " + a + ", " + b + ") outs(%c : " + c + ") -> " +
                                 c + "\n return %r : " + c + "\n}")
        .front()
        .relative;
  };
  EXPECT_NEAR(matmul(10000, "f32") / matmul(100, "f32"), 10, 0.1);
  EXPECT_LT(matmul(768, "f32"), 5e-5);
  // Made in f32: what counts are a product's rounding and the result's.
  for (const char *narrow : {"bf16", "f16", "f8E4M3FN"}) {
    double u = unitRoundoff(arithType(session, narrow));
    EXPECT_NEAR(matmul(100, narrow), std::min(10 * std::sqrt(2.0), 4.0) * u, 0.1 * u) << narrow;
  }
  EXPECT_LT(matmul(100000, "bf16"), 10 * std::sqrt(2.0) * std::ldexp(1, -8) * 1.01);
}

TEST(RoundingErrors, WhatIsAddedUpMayBeLargerThanWhatComesOut) {
  Session session(allDialects());
  auto bound = [&](const std::string &body) {
    return boundsOf(session, "func.func @f(%a: tensor<4xbf16>, %b: tensor<4xbf16>) -> tensor<4xbf16> {\n" + body +
                                 "\nreturn %r : tensor<4xbf16>\n}")
        .front();
  };
  // The inputs are what they are: a difference has one rounding, of itself.
  EXPECT_EQ(bound("%r = arith.subf %a, %b : tensor<4xbf16>").ofTypical, 0);
  EXPECT_EQ(bound("%x = arith.mulf %a, %b : tensor<4xbf16>\n%r = arith.mulf %x, %b : tensor<4xbf16>").ofTypical, 0);
  // A product has been rounded, and may be far larger than what it and the other leave.
  EXPECT_GT(bound("%x = arith.mulf %a, %b : tensor<4xbf16>\n%r = arith.subf %x, %b : tensor<4xbf16>").ofTypical, 0.03);
  EXPECT_GT(bound("%r = math.log %a : tensor<4xbf16>").ofTypical, 0);
  EXPECT_LT(bound("%r = math.log %a : tensor<4xbf16>").relative, 2.1 * std::ldexp(1, -8)); // computed in f32
}

TEST(RoundingErrors, LoopsAndBranchesAndCalls) {
  Session session(allDialects());
  double once = elementwise(session, "%a: tensor<4xf32>", "%r = arith.addf %a, %a : tensor<4xf32>", "f32");
  auto bounds = boundsOf(session, R"(
    func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = arith.addf %x, %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    func.func @f(%a: tensor<4xf32>, %p: i1) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      %loop = scf.for %i = %c0 to %c9 step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
        %y = arith.addf %x, %a : tensor<4xf32>
        scf.yield %y : tensor<4xf32>
      }
      %branch = scf.if %p -> (tensor<4xf32>) {
        %y = arith.addf %a, %a : tensor<4xf32>
        scf.yield %y : tensor<4xf32>
      } else {
        scf.yield %a : tensor<4xf32>
      }
      %s = func.call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %t = func.call @g(%s) : (tensor<4xf32>) -> tensor<4xf32>
      return %loop, %branch, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    })");
  EXPECT_NEAR(bounds[0].relative, 9 * once, 1e-12);
  EXPECT_NEAR(bounds[0].ofTypical, 10 * 3 * std::ldexp(1, -24), 1e-12); // terms of both signs
  EXPECT_NEAR(bounds[1].relative, once, 1e-12);
  EXPECT_EQ(bounds[1].ofTypical, 0);
  EXPECT_NEAR(bounds[2].relative, 2 * once, 1e-12);
}

TEST(RoundingErrors, InfinitiesThatAProgramWritesAreMeant) {
  Session session(allDialects());
  auto bounds = boundsOf(session, R"(
    #id = affine_map<(i) -> (i)>
    #none = affine_map<(i) -> ()>
    func.func @f(%a: tensor<4xf32>, %m: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
      %inf = arith.constant 0xFF800000 : f32
      %e = tensor.empty() : tensor<4xf32>
      %mask = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %m : tensor<4xf32>, tensor<4xi1>) outs(%e : tensor<4xf32>) {
      ^bb0(%x: f32, %p: i1, %o: f32):
        %s = arith.select %p, %x, %inf : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      %exp = math.exp %mask : tensor<4xf32>
      %s = tensor.empty() : tensor<f32>
      %fill = linalg.fill ins(%inf : f32) outs(%s : tensor<f32>) -> tensor<f32>
      %max = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%a : tensor<4xf32>) outs(%fill : tensor<f32>) {
      ^bb0(%x: f32, %o: f32):
        %y = arith.maximumf %x, %o : f32
        linalg.yield %y : f32
      } -> tensor<f32>
      return %mask, %exp, %max : tensor<4xf32>, tensor<4xf32>, tensor<f32>
    })");
  EXPECT_TRUE(bounds[0].intended.infinities);
  EXPECT_FALSE(bounds[1].intended.infinities);
  EXPECT_FALSE(bounds[2].intended.infinities);
}

TEST(RoundingErrors, Tf32CutsTheFactorsOfSumsOfProducts) {
  Session session(allDialects());
  auto matmul = [](const std::string &type) {
    return "func.func @f(%a: tensor<8x64x" + type + ">, %b: tensor<64x8x" + type + ">, %c: tensor<8x8x" + type +
           ">) -> tensor<8x8x" + type + "> {\n%r = linalg.matmul ins(%a, %b : tensor<8x64x" + type + ">, tensor<64x8x" +
           type + ">) outs(%c : tensor<8x8x" + type + ">) -> tensor<8x8x" + type + ">\nreturn %r : tensor<8x8x" + type +
           ">\n}";
  };
  auto boundOf = [&](const std::string &source, bool tf32) {
    auto module = parse(session, source);
    return errorBoundsOf(module->lookupSymbol<func::FuncOp>("f"), {}, tf32).front().relative;
  };
  EXPECT_LT(boundOf(matmul("f32"), false), 1e-4);
  EXPECT_NEAR(boundOf(matmul("f32"), true), 4 * std::ldexp(1, -10),
              1e-4); // two factors of each side
  EXPECT_DOUBLE_EQ(boundOf(matmul("f64"), true), boundOf(matmul("f64"), false));
  std::string product = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n%r = arith.mulf %a, %a : "
                        "tensor<4xf32>\nreturn %r : tensor<4xf32>\n}";
  EXPECT_DOUBLE_EQ(boundOf(product, true), boundOf(product, false)); // no instruction multiplies matrices there
}
