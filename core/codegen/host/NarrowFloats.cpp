// Upstream's arith-emulate-unsupported-floats does the arithmetic; its arith-expand converts two of these types only
// (f8E8M0FNU and f4E2M1FN).
#include "core/codegen/host/NarrowFloats.h"
#include "core/transforms/gpu/StrictRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

std::vector<std::string> narrowFloatNames(MLIRContext &context) {
  std::vector<std::string> names;
  for (StringRef name : {"f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4",
                         "f8E8M0FNU", "f6E3M2FN", "f6E2M3FN", "f4E2M1FN"})
    if (arith::parseFloatType(&context, name))
      names.push_back(name.str());
  return names;
}

/// The number of a type's semantics, which stays the same within a process.
static uint32_t kindOf(FloatType type) { return llvm::APFloat::SemanticsToEnum(type.getFloatSemantics()); }

static const llvm::fltSemantics &semanticsOf(uint32_t kind) {
  return llvm::APFloat::EnumToSemantics(static_cast<llvm::APFloat::Semantics>(kind));
}

/// Exact: a double holds every value of those types.
static double widen(uint32_t bits, uint32_t kind) {
  const llvm::fltSemantics &semantics = semanticsOf(kind);
  unsigned width = llvm::APFloat::semanticsSizeInBits(semantics);
  llvm::APFloat value(semantics, llvm::APInt(width, bits & ((1u << width) - 1)));
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

/// Rounds to the nearest, ties to even.
static uint32_t narrow(double from, uint32_t kind) {
  llvm::APFloat value(from);
  bool inexact = false;
  value.convert(semanticsOf(kind), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

/// As the ABIs of x86-64 and AArch64 hand out a bf16: in the low bits of a register for floats.
static float inLowBits(uint16_t bits) { return llvm::bit_cast<float>(uint32_t(bits)); }

/// __truncsfbf2 of compiler-rt, which LLVM calls where a processor has no instruction for it.
static float truncateToBf16(float from) {
  uint32_t bits = llvm::bit_cast<uint32_t>(from);
  if (std::isnan(from))
    return inLowBits(uint16_t(bits >> 16 | 0x40));
  return inLowBits(uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16));
}

/// __truncdfbf2. Rounding twice would be wrong for ties, so that the first time is to odd (Boldo and Melquiond,
/// "Emulation of FMA and Correctly Rounded Sums", IEEE Trans. Comput. 57, 2008).
static float truncateWideToBf16(double from) {
  float nearest = float(from);
  if (double(nearest) == from || !std::isfinite(nearest))
    return truncateToBf16(nearest);
  uint32_t bits = llvm::bit_cast<uint32_t>(nearest);
  if (std::abs(double(nearest)) > std::abs(from))
    --bits;
  return truncateToBf16(llvm::bit_cast<float>(bits | 1));
}

constexpr llvm::StringLiteral widenName = "fuselage_widen_float", narrowName = "fuselage_narrow_float";

const llvm::StringMap<void *> &narrowFloatFunctions() {
  static const llvm::StringMap<void *> functions = {{widenName, reinterpret_cast<void *>(widen)},
                                                    {narrowName, reinterpret_cast<void *>(narrow)},
                                                    {"__truncsfbf2", reinterpret_cast<void *>(truncateToBf16)},
                                                    {"__truncdfbf2", reinterpret_cast<void *>(truncateWideToBf16)}};
  return functions;
}

static bool isNarrow(Type type) {
  auto floating = llvm::dyn_cast<FloatType>(type);
  return floating && floating.getWidth() <= 8;
}

namespace {

struct ConvertNarrowFloats : PassWrapper<ConvertNarrowFloats, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertNarrowFloats)
  StringRef getArgument() const override { return "fuselage-convert-narrow-floats"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect>();
  }
  void runOnOperation() override;

private:
  void declare(StringRef name, ArrayRef<Type> arguments, Type result);
};

struct StrictRounding : PassWrapper<StrictRounding, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StrictRounding)
  StringRef getArgument() const override { return "fuselage-strict-rounding"; }
  void runOnOperation() override { roundStrictly(getOperation()); }
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
  declare(widenName, {bits, bits}, wide);
  declare(narrowName, {wide, bits}, bits);
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
      from = func::CallOp::create(builder, loc, widenName, wide, ValueRange{extended, kind}).getResult(0);
    }
    if (isNarrow(to)) {
      auto type = llvm::cast<FloatType>(to);
      Value kind = arith::ConstantIntOp::create(builder, loc, bits, kindOf(type));
      Value whole = resize(builder, loc, from, wide);
      Value result = func::CallOp::create(builder, loc, narrowName, bits, ValueRange{whole, kind}).getResult(0);
      Value raw = arith::TruncIOp::create(builder, loc, builder.getIntegerType(type.getWidth()), result);
      from = arith::BitcastOp::create(builder, loc, type, raw);
    } else {
      from = resize(builder, loc, from, to);
    }
    op->getResult(0).replaceAllUsesWith(from);
    op->erase();
  }
}

std::unique_ptr<Pass> createConvertNarrowFloatsPass() { return std::make_unique<ConvertNarrowFloats>(); }
std::unique_ptr<Pass> createStrictRoundingPass() { return std::make_unique<StrictRounding>(); }

} // namespace fuselage
