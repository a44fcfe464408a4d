#include "tests/core/bisect/WrongRewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage::test {
namespace {

constexpr llvm::StringLiteral kDone = "test.done";

constexpr const char *kToLoops =
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops)";
constexpr const char *kToLlvm =
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops),convert-scf-to-cf,convert-math-to-llvm,convert-arith-to-llvm,convert-index-to-"
    "llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts";

/// Two layers of a product, a scaled difference and a transposition.
std::string layers() {
  std::string text = R"(
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x8xf32>
)";
  std::string last = "a";
  for (const std::string n : {"0", "1"}) {
    text += "  %f" + n + " = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>\n";
    text += "  %m" + n + " = linalg.matmul ins(%" + last + ", %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f" + n +
            " : tensor<8x8xf32>) -> tensor<8x8xf32>\n";
    text +=
        "  %d" + n +
        " = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(%m" +
        n +
        ", %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {\n  ^bb0(%p: f32, %q: f32, %o: "
        "f32):\n    %h = arith.mulf %q, %half : f32\n    %s = arith.subf %p, %h : f32\n    %c = arith.cmpf ogt, "
        "%s, %q : f32\n    %v = arith.select %c, %s, %q : f32\n    %w = arith.divf %v, %half : f32\n    "
        "linalg.yield %w : f32\n  } -> tensor<8x8xf32>\n";
    text += "  %t" + n + " = linalg.transpose ins(%d" + n +
            " : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]\n";
    last = "t" + n;
  }
  return text + "  return %" + last + " : tensor<8x8xf32>\n}\n";
}

constexpr const char *kIntegers = R"(
#m = affine_map<(i) -> (i)>
func.func @main(%a: tensor<32xi8>, %b: tensor<32xi32>) -> tensor<32xi32> {
  %e = tensor.empty() : tensor<32xi32>
  %two = arith.constant 2 : i32
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<32xi8>, tensor<32xi32>) outs(%e : tensor<32xi32>) {
  ^bb0(%x: i8, %y: i32, %o: i32):
    %w = arith.extsi %x : i8 to i32
    %s = arith.shrsi %w, %two : i32
    %t = arith.shrsi %y, %two : i32
    %d = arith.subi %t, %s : i32
    %k = arith.minsi %d, %w : i32
    linalg.yield %k : i32
  } -> tensor<32xi32>
  return %r : tensor<32xi32>
}
)";

constexpr const char *kNaNs = R"(
#m = affine_map<(i) -> (i)>
func.func @main(%a: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]}
      ins(%a : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %nan = arith.constant 0x7FC00000 : f32
    %low = arith.constant -2.5 : f32
    %c = arith.cmpf olt, %x, %low : f32
    %l = arith.select %c, %nan, %x : f32
    %n = arith.maximumf %l, %zero : f32
    %k = arith.mulf %n, %n : f32
    linalg.yield %k : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
)";

constexpr const char *kSlices = R"(
func.func @main(%a: tensor<12x12xf32>, %b: tensor<4x4xf32>) -> tensor<12x12xf32> {
  %zero = arith.constant 2.0 : f32
  %s = tensor.extract_slice %a[0, 2] [4, 4] [1, 1] : tensor<12x12xf32> to tensor<4x4xf32>
  %t = tensor.extract_slice %a[4, 4] [4, 4] [1, 1] : tensor<12x12xf32> to tensor<4x4xf32>
  %d = arith.subf %s, %t : tensor<4x4xf32>
  %p = tensor.pad %d low[1, 3] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<8x8xf32>
  %i = tensor.insert_slice %p into %a[2, 2] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<12x12xf32>
  %k = tensor.insert_slice %b into %i[8, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<12x12xf32>
  return %k : tensor<12x12xf32>
}
)";

constexpr const char *kVectors = R"(
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %w = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %d = arith.subf %v, %w : vector<4x8xf32>
  %r = vector.extract %d[2] : vector<8xf32> from vector<4x8xf32>
  %s = vector.reduction <add>, %r : vector<8xf32> into f32
  %k = vector.broadcast %s : f32 to vector<4x8xf32>
  %m = vector.fma %v, %w, %k : vector<4x8xf32>
  %o = vector.transfer_write %m, %a[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  return %o, %s : tensor<4x8xf32>, f32
}
)";

Value constantLike(Value value, double number, PatternRewriter &rewriter) {
  return arith::ConstantOp::create(rewriter, value.getLoc(), rewriter.getFloatAttr(value.getType(), number));
}

void mark(Operation *op, PatternRewriter &rewriter) { op->setAttr(kDone, rewriter.getUnitAttr()); }

/// The same op with its first two operands swapped.
LogicalResult swap(Operation *op, PatternRewriter &rewriter) {
  rewriter.modifyOpInPlace(op, [&] {
    Value first = op->getOperand(0);
    op->setOperand(0, op->getOperand(1));
    op->setOperand(1, first);
  });
  return success();
}

