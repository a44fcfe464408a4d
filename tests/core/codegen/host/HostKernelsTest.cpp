// What becomes of one structured op, or of loops.
#include "core/codegen/host/kernels/LoopJoin.h"
#include "core/codegen/host/kernels/LoopPlan.h"
#include "tests/core/codegen/host/HostKernelsBench.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

class HostKernelsTest : public HostKernelsBench {};

constexpr llvm::StringLiteral kMatmul = R"("parallel", "parallel", "reduction")";

} // namespace

TEST_F(HostKernelsTest, MatmulsOfAnySize) {
  constexpr llvm::StringLiteral maps =
      "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>";
  expectSameContraction(kMatmul, maps, "64x96", "96x96", "64x96");
  expectSameContraction(kMatmul, maps, "37x53", "53x101", "37x101");
  expectSameContraction(kMatmul, maps, "1x70", "70x131", "1x131");
  expectSameContraction(kMatmul, maps, "50x1", "1x3", "50x3");
  expectSameContraction(kMatmul, maps, "129x33", "33x49", "129x49", "f64");
  expectSameContraction(kMatmul, maps, "19x33", "33x49", "19x49", "i32");
  expectSameContraction(kMatmul, maps, "19x33", "33x49", "19x49", "f16");
  expectSameContraction(kMatmul, maps, "19x21", "21x49", "19x49", "bf16");
  expectSameContraction(kMatmul, maps, "19x21", "21x49", "19x49", "i8");
}

TEST_F(HostKernelsTest, NarrowOperandsArePackedForWideAccumulators) {
  // A vector of the copy would have more elements than a block of it.
  for (auto [narrow, wide, widen, multiply, add] : {std::tuple{"i8", "i32", "extsi", "muli", "addi"},
                                                    {"f16", "f32", "extf", "mulf", "addf"},
                                                    {"bf16", "f32", "extf", "mulf", "addf"}})
    for (int64_t columns : {64, 101, 208})
      expectSame(llvm::formatv(R"(
        func.func @f(%a: tensor<37x64x{0}>, %b: tensor<{5}x64x{0}>, %i: tensor<37x{5}x{1}>) -> tensor<37x{5}x{1}> {{
          %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                                iterator_types = ["parallel", "parallel", "reduction"]}
              ins(%a, %b : tensor<37x64x{0}>, tensor<{5}x64x{0}>) outs(%i : tensor<37x{5}x{1}>) {{
          ^bb0(%x: {0}, %y: {0}, %o: {1}):
            %wx = arith.{2} %x : {0} to {1}
            %wy = arith.{2} %y : {0} to {1}
            %p = arith.{3} %wx, %wy : {1}
            %s = arith.{4} %o, %p : {1}
            linalg.yield %s : {1}
          } -> tensor<37x{5}x{1}>
          return %r : tensor<37x{5}x{1}>
        })",
                               narrow, wide, widen, multiply, add, columns)
                     .str());
}

TEST_F(HostKernelsTest, LargeOperandsAreCopiedIntoPlace) {
  // Rows of 4 KiB on the left, and more than the table of pages holds on the right.
  constexpr llvm::StringLiteral maps =
      "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>";
  expectSameContraction(kMatmul, maps, "37x1024", "1024x1030", "37x1030");
  expectSameContraction(kMatmul, maps, "259x512", "512x1540", "259x1540");
}

/// The large left operand would be packed along w, if a later one did not make vectors lie along s.
TEST_F(HostKernelsTest, NothingIsPackedForVectorsAlongAnotherLoop) {
  constexpr llvm::StringLiteral kinds = R"("parallel", "parallel", "reduction", "reduction")";
  expectSameContraction(kinds,
                        "affine_map<(p, w, r, s) -> (r, w)>, affine_map<(p, w, r, s) -> (p, w, s)>, "
                        "affine_map<(p, w, r, s) -> (p, w)>",
                        "768x1024", "256x1024x2", "256x1024");
  expectSameContraction(R"("parallel", "reduction", "reduction", "parallel")",
                        "affine_map<(p, r, s, w) -> (r, w)>, affine_map<(p, r, s, w) -> (p, w, s)>, "
                        "affine_map<(p, r, s, w) -> (p, w)>",
                        "768x1024", "256x1024x4", "256x1024");
}

