// Which chains of products are computed with whole rows in registers, and how threads share the rows.
#include "core/transforms/gpu/distribution/RowPlan.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace mlir;

namespace {

//===-- How threads share rows ----------------------------------------------------------------===//

TEST(RowLayout, LeastWorkgroupMemoryForEachMultiplication) {
  std::optional<RowLayout> layout = pickRowLayout(64, {64, 32});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->rows, 8);
  EXPECT_EQ(layout->members, 8);
  EXPECT_EQ(layout->rowsOfSubgroup(), 32);
  EXPECT_EQ(layout->threadsFor(64), 64);
  EXPECT_EQ(costOfProduct(*layout, 64), 1);
  EXPECT_EQ(costOfProduct(*layout, 32), 1.5);
}

TEST(RowLayout, AreNoneWhereNothingDivides) {
  EXPECT_FALSE(pickRowLayout(60, {64})) << "no number of rows of a subgroup divides 60";
  EXPECT_FALSE(pickRowLayout(64, {64, 36})) << "no number of columns of neighbouring threads divides 36";
  EXPECT_FALSE(pickRowLayout(64, {1024})) << "more results than a thread has registers for";
}

TEST(RowLayout, FitWhateverTheSizes) {
  unsigned found = 0;
  for (int64_t rows = 8; rows <= 256; rows += 8)
    for (int64_t first = 8; first <= 256; first += 8)
      for (int64_t second : {16, 32, 64, 96, 128, 256}) {
        std::optional<RowLayout> layout = pickRowLayout(rows, {first, second});
        if (!layout)
          continue;
        ++found;
        EXPECT_TRUE(layout->divides(rows, first) && layout->divides(rows, second)) << rows << ", " << first;
        EXPECT_LE(layout->threadsFor(rows), 256);
        EXPECT_LE(layout->rows * (layout->columnsOfThread(first) + layout->columnsOfThread(second)), 128);
        EXPECT_EQ(layout->threadsFor(rows) * layout->rows / layout->members, rows);
      }
  EXPECT_GT(found, 300u);
}

//===-- Plans ---------------------------------------------------------------------------------===//

constexpr bool multipliesRows = true, noRows = false; // the last argument of planRows

/// A function on tiles of a workgroup; {0}: the body.
std::string kernel(const std::string &body) {
  return R"(
func.func @kernel(%q: memref<64x32xf32>, %k: memref<32x64xf32>, %v: memref<64x32xf32>, %w: memref<64x64xf32>,
                  %out: memref<64x32xf32>, %wide: memref<100x32xf32>, %i: index, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
)" + body +
         "  return\n}\n";
}

const std::string scores = R"(  %s = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul ins(%q, %k : memref<64x32xf32>, memref<32x64xf32>) outs(%s : memref<64x64xf32>)
)";
const std::string cleared = R"(  %o = memref.alloc() : memref<64x32xf32>
  linalg.fill ins(%zero : f32) outs(%o : memref<64x32xf32>)
)";
const std::string results =
    R"(  linalg.matmul ins(%s, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%o : memref<64x32xf32>)
)";
const std::string stored = R"(  linalg.copy ins(%o : memref<64x32xf32>) outs(%out : memref<64x32xf32>)
)";
const std::string maxima = R"(  %m = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<64xf32>)
  linalg.reduce ins(%s : memref<64x64xf32>) outs(%m : memref<64xf32>) dimensions = [1] (%a: f32, %b: f32) {
    %most = arith.maximumf %a, %b : f32
    linalg.yield %most : f32
  }
)";

class RowPlanTest : public testing::Test {
protected:
  std::optional<RowPlan> plan(const std::string &text, bool rows = multipliesRows, int64_t maxThreads = 1024,
                              llvm::ArrayRef<MatrixShape> shapes = {}) {
    auto parsed = session.parse(text, "kernel.mlir");
    if (!parsed) {
      ADD_FAILURE() << takeFailure(parsed.takeError()).message << text;
      return std::nullopt;
    }
    module = std::move(*parsed);
    return planRows(function(), shapes, maxThreads, rows);
  }
  func::FuncOp function() { return *module->getOps<func::FuncOp>().begin(); }
  template <class Op> Op first() {
    Op found;
    module->walk([&](Op op) { found = found ? found : op; });
    EXPECT_TRUE(found);
    return found;
  }
  unsigned count(const RowPlan &plan, RowOp::Kind kind) {
    return llvm::count_if(plan.ops, [&](const auto &op) { return op.second.kind == kind; });
  }
  MatrixShape shape(llvm::StringRef text) {
    std::optional<MatrixShape> shape = readMatrixShape(&session.context(), text);
    EXPECT_TRUE(shape) << text.str();
    return shape.value_or(MatrixShape());
  }

  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
};

