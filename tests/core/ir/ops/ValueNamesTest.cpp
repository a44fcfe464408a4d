#include "core/ir/ops/ValueNames.h"
#include "core/ir/Session.h"
#include "core/ir/module/PrintedModule.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

/// A text that was read as a file is.
struct Read {
  Session session{allDialects()};
  ReadResult result;

  explicit Read(llvm::StringRef text) {
    auto read = session.readText(text, "t.mlir");
    if (read)
      result = std::move(*read);
    else
      ADD_FAILURE() << takeFailure(read.takeError()).message;
  }
  std::string printed() { return PrintedModule(*result.module).text(); }
  mlir::Operation *find(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    result.module->walk([&](mlir::Operation *op) {
      if (!found && op->getName().getStringRef() == name)
        found = op;
    });
    return found;
  }
};

bool has(const std::string &text, llvm::StringRef part) { return llvm::StringRef(text).contains(part); }

constexpr llvm::StringLiteral attention = R"(
func.func @f(%query: tensor<4x8xf32>, %arg1: tensor<8x4xf32>) -> (tensor<4x4xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %q_mm = linalg.matmul ins(%query, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%start : tensor<4x4xf32>) -> tensor<4x4xf32>
  %lo = arith.constant 0 : index
  %hi = arith.constant 4 : index
  %step = arith.constant 1 : index
  %loop:2 = scf.for %row = %lo to %hi step %step iter_args(%sum = %lo, %other = %hi) -> (index, index) {
    %next = arith.addi %sum, %row : index
    scf.yield %next, %other : index, index
  }
  %first, %second = "test.two"(%loop#0) : (index) -> (index, index)
  return %q_mm, %second : tensor<4x4xf32>, index
})";

TEST(ValueNames, AreThoseOfTheText) {
  Read read(attention);
  std::string text = read.printed();
  for (const char *part : {"@f(%query: tensor<4x8xf32>, %arg1: tensor<8x4xf32>)", "%0 = tensor.empty()",
                           "%q_mm = linalg.matmul ins(%query, %arg1",
                           "%loop:2 = scf.for %row = %lo to %hi step %step iter_args(%sum = %lo, %other = %hi)",
                           "%next = arith.addi %sum, %row", "return %q_mm, %first#1"})
    EXPECT_TRUE(has(text, part)) << part << " in\n" << text;
}

TEST(ValueNames, PlacesStayThoseOfTheFile) {
  Read read(attention);
  mlir::Operation *matmul = read.find("linalg.matmul");
  EXPECT_EQ(formatPosition(positionOf(matmul->getLoc())), "t.mlir:6:11");
  EXPECT_TRUE(mlir::isa<mlir::FileLineColRange>(placeOf(matmul->getLoc())));
  // Names stand before the op's own, not of a nested one's.
  EXPECT_FALSE(mlir::isa<mlir::NameLoc>(read.find("scf.yield")->getLoc()));
}

TEST(ValueNames, GoThroughPasses) {
  Read read(attention);
  llvm::Error error = runPipeline(*read.result.module,
                                  "builtin.module(func.func(fuselage-form-dispatches),fuselage-outline-dispatches)");
  ASSERT_FALSE(error) << llvm::toString(std::move(error));
  std::string text = read.printed();
  EXPECT_TRUE(has(text, "%q_mm = linalg.matmul")) << text;
}

TEST(ValueNames, TwoOfOneNameGetANumber) {
  Read read(R"(
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = scf.execute_region -> tensor<4xf32> {
    %y = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %x : tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %x = scf.execute_region -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  }
  return %x : tensor<4xf32>
})");
  mlir::Operation *exp = read.find("linalg.exp");
  exp->setLoc(read.find("scf.execute_region")->getLoc()); // as rewrites do
  std::string text = read.printed();
  EXPECT_TRUE(has(text, "%x = scf.execute_region")) << text;
  EXPECT_TRUE(has(text, "%x_0 = linalg.exp")) << text;
  EXPECT_FALSE(has(text, "%x_1")) << text; // another function
}

TEST(ValueNames, OfUnknownDialectsAndOddText) {
  Read read("func.func @g(%in: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %my.value = foreign.thing %in {note = \"= %no\"} : tensor<4xf32>\n"
            "  %b\n    = foreign.thing %my.value : tensor<4xf32>\n"
            "  return %b : tensor<4xf32>\n}\n");
  std::string text = read.printed();
  EXPECT_TRUE(has(text, "%my.value = foreign.thing %in")) << text;
  EXPECT_TRUE(has(text, "= foreign.thing %my.value")) << text; // whose name is on another line
}

/// What a pass makes for a named op has its location, and is not that value.
TEST(ValueNames, HelpersLeaveThemToTheValue) {
  Read read(attention);
  mlir::Operation *matmul = read.find("linalg.matmul"), *first = read.find("tensor.empty");
  mlir::Location place = matmul->getLoc();
  mlir::OpBuilder builder(first);
  mlir::Value index = mlir::arith::ConstantIndexOp::create(builder, place, 3);
  auto slice = mlir::tensor::ExtractSliceOp::create(
      builder, place, matmul->getOperand(0), llvm::SmallVector<mlir::OpFoldResult>{builder.getIndexAttr(0), index},
      llvm::SmallVector<mlir::OpFoldResult>{builder.getIndexAttr(4), builder.getIndexAttr(4)},
      llvm::SmallVector<mlir::OpFoldResult>{builder.getIndexAttr(1), builder.getIndexAttr(1)});
  auto loop = llvm::cast<mlir::scf::ForOp>(read.find("scf.for"));
  mlir::Location counter = loop.getInductionVar().getLoc();
  loop.getRegionIterArg(0).setLoc(place);
  leaveNamesToValues(*read.result.module);
  EXPECT_EQ(matmul->getLoc(), place);
  EXPECT_EQ(slice.getLoc(), placeOf(place));
  EXPECT_EQ(index.getLoc(), placeOf(place));
  EXPECT_EQ(loop.getRegionIterArg(0).getLoc(), placeOf(place));
  EXPECT_EQ(loop.getInductionVar().getLoc(), counter);
  std::string text = read.printed();
  EXPECT_TRUE(has(text, "%q_mm = linalg.matmul")) << text;
  EXPECT_TRUE(has(text, "%lo = arith.constant 0 : index")) << text; // the user's own helper
  EXPECT_FALSE(has(text, "%q_mm_")) << text;
}

} // namespace
} // namespace fuselage