TEST_F(HostKernelsTest, TransposedOperandsArePacked) {
  constexpr llvm::StringLiteral right =
      "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>";
  expectSameContraction(kMatmul, right, "64x96", "96x96", "64x96");
  expectSameContraction(kMatmul, right, "37x53", "101x53", "37x101");
  expectSameContraction(kMatmul, right, "2x53", "101x53", "2x101");
  expectSameContraction(kMatmul, right, "11x53", "101x53", "11x101");
  expectSameContraction(kMatmul, right, "7x1030", "301x1030", "7x301");
  expectSameContraction(kMatmul, right, "37x53", "101x53", "37x101", "i8");
  constexpr llvm::StringLiteral left =
      "affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>";
  expectSameContraction(kMatmul, left, "53x37", "53x101", "37x101");
  constexpr llvm::StringLiteral batch = "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, "
                                        "affine_map<(b, m, n, k) -> (b, m, n)>";
  expectSameContraction(R"("parallel", "parallel", "parallel", "reduction")", batch, "3x17x40", "3x35x40", "3x17x35");
  constexpr llvm::StringLiteral groups = "affine_map<(m, n, g, k) -> (m, g, k)>, affine_map<(m, n, g, k) -> (g, n, "
                                         "k)>, affine_map<(m, n, g, k) -> (n, m)>";
  expectSameContraction(R"("parallel", "parallel", "reduction", "reduction")", groups, "20x3x16", "3x35x16", "35x20");
}

TEST_F(HostKernelsTest, WindowsThatSlide) {
  constexpr llvm::StringLiteral kinds =
      R"("parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction")";
  expectSameContraction(kinds,
                        "affine_map<(n, h, w, o, p, q, c) -> (n, h * 2 + p, w * 2 + q, c)>, affine_map<(n, h, w, o, p, "
                        "q, c) -> (p, q, c, o)>, "
                        "affine_map<(n, h, w, o, p, q, c) -> (n, h, w, o)>",
                        "1x13x15x5", "3x3x5x20", "1x6x7x20");
  expectSameContraction(
      kinds,
      "affine_map<(n, o, h, w, c, p, q) -> (n, c, h + p, w + q)>, affine_map<(n, o, h, w, c, p, q) -> (o, c, p, q)>, "
      "affine_map<(n, o, h, w, c, p, q) -> (n, o, h, w)>",
      "2x5x9x11", "4x5x3x3", "2x4x7x9");
  expectSameContraction(
      kinds,
      "affine_map<(n, o, h, w, c, p, q) -> (n, c, h + p, w + q)>, affine_map<(n, o, h, w, c, p, q) -> (o, c, p, q)>, "
      "affine_map<(n, o, h, w, c, p, q) -> (n, o, h, w)>",
      "1x8x9x9", "32x8x3x3", "1x32x7x7");
}

TEST_F(HostKernelsTest, WindowsOfSmallImagesArePacked) {
  constexpr llvm::StringLiteral kinds =
      R"("parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction")";
  auto expectConvolution = [&](const char *strides, const char *image, const char *filter, const char *result,
                               llvm::StringRef element = "f32") {
    std::string maps =
        llvm::formatv(
            "affine_map<(n, o, h, w, c, p, q) -> (n, c, {0})>, affine_map<(n, o, h, w, c, p, q) -> (o, c, p, q)>, "
            "affine_map<(n, o, h, w, c, p, q) -> (n, o, h, w)>",
            strides)
            .str();
    expectSameContraction(kinds, maps, image, filter, result, element);
  };
  expectConvolution("h + p, w + q", "2x5x9x9", "65x5x3x3", "2x65x7x7");
  expectConvolution("h * 2 + p, w * 2 + q", "1x5x15x15", "66x5x3x3", "1x66x7x7");
  expectConvolution("h * 2 + p, w + q * 2", "1x5x15x11", "66x5x3x3", "1x66x7x7");
  expectConvolution("h + p * 2, w * 3 + q", "1x3x11x21", "64x3x3x3", "1x64x7x7");
  expectConvolution("h * 7 + p, w * 7 + q", "1x3x28x28", "64x3x7x7", "1x64x4x4");
  expectConvolution("h * 2 + p, w * 2 + q", "1x7x14x14", "64x7x1x1", "1x64x7x7");
  expectConvolution("h + p, w + q", "1x7x7x7", "64x7x1x1", "1x64x7x7");
  for (llvm::StringRef element : {"f64", "f16", "i8", "i32", "i4"})
    expectConvolution("h + p, w + q", "1x5x9x9", "64x5x3x3", "1x64x7x7", element);
}

