// Ops of arith, math and index, and constants.
#include "core/emulator/Decoder.h"
#include "core/emulator/Machine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage::emulator {
namespace {

/// Before an integer division.
class DivisionCheck : public Instruction {
public:
  DivisionCheck(ElementIds divisors) : divisors_(std::move(divisors)) {}
  void run(Machine &machine) const override {
    const Mask &mask = machine.mask();
    for (ElementId divisor : divisors_)
      for (unsigned lane = mask.begin; lane < mask.end; ++lane)
        if (machine.word(divisor)[lane] == 0 && mask.active[lane]) {
          machine.races.report(FindingKind::DivisionByZero, op, lane, "");
          break;
        }
  }

private:
  ElementIds divisors_;
};

uint64_t bitsOf(const APFloat &value, const ElementForm &form) {
  APFloat converted = value;
  bool isInexact = false;
  converted.convert(form.isWide() ? APFloat::IEEEdouble() : APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &isInexact);
  return converted.bitcastToAPInt().getZExtValue();
}

bool divides(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp, index::DivSOp, index::DivUOp, index::RemSOp, index::RemUOp>(op);
}

/// The condition of a select as often as there are elements.
ElementIds repeated(ElementIds elements, size_t count) {
  if (elements.size() == 1)
    elements.resize(count, elements.front());
  return elements;
}

llvm::Error decodeSelect(Decoder &decoder, arith::SelectOp op) {
  ElementIds yes(decoder.elementsOf(op.getTrueValue())), no(decoder.elementsOf(op.getFalseValue()));
  ElementIds condition = repeated(ElementIds(decoder.elementsOf(op.getCondition())), yes.size());
  bool isBuffer = isa<BaseMemRefType>(op.getType());
  bool isUniform =
      !isBuffer && llvm::all_of(llvm::concat<ElementId>(yes, no, condition), [](ElementId id) { return id.isUniform; });
  auto result = decoder.define(op.getResult(), isUniform);
  if (!result)
    return result.takeError();
  ElementForm form = isBuffer ? ElementForm{} : *formOf(op.getType());
  decoder.emitLanes(op, selection(form), *result, {condition, yes, no}, isUniform);
  return llvm::Error::success();
}

/// Sums and products with two results: what a word holds, and what it does not.
llvm::Error decodeExtended(Decoder &decoder, Operation *op) {
  ElementForm form = *formOf(op->getResult(0).getType());
  bool isSum = isa<arith::AddUIExtendedOp>(op);
  ElementIds a = decoder.lanesOf(op->getOperand(0)), b = decoder.lanesOf(op->getOperand(1));
  LaneOperation low = integerOperation(isSum ? "arith.addi" : "arith.muli", form);
  LaneOperation high = integerOperation(op->getName().getStringRef(), form);
  for (auto [result, operation] : {std::pair(op->getResult(0), low), std::pair(op->getResult(1), high)}) {
    auto elements = decoder.define(result);
    if (!elements)
      return elements.takeError();
    decoder.emitLanes(op, operation, *elements, {a, b}, false);
  }
  return llvm::Error::success();
}

LaneOperation operationOf(Operation *op, ArrayRef<ElementForm> operands, const ElementForm &result) {
  if (auto compares = dyn_cast<arith::CmpIOp>(op))
    return comparison(uint64_t(compares.getPredicate()), operands.front());
  if (auto compares = dyn_cast<arith::CmpFOp>(op))
    return comparison(uint64_t(compares.getPredicate()), operands.front());
  if (auto compares = dyn_cast<index::CmpOp>(op)) {
    using From = index::IndexCmpPredicate;
    using To = arith::CmpIPredicate;
    constexpr std::pair<From, To> same[] = {
        {From::EQ, To::eq},   {From::NE, To::ne},   {From::SLT, To::slt}, {From::SLE, To::sle}, {From::SGT, To::sgt},
        {From::SGE, To::sge}, {From::ULT, To::ult}, {From::ULE, To::ule}, {From::UGT, To::ugt}, {From::UGE, To::uge}};
    for (auto [from, to] : same)
      if (from == compares.getPred())
        return comparison(uint64_t(to), operands.front());
  }
  return laneOperation(op->getName().getStringRef(), operands, result);
}

llvm::Error decodeElementwise(Decoder &decoder, Operation *op) {
  SmallVector<ElementForm> forms;
  SmallVector<ElementIds> operands;
  bool isUniform = true;
  for (Value operand : op->getOperands()) {
    auto form = formOf(operand.getType());
    if (!form || !elementCount(operand.getType()))
      return Decoder::refuse(op, "the emulator has no form of values of this type");
    forms.push_back(*form);
    operands.emplace_back(decoder.elementsOf(operand));
    isUniform &= decoder.valueOf(operand).isUniform();
  }
  auto resultForm = op->getNumResults() == 1 ? formOf(op->getResult(0).getType()) : std::nullopt;
  LaneOperation operation = resultForm && forms.size() <= 3 ? operationOf(op, forms, *resultForm) : LaneOperation{};
  auto rounding = op->getAttrOfType<arith::RoundingModeAttr>("roundingmode");
  if (!operation || (rounding && rounding.getValue() != arith::RoundingMode::to_nearest_even))
    return Decoder::refuse(op);
  if (divides(op) && !matchPattern(op->getOperand(1), m_Constant()))
    decoder.emit<DivisionCheck>(op, decoder.lanesOf(op->getOperand(1)));
  auto result = decoder.define(op->getResult(0), isUniform);
  if (!result)
    return result.takeError();
  for (ElementIds &operand : operands)
    operand = repeated(std::move(operand), result->size());
  decoder.emitLanes(op, operation, *result, operands, isUniform);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ElementIds> Decoder::constants(TypedAttr attribute) {
  auto form = formOf(attribute.getType());
  auto count = elementCount(attribute.getType());
  ElementIds elements;
  if (!form || !count)
    return fail("the emulator has no form of a constant's type");
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return ElementIds{constant(integer.getValue().getZExtValue() & form->mask())};
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return ElementIds{constant(bitsOf(number.getValue(), *form), form->isWide())};
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return fail("the emulator does not know the values of a constant");
  if (form->isFloat())
    for (const APFloat &value : dense.getValues<APFloat>())
      elements.push_back(constant(bitsOf(value, *form), form->isWide()));
  else
    for (const APInt &value : dense.getValues<APInt>())
      elements.push_back(constant(value.getZExtValue() & form->mask()));
  return elements;
}

llvm::Expected<bool> decodeArithmetic(Decoder &decoder, Operation *op) {
  Attribute value;
  if (op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1) {
    auto count = elementCount(op->getResult(0).getType());
    auto form = formOf(op->getResult(0).getType());
    if (isa<ub::PoisonOp>(op) && form && count)
      return decoder.alias(op->getResult(0), ElementIds(*count, decoder.constant(0, form->isWide()))), true;
    if (!matchPattern(op, m_Constant(&value)) || !isa<TypedAttr>(value))
      return false;
    auto elements = decoder.constants(cast<TypedAttr>(value));
    if (!elements)
      return Decoder::refuse(op, takeFailure(elements.takeError()).message);
    decoder.alias(op->getResult(0), std::move(*elements));
    return true;
  }
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "arith" && dialect != "math" && dialect != "index" && op->getName().getStringRef() != "vector.fma")
    return false;
  llvm::Error error = isa<arith::SelectOp>(op) ? decodeSelect(decoder, cast<arith::SelectOp>(op))
                      : isa<arith::AddUIExtendedOp, arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op)
                          ? decodeExtended(decoder, op)
                          : decodeElementwise(decoder, op);
  if (error)
    return error;
  return true;
}

} // namespace fuselage::emulator
