// Asynchronous copies, ldmatrix and mma.sync against the product in plain loops.
#include "core/emulator/Emulator.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::emulator;

namespace {

/// One warp multiplies 16x16 by 16x8; `wait` and `barrier` stand between copies and reads.
std::string multiplication(const std::string &wait, const std::string &barrier) {
  return R"(
func.func @multiply(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
      workgroup(%wa: memref<16x16xf16, 3>, %wb: memref<16x8xf16, 3>) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    // 8 elements a thread of the left operand, and of the right one for half of them.
    %row = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %column = arith.muli %half, %c8 : index
    %copy0 = nvgpu.device_async_copy %a[%row, %column], %wa[%row, %column], 8 : memref<16x16xf16> to memref<16x16xf16, 3>
    %first = arith.cmpi ult, %t, %c16 : index
    scf.if %first {
      %copy1 = nvgpu.device_async_copy %b[%t, %c0], %wb[%t, %c0], 8 : memref<16x8xf16> to memref<16x8xf16, 3>
    }
    %group = nvgpu.device_async_create_group %copy0
    )" + wait +
         "\n    " + barrier + R"(
    // Thread 8 * tile + row names a row: tiles are the quarters of the left operand, down first.
    %r = arith.remui %t, %c16 : index
    %q = arith.divui %t, %c16 : index
    %s = arith.muli %q, %c8 : index
    %fa = nvgpu.ldmatrix %wa[%r, %s] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
    %fb = nvgpu.ldmatrix %wb[%r, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xf16, 3> -> vector<2x2xf16>
    %d = nvgpu.mma.sync (%fa, %fb, %zero) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %group_id = arith.divui %t, %c4 : index
    %in_group = arith.remui %t, %c4 : index
    %n = arith.muli %in_group, %c2 : index
    %below = arith.addi %group_id, %c8 : index
    %upper = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    %lower = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %upper, %c[%group_id, %n] : memref<16x8xf32>, vector<2xf32>
    vector.store %lower, %c[%below, %n] : memref<16x8xf32>, vector<2xf32>
    gpu.terminator
  }
  return
})";
}

/// The bits of a whole number in f16; up to 1024 in size.
uint16_t half(int number) {
  if (number == 0)
    return 0;
  int exponent = std::ilogb(double(std::abs(number)));
  return uint16_t((number < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | (std::abs(number) << (10 - exponent) & 1023));
}

struct Product {
  uint16_t a[16][16], b[16][8];
  float c[16][8] = {};
  Emulation emulation;

  explicit Product(const std::string &text) {
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 16; ++column) {
        a[row][column] = half(left(row, column));
        b[row][column % 8] = half(right(row, column % 8));
      }
    Session session(allDialects());
    auto module = llvm::cantFail(session.parse(text, "warp.mlir"));
    std::vector<EmulatedArgument> arguments{{"a", reinterpret_cast<uint8_t *>(a), sizeof(a)},
                                            {"b", reinterpret_cast<uint8_t *>(b), sizeof(b)},
                                            {"c", reinterpret_cast<uint8_t *>(c), sizeof(c), false}};
    auto done = emulate(*module->getOps<mlir::func::FuncOp>().begin(), arguments, {});
    if (done)
      emulation = std::move(*done);
    else
      ADD_FAILURE() << takeFailure(done.takeError()).message;
  }
  static int left(int row, int column) { return row * 7 % 13 - column * 5 % 11; }
  static int right(int row, int column) { return row * 3 % 17 - column * 11 % 7; }
  bool isRight() const {
    bool isRight = true;
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 8; ++column) {
        int sum = 0;
        for (int k = 0; k < 16; ++k)
          sum += left(row, k) * right(k, column);
        isRight &= c[row][column] == float(sum);
      }
    return isRight;
  }
  unsigned count(FindingKind kind) const {
    return llvm::count_if(emulation.findings, [&](const Finding &finding) { return finding.kind == kind; });
  }
};

constexpr const char *waits = "nvgpu.device_async_wait %group", *barrier = "gpu.barrier";

} // namespace

TEST(Warps, MultiplyWhatWasCopied) {
  Product product(multiplication(waits, barrier));
  EXPECT_TRUE(product.isRight());
  EXPECT_TRUE(product.emulation.findings.empty());
  EXPECT_TRUE(product.emulation.isWhole);
  EXPECT_EQ(product.emulation.barriers, 1u);
}

TEST(Warps, CopiesThatNobodyWaitedForAreNotThere) {
  Product product(multiplication("", barrier));
  EXPECT_FALSE(product.isRight());
  EXPECT_EQ(product.count(FindingKind::PendingCopy), 2u);
  // A group may stay under way.
  Product other(multiplication("nvgpu.device_async_wait %group {numGroups = 1 : i32}", barrier));
  EXPECT_EQ(other.count(FindingKind::PendingCopy), 2u);
}

TEST(Warps, WhatOthersHaveWaitedForNeedsABarrier) {
  Product product(multiplication(waits, ""));
  EXPECT_EQ(product.count(FindingKind::ReadWrite), 2u);
  Product before(multiplication(barrier, waits));
  EXPECT_EQ(before.count(FindingKind::ReadWrite), 2u) << "the barrier is in front of the wait";
}

TEST(Warps, MatricesNeedAllThreads) {
  std::string text = multiplication(waits, barrier);
  size_t at = text.find("%fa = ");
  text.insert(at, "%few = arith.cmpi ult, %t, %c8 : index\n    scf.if %few {\n      %f = nvgpu.ldmatrix %wa[%t, %c0] "
                  "{numTiles = 1 : i32, "
                  "transpose = false} : memref<16x16xf16, 3> -> vector<1x2xf16>\n    }\n    ");
  EXPECT_EQ(Product(text).count(FindingKind::InactiveLane), 1u);
}

TEST(Warps, RowsOfMatricesAreAligned) {
  std::string text = multiplication(waits, barrier);
  size_t at = text.find("%fa = ");
  text.insert(at, "%f = nvgpu.ldmatrix %wa[%t, %c4] {numTiles = 1 : i32, transpose = false} : memref<16x16xf16, 3> -> "
                  "vector<1x2xf16>\n    ");
  EXPECT_EQ(Product(text).count(FindingKind::Misaligned), 1u);
}