TEST_F(HostKernelsTest, StridesAreShuffledFromWholeVectors) {
  auto expectGreatest = [&](int64_t step, int64_t width, llvm::StringRef element) {
    expectSame(llvm::formatv(R"(
      func.func @f(%x: tensor<1x3x15x{0}x{2}>, %w: tensor<3x3x{2}>, %e: tensor<1x3x7x{1}x{2}>) -> tensor<1x3x7x{1}x{2}> {{
        %r = linalg.pooling_nchw_max {{dilations = dense<1> : vector<2xi64>, strides = dense<[2, {3}]> : vector<2xi64>}
            ins(%x, %w : tensor<1x3x15x{0}x{2}>, tensor<3x3x{2}>) outs(%e : tensor<1x3x7x{1}x{2}>) -> tensor<1x3x7x{1}x{2}>
        return %r : tensor<1x3x7x{1}x{2}>
      })",
                             (width - 1) * step + 3, width, element, step)
                   .str());
  };
  // The image ends with the last window, and nothing after it may be read.
  for (int64_t step : {2, 3, 4, 5})
    for (int64_t width : {1, 2, 7, 16, 33, 56})
      expectGreatest(step, width, "f32");
  for (llvm::StringRef element : {"f64", "f16", "i8", "i32"})
    expectGreatest(2, 37, element);
}

TEST_F(HostKernelsTest, LoopsThatAreOneInMemoryAreJoined) {
  auto joined = [&](llvm::StringRef types, llvm::StringRef maps, llvm::StringRef kinds) {
    auto [in, out] = types.split(" to ");
    auto module = parse(session, llvm::formatv(R"(
      func.func @f(%a: memref<{0}>, %b: memref<{1}>) {{
        linalg.generic {{indexing_maps = [{2}], iterator_types = [{3}]} ins(%a : memref<{0}>) outs(%b : memref<{1}>) {{
        ^bb0(%x: f32, %o: f32):
          %s = arith.addf %x, %o : f32
          linalg.yield %s : f32
        }
        return
      })",
                                               in, out, maps, kinds)
                                     .str());
    llvm::SmallVector<int64_t> ranges;
    module->walk([&](mlir::linalg::LinalgOp op) {
      mlir::OpBuilder builder(op);
      auto kernel = *readLoopKernel(op);
      joinLoops(builder, kernel);
      ranges = kernel.ranges;
    });
    return ranges;
  };
  using Ranges = llvm::SmallVector<int64_t>;
  constexpr llvm::StringLiteral all = R"("parallel", "parallel", "parallel")",
                                sums = R"("parallel", "reduction", "reduction")";
  constexpr llvm::StringLiteral same = "affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>";
  EXPECT_EQ(joined("2x3x5xf32 to 2x3x5xf32", same, all), Ranges({30}));
  EXPECT_EQ(joined("1x1x1xf32 to 1x1x1xf32", same, all), Ranges({1}));
  EXPECT_EQ(joined("2x1x5xf32 to 2x1x5xf32", same, all), Ranges({10}));
  // Rows that lie apart stay apart.
  EXPECT_EQ(joined("2x3x5xf32, strided<[24, 8, 1]> to 2x3x5xf32", same, all), Ranges({6, 5}));
  EXPECT_EQ(joined("2x3x5xf32, strided<[30, 5, 1], offset: ?> to 2x3x5xf32", same, all), Ranges({2, 15}));
  EXPECT_EQ(
      joined("2x3x5xf32 to 5x2x3xf32", "affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k, i, j)>", all),
      Ranges({6, 5}));
  EXPECT_EQ(joined("2x3x5xf32 to 2xf32", "affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>", sums),
            Ranges({2, 15}));
  EXPECT_EQ(joined("2x3x5xf32 to 5xf32", "affine_map<(k, j, i) -> (i, j, k)>, affine_map<(k, j, i) -> (k)>", sums),
            Ranges({5, 3, 2}))
      << "sums keep their order";
}

TEST_F(HostKernelsTest, ReductionsAlongEitherDimension) {
  constexpr llvm::StringLiteral id = "affine_map<(i, j) -> (i, j)>", turned = "affine_map<(i, j) -> (j, i)>",
                                row = "affine_map<(i, j) -> (i)>";
  constexpr llvm::StringLiteral kinds = R"("parallel", "reduction")";
  for (llvm::StringRef size : {"13x77", "5x3", "3x1024"}) {
    auto [rows, columns] = size.split('x');
    for (llvm::StringRef element : {"f32", "f64", "f16", "i32", "i64"}) {
      std::string add =
          (element.starts_with("i") ? "%r = arith.addi %a, %o : " : "%r = arith.addf %a, %o : ") + element.str();
      expectSameMap((size + "x" + element).str(), (rows + "x" + element).str(), id, row, kinds, add);
      expectSameMap((size + "x" + element).str(), (columns + "x" + element).str(), turned, row, kinds, add);
    }
    expectSameMap((size + "xf32").str(), (rows + "xf32").str(), id, row, kinds, "%r = arith.maximumf %o, %a : f32");
    expectSameMap((size + "xi32").str(), (rows + "xi32").str(), id, row, kinds, "%r = arith.minsi %o, %a : i32");
    expectSameMap((size + "xf32").str(), "f32", id, "affine_map<(i, j) -> ()>", R"("reduction", "reduction")",
                  "%r = arith.addf %o, %a : f32");
    // No single op folds this one: it goes in order.
    expectSameMap((size + "xf32").str(), (rows + "xf32").str(), id, row, kinds,
                  "%c = arith.cmpf ogt, %a, %o : f32\n %n = arith.negf %o : f32\n %r = arith.select %c, %a, %n : f32");
  }
}

TEST_F(HostKernelsTest, TheGreatestAndItsPlace) {
  expectSame(R"(
    func.func @f(%x: tensor<9x70xf32>) -> (tensor<9xf32>, tensor<9xi64>) {
      %low = arith.constant -100.0 : f32
      %none = arith.constant 0 : i64
      %e0 = tensor.empty() : tensor<9xf32>
      %e1 = tensor.empty() : tensor<9xi64>
      %i0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<9xf32>) -> tensor<9xf32>
      %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<9xi64>) -> tensor<9xi64>
      %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                             iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<9x70xf32>) outs(%i0, %i1 : tensor<9xf32>, tensor<9xi64>) {
      ^bb0(%a: f32, %m: f32, %at: i64):
        %j = linalg.index 1 : index
        %here = arith.index_cast %j : index to i64
        %c = arith.cmpf ogt, %a, %m : f32
        %v = arith.select %c, %a, %m : f32
        %p = arith.select %c, %here, %at : i64
        linalg.yield %v, %p : f32, i64
      } -> (tensor<9xf32>, tensor<9xi64>)
      return %r#0, %r#1 : tensor<9xf32>, tensor<9xi64>
    })");
}

