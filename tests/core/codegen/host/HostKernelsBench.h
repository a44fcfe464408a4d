// Kernels of the host against plain loops, on small whole numbers, of which sums in any order are the same.
#pragma once
#include "core/registration/Registration.h"
#include "core/run/reference/HostProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::test {

class HostKernelsBench : public testing::Test {
protected:
  Session session{allDialects()};

  std::vector<HostTensor> argumentsOf(mlir::ModuleOp module) {
    std::vector<HostTensor> arguments;
    auto function = *module.getOps<mlir::func::FuncOp>().begin();
    unsigned state = 1;
    for (mlir::Type type : function.getArgumentTypes()) {
      HostTensor tensor = valueOf(HostTensor::create(type));
      mlir::Type element = mlir::getElementTypeOrSelf(type);
      for (int64_t i = 0; i < tensor.elementCount(); ++i) {
        state = state * 1664525 + 1013904223;
        int64_t value = int64_t(state >> 24) % 7 - 3;
        if (element.isIntOrIndex())
          tensor.setInteger(i, element.isInteger(1) ? value & 1 : value);
        else
          tensor.setFloat(i, double(value));
      }
      arguments.push_back(std::move(tensor));
    }
    return arguments;
  }

  /// @f gives the same either way, and all of its structured ops are kernels.
  void expectSame(llvm::StringRef source, double tolerance = 0) {
    auto module = parse(session, source);
    ASSERT_TRUE(module) << source.str();
    auto plain = valueOf(HostProgram::compile(*module, {.compile = {.wideAccumulators = false}}));
    auto kernels = valueOf(HostProgram::compile(
        *module, {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
    ASSERT_TRUE(plain && kernels) << source.str();
    EXPECT_GT(kernels->kernels().kernels, 0u);
    EXPECT_EQ(kernels->kernels().plain, 0u) << source.str();
    std::vector<HostTensor> arguments = argumentsOf(*module);
    // Memory that nobody wrote is not zero.
    auto expected = valueOf(plain->call("f", arguments)),
         actual = valueOf(kernels->call("f", arguments, {.fill = uint8_t(0xff)}));
    ASSERT_EQ(actual.size(), expected.size()) << source.str();
    for (size_t result = 0; result < actual.size(); ++result) {
      bool whole = actual[result].elementType().isIntOrIndex();
      for (int64_t i = 0; i < actual[result].elementCount(); ++i) {
        double a = whole ? double(actual[result].integerAt(i)) : actual[result].floatAt(i);
        double e = whole ? double(expected[result].integerAt(i)) : expected[result].floatAt(i);
        ASSERT_NEAR(a, e, tolerance * std::max(1.0, std::abs(e)))
            << "element " << i << " of result " << result << " of " << source.str();
      }
    }
  }

  /// A sum of products with the maps of its operands.
  void expectSameContraction(llvm::StringRef kinds, llvm::StringRef maps, llvm::StringRef left, llvm::StringRef right,
                             llvm::StringRef result, llvm::StringRef element = "f32") {
    bool isFloat = element.starts_with("f") || element.starts_with("bf");
    expectSame(llvm::formatv(R"(
      func.func @f(%a: tensor<{2}x{5}>, %b: tensor<{3}x{5}>) -> tensor<{4}x{5}> {{
        %zero = arith.constant {6} : {5}
        %e = tensor.empty() : tensor<{4}x{5}>
        %i = linalg.fill ins(%zero : {5}) outs(%e : tensor<{4}x{5}>) -> tensor<{4}x{5}>
        %r = linalg.generic {{indexing_maps = [{1}], iterator_types = [{0}]}
            ins(%a, %b : tensor<{2}x{5}>, tensor<{3}x{5}>) outs(%i : tensor<{4}x{5}>) {{
        ^bb0(%x: {5}, %y: {5}, %o: {5}):
          %p = arith.{7} %x, %y : {5}
          %s = arith.{8} %o, %p : {5}
          linalg.yield %s : {5}
        } -> tensor<{4}x{5}>
        return %r : tensor<{4}x{5}>
      })",
                             kinds, maps, left, right, result, element, isFloat ? "0.0" : "0",
                             isFloat ? "mulf" : "muli", isFloat ? "addf" : "addi")
                   .str());
  }
  /// One op from `%x` of a type to another type; `body` computes %r of %a.
  void expectSameMap(llvm::StringRef from, llvm::StringRef to, llvm::StringRef mapIn, llvm::StringRef mapOut,
                     llvm::StringRef kinds, llvm::StringRef body, double tolerance = 0) {
    auto elementOf = [](llvm::StringRef type) {
      return type.rsplit('x').second.empty() ? type : type.rsplit('x').second;
    };
    expectSame(llvm::formatv(R"(
      func.func @f(%x: tensor<{0}>) -> tensor<{1}> {{
        %e = arith.constant dense<{7}> : tensor<{1}>
        %r = linalg.generic {{indexing_maps = [{2}, {3}], iterator_types = [{4}]} ins(%x : tensor<{0}>) outs(%e : tensor<{1}>) {{
        ^bb0(%a: {5}, %o: {6}):
          {8}
          linalg.yield %r : {6}
        } -> tensor<{1}>
        return %r : tensor<{1}>
      })",
                             from, to, mapIn, mapOut, kinds, elementOf(from), elementOf(to),
                             elementOf(to) == "i1"            ? "true"
                             : elementOf(to).starts_with("i") ? "2"
                                                              : "2.0",
                             body)
                   .str(),
               tolerance);
  }
};

} // namespace fuselage::test