TEST_F(RowPlanTest, AChainStaysInRegisters) {
  std::optional<RowPlan> plan = this->plan(kernel(scores + cleared + results + stored));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->rows, 64);
  EXPECT_EQ(plan->threads(), 64);
  EXPECT_EQ(plan->layout.members, 8);
  EXPECT_EQ(plan->buffers.size(), 2u);
  EXPECT_EQ(plan->ops.size(), 5u);
  EXPECT_EQ(count(*plan, RowOp::Kind::Fill), 2u);
  EXPECT_EQ(count(*plan, RowOp::Kind::Product), 2u);
  EXPECT_EQ(count(*plan, RowOp::Kind::Elementwise), 1u);
  const RowOp &product = plan->ops.at(first<linalg::MatmulOp>());
  EXPECT_EQ(product.row, 0u);
  EXPECT_EQ(product.column, 1u);
  EXPECT_EQ(product.columns, 64);
  EXPECT_EQ(product.k, 2u);
  EXPECT_FALSE(product.tile) << "no instruction computes f32";
}

TEST_F(RowPlanTest, ReductionsOfRowsTakePart) {
  std::optional<RowPlan> plan = this->plan(kernel(scores + maxima + cleared + results + stored));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->buffers.size(), 3u);
  const RowOp &reduction = plan->ops.at(first<linalg::ReduceOp>());
  EXPECT_EQ(reduction.kind, RowOp::Kind::Reduction);
  EXPECT_EQ(reduction.row, 0u);
  EXPECT_EQ(reduction.columns, 64);
}

TEST_F(RowPlanTest, TheEndOfATileIsStored) {
  std::optional<RowPlan> plan = this->plan(kernel(scores + cleared + results + R"(
  %rows = arith.subi %n, %i : index
  %skipped = arith.subi %c1, %rows : index
  %from = memref.subview %o[%skipped, 0] [%rows, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
  %to = memref.subview %wide[%i, 0] [%rows, 32] [1, 1] : memref<100x32xf32> to memref<?x32xf32, strided<[32, 1], offset: ?>>
  linalg.copy ins(%from : memref<?x32xf32, strided<[32, 1], offset: ?>>) outs(%to : memref<?x32xf32, strided<[32, 1], offset: ?>>)
)"));
  ASSERT_TRUE(plan);
  EXPECT_EQ(count(*plan, RowOp::Kind::Store), 1u);
  EXPECT_TRUE(plan->ops.at(first<linalg::CopyOp>()).store);
}

TEST_F(RowPlanTest, InstructionsTakeRowsOfSixteen) {
  auto text = [](int64_t keys) {
    return llvm::formatv(R"(
func.func @kernel(%q: memref<64x32xf16>, %k: memref<32x{0}xf16>, %v: memref<{0}x32xf16>, %out: memref<64x32xf32>) {{
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x{0}xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x{0}xf32>)
  linalg.matmul ins(%q, %k : memref<64x32xf16>, memref<32x{0}xf16>) outs(%s : memref<64x{0}xf32>)
  %p = memref.alloc() : memref<64x{0}xf16>
  linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<64x{0}xf32>) outs(%p : memref<64x{0}xf16>) {{
  ^bb0(%a: f32, %b: f16):
    %c = arith.truncf %a : f32 to f16
    linalg.yield %c : f16
  }
  %o = memref.alloc() : memref<64x32xf32>
  linalg.fill ins(%zero : f32) outs(%o : memref<64x32xf32>)
  linalg.matmul ins(%p, %v : memref<64x{0}xf16>, memref<{0}x32xf16>) outs(%o : memref<64x32xf32>)
  linalg.copy ins(%o : memref<64x32xf32>) outs(%out : memref<64x32xf32>)
  return
}
)",
                         keys)
        .str();
  };
  MatrixShape shape = this->shape("m16n8k16 f16");
  std::optional<RowPlan> plan = this->plan(text(64), noRows, 1024, shape);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->layout.rows, rowsOfMatrices.rows);
  EXPECT_EQ(plan->layout.members, rowsOfMatrices.members);
  EXPECT_EQ(plan->threads(), 128) << "a subgroup has 16 rows";
  const RowOp &product = plan->ops.at(first<linalg::MatmulOp>());
  ASSERT_TRUE(product.tile);
  EXPECT_EQ(product.tile->partRows, 16);
  EXPECT_EQ(product.tile->partColumns, 64);

  EXPECT_TRUE(this->plan(text(256), noRows, 1024, shape)) << "256 and 32 columns: as many as registers hold";
  EXPECT_FALSE(this->plan(text(272), noRows, 1024, shape)) << "more columns than registers hold";
  EXPECT_FALSE(this->plan(text(64), noRows, 1024, {})) << "no instruction multiplies";
  EXPECT_FALSE(this->plan(text(64), noRows, 64, shape)) << "more threads than a workgroup may have";
}