TEST_F(HostKernelsTest, TransposesBroadcastsAndTypes) {
  constexpr llvm::StringLiteral id = "affine_map<(i, j) -> (i, j)>", turned = "affine_map<(i, j) -> (j, i)>";
  constexpr llvm::StringLiteral kinds = R"("parallel", "parallel")";
  for (llvm::StringRef element : {"f32", "f64", "f16", "i8", "i1", "i4", "i64"}) {
    expectSameMap(("70x50x" + element).str(), ("50x70x" + element).str(), turned, id, kinds,
                  element.starts_with("i") ? ("%r = arith.addi %a, %a : " + element).str()
                                           : ("%r = arith.addf %a, %a : " + element).str());
  }
  expectSameMap("70x3xf32", "3x70xf32", turned, id, kinds, "%r = arith.negf %a : f32");
  expectSameMap("50xf32", "70x50xf32", "affine_map<(i, j) -> (j)>", id, kinds, "%r = arith.addf %a, %o : f32");
  expectSameMap("70xf32", "70x50xf32", "affine_map<(i, j) -> (i)>", id, kinds, "%r = arith.addf %a, %o : f32");
  expectSameMap("70x25xf32", "70x50xf32", "affine_map<(i, j) -> (i, j floordiv 2)>", id, kinds,
                "%r = arith.addf %a, %o : f32");
  expectSameMap("35x50xf32", "70x50xf32", "affine_map<(i, j) -> (i floordiv 2, j)>", id, kinds,
                "%r = arith.addf %a, %o : f32");
  expectSameMap("50xi24", "50xi24", "affine_map<(i) -> (i)>", "affine_map<(i) -> (i)>", R"("parallel")",
                "%r = arith.addi %a, %o : i24");
  expectSameMap("70x50xi4", "70x50xf32", id, id, kinds,
                "%w = arith.extsi %a : i4 to i32\n %r = arith.sitofp %w : i32 to f32");
  expectSameMap("70x50xf32", "70x50xi1", id, id, kinds,
                "%z = arith.constant 0.0 : f32\n %r = arith.cmpf ogt, %a, %z : f32");
  expectSameMap("70x50xbf16", "70x50xbf16", id, id, kinds,
                "%s = arith.mulf %a, %a : bf16\n %r = arith.addf %s, %o : bf16");
  expectSameMap("33xi32", "33xi32", "affine_map<(i) -> (i)>", "affine_map<(i) -> (i)>", R"("parallel")",
                "%n = linalg.index 0 : index\n %c = arith.index_cast %n : index to i32\n %t = arith.constant 3 : i32\n"
                "%d = arith.divsi %c, %t : i32\n %r = arith.addi %a, %d : i32");
}

