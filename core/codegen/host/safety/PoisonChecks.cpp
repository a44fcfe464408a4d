#include "core/codegen/host/safety/PoisonChecks.h"
#include "core/executable/HostSymbols.h"
#include "core/ir/Session.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

constexpr llvm::StringLiteral integerMark = "<integer>", floatMark = "<float>";

std::string PoisonSite::sentence(int64_t number) const {
  std::string said = text;
  if (size_t at = said.find(integerMark.str()); at != std::string::npos)
    said.replace(at, integerMark.size(), std::to_string(number));
  if (size_t at = said.find(floatMark.str()); at != std::string::npos) {
    std::string digits;
    llvm::raw_string_ostream(digits) << llvm::format("%g", llvm::bit_cast<double>(number));
    said.replace(at, floatMark.size(), digits);
  }
  return said;
}

namespace {

/// When a result is poison.
struct Poison {
  Value where;     ///< an i1, or a vector of them
  std::string how; ///< "by <integer>"
  Value number{};  ///< what the mark stands for
};

/// Finds out of one op when its result is poison; what it needs for that is made after the op.
class PoisonFinder {
public:
  PoisonFinder(ImplicitLocOpBuilder &builder, Operation *op) : b(builder), op_(op) {}

  SmallVector<Poison> find() {
    if (llvm::isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, index::ShlOp, index::ShrSOp, index::ShrUOp>(op_))
      findOfShift();
    else if (auto flags = llvm::dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op_))
      findOverflow(flags);
    else if (llvm::isa<arith::FPToSIOp, arith::FPToUIOp>(op_))
      findOfConversion();
    else if (llvm::isa<arith::DivSIOp, arith::DivUIOp>(op_))
      findOfDivision();
    else if (auto extract = llvm::dyn_cast<vector::ExtractOp>(op_))
      findOfPosition(extract.getDynamicPosition(), extract.getStaticPosition(), extract.getSourceVectorType());
    else if (auto insert = llvm::dyn_cast<vector::InsertOp>(op_))
      findOfPosition(insert.getDynamicPosition(), insert.getStaticPosition(), insert.getDestVectorType());
    else if (auto promises = llvm::dyn_cast<arith::ArithFastMathInterface>(op_))
      findOfPromises(promises);
    return std::move(found_);
  }

private:
  static unsigned widthOf(Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  }
  Value integer(Type type, const APInt &value) {
    TypedAttr number = b.getIntegerAttr(getElementTypeOrSelf(type), value);
    return constant(type, number);
  }
  Value constant(Type type, TypedAttr number) {
    auto shaped = llvm::dyn_cast<ShapedType>(type);
    return arith::ConstantOp::create(b, shaped ? TypedAttr(DenseElementsAttr::get(shaped, Attribute(number))) : number);
  }
  Value integer(Type type, uint64_t value) { return integer(type, APInt(widthOf(type), value)); }
  Value is(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(b, predicate, left, right);
  }
  Value is(arith::CmpFPredicate predicate, Value left, Value right) {
    return arith::CmpFOp::create(b, predicate, left, right);
  }
  Value isNegative(Value value) { return is(arith::CmpIPredicate::slt, value, integer(value.getType(), 0)); }

