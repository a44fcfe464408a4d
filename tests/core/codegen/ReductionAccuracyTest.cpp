// How exact sums are: contractions, convolutions and reductions of each float type, on the host and
// on a Vulkan device, beside sums in long double.
#include "CodegenTestSupport.h"
#include "core/codegen/Codegen.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/reference/HostProgram.h"
#include "core/run/values/RoundingErrors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// What a sum is made of: `text` is the body of @f, in which $ stands for the type, # for the
/// depth.
struct Op {
  std::string name, arguments, result, text;
  /// The number of terms of each result, and the terms of result `at`, as pairs of positions in the
  /// arguments; the second is -1 where there is one factor.
  std::function<void(int64_t at, int64_t depth, llvm::function_ref<void(int64_t, int64_t)> term)> terms;
  bool multiplies = false; ///< the terms
};

std::string fill(llvm::StringRef shape, llvm::StringRef start = "0.0") {
  return llvm::formatv("  %z = arith.constant {1} : $\n  %e = tensor.empty() : tensor<{0}$>\n"
                       "  %i = linalg.fill ins(%z : $) outs(%e : tensor<{0}$>) -> tensor<{0}$>\n",
                       shape, start);
}

std::vector<Op> ops() {
  auto reduce = [](const char *name, const char *input, const char *shape, const char *dims, auto terms) {
    return Op{name, llvm::formatv("%a: tensor<{0}x$>", input), shape,
              fill(shape) + llvm::formatv("  %r = linalg.reduce {{ arith.addf } ins(%a : tensor<{0}x$>) "
                                          "outs(%i : tensor<{1}$>) dimensions = {2}\n",
                                          input, shape, dims)
                                .str(),
              terms};
  };
  auto matmulTerms = [](int64_t at, int64_t depth, auto term) {
    for (int64_t k = 0; k < depth; ++k)
      term(at / 8 * depth + k, k * 8 + at % 8);
  };
  std::vector<Op> all = {
      {"matmul", "%a: tensor<4x#x$>, %b: tensor<#x8x$>", "4x8x",
       fill("4x8x") + "  %r = linalg.matmul ins(%a, %b : tensor<4x#x$>, tensor<#x8x$>) outs(%i : "
                      "tensor<4x8x$>) -> tensor<4x8x$>\n",
       matmulTerms},
      {"matmul_relu", "%a: tensor<4x#x$>, %b: tensor<#x8x$>", "4x8x",
       fill("4x8x") + "  %m = linalg.matmul ins(%a, %b : tensor<4x#x$>, tensor<#x8x$>) outs(%i : "
                      "tensor<4x8x$>) -> tensor<4x8x$>\n"
                      "  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
                      "affine_map<(i, j) -> (i, j)>], "
                      "iterator_types = [\"parallel\", \"parallel\"]} ins(%m : tensor<4x8x$>) "
                      "outs(%e : tensor<4x8x$>) {\n"
                      "  ^bb0(%x: $, %o: $):\n    %y = arith.negf %x : $\n    %n = arith.negf %y : "
                      "$\n    linalg.yield %n : $\n  } -> tensor<4x8x$>\n",
       matmulTerms},
      {"batch_matvec", "%a: tensor<2x8x#x$>, %b: tensor<2x#x$>", "2x8x",
       fill("2x8x") + "  %r = linalg.batch_matvec ins(%a, %b : tensor<2x8x#x$>, tensor<2x#x$>) "
                      "outs(%i : tensor<2x8x$>) -> tensor<2x8x$>\n",
       [](int64_t at, int64_t depth, auto term) {
         for (int64_t k = 0; k < depth; ++k)
           term(at * depth + k, at / 8 * depth + k);
       }},
      {"dot", "%a: tensor<#x$>, %b: tensor<#x$>", "",
       fill("") + "  %r = linalg.dot ins(%a, %b : tensor<#x$>, tensor<#x$>) outs(%i : tensor<$>) "
                  "-> tensor<$>\n",
       [](int64_t, int64_t depth, auto term) {
         for (int64_t k = 0; k < depth; ++k)
           term(k, k);
       }},
      {"convolution", "%a: tensor<1x3x3x#x$>, %b: tensor<2x2x#x4x$>", "1x2x2x4x",
       fill("1x2x2x4x") + "  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x3x3x#x$>, "
                          "tensor<2x2x#x4x$>) outs(%i : tensor<1x2x2x4x$>) -> tensor<1x2x2x4x$>\n",
       [](int64_t at, int64_t depth, auto term) {
         int64_t f = at % 4, w = at / 4 % 2, h = at / 8;
         for (int64_t y = 0; y < 2; ++y)
           for (int64_t x = 0; x < 2; ++x)
             for (int64_t c = 0; c < depth; ++c)
               term(((h + y) * 3 + w + x) * depth + c, ((y * 2 + x) * depth + c) * 4 + f);
       }},
      {"pooling", "%a: tensor<1x#x4x4x$>, %w: tensor<#x3x$>", "1x1x2x4x",
       fill("1x1x2x4x") + "  %r = linalg.pooling_nhwc_sum ins(%a, %w : tensor<1x#x4x4x$>, "
                          "tensor<#x3x$>) outs(%i : tensor<1x1x2x4x$>) -> tensor<1x1x2x4x$>\n",
       [](int64_t at, int64_t depth, auto term) {
         for (int64_t y = 0; y < depth; ++y)
           for (int64_t x = 0; x < 3; ++x)
             term((y * 4 + at / 4 + x) * 4 + at % 4, -1);
       }},
      reduce("rows", "16x#", "16x", "[1]",
             [](int64_t at, int64_t depth, auto term) {
               for (int64_t k = 0; k < depth; ++k)
                 term(at * depth + k, -1);
             }),
      reduce("columns", "#x16", "16x", "[0]",
             [](int64_t at, int64_t depth, auto term) {
               for (int64_t k = 0; k < depth; ++k)
                 term(k * 16 + at, -1);
             }),
      reduce("all", "4x#", "", "[0, 1]",
             [](int64_t, int64_t depth, auto term) {
               for (int64_t k = 0; k < 4 * depth; ++k)
                 term(k, -1);
             }),
      {"products", "%a: tensor<8x#x$>", "8x",
       fill("8x", "1.0") + "  %r = linalg.reduce { arith.mulf } ins(%a : tensor<8x#x$>) outs(%i : "
                           "tensor<8x$>) dimensions = [1]\n",
       [](int64_t at, int64_t depth, auto term) {
         for (int64_t k = 0; k < depth; ++k)
           term(at * depth + k, -1);
       },
       true},
  };
  return all;
}