TEST_F(HostKernelsTest, MathStaysClose) {
  constexpr llvm::StringLiteral id = "affine_map<(i, j) -> (i, j)>";
  for (llvm::StringRef op :
       {"exp", "tanh", "erf", "sqrt", "rsqrt", "floor", "ceil", "log1p", "expm1", "sin", "cos", "exp2", "log"})
    expectSameMap("13x77xf32", "13x77xf32", id, id, R"("parallel", "parallel")",
                  ("%c = arith.constant 0.37 : f32\n%m = math.absf %a : f32\n%p = arith.addf %m, %c : f32\n%r = math." +
                   op + " %p : f32")
                      .str(),
                  1e-6);
  expectSameMap("13x77xf64", "13x77xf64", id, id, R"("parallel", "parallel")", "%r = math.exp %a : f64", 1e-15);
}

TEST_F(HostKernelsTest, RowsOfATable) {
  expectSame(R"(
    func.func @f(%table: tensor<10x40xf32>, %rows: tensor<6xi64>) -> tensor<6x40xf32> {
      %e = tensor.empty() : tensor<6x40xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%rows : tensor<6xi64>) outs(%e : tensor<6x40xf32>) {
      ^bb0(%row: i64, %o: f32):
        %three = arith.constant 3 : i64
        %up = arith.addi %row, %three : i64
        %i = arith.index_cast %up : i64 to index
        %j = linalg.index 1 : index
        %v = tensor.extract %table[%i, %j] : tensor<10x40xf32>
        linalg.yield %v : f32
      } -> tensor<6x40xf32>
      return %r : tensor<6x40xf32>
    })");
}

