// Ops whose like was read before: the universal parser's part of OpRepeats.
#include "core/dialects/tolerant/OpReader.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/ValueName.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

bool OpReader::keepReading(const OpRepeats &repeats, const OpRepeats::Place &place, OpReading &reading) {
  bool isPlain = state_.regions.empty() && state_.successors.empty() && arguments_.empty() &&
                 skipSpace(repeats.rest(nameEnd_, place).end()) == here();
  size_t names = 0;
  visitNames(repeats.rest(nameEnd_, place), [&](const ValueName &) { ++names; });
  if (!isPlain || names != occurrences_.size())
    return false;
  for (const Operand &operand : operands_) {
    size_t occurrence = llvm::find(occurrences_, textAt(operand.use.location)) - occurrences_.begin();
    if (occurrence == occurrences_.size())
      return false;
    reading.operands.push_back({.occurrence = occurrence, .isIndexLike = operand.isIndexLike});
  }
  reading.types.assign(types_.begin(), types_.end());
  reading.resultTypes.assign(resultTypes_.begin(), resultTypes_.end());
  reading.literalType = literalType_;
  reading.attributes = state_.attributes.getDictionary(parser_.getContext());
  return true;
}

ParseResult OpReader::run(OpRepeats &repeats, const OpRepeats::Place &place) {
  auto reading = std::make_unique<OpReading>();
  if (readTokens())
    return failure();
  reading->read = state_.attributes.getDictionary(parser_.getContext());
  if (finish())
    return failure();
  if (!keepReading(repeats, place, *reading)) {
    repeats.refuse(name_);
    return fail("'" + name_ + "' is to be read anew each time");
  }
  repeats.keep(place, std::move(reading));
  return success();
}

/// What the tokens said is taken over; values are looked up anew, and so are the types that hang on them.
ParseResult OpReader::repeat(const OpRepeats &repeats, const OpRepeats::Place &place) {
  const OpReading &reading = *repeats.reading(place);
  SmallVector<UnresolvedOperand, 8> uses;
  StringRef text = repeats.rest(nameEnd_, place);
  visitNames(text, [&](const ValueName &value) {
    unsigned number = 0;
    value.number.getAsInteger(10, number);
    uses.push_back({SMLoc::getFromPointer(value.name.data() - distance_), value.name, number});
  });
  for (const OpReading::Operand &operand : reading.operands)
    operands_.push_back({uses[operand.occurrence], {}, operand.isIndexLike});
  types_.assign(reading.types.begin(), reading.types.end());
  resultTypes_.assign(reading.resultTypes.begin(), reading.resultTypes.end());
  literalType_ = reading.literalType;
  state_.attributes = NamedAttrList(reading.read);
  if (resolveOperands() || addResults())
    return failure();
  const Syntax &syntax = cast<SyntaxAttr>(reading.attributes.get(SyntaxAttr::key)).getSyntax();
  SmallVector<Type, 16> types;
  appendValueTypes(types);
  if (ArrayRef(types) == syntax.types)
    state_.attributes = NamedAttrList(reading.attributes);
  else
    addSyntax(syntax.text, syntax.groups, syntax.units);
  return success();
}

} // namespace fuselage