struct Case {
  Op op;
  std::string type;
};

std::string textOf(const Op &op, llvm::StringRef type, int64_t depth) {
  std::string text = "func.func @f(" + op.arguments + ") -> tensor<" + op.result + "$> {\n" + op.text +
                     "  return %r : tensor<" + op.result + "$>\n}\n";
  std::string done;
  for (char c : text)
    done += c == '$' ? type.str() : c == '#' ? std::to_string(depth) : std::string(1, c);
  return done;
}

enum class Terms { Ones, Large, Cancelling };

/// Numbers that a type has, by position.
double numberAt(Terms terms, int64_t at, const Op &op, double size) {
  double random = double((uint64_t(at + 1) * 0x9e3779b97f4a7c15u) >> 40) / double(1 << 24);
  if (op.multiplies) // of many factors something is left
    return terms == Terms::Cancelling && at % 3 == 0 ? -1
           : terms == Terms::Ones || at % 64 != 0    ? 1
                                                     : 0.75 + random / 2;
  switch (terms) {
  case Terms::Ones:
    return size;
  case Terms::Large:
    return size * (1 + random);
  case Terms::Cancelling:
    return size * (2 * random - 1);
  }
  return 0;
}

class Sums : public testing::TestWithParam<Case> {
protected:
  /// What a device gives of the arguments, and how far that is off.
  void expectExact(llvm::StringRef device, const HostTensor &result, llvm::ArrayRef<HostTensor> arguments,
                   int64_t depth, llvm::StringRef what) {
    const Op &op = GetParam().op;
    double u = unitRoundoff(result.elementType()), accumulated = std::min(u, std::ldexp(1.0, -24)), worst = 0;
    // Denormal results are as far apart as the smallest is from zero.
    auto &format = llvm::cast<mlir::FloatType>(result.elementType()).getFloatSemantics();
    double smallest = llvm::APFloat::getSmallest(format).convertToDouble();
    for (int64_t at = 0; at < result.elementCount(); ++at) {
      long double sum = op.multiplies ? 1 : 0, sizes = 0;
      double count = 0;
      op.terms(at, depth, [&](int64_t left, int64_t right) {
        long double term = (long double)arguments[0].floatAt(left) * (right < 0 ? 1 : arguments[1].floatAt(right));
        op.multiplies ? sum *= term : sum += term;
        sizes += std::abs(term);
        ++count;
      });
      if (op.multiplies)
        sizes = std::abs(sum);
      double error = std::abs(double((long double)result.floatAt(at) - sum));
      bool isWellConditioned = sizes <= 10 * std::abs(sum), isNarrow = accumulated < u;
      // In units in the last place (2 u) of the result. Cancelling sums, and products of types that
      // nothing is wider than, are off by roundings of what they are made of, which is exact of
      // ones.
      if (isWellConditioned && (isNarrow || !op.multiplies))
        worst = std::max(worst, error / double(std::abs(sum)) / (2 * u));
      else
        EXPECT_LE(error, isNarrow ? 2 * u * std::abs(double(sum)) + count * accumulated * double(sizes) + smallest / 2
                         : what == "ones" ? 0
                                          : count * u * double(sizes))
            << device.str() << " at " << at;
    }
    EXPECT_LE(worst, 4) << "units in the last place on " << device.str() << " of " << what.str() << ", depth " << depth;
  }

