// Types of operands and results.
//
// Operands: MLIR's parser wants a type to look a value up, and refuses a wrong one. The first guess is
// the type that the name had last (TypeMemory), else the type list of the op: types are handed out in
// order to the operands outside of square brackets and braces; a single type is everybody's; who
// gets none is an index. A refusal tells the true type. So a guess decides only for a value that is
// not defined yet; its type is corrected when an op that is read here defines it.
//
// Results: the types after `->` (and `=>`); of what waits for a fence, those of the tensors before
// it. Without an arrow, by count from the end of the type list; with a single type and a single result by the op's name
// (comparisons, sizes, loads). Without any type: that of an earlier use, of a literal, what the name says, that of the
// first operand, index.
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

/// Whether the value stands for one that is not defined yet.
static bool isForwardReference(Value value) {
  auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
  return cast && !cast->getBlock() && cast->getNumOperands() == 0;
}

void OpReader::guessOperandTypes() {
  SmallVector<Operand *> plain;
  for (Operand &operand : operands_)
    if (!operand.isIndexLike)
      plain.push_back(&operand);
  if (plain.empty() || (types_.size() == operands_.size() && types_.size() != plain.size())) {
    plain.clear();
    for (Operand &operand : operands_)
      plain.push_back(&operand);
  }
  for (auto [index, operand] : llvm::enumerate(plain)) {
    if (types_.size() == 1)
      operand->type = types_.front();
    else if (index < types_.size())
      operand->type = types_[index];
  }
}

ParseResult OpReader::resolve(const UnresolvedOperand &use, Type guess, Value &value) {
  uint64_t hash = TypeMemory::hash(use.name.drop_front(), use.number);
  Type type = memory_.lookup(hash);
  if (!type || type.getContext() != parser_.getContext())
    type = guess;
  SmallVector<Value, 1> values;
  refusedType_ = {};
  if (failed(parser_.resolveOperand(use, type, values))) {
    if (!refusedType_ || failed(parser_.resolveOperand(use, refusedType_, values)))
      return failure();
  }
  value = values.front();
  if (isForwardReference(value)) {
    if (value.use_empty() && value.getType() != guess)
      value.setType(guess);
    memory_.addForward(hash);
  }
  memory_.remember(hash, value.getType());
  return success();
}

ParseResult OpReader::resolveOperands() {
  if (resolved_ == operands_.size())
    return success();
  guessOperandTypes();
  Type index = parser_.getBuilder().getIndexType();
  {
    ScopedDiagnosticHandler handler(parser_.getContext(), [&](Diagnostic &diagnostic) {
      for (DiagnosticArgument &argument : diagnostic.getArguments())
        if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type)
          refusedType_ = argument.getAsType();
      return success();
    });
    for (; resolved_ < operands_.size(); ++resolved_) {
      const Operand &operand = operands_[resolved_];
      Value value;
      if (resolve(operand.use, operand.type ? operand.type : index, value))
        break;
      state_.operands.push_back(value);
    }
  }
  if (resolved_ == operands_.size())
    return success();
  const UnresolvedOperand &use = operands_[resolved_].use;
  return parser_.emitError(use.location) << "no value is named " << use.name << "#" << use.number;
}

//===-- Results -----------------------------------------------------------===//

/// The element type behind a pointer type `!ns.ptr<f32, 1>`; null if it is none.
static Type pointee(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  if (!opaque || !opaque.getTypeData().starts_with("ptr<"))
    return {};
  std::string inner = opaque.getTypeData().drop_front(4).str();
  ScopedDiagnosticHandler silence(type.getContext(), [](Diagnostic &) { return success(); });
  size_t read = 0;
  return parseType(inner, type.getContext(), &read);
}

/// The one type of an op with one result, neither before nor after an arrow, is the result's; but
/// some ops write the type of their operand.
Type OpReader::resultFromSingleType(Type type) const {
  Builder &builder = parser_.getBuilder();
  auto shaped = dyn_cast<ShapedType>(type);
  bool hasOperand = !operands_.empty();
  if (lastPart_.starts_with("cmp") || name_.contains(".cmp."))
    return shaped ? Type(shaped.clone(builder.getI1Type())) : Type(builder.getI1Type());
  bool isSize =
      llvm::StringSwitch<bool>(lastPart_).Cases({"dim", "rank", "size", "length", "num_elements"}, true).Default(false);
  if (isSize && hasOperand)
    return isa<IntegerType>(type) ? type : Type(builder.getIndexType());
  bool isLoad = lastPart_ == "load" || lastPart_ == "extract_element" || lastPart_ == "extract";
  if (isLoad && hasOperand) {
    if (Type scalar = pointee(type))
      return scalar;
    if (!shaped)
      return type;
    if (Type element = pointee(shaped.getElementType()))
      return shaped.clone(element);
    bool isIndexed = llvm::any_of(operands_, [](const Operand &o) { return o.isIndexLike; });
    bool isScalar = isa<MemRefType>(type) || isIndexed || shaped.getRank() == 0;
    return isScalar ? shaped.getElementType() : type;
  }
  return type;
}

