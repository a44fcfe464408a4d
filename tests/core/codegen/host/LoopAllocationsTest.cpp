#include "core/codegen/host/kernels/LoopAllocations.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// How many loops there are around each allocation, in the order of the code.
std::vector<unsigned> depthsOf(mlir::ModuleOp module) {
  std::vector<unsigned> depths;
  module.walk([&](mlir::memref::AllocOp alloc) {
    unsigned depth = 0;
    for (mlir::Operation *around = alloc->getParentOp(); around; around = around->getParentOp())
      depth += llvm::isa<mlir::scf::ForOp>(around);
    depths.push_back(depth);
    // Each is freed once, where it was made.
    unsigned freed = 0;
    for (mlir::Operation *user : alloc->getUsers())
      freed += llvm::isa<mlir::memref::DeallocOp>(user) && user->getBlock() == alloc->getBlock();
    EXPECT_EQ(freed, 1u);
  });
  return depths;
}

} // namespace

TEST(LoopAllocations, goOutOfAllLoopsThatDoNotKeepThem) {
  Session session(allDialects());
  auto module = parse(session, R"(
  func.func private @fuselage.kernel.0.tasks(memref<8xf32>)
  func.func @f(%a: memref<8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %m = memref.alloc() : memref<2x4xf32>
        %flat = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<8xf32>
        linalg.copy ins(%a : memref<8xf32>) outs(%flat : memref<8xf32>)
        func.call @fuselage.kernel.0.tasks(%flat) : (memref<8xf32>) -> ()
        memref.dealloc %m : memref<2x4xf32>
      }
    }
    return
  })");
  ASSERT_TRUE(module);
  EXPECT_EQ(depthsOf(*module), std::vector<unsigned>{2});
  shareAllocations(*module);
  EXPECT_EQ(depthsOf(*module), std::vector<unsigned>{0});
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
}

// A function that is no kernel may keep what it gets; sizes that differ from step to step are allocated anew.
TEST(LoopAllocations, stayWhereOthersMayKeepThemOrSizesAreNotKnown) {
  Session session(allDialects());
  auto module = parse(session, R"(
  func.func private @other(memref<8xf32>)
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %kept = memref.alloc() : memref<8xf32>
      func.call @other(%kept) : (memref<8xf32>) -> ()
      memref.dealloc %kept : memref<8xf32>
      %sized = memref.alloc(%i) : memref<?xf32>
      memref.dealloc %sized : memref<?xf32>
    }
    return
  })");
  ASSERT_TRUE(module);
  shareAllocations(*module);
  EXPECT_EQ(depthsOf(*module), (std::vector<unsigned>{1, 1}));
}