  void findOfShift() {
    Value amount = op_->getOperand(1), value = op_->getOperand(0);
    unsigned width = widthOf(amount.getType());
    APInt known;
    bool isKnown = matchPattern(amount, m_ConstantInt(&known));
    if (!isKnown || known.uge(width))
      found_.push_back(
          {is(arith::CmpIPredicate::uge, amount, integer(amount.getType(), width)), "by <integer>", amount});
    // What comes of a shift that is poison by itself plays no part.
    Value safe = arith::MinUIOp::create(b, amount, integer(amount.getType(), width - 1));
    auto isLost = [&](Value there) { return is(arith::CmpIPredicate::ne, there, value); };
    if (auto left = llvm::dyn_cast<arith::ShLIOp>(op_)) {
      Value shifted = arith::ShLIOp::create(b, value, safe);
      if (left.hasNoSignedWrap())
        found_.push_back({isLost(arith::ShRSIOp::create(b, shifted, safe)), "with nsw, which overflows,"});
      if (left.hasNoUnsignedWrap())
        found_.push_back({isLost(arith::ShRUIOp::create(b, shifted, safe)), "with nuw, which overflows,"});
    } else if (auto right = llvm::dyn_cast<arith::ShRSIOp>(op_); right && right.getIsExact()) {
      found_.push_back({isLost(arith::ShLIOp::create(b, arith::ShRSIOp::create(b, value, safe), safe)),
                        "with exact, which loses bits,"});
    } else if (auto right = llvm::dyn_cast<arith::ShRUIOp>(op_); right && right.getIsExact()) {
      found_.push_back({isLost(arith::ShLIOp::create(b, arith::ShRUIOp::create(b, value, safe), safe)),
                        "with exact, which loses bits,"});
    }
  }

  void findOverflow(arith::ArithIntegerOverflowFlagsInterface flags) {
    if (flags.hasNoSignedWrap())
      if (Value where = overflows(/*isSigned=*/true))
        found_.push_back({where, "with nsw, which overflows,"});
    if (flags.hasNoUnsignedWrap())
      if (Value where = overflows(/*isSigned=*/false))
        found_.push_back({where, "with nuw, which overflows,"});
  }