TEST_F(HostKernelsTest, LoopsThatRunBesideEachOtherAreTasks) {
  expectSame(R"(
    func.func @f(%a: tensor<48x40xf32>, %b: tensor<40x64xf32>) -> tensor<48x64xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<48x64xf32>
      %r = scf.forall (%i, %j) = (0, 0) to (48, 64) step (8, 32) shared_outs(%o = %e) -> (tensor<48x64xf32>) {
        %x = tensor.extract_slice %a[%i, 0] [8, 40] [1, 1] : tensor<48x40xf32> to tensor<8x40xf32>
        %y = tensor.extract_slice %b[0, %j] [40, 32] [1, 1] : tensor<40x64xf32> to tensor<40x32xf32>
        %t = tensor.empty() : tensor<8x32xf32>
        %z = linalg.fill ins(%zero : f32) outs(%t : tensor<8x32xf32>) -> tensor<8x32xf32>
        %m = linalg.matmul ins(%x, %y : tensor<8x40xf32>, tensor<40x32xf32>) outs(%z : tensor<8x32xf32>) -> tensor<8x32xf32>
        %u = tensor.empty() : tensor<8x32xf32>
        %n = linalg.negf ins(%m : tensor<8x32xf32>) outs(%u : tensor<8x32xf32>) -> tensor<8x32xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %n into %o[%i, %j] [8, 32] [1, 1] : tensor<8x32xf32> into tensor<48x64xf32>
        }
      }
      return %r : tensor<48x64xf32>
    })");
}

TEST_F(HostKernelsTest, ATaskThatStopsEndsTheCall) {
  auto module = parse(session, R"(
    func.func @f(%a: tensor<64xi32>) -> tensor<64xi32> {
      %e = tensor.empty() : tensor<64xi32>
      %r = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xi32>) {
        %x = tensor.extract %a[%i] : tensor<64xi32>
        %low = arith.constant -3 : i32
        %ok = arith.cmpi ne, %x, %low : i32
        cf.assert %ok, "there is a -3"
        %t = tensor.from_elements %x : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      }
      return %r : tensor<64xi32>
    })");
  ASSERT_TRUE(module);
  auto program = valueOf(HostProgram::compile(*module, {.compile = {.threads = HostThreading::Kernels}}));
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->usesThreads());
  std::vector<HostTensor> arguments = argumentsOf(*module);
  EXPECT_NE(errorOf(program->call("f", arguments)).find("there is a -3"), std::string::npos);
  for (int64_t i = 0; i < 64; ++i)
    arguments[0].setInteger(i, i);
  auto results = valueOf(program->call("f", arguments));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].integerAt(63), 63);
}

TEST_F(HostKernelsTest, LargeWeightsOfFewRowsAreReadOnceAsTheyAre) {
  auto planOf = [&](unsigned rows) {
    auto module = parse(session, llvm::formatv(R"(
      func.func @f(%a: memref<{0}x2048xf32>, %b: memref<4096x2048xf32>, %c: memref<{0}x4096xf32>) {{
        linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
            ins(%a, %b : memref<{0}x2048xf32>, memref<4096x2048xf32>) outs(%c : memref<{0}x4096xf32>)
        return
      })",
                                               rows)
                                     .str());
    std::optional<LoopPlan> plan;
    module->walk([&](mlir::linalg::LinalgOp op) {
      plan = planLoops(*readLoopKernel(op), {.threads = 2, .vectorBytes = 64, .vectorRegisters = 32});
    });
    return plan.value_or(LoopPlan());
  };
  LoopPlan few = planOf(4), many = planOf(64);
  EXPECT_TRUE(few.alongReduction);
  EXPECT_TRUE(few.toPack.empty());
  EXPECT_EQ(few.rowLoop, 0u) << "the rows of a tile share what is read of the weights";
  EXPECT_EQ(few.rows, 4);
  EXPECT_FALSE(many.alongReduction);
  EXPECT_EQ(many.toPack.size(), 1u);
}