/// A binary op in place of another.
template <typename To> LogicalResult become(Operation *op, PatternRewriter &rewriter) {
  auto made = To::create(rewriter, op->getLoc(), op->getResultTypes(), op->getOperands());
  mark(made, rewriter);
  rewriter.replaceOp(op, made->getResults());
  return success();
}

template <unsigned index> LogicalResult dropFor(Operation *op, PatternRewriter &rewriter) {
  if (op->getOperand(index).getType() != op->getResult(0).getType())
    return failure();
  rewriter.replaceOp(op, op->getOperand(index));
  return success();
}

/// Operand `index` of a loop gets so much more.
template <unsigned index, int64_t more> LogicalResult moveBound(Operation *op, PatternRewriter &rewriter) {
  Value by = arith::ConstantIndexOp::create(rewriter, op->getLoc(), more);
  Value moved = arith::AddIOp::create(rewriter, op->getLoc(), op->getOperand(index), by);
  mark(moved.getDefiningOp(), rewriter);
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(index, moved); });
  return success();
}

template <typename Narrow> LogicalResult narrowOperand(Operation *op, PatternRewriter &rewriter) {
  Type narrow = Narrow::get(op->getContext());
  auto cut = arith::TruncFOp::create(rewriter, op->getLoc(), narrow, op->getOperand(0));
  auto back = arith::ExtFOp::create(rewriter, op->getLoc(), op->getOperand(0).getType(), cut.getResult());
  for (Operation *made : {cut.getOperation(), back.getOperation()})
    mark(made, rewriter);
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, back.getResult()); });
  return success();
}

template <typename Attribute>
LogicalResult setAttribute(Operation *op, PatternRewriter &rewriter, StringRef name, Attribute value) {
  rewriter.modifyOpInPlace(op, [&] { op->setAttr(name, value); });
  return success();
}

LogicalResult transposeMap(Operation *op, PatternRewriter &rewriter) {
  auto generic = cast<linalg::GenericOp>(op);
  llvm::SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  if (maps[0].getNumResults() != 2)
    return failure();
  maps[0] = AffineMap::get(2, 0, {maps[0].getResult(1), maps[0].getResult(0)}, op->getContext());
  return setAttribute(op, rewriter, "indexing_maps", rewriter.getAffineMapArrayAttr(maps));
}