  Value overflows(bool isSigned) {
    Value left = op_->getOperand(0);
    if (llvm::isa<arith::TruncIOp>(op_)) {
      Value narrow = arith::TruncIOp::create(b, op_->getResult(0).getType(), left);
      Value wide = isSigned ? arith::ExtSIOp::create(b, left.getType(), narrow).getResult()
                            : arith::ExtUIOp::create(b, left.getType(), narrow).getResult();
      return is(arith::CmpIPredicate::ne, wide, left);
    }
    if (!llvm::isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op_))
      return {};
    Value right = op_->getOperand(1);
    if (llvm::isa<arith::MulIOp>(op_))
      return productOverflows(left, right, isSigned);
    bool adds = llvm::isa<arith::AddIOp>(op_);
    Value wrapped =
        adds ? arith::AddIOp::create(b, left, right).getResult() : arith::SubIOp::create(b, left, right).getResult();
    if (!isSigned)
      return adds ? is(arith::CmpIPredicate::ult, wrapped, left) : is(arith::CmpIPredicate::ult, left, right);
    // The sum has another sign than both terms; the difference another than its first, which has
    // another than its second.
    Value one = arith::XOrIOp::create(b, left, wrapped);
    Value other = arith::XOrIOp::create(b, adds ? right : left, adds ? wrapped : right);
    return isNegative(arith::AndIOp::create(b, one, other));
  }

  Value productOverflows(Value left, Value right, bool isSigned) {
    if (getElementTypeOrSelf(left.getType()).isIndex()) {
      if (llvm::isa<ShapedType>(left.getType()))
        return {};
      left = arith::IndexCastOp::create(b, b.getI64Type(), left);
      right = arith::IndexCastOp::create(b, b.getI64Type(), right);
    }
    unsigned width = widthOf(left.getType());
    if (width > 64)
      return {};
    if (!isSigned)
      return is(arith::CmpIPredicate::ne, arith::MulUIExtendedOp::create(b, left, right).getHigh(),
                integer(left.getType(), 0));
    auto product = arith::MulSIExtendedOp::create(b, left, right);
    Value sign = arith::ShRSIOp::create(b, product.getLow(), integer(left.getType(), width - 1));
    return is(arith::CmpIPredicate::ne, product.getHigh(), sign);
  }

  /// Divisors are neither zero nor such that the division overflows: insertChecks sees to that.
  void findOfDivision() {
    Value left = op_->getOperand(0), right = op_->getOperand(1);
    Value rest;
    if (auto division = llvm::dyn_cast<arith::DivSIOp>(op_); division && division.getIsExact())
      rest = arith::RemSIOp::create(b, left, right);
    else if (auto division = llvm::dyn_cast<arith::DivUIOp>(op_); division && division.getIsExact())
      rest = arith::RemUIOp::create(b, left, right);
    if (rest)
      found_.push_back(
          {is(arith::CmpIPredicate::ne, rest, integer(rest.getType(), 0)), "with exact, which leaves a remainder,"});
  }

  void findOfConversion() {
    Value value = op_->getOperand(0);
    Type from = getElementTypeOrSelf(value.getType()), to = op_->getResult(0).getType();
    unsigned width = widthOf(to);
    if (from.getIntOrFloatBitWidth() > 64 || width > 128)
      return;
    Type wide = b.getF64Type();
    if (auto shaped = llvm::dyn_cast<ShapedType>(value.getType()))
      wide = shaped.clone(wide);
    if (!from.isF64())
      value = arith::ExtFOp::create(b, wide, value);
    auto number = [&](double bound) { return constant(wide, b.getF64FloatAttr(bound)); };
    bool isSigned = llvm::isa<arith::FPToSIOp>(op_);
    double end = std::ldexp(1.0, isSigned ? width - 1 : width), least = isSigned ? -end : 0;
    bool hasFractions = least - 1 != least; // else there is no number between the least integer and that minus one
    Value isAbove = is(hasFractions ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OGE, value,
                       number(hasFractions ? least - 1 : least));
    Value fits = arith::AndIOp::create(b, isAbove, is(arith::CmpFPredicate::OLT, value, number(end)));
    found_.push_back({arith::XOrIOp::create(b, fits, integer(fits.getType(), 1)), "of <float>", value});
  }

  void findOfPosition(ValueRange positions, ArrayRef<int64_t> fixed, VectorType type) {
    unsigned next = 0;
    for (auto [dim, position] : llvm::enumerate(fixed)) {
      if (!ShapedType::isDynamic(position) || next == positions.size())
        continue;
      Value at = positions[next++];
      if (!type.getScalableDims()[dim])
        found_.push_back(
            {is(arith::CmpIPredicate::uge, at, integer(at.getType(), type.getDimSize(dim))), "at <integer>", at});
    }
  }

  void findOfPromises(arith::ArithFastMathInterface promises) {
    arith::FastMathFlagsAttr attribute = promises.getFastMathFlagsAttr();
    arith::FastMathFlags flags = attribute ? attribute.getValue() : arith::FastMathFlags::none;
    SmallVector<Value> values;
    if (!llvm::isa<arith::SelectOp>(op_)) // which passes on one of them
      llvm::append_range(values, op_->getOperands());
    llvm::append_range(values, op_->getResults());
    auto isFloat = [](Value value) {
      return llvm::isa<FloatType>(getElementTypeOrSelf(value.getType())) && !llvm::isa<TensorType>(value.getType());
    };
    auto isFinite = [](Value value) {
      APFloat number(0.0);
      return matchPattern(value, m_ConstantFloat(&number)) && number.isFinite();
    };
    llvm::erase_if(values, [&](Value value) { return !isFloat(value) || isFinite(value); });
    // LLVM would take the checks themselves for promised.
    if (attribute && !values.empty())
      op_->setAttr(promises.getFastMathAttrName(),
                   arith::FastMathFlagsAttr::get(op_->getContext(), arith::FastMathFlags::none));
    auto add = [&](llvm::function_ref<Value(Value)> isBroken, const char *how) {
      for (Value value : values)
        found_.push_back({isBroken(value), how});
    };
    if (bitEnumContainsAll(flags, arith::FastMathFlags::nnan))
      add([&](Value value) { return is(arith::CmpFPredicate::UNO, value, value); }, "of NaN with nnan");
    if (bitEnumContainsAll(flags, arith::FastMathFlags::ninf))
      add(
          [&](Value value) {
            auto type = llvm::cast<FloatType>(getElementTypeOrSelf(value.getType()));
            if (!llvm::APFloat::semanticsHasInf(type.getFloatSemantics()))
              return Value();
            Value endless = constant(value.getType(), b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics())));
            return is(arith::CmpFPredicate::OEQ, math::AbsFOp::create(b, value).getResult(), endless);
          },
          "of an infinity with ninf");
  }

  ImplicitLocOpBuilder &b;
  Operation *op_;
  SmallVector<Poison> found_;
};