TEST_F(RowPlanTest, AreNoneElsewhere) {
  struct Case {
    const char *why;
    std::string body;
  };
  const Case cases[] = {
      {"one product is no chain", cleared +
                                      "  linalg.matmul ins(%w, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%o "
                                      ": memref<64x32xf32>)\n" +
                                      stored},
      {"the products share nothing", scores + cleared +
                                         "  linalg.matmul ins(%w, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%o : "
                                         "memref<64x32xf32>)\n" +
                                         stored},
      {"its results are the right operand", scores + R"(  %o = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%o : memref<64x64xf32>)
  linalg.matmul ins(%w, %s : memref<64x64xf32>, memref<64x64xf32>) outs(%o : memref<64x64xf32>)
  linalg.copy ins(%o : memref<64x64xf32>) outs(%w : memref<64x64xf32>)
)"},
      {"something reads single elements", scores +
                                              "  %x = memref.load %s[%c0, %c0] : memref<64x64xf32>\n  memref.store "
                                              "%x, %w[%c0, %c0] : memref<64x64xf32>\n" +
                                              cleared + results + stored},
      {"nothing was written where the product adds up",
       scores + "  %o = memref.alloc() : memref<64x32xf32>\n" + results + stored},
      {"the number of rows is not known",
       R"(  %s = memref.alloc(%n) : memref<?x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<?x64xf32>)
  %rows = memref.subview %q[0, 0] [%n, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  linalg.matmul ins(%rows, %k : memref<?x32xf32, strided<[32, 1]>>, memref<32x64xf32>) outs(%s : memref<?x64xf32>)
  %o = memref.alloc(%n) : memref<?x32xf32>
  linalg.fill ins(%zero : f32) outs(%o : memref<?x32xf32>)
  linalg.matmul ins(%s, %v : memref<?x64xf32>, memref<64x32xf32>) outs(%o : memref<?x32xf32>)
)"},
      {"a branch changes what was there before",
       scores + cleared + "  %is = arith.cmpi eq, %i, %n : index\n  scf.if %is {\n" + results + "  }\n" + stored},
  };
  for (const Case &each : cases)
    EXPECT_FALSE(plan(kernel(each.body))) << each.why;
  const std::string chain = kernel(scores + cleared + results + stored);
  EXPECT_TRUE(plan(chain));
  EXPECT_FALSE(plan(chain, noRows)) << "threads with few registers do not multiply f32 by rows";
  EXPECT_FALSE(plan(chain, multipliesRows, 32)) << "it takes 64 threads";
}

TEST_F(RowPlanTest, LoopsCarryWhatTheyChange) {
  std::optional<RowPlan> plan =
      this->plan(kernel(cleared + "  scf.for %key = %c0 to %n step %c1 {\n" + scores + results + "  }\n" + stored));
  ASSERT_TRUE(plan);
  auto loop = first<scf::ForOp>();
  auto accumulator = first<memref::AllocOp>();
  EXPECT_EQ(plan->carriedThrough(loop, [&](Value buffer) { return buffer == accumulator.getResult(); }),
            llvm::SmallVector<Value>{accumulator.getResult()});
  EXPECT_TRUE(plan->carriedThrough(loop, [](Value) { return false; }).empty());
}

TEST_F(RowPlanTest, WhatIsInRegistersIsNotAccessed) {
  std::optional<RowPlan> plan = this->plan(kernel(scores + cleared + results + stored));
  ASSERT_TRUE(plan);
  Operation *last = nullptr;
  module->walk([&](linalg::MatmulOp op) { last = op; });
  Accesses all = accessesOf(last), left = plan->inMemory(all);
  EXPECT_EQ(all.reads.size(), left.reads.size() + 2) << "scores, and the results that it adds to";
  EXPECT_EQ(all.writes.size(), 1u);
  EXPECT_TRUE(left.writes.empty());
  EXPECT_TRUE(left.reads.contains(function().getArgument(2)));
}

} // namespace
