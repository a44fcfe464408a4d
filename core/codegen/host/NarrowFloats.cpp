// Upstream's arith-emulate-unsupported-floats does the arithmetic; its arith-expand converts two of these types only
// (f8E8M0FNU and f4E2M1FN).
#include "core/codegen/host/NarrowFloats.h"
#include "core/codegen/host/Passes.h"
#include "core/executable/HostSymbols.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APFloat.h"

namespace fuselage {
#define GEN_PASS_DEF_CONVERTNARROWFLOATSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {

const std::vector<std::string> &narrowFloatNames() {
  static const std::vector<std::string> names = [] {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    std::vector<std::string> known;
    for (StringRef name : {"f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4",
                           "f8E8M0FNU", "f6E3M2FN", "f6E2M3FN", "f4E2M1FN"})
      if (arith::parseFloatType(&context, name)) // upstream knows all but one
        known.push_back(name.str());
    return known;
  }();
  return names;
}

/// The number of a type's semantics, which stays the same within a process.
static uint32_t kindOf(FloatType type) { return llvm::APFloat::SemanticsToEnum(type.getFloatSemantics()); }

static bool isNarrow(Type type) {
  auto floating = llvm::dyn_cast<FloatType>(type);
  return floating && floating.getWidth() <= 8;
}

namespace {

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