/// Puts values in place of poison.
class PoisonReplacer {
public:
  explicit PoisonReplacer(ModuleOp module) : module_(module) {}

  void replaceIn(Operation *op) {
    ImplicitLocOpBuilder builder(op->getLoc(), op->getContext());
    builder.setInsertionPointAfter(op);
    if (op->getNumResults() != 1 || !canReplace(op->getResult(0).getType()))
      return;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getResult(0).getUses())
      uses.push_back(&use);
    Value result = op->getResult(0);
    if (llvm::isa<ub::PoisonOp>(op))
      result = chosen(builder, op, {.where = {}, .how = ""});
    else
      for (const Poison &poison : PoisonFinder(builder, op).find())
        if (Value any = poison.where ? anyOf(builder, poison.where) : Value())
          result = guarded(builder, op, result, poison, any);
    for (OpOperand *use : uses)
      use->set(result);
  }

private:
  static bool canReplace(Type type) {
    auto vector = llvm::dyn_cast<VectorType>(type);
    return getElementTypeOrSelf(type).isIntOrIndexOrFloat() &&
           (vector ? !vector.isScalable() : !llvm::isa<ShapedType>(type));
  }

  /// Whether any element is true.
  static Value anyOf(ImplicitLocOpBuilder &b, Value mask) {
    auto type = llvm::dyn_cast<VectorType>(mask.getType());
    if (!type)
      return mask;
    if (type.getNumElements() == 0)
      return {};
    Value flat = vector::ShapeCastOp::create(b, VectorType::get(type.getNumElements(), b.getI1Type()), mask);
    return vector::ReductionOp::create(b, vector::CombiningKind::OR, flat);
  }

  Value guarded(ImplicitLocOpBuilder &b, Operation *op, Value result, const Poison &poison, Value any) {
    auto branch = scf::IfOp::create(b, TypeRange(result.getType()), any, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(branch.thenBlock());
    Value instead = chosen(b, op, poison);
    if (llvm::isa<VectorType>(poison.where.getType()))
      instead = arith::SelectOp::create(b, poison.where, instead, result);
    scf::YieldOp::create(b, instead);
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, result);
    return branch.getResult(0);
  }

  /// What the hook says.
  Value chosen(ImplicitLocOpBuilder &b, Operation *op, const Poison &poison) {
    func::FuncOp hook = hookFunction();
    std::string text = op->getName().getStringRef().str();
    Value number = numberOf(b, poison.number);
    std::string how = StringRef(poison.how).starts_with("by ") && !number ? "by the width or more" : poison.how;
    if (!how.empty())
      text += " " + how;
    text += " on " + textOfType(op->getNumOperands() ? op->getOperand(0).getType() : op->getResult(0).getType()) +
            " is poison";
    if (std::string place = formatPosition(positionOf(op)); !place.empty())
      text += " (" + place + ")";
    Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
    Location loc = FusedLoc::get({op->getLoc()}, b.getStringAttr(text), op->getContext());
    Value other = func::CallOp::create(b, loc, hook, ValueRange{zero, number ? number : zero}).getResult(0);
    Value isOther = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, other, zero);
    Type type = op->getResult(0).getType();
    return arith::SelectOp::create(b, isOther, filled(b, type, 0x7f), filled(b, type, 0));
  }

  static std::string textOfType(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  /// A number in the hook's 64 bits; null if it is none.
  static Value numberOf(ImplicitLocOpBuilder &b, Value value) {
    if (!value || llvm::isa<ShapedType>(value.getType()))
      return {};
    Type wide = b.getI64Type();
    if (value.getType().isF64())
      return arith::BitcastOp::create(b, wide, value);
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(b, wide, value);
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width == 64)
      return value;
    return width < 64 ? arith::ExtUIOp::create(b, wide, value).getResult()
                      : arith::TruncIOp::create(b, wide, value).getResult();
  }

  /// A value whose bytes are all the same.
  static Value filled(ImplicitLocOpBuilder &b, Type type, uint8_t byte) {
    Type element = getElementTypeOrSelf(type);
    unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    APInt bits = APInt::getSplat(llvm::alignTo(width, 8), APInt(8, byte)).trunc(width);
    auto format = llvm::dyn_cast<FloatType>(element);
    TypedAttr number = format ? TypedAttr(b.getFloatAttr(element, APFloat(format.getFloatSemantics(), bits)))
                              : b.getIntegerAttr(element, bits);
    auto shaped = llvm::dyn_cast<ShapedType>(type);
    return arith::ConstantOp::create(b, shaped ? TypedAttr(DenseElementsAttr::get(shaped, Attribute(number))) : number);
  }

  func::FuncOp hookFunction() {
    if (auto known = module_.lookupSymbol<func::FuncOp>(host::kPoison))
      return known;
    OpBuilder builder(module_.getBodyRegion());
    Type word = builder.getI64Type();
    auto hook =
        func::FuncOp::create(builder, module_.getLoc(), host::kPoison, builder.getFunctionType({word, word}, word));
    hook.setPrivate();
    return hook;
  }

  ModuleOp module_;
};