std::vector<WrongRewrite> makeWrongRewrites() {
  const std::string network = layers();
  return {
      {"linalg.SwappedOperands", "linalg.matmul", network, "canonicalize", swap},
      {"linalg.WrongInit", "linalg.fill", network, "canonicalize",
       [](Operation *op, PatternRewriter &rewriter) {
         Value one = constantLike(op->getOperand(0), 1, rewriter);
         rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, one); });
         return success();
       }},
      {"linalg.WrongMap", "linalg.generic", network, "canonicalize", transposeMap},
      {"linalg.DroppedOp", "linalg.generic", network, "canonicalize", dropFor<0>},
      {"linalg.WrongPermutation", "linalg.transpose", network, "canonicalize",
       [](Operation *op, PatternRewriter &rewriter) {
         return setAttribute(op, rewriter, "permutation", rewriter.getDenseI64ArrayAttr({0, 1}));
       }},
      {"linalg.AccumulatesInF16", "arith.addf", network, "linalg-generalize-named-ops", narrowOperand<Float16Type>},
      {"arith.Sign", "arith.subf", network, "canonicalize", become<arith::AddFOp>},
      {"arith.Order", "arith.subf", network, "canonicalize", swap},
      {"arith.WrongFold", "arith.divf", network, "canonicalize", become<arith::MulFOp>},
      {"arith.Precision", "arith.mulf", network, "canonicalize", narrowOperand<BFloat16Type>},
      {"arith.WrongPredicate", "arith.cmpf", network, "canonicalize",
       [](Operation *op, PatternRewriter &rewriter) {
         return setAttribute(op, rewriter, "predicate",
                             arith::CmpFPredicateAttr::get(op->getContext(), arith::CmpFPredicate::OLT));
       }},
      {"arith.SwappedSelect", "arith.select", network, "canonicalize",
       [](Operation *op, PatternRewriter &rewriter) {
         rewriter.modifyOpInPlace(op, [&] {
           op->setOperands({op->getOperand(0), op->getOperand(2), op->getOperand(1)});
         });
         return success();
       }},
      {"arith.WrongConstant", "arith.divf", network, "canonicalize",
       [](Operation *op, PatternRewriter &rewriter) {
         Value other = constantLike(op->getOperand(1), 0.25, rewriter);
         rewriter.modifyOpInPlace(op, [&] { op->setOperand(1, other); });
         return success();
       }},
      {"arith.UnsignedShift", "arith.shrsi", kIntegers, "canonicalize", become<arith::ShRUIOp>},
      {"arith.UnsignedExtension", "arith.extsi", kIntegers, "canonicalize", become<arith::ExtUIOp>},
      {"arith.UnsignedMinimum", "arith.minsi", kIntegers, "canonicalize", become<arith::MinUIOp>},
      {"arith.LostNaN", "arith.maximumf", kNaNs, "canonicalize", become<arith::MaxNumFOp>},
      {"arith.OneShapeOnly", "arith.subf", network, "canonicalize",
       [](Operation *op, PatternRewriter &rewriter) {
         auto generic = op->getParentOfType<linalg::GenericOp>();
         return generic && generic.getStaticLoopRanges()[0] == 8 ? dropFor<1>(op, rewriter) : failure();
       }},
      {"tensor.WrongOffset", "tensor.extract_slice", kSlices, "cse",
       [](Operation *op, PatternRewriter &rewriter) {
         return setAttribute(op, rewriter, "static_offsets", rewriter.getDenseI64ArrayAttr({1, 3}));
       }},
      {"tensor.DroppedInsertion", "tensor.insert_slice", kSlices, "cse", dropFor<1>},
      {"tensor.SwappedPadding", "tensor.pad", kSlices, "cse",
       [](Operation *op, PatternRewriter &rewriter) {
         rewriter.modifyOpInPlace(op, [&] {
           const Attribute low = op->getAttr("static_low");
           op->setAttr("static_low", op->getAttr("static_high"));
           op->setAttr("static_high", low);
         });
         return success();
       }},
      {"scf.LastRound", "scf.for", network, kToLoops, moveBound<1, -1>},
      {"scf.FirstRound", "scf.for", network, kToLoops, moveBound<0, 1>},
      {"scf.Step", "scf.for", network, kToLoops, moveBound<2, 1>},
      {"memref.SwappedIndices", "memref.load", network, kToLoops,
       [](Operation *op, PatternRewriter &rewriter) {
         rewriter.modifyOpInPlace(op, [&] {
           op->setOperands({op->getOperand(0), op->getOperand(2), op->getOperand(1)});
         });
         return success();
       }},
      {"memref.DroppedStore", "memref.store", network, kToLoops,
       [](Operation *op, PatternRewriter &rewriter) {
         rewriter.eraseOp(op);
         return success();
       }},
      {"vector.WrongReduction", "vector.reduction", kVectors, "cse",
       [](Operation *op, PatternRewriter &rewriter) {
         return setAttribute(op, rewriter, "kind",
                             vector::CombiningKindAttr::get(op->getContext(), vector::CombiningKind::MAXIMUMF));
       }},
      {"vector.WrongRow", "vector.extract", kVectors, "cse",
       [](Operation *op, PatternRewriter &rewriter) {
         return setAttribute(op, rewriter, "static_position", rewriter.getDenseI64ArrayAttr({1}));
       }},
      {"vector.DroppedProduct", "vector.fma", kVectors, "cse", dropFor<2>},
      {"llvm.Sign", "llvm.fsub", network, kToLlvm, become<LLVM::FAddOp>},
      {"llvm.Order", "llvm.fdiv", network, kToLlvm, swap},
      {"llvm.DroppedOp", "llvm.fmul", network, kToLlvm, dropFor<0>},
      {"llvm.WrongSelect", "llvm.select", network, kToLlvm, dropFor<2>},
  };
}

struct Marking : public RewritePattern {
  Marking(MLIRContext *context, const WrongRewrite &seed, int64_t at)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), seed(seed), at(at), seen(std::make_shared<int64_t>(0)) {
    setDebugName("MarkingPattern");
  }
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kDone) || op->getNumOperands() == 0 || isa<FunctionOpInterface>(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      return failure();
    const bool isMeant = op->getName().getStringRef() == seed.root && (at == -1 || (at >= 0 && *seen == at));
    *seen += op->getName().getStringRef() == seed.root;
    if (isMeant) {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *block = op->getBlock();
      Operation *next = op->getNextNode();
      if (succeeded(seed.rewrite(op, rewriter))) {
        // The op itself, if it is still there.
        Operation *last = next ? next->getPrevNode() : &block->back();
        if (last == op)
          mark(op, rewriter);
        return success();
      }
    }
    rewriter.modifyOpInPlace(op, [&] { mark(op, rewriter); });
    return success();
  }
  const WrongRewrite &seed;
  int64_t at;
  std::shared_ptr<int64_t> seen;
};

struct WrongRewritePass : public PassWrapper<WrongRewritePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongRewritePass)
  WrongRewritePass() = default;
  WrongRewritePass(const WrongRewritePass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-wrong-rewrite"; }
  StringRef getDescription() const final { return "marks ops, and makes one of them wrong"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect>();
  }
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add(std::make_unique<Marking>(&getContext(), wrongRewrites()[seed], at));
    GreedyRewriteConfig config;
    config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
  Option<int> seed{*this, "seed", llvm::cl::init(0)};
  Option<int> at{*this, "at", llvm::cl::init(-2)};
};

} // namespace

const std::vector<WrongRewrite> &wrongRewrites() {
  static const std::vector<WrongRewrite> all = makeWrongRewrites();
  return all;
}

void registerWrongRewritePass() {
  [[maybe_unused]] static const bool isRegistered = (PassRegistration<WrongRewritePass>(), true);
}

} // namespace fuselage::test
