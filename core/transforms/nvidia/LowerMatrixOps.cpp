// Matrix instructions that upstream's conversion of nvgpu has not: bf16, and sums of integers that wrap around as
// arith's do (upstream makes them saturate). Where a chip has none of what a kernel uses, this says so: LLVM would end
// the process.
#include "core/device/NvidiaChips.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/transforms/nvidia/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {
#define GEN_PASS_DEF_LOWERMATRIXOPSPASS
#include "core/transforms/nvidia/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// The least compute capability that has an op; 0: all have it. Source: PTX ISA, "Target ISA notes" of each
/// instruction.
unsigned needs(Operation *op) {
  if (isa<nvgpu::LdMatrixOp>(op))
    return 75;
  if (isa<nvgpu::MmaSyncOp, nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(op))
    return 80;
  return 0;
}

/// A fragment as registers of 32 bits: vector<4x2xbf16> as vector<4x1xi32>. Through what it is made of, so that no op
/// is left that works on vectors of bf16.
Value asRegisters(IRRewriter &rewriter, Location loc, Value fragment) {
  auto type = cast<VectorType>(fragment.getType());
  int64_t count = type.getDimSize(0);
  auto words = VectorType::get({count, 1}, rewriter.getI32Type());
  if (auto slice = fragment.getDefiningOp<vector::ExtractStridedSliceOp>()) {
    Value whole = asRegisters(rewriter, loc, slice.getSource());
    int64_t first = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
    return vector::ExtractStridedSliceOp::create(rewriter, loc, whole, ArrayRef<int64_t>{first, 0},
                                                 ArrayRef<int64_t>{count, 1}, ArrayRef<int64_t>{1, 1});
  }
  if (auto cast = fragment.getDefiningOp<vector::BitCastOp>())
    return vector::BitCastOp::create(rewriter, loc, words, cast.getSource());
  auto parts = fragment.getDefiningOp<vector::FromElementsOp>();
  if (!parts || !type.getElementType().isBF16())
    return vector::BitCastOp::create(rewriter, loc, words, fragment);
  SmallVector<Value> units;
  for (Value element : parts.getElements())
    units.push_back(arith::BitcastOp::create(rewriter, loc, rewriter.getI16Type(), element));
  Value vector = vector::FromElementsOp::create(rewriter, loc, type.clone(rewriter.getI16Type()), units);
  return vector::BitCastOp::create(rewriter, loc, words, vector);
}

/// All elements of a vector of two dimensions, row by row.
SmallVector<Value> elementsOf(IRRewriter &rewriter, Location loc, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  SmallVector<Value> elements;
  for (int64_t row = 0; row < type.getDimSize(0); ++row)
    for (int64_t column = 0; column < type.getDimSize(1); ++column)
      elements.push_back(vector::ExtractOp::create(rewriter, loc, vector, ArrayRef<int64_t>{row, column}));
  return elements;
}

void lower(IRRewriter &rewriter, nvgpu::MmaSyncOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto type = cast<VectorType>(op.getRes().getType());
  bool isFloat = isa<FloatType>(type.getElementType());
  Value left = op.getMatrixA(), right = op.getMatrixB();
  SmallVector<Value> a = elementsOf(rewriter, loc, asRegisters(rewriter, loc, left)),
                     b = elementsOf(rewriter, loc, asRegisters(rewriter, loc, right)),
                     c = elementsOf(rewriter, loc, op.getMatrixC());
  NVVM::MMATypes operand = isFloat ? NVVM::MMATypes::bf16 : NVVM::MMATypes::s8;
  auto result =
      LLVM::LLVMStructType::getLiteral(rewriter.getContext(), SmallVector<Type>(c.size(), type.getElementType()));
  Value sums =
      NVVM::MmaOp::create(rewriter, loc, result, a, b, c, op.getMmaShapeAsArray(), std::nullopt,
                          isFloat ? std::nullopt : std::optional(NVVM::MMAIntOverflow::wrapped),
                          std::array{operand, operand}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  SmallVector<Value> elements;
  for (int64_t number = 0; number < int64_t(c.size()); ++number)
    elements.push_back(LLVM::ExtractValueOp::create(rewriter, loc, sums, number));
  rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
}

struct LowerMatrixOps : fuselage::impl::LowerMatrixOpsPassBase<LowerMatrixOps> {
  void runOnOperation() override {
    const std::string chip = chipOf(deviceOf(getOperation()));
    unsigned capability = capabilityOf(chip);
    bool isRefused = false;
    SmallVector<nvgpu::MmaSyncOp> products;
    SmallVector<Operation *> fragments;
    getOperation()->walk([&](Operation *op) {
      if (unsigned least = needs(op); capability < least && !isRefused) {
        op->emitOpError() << "needs a chip of compute capability " << least / 10 << "." << least % 10
                          << " or more, and " << chip << " is none";
        isRefused = true;
      }
      auto product = dyn_cast<nvgpu::MmaSyncOp>(op);
      Type operand = product ? cast<VectorType>(product.getMatrixA().getType()).getElementType() : Type();
      if (product && (operand.isBF16() || operand.isInteger(8)))
        products.push_back(product);
      if (isa<vector::BitCastOp, vector::ExtractStridedSliceOp, vector::FromElementsOp, arith::BitcastOp>(op))
        fragments.push_back(op);
    });
    if (isRefused)
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (nvgpu::MmaSyncOp op : products)
      lower(rewriter, op);
    if (!products.empty())
      for (Operation *op : llvm::reverse(fragments))
        if (op->use_empty())
          rewriter.eraseOp(op);
  }
};

} // namespace