/// Bodies of named structured ops are what the name says, and some regions hold one op or nothing
/// that calls.
bool isFixed(Operation *op) {
  if (llvm::isa_and_nonnull<vector::MaskOp, memref::GenericAtomicRMWOp>(op->getParentOp()))
    return true;
  auto structured = op->getParentOfType<linalg::LinalgOp>();
  return structured && !llvm::isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(structured);
}

bool breaksPromises(Operation *op) {
  auto promises = llvm::dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags = promises ? promises.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return flags && bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::nnan | arith::FastMathFlags::ninf);
}

} // namespace

void insertPoisonChecks(ModuleOp module) {
  if (module.lookupSymbol(host::kPoison))
    return; // the module's own
  // A sum is wider by its form, which a check inside of it would hide.
  if (module.walk([](Operation *op) { return breaksPromises(op) ? WalkResult::interrupt() : WalkResult::advance(); })
          .wasInterrupted())
    widenAccumulators(module, {.longReductions = true, .wideProducts = false});
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (!isFixed(op))
      ops.push_back(op);
  });
  PoisonReplacer replacer(module);
  for (Operation *op : ops)
    replacer.replaceIn(op);
}

std::vector<PoisonSite> numberPoisonSites(ModuleOp module) {
  std::vector<PoisonSite> sites;
  module.walk([&](func::CallOp call) {
    auto place = llvm::dyn_cast<FusedLoc>(call.getLoc());
    auto text = place ? llvm::dyn_cast_or_null<StringAttr>(place.getMetadata()) : StringAttr();
    if (call.getCallee() != host::kPoison || !text || call.getNumOperands() == 0)
      return;
    OpBuilder builder(call);
    Value number = arith::ConstantOp::create(builder, call.getLoc(), builder.getI64IntegerAttr(sites.size()));
    call->setOperand(0, number);
    sites.push_back({text.str()});
  });
  return sites;
}

} // namespace fuselage