TEST_F(HostKernelsTest, TilesThatSomebodyAsksForAreTaken) {
  auto planOf = [&](llvm::StringRef asked) {
    auto module = parse(session, llvm::formatv(R"(
      func.func @f(%a: memref<64x48xf32>, %b: memref<48x96xf32>, %c: memref<64x96xf32>) {{
        linalg.matmul {0} ins(%a, %b : memref<64x48xf32>, memref<48x96xf32>) outs(%c : memref<64x96xf32>)
        return
      })",
                                               asked)
                                     .str());
    std::optional<LoopPlan> plan;
    module->walk([&](mlir::linalg::LinalgOp op) {
      plan = planLoops(*readLoopKernel(op), {.threads = 2, .vectorBytes = 32, .vectorRegisters = 16});
    });
    return plan.value_or(LoopPlan());
  };
  LoopPlan asked = planOf("{fuselage.tiling = {host = array<i64: 3, 2, 7>}}");
  EXPECT_EQ(asked.rows, 3);
  EXPECT_EQ(asked.vectors, 2);
  EXPECT_EQ(asked.rowBlock, 6);
  // More than there are registers.
  LoopPlan own = planOf(""), tooLarge = planOf("{fuselage.tiling = {host = array<i64: 8, 2, 8>}}");
  EXPECT_EQ(tooLarge.rows, own.rows);
  EXPECT_EQ(tooLarge.vectors, own.vectors);
  for (const char *tile : {"1, 1, 1", "3, 1, 7", "5, 2, 64"})
    expectSame(llvm::formatv(R"(
      func.func @f(%a: tensor<37x48xf32>, %b: tensor<48x50xf32>, %c: tensor<37x50xf32>) -> tensor<37x50xf32> {{
        %r = linalg.matmul {{fuselage.tiling = {{host = array<i64: {0}>}}
            ins(%a, %b : tensor<37x48xf32>, tensor<48x50xf32>) outs(%c : tensor<37x50xf32>) -> tensor<37x50xf32>
        return %r : tensor<37x50xf32>
      })",
                             tile)
                   .str());
}

TEST_F(HostKernelsTest, TasksThatSomebodyAsksForAreTaken) {
  for (const char *tile : {"0, 1, 1, 1", "0, 3, 7, 33", "0, 8, 5, 200", "0, 0, 64, 64"}) {
    std::string negate = llvm::formatv(R"(
      func.func @f(%a: tensor<37x150xf32>, %e: tensor<37x150xf32>) -> tensor<37x150xf32> {{
        %r = linalg.negf {{fuselage.tiling = {{host = array<i64: {0}>}} ins(%a : tensor<37x150xf32>) outs(%e : tensor<37x150xf32>) -> tensor<37x150xf32>
        return %r : tensor<37x150xf32>
      })",
                                       tile)
                             .str();
    expectSame(negate);
    expectSame(llvm::formatv(R"(
      func.func @f(%a: tensor<37x150xf32>, %e: tensor<150x37xf32>) -> tensor<150x37xf32> {{
        %r = linalg.transpose ins(%a : tensor<37x150xf32>) outs(%e : tensor<150x37xf32>) permutation = [1, 0]
            {{fuselage.tiling = {{host = array<i64: {0}>}}
        return %r : tensor<150x37xf32>
      })",
                             tile)
                   .str());
  }
  auto module = parse(session, R"(
    func.func @f(%a: memref<37x150xf32>, %b: memref<37x150xf32>) {
      linalg.negf {fuselage.tiling = {host = array<i64: 0, 3, 7, 33>}} ins(%a : memref<37x150xf32>) outs(%b : memref<37x150xf32>)
      return
    })");
  module->walk([&](mlir::linalg::LinalgOp op) {
    auto plan = planLoops(*readLoopKernel(op), {.threads = 2, .vectorBytes = 32, .vectorRegisters = 16});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->vectors, 3);
    EXPECT_EQ(plan->vectorBlock, 48) << "whole tiles of three vectors of eight";
    EXPECT_EQ(plan->rowBlock, 7);
  });
}