  void check(int64_t depth, Terms terms, llvm::StringRef what) {
    const Op &op = GetParam().op;
    Session session{allDialects()};
    auto module = session.parse(textOf(op, GetParam().type, depth), "sums.mlir");
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
    auto function = (*module)->lookupSymbol<mlir::func::FuncOp>("f");
    std::vector<HostTensor> arguments;
    // What comes out has to be a number of the type: 448 is the largest of f8E4M3FN.
    bool isTiny = GetParam().type.starts_with("f8"), isSmall = GetParam().type == "f16";
    double size = isTiny ? 1.0 / 256 : isSmall && terms == Terms::Large ? 1 : terms == Terms::Large ? 1000 : 1;
    for (mlir::Type type : function.getArgumentTypes()) {
      auto tensor = HostTensor::create(type);
      ASSERT_TRUE(bool(tensor));
      for (int64_t at = 0; at < tensor->elementCount(); ++at)
        tensor->setFloat(at, numberAt(terms, at + 7919 * int64_t(arguments.size()), op, size));
      arguments.push_back(std::move(*tensor));
    }
    auto host = HostProgram::compile(
        **module, {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}});
    ASSERT_TRUE(bool(host)) << llvm::toString(host.takeError());
    auto onHost = (*host)->call("f", arguments);
    ASSERT_TRUE(bool(onHost)) << llvm::toString(onHost.takeError());
    expectExact("host", onHost->front(), arguments, depth, what);
    Device *device = testDevice();
    if (!device || isTiny) // no buffers of such
      return;
    for (const TargetOptions &options : {device->targetOptions(), plainOptions(*device)}) {
      auto compiled = compileDispatch(function, options);
      ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
      auto onDevice = runOn(*device, *compiled, function.getFunctionType(), arguments);
      ASSERT_TRUE(bool(onDevice)) << llvm::toString(onDevice.takeError());
      expectExact(device->info().id, onDevice->front(), arguments, depth, what);
    }
  }
};

TEST_P(Sums, AreExact) {
  for (int64_t depth : {64, 300, 4096, 5000}) {
    if (depth < 4096 && GetParam().type.starts_with("f8")) // few terms are denormal there
      continue;
    if (GetParam().op.name == "convolution")
      depth /= 4;
    check(depth, Terms::Ones, "ones");
    check(depth, Terms::Large, "large sums");
    check(depth, Terms::Cancelling, "cancelling sums");
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Op &op : ops())
    for (const char *type : {"f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"})
      all.push_back({op, type});
  return all;
}

INSTANTIATE_TEST_SUITE_P(, Sums, testing::ValuesIn(cases()),
                         [](const auto &info) { return info.param.op.name + "_" + info.param.type; });

} // namespace
