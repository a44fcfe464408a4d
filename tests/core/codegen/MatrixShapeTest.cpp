// The fragments of matrix instructions, against the tables of the PTX ISA and a model of what the instructions do.
#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "mlir/IR/Builders.h"
#include <gtest/gtest.h>
#include <vector>

using namespace fuselage;

namespace {

struct At {
  int64_t row, column;
  bool operator==(const At &other) const { return row == other.row && column == other.column; }
};
std::ostream &operator<<(std::ostream &os, const At &at) { return os << at.row << ", " << at.column; }

At placeOf(const FragmentElement &element, int64_t lane) {
  int64_t group = lane / 4, member = lane % 4;
  return {element.byGroupRow * group + element.byMemberRow * member + element.row,
          element.byGroupColumn * group + element.byMemberColumn * member + element.column};
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", multiplicand A: element i of 8.
At leftOfM16n8k16(int64_t lane, int64_t i) {
  int64_t groupID = lane >> 2, threadIDInGroup = lane % 4;
  bool isUpper = (i >= 0 && i < 2) || (i >= 4 && i < 6);
  return {isUpper ? groupID : groupID + 8, threadIDInGroup * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
/// Multiplicand B: element i of 4.
At rightOfM16n8k16(int64_t lane, int64_t i) { return {(lane % 4) * 2 + (i & 1) + (i >= 2 ? 8 : 0), lane >> 2}; }
/// Accumulators of all shapes m16n8: element i of 4.
At resultOfM16n8(int64_t lane, int64_t i) { return {i < 2 ? lane >> 2 : (lane >> 2) + 8, (lane % 4) * 2 + (i & 1)}; }

/// "Matrix Fragments for mma.m16n8k32" of integers: A has 16 elements, B 8.
At leftOfM16n8k32(int64_t lane, int64_t i) {
  bool isUpper = (i >= 0 && i < 4) || (i >= 8 && i < 12);
  return {isUpper ? lane >> 2 : (lane >> 2) + 8, (lane % 4) * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}
At rightOfM16n8k32(int64_t lane, int64_t i) { return {(lane % 4) * 4 + (i & 3) + (i >= 4 ? 16 : 0), lane >> 2}; }

/// "Matrix Fragments for mma.m16n8k8" of tf32: A has 4 elements, B 2.
At leftOfM16n8k8(int64_t lane, int64_t i) {
  return {i == 0 || i == 2 ? lane >> 2 : (lane >> 2) + 8, i < 2 ? lane % 4 : lane % 4 + 4};
}
At rightOfM16n8k8(int64_t lane, int64_t i) { return {i == 0 ? lane % 4 : lane % 4 + 4, lane >> 2}; }

class MatrixShapeTest : public testing::Test {
protected:
  MatrixShape shape(llvm::StringRef text) {
    auto read = readMatrixShape(&context, text);
    EXPECT_TRUE(read.has_value()) << text.str();
    return read.value_or(MatrixShape{});
  }
  void expectFragments(const MatrixShape &shape, At (*left)(int64_t, int64_t), At (*right)(int64_t, int64_t)) {
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < 4 * shape.perRegister(); ++i)
        EXPECT_EQ(placeOf(leftElement(shape, i / shape.perRegister(), i % shape.perRegister()), lane), left(lane, i))
            << lane << ": a" << i;
      for (int64_t i = 0; i < 2 * shape.perRegister(); ++i)
        EXPECT_EQ(placeOf(rightElement(shape, i / shape.perRegister(), i % shape.perRegister()), lane), right(lane, i))
            << lane << ": b" << i;
      for (int64_t i = 0; i < 4; ++i)
        EXPECT_EQ(placeOf(resultElement(i / 2, i % 2), lane), resultOfM16n8(lane, i)) << lane << ": c" << i;
    }
  }
  /// PTX ISA, ldmatrix: lane 8 i + r gives row r of matrix i, of 16 bytes; lane T gets register i of elements of row T
  /// / 4 from T % 4 registers on. With .trans of 16-bit elements, it gets those of column T / 4 from row 2 (T % 4) on.
  void expectReads(const MatrixShape &shape, bool isLeft) {
    for (int64_t matrix = 0; matrix < 4; ++matrix) {
      MatrixBlock block = isLeft ? leftBlock(matrix) : rightBlock(matrix);
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t i = 0; i < shape.perRegister(); ++i) {
          // Stored with the depth innermost.
          At stored{8 * block.outer + lane / 4, shape.perRow() * block.k + (lane % 4) * shape.perRegister() + i};
          At plain = isLeft ? stored : At{stored.column, stored.row};
          EXPECT_EQ(placeOf(isLeft ? leftElement(shape, matrix, i) : rightElement(shape, matrix, i), lane), plain)
              << lane << ", " << matrix;
          if (shape.operandBits() != 16)
            continue;
          // Stored with the depth outermost, and transposed on the way.
          At other{shape.perRow() * block.k + 2 * (lane % 4) + i, 8 * block.outer + lane / 4};
          At transposed = isLeft ? At{other.column, other.row} : other;
          EXPECT_EQ(placeOf(isLeft ? leftElement(shape, matrix, i) : rightElement(shape, matrix, i), lane), transposed);
        }
    }
  }
  mlir::MLIRContext context;
};

} // namespace

TEST_F(MatrixShapeTest, FragmentsAreThoseOfThePtxIsa) {
  expectFragments(shape("m16n8k16 f16"), leftOfM16n8k16, rightOfM16n8k16);
  expectFragments(shape("m16n8k16_bf16"), leftOfM16n8k16, rightOfM16n8k16);
  expectFragments(shape("m16n8k32 s8"), leftOfM16n8k32, rightOfM16n8k32);
  expectFragments(shape("m16n8k8 tf32"), leftOfM16n8k8, rightOfM16n8k8);
}

TEST_F(MatrixShapeTest, LdmatrixGivesEachLaneItsFragment) {
  for (const char *text : {"m16n8k16 f16", "m16n8k32 s8", "m16n8k8 tf32"})
    for (bool isLeft : {true, false})
      expectReads(shape(text), isLeft);
}

/// All products of a 16 x k by a k x 8 matrix, as the instruction adds them up over the lanes' fragments.
TEST_F(MatrixShapeTest, FragmentsCoverTheMatricesOnce) {
  for (const char *text : {"m16n8k16 f16", "m16n8k32 s8", "m16n8k8 tf32"}) {
    MatrixShape shape = this->shape(text);
    std::vector<int> left(16 * shape.k), right(shape.k * 8), result(16 * 8);
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < 4 * shape.perRegister(); ++i) {
        At at = placeOf(leftElement(shape, i / shape.perRegister(), i % shape.perRegister()), lane);
        ++left.at(at.row * shape.k + at.column);
      }
      for (int64_t i = 0; i < 2 * shape.perRegister(); ++i) {
        At at = placeOf(rightElement(shape, i / shape.perRegister(), i % shape.perRegister()), lane);
        ++right.at(at.row * 8 + at.column);
      }
      for (int64_t i = 0; i < 4; ++i) {
        At at = placeOf(resultElement(i / 2, i % 2), lane);
        ++result.at(at.row * 8 + at.column);
      }
    }
    for (const std::vector<int> &matrix : {left, right, result})
      EXPECT_EQ(std::vector<int>(matrix.size(), 1), matrix) << text;
  }
}

