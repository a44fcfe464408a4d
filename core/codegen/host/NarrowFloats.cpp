// Upstream's emulation does the arithmetic; its pass takes types by name, and f8E4M3B11FNUZ has none there. Its
// arith-expand converts two of these types only (f8E8M0FNU and f4E2M1FN).
#include "core/codegen/host/Passes.h"
#include "core/executable/HostSymbols.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/APFloat.h"

namespace fuselage {
#define GEN_PASS_DEF_CONVERTNARROWFLOATSPASS
#define GEN_PASS_DEF_EMULATENARROWFLOATSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {

/// The number of a type's semantics, which stays the same within a process.
static uint32_t kindOf(FloatType type) { return llvm::APFloat::SemanticsToEnum(type.getFloatSemantics()); }

static bool isNarrow(Type type) {
  auto floating = llvm::dyn_cast<FloatType>(type);
  return floating && floating.getWidth() <= 8;
}

namespace {

struct EmulateNarrowFloats : impl::EmulateNarrowFloatsPassBase<EmulateNarrowFloats> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    SmallVector<Type> narrow{
        BFloat16Type::get(context),          Float8E5M2Type::get(context),     Float8E4M3Type::get(context),
        Float8E4M3FNType::get(context),      Float8E5M2FNUZType::get(context), Float8E4M3FNUZType::get(context),
        Float8E4M3B11FNUZType::get(context), Float8E3M4Type::get(context),     Float8E8M0FNUType::get(context),
        Float6E3M2FNType::get(context),      Float6E2M3FNType::get(context),   Float4E2M1FNType::get(context)};
    TypeConverter types;
    arith::populateEmulateUnsupportedFloatsConversions(types, narrow, Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, types);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, types);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

struct ConvertNarrowFloats : impl::ConvertNarrowFloatsPassBase<ConvertNarrowFloats> {
  void runOnOperation() override;

private:
  void declare(StringRef name, ArrayRef<Type> arguments, Type result);
};

} // namespace

void ConvertNarrowFloats::declare(StringRef name, ArrayRef<Type> arguments, Type result) {
  OpBuilder builder(getOperation().getBodyRegion());
  func::FuncOp::create(builder, getOperation().getLoc(), name, builder.getFunctionType(arguments, result)).setPrivate();
}

/// A float of another width; none where it has the type already. Between 16 and 64 bits by way of f32,
/// which is what upstream expands; all values here are exact in it.
static Value resize(OpBuilder &builder, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (std::min(from, to) <= 16 && std::max(from, to) > 32)
    value = resize(builder, loc, value, builder.getF32Type());
  from = value.getType().getIntOrFloatBitWidth();
  return from < to ? Value(arith::ExtFOp::create(builder, loc, type, value))
                   : Value(arith::TruncFOp::create(builder, loc, type, value));
}

void ConvertNarrowFloats::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) {
    if ((llvm::isa<arith::ExtFOp>(op) && isNarrow(op->getOperand(0).getType())) ||
        (llvm::isa<arith::TruncFOp>(op) && isNarrow(op->getResult(0).getType())))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  Builder types(&getContext());
  Type bits = types.getI32Type(), wide = types.getF64Type();
  declare(host::kWidenFloat, {bits, bits}, wide);
  declare(host::kNarrowFloat, {wide, bits}, bits);
  for (Operation *op : ops) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value from = op->getOperand(0);
    Type to = op->getResult(0).getType();
    if (isNarrow(from.getType())) {
      auto type = llvm::cast<FloatType>(from.getType());
      Value raw = arith::BitcastOp::create(builder, loc, builder.getIntegerType(type.getWidth()), from);
      Value extended = arith::ExtUIOp::create(builder, loc, bits, raw);
      Value kind = arith::ConstantIntOp::create(builder, loc, bits, kindOf(type));
      from = func::CallOp::create(builder, loc, host::kWidenFloat, wide, ValueRange{extended, kind}).getResult(0);
    }
    if (isNarrow(to)) {
      auto type = llvm::cast<FloatType>(to);
      Value kind = arith::ConstantIntOp::create(builder, loc, bits, kindOf(type));
      Value whole = resize(builder, loc, from, wide);
      Value result = func::CallOp::create(builder, loc, host::kNarrowFloat, bits, ValueRange{whole, kind}).getResult(0);
      Value raw = arith::TruncIOp::create(builder, loc, builder.getIntegerType(type.getWidth()), result);
      from = arith::BitcastOp::create(builder, loc, type, raw);
    } else {
      from = resize(builder, loc, from, to);
    }
    op->getResult(0).replaceAllUsesWith(from);
    op->erase();
  }
}

} // namespace fuselage