/// The type that an op without any type in its text has.
Type OpReader::resultWithoutType() {
  MLIRContext *context = parser_.getContext();
  if (literalType_)
    return literalType_;
  if (auto typed = dyn_cast_or_null<TypedAttr>(state_.attributes.get("value")); typed && isa<BoolAttr>(typed))
    return typed.getType();
  // vm.const.i32, vm.add.f64
  SmallVector<StringRef> parts;
  name_.split(parts, '.');
  for (StringRef part : llvm::reverse(ArrayRef(parts).drop_front()))
    if (startsBuiltinType((part + " ").str().c_str()) && part != "index" && part != "none")
      return parseType(part, context);
  // torch.constant.int 1 is a !torch.int
  if (parts.size() == 3 && parts[1] == "constant")
    return OpaqueType::get(StringAttr::get(context, parts[0]), parts[2]);
  if (lastPart_.starts_with("cmp"))
    return parser_.getBuilder().getI1Type();
  if (!state_.operands.empty())
    return state_.operands.front().getType();
  return parser_.getBuilder().getIndexType();
}

/// Results that were used before: the stand-in takes their type, or they take its.
void OpReader::defineResults() {
  size_t known = std::min<size_t>(state_.types.size(), 64);
  for (size_t index = 0; index < known; ++index) {
    auto [name, number] = parser_.getResultName(index);
    uint64_t hash = TypeMemory::hash(name, number);
    if (memory_.hasForward() && memory_.isForward(hash)) {
      memory_.removeForward(hash);
      std::string sigil = ("%" + name).str();
      UnresolvedOperand use{parser_.getNameLoc(), sigil, number};
      ScopedDiagnosticHandler handler(parser_.getContext(), [&](Diagnostic &diagnostic) {
        for (DiagnosticArgument &argument : diagnostic.getArguments())
          if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type)
            refusedType_ = argument.getAsType();
        return success();
      });
      refusedType_ = {};
      SmallVector<Value, 1> values;
      bool isFound = succeeded(parser_.resolveOperand(use, state_.types[index], values)) ||
                     (refusedType_ && succeeded(parser_.resolveOperand(use, refusedType_, values)));
      if (isFound && isForwardReference(values.front())) {
        if (isWithoutTypes_)
          state_.types[index] = values.front().getType();
        else
          values.front().setType(state_.types[index]);
      }
    }
    memory_.remember(hash, state_.types[index]);
  }
}

/// `constant 1 : i32`: the number has the result's type.
void OpReader::typeConstant() {
  if (state_.types.size() != 1 || !state_.operands.empty())
    return;
  Type type = state_.types.front();
  Attribute value = state_.attributes.get("value");
  auto integer = dyn_cast_or_null<IntegerAttr>(value);
  auto number = dyn_cast_or_null<FloatAttr>(value);
  if (integer && integer.getType().isInteger(64) && type.isIntOrIndex()) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    state_.attributes.set("value", IntegerAttr::get(type, integer.getValue().sextOrTrunc(width)));
  } else if (number && isa<FloatType>(type)) {
    state_.attributes.set("value", FloatAttr::get(type, number.getValueAsDouble()));
  }
}

ParseResult OpReader::addResults() {
  if (resultCount_ == 0)
    return success();
  SmallVector<Type> results;
  for (const ResultType &result : resultTypes_)
    results.push_back(result.type ? result.type : state_.operands[result.operand].getType());
  size_t count = resultCount_;
  isWithoutTypes_ = results.empty() && types_.empty();
  if (results.size() >= count && !results.empty()) {
    results.truncate(count);
  } else if (isWithoutTypes_) {
    results.assign(count, resultWithoutType());
  } else if (!results.empty()) {
    results.resize(count, results.back());
  } else if (types_.size() == 1 || types_.size() < count) {
    Type type = count == 1 ? resultFromSingleType(types_.back()) : types_.back();
    results.assign(count, type);
  } else if (lastPart_ == "addptr") {
    results.push_back(types_.front());
  } else if (lastPart_ == "barrier" && types_.size() == operands_.size() && types_.size() == count + 1) {
    results.append(types_.begin(), types_.begin() + count); // hal.tensor.barrier join(%t : T) => %fence : F
  } else if (count == 1 && resultFromSingleType(types_.front()) != types_.front()) {
    results.push_back(resultFromSingleType(types_.front()));
  } else {
    results.append(types_.end() - count, types_.end());
  }
  results.resize(count, results.back());
  state_.addTypes(results);
  typeConstant();
  defineResults();
  return success();
}

} // namespace fuselage