TEST_F(MatrixShapeTest, CooperativeMatricesHaveAnySizes) {
  auto shape = readCooperativeShape(&context, "m16n16k16 f16", 64);
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->sizes(), (std::array<int64_t, 3>{16, 16, 16}));
  EXPECT_EQ(shape->subgroup, 64);
  EXPECT_TRUE(shape->isOpaque);
  EXPECT_TRUE(shape->operand.isF16());
  EXPECT_EQ(readCooperativeShape(&context, "m8n16k32_f16", 32)->sizes(), (std::array<int64_t, 3>{8, 16, 32}));
  for (const char *text : {"", "m16n16k16", "m16n16k16 bf16", "m16n16k16 s8", "n16m16k16 f16", "m0n16k16 f16",
                           "m16n16k16 f16 f16", "m128n16k16 f16"})
    EXPECT_FALSE(readCooperativeShape(&context, text, 32).has_value()) << text;
  // A result that the subgroup's threads cannot share evenly.
  EXPECT_FALSE(readCooperativeShape(&context, "m4n4k16 f16", 32).has_value());
  EXPECT_FALSE(readCooperativeShape(&context, "m16n16k16 f16", 0).has_value());
}

TEST_F(MatrixShapeTest, OtherShapesAreNotUsed) {
  for (const char *text : {"", "m16n8k16", "m16n16k16 f16", "m16n8k8 f16", "m8n8k4 f64", "m16n8k16 f8", "f16 m16n8k16"})
    EXPECT_FALSE(readMatrixShape(&context, text).has_value()) << text;
}
