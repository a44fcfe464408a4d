// What the universal parser calls the attributes and operand groups of an op:
//   keyword = value, keyword(value)    the attribute "keyword"
//   keyword = [..], keyword([..])      the attribute "keyword", and a group of operands of that name
//   keyword %a, keyword: %a            a group of operands, outside of square brackets
//   keyword                            an enumerator: of the bracket's keyword, else "keyword"
// Values without a keyword are named after their kind: "value" (numbers, literals, lists), "string",
// "callee" (a symbol before '(' or '['), "symbol", "keyword"; a second one "value_1" and so on.
#include "core/blobs/TextBlobs.h"
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fuselage {

//===-- Attributes --------------------------------------------------------===//

void OpReader::addAttribute(StringRef name, Attribute attribute) {
  // Each look-up goes through all of them: no op has more than these by far.
  if (++attributeCount_ > kMaxAttributes)
    return;
  if (!state_.attributes.get(name)) {
    state_.addAttribute(name, attribute);
    return;
  }
  for (unsigned &number = lastNumbers_[name];;) {
    std::string next = (name + "_" + Twine(++number)).str();
    if (state_.attributes.get(next))
      continue;
    state_.addAttribute(next, attribute);
    return;
  }
}

void OpReader::addValue(Attribute attribute, StringRef kind) {
  if (!label_.empty()) {
    addAttribute(label_, attribute);
    label_ = {};
  } else if (depth() > 0) {
    elements_.push_back({attribute, std::nullopt});
  } else {
    addAttribute(kind, attribute);
  }
}

void OpReader::addNumber(Attribute attribute) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  if (depth() > 0 && label_.empty() && integer && integer.getType().isInteger(64))
    elements_.push_back({attribute, integer.getInt()});
  else
    addValue(attribute, "value");
}

/// What stood between brackets, as one attribute: numbers and operands as `array<i64>` with kDynamic
/// for operands, anything else as a list. A single value in parentheses is no list; operands alone
/// are one if they stand in square brackets after a keyword.
void OpReader::addListAttribute(const Frame &closed) {
  ArrayRef<Element> elements = ArrayRef(elements_).drop_front(closed.firstElement);
  if (elements.empty())
    return;
  auto isOperand = [](const Element &element) { return !element.attribute; };
  auto isNumeric = [](const Element &element) { return !element.attribute || element.number; };
  bool hasOperand = llvm::any_of(elements, isOperand);
  bool isSingle = elements.size() == 1 && closed.close != ']';
  bool isNested = closed.label.empty() && frames_.size() > 2;
  if (isNested && (hasOperand || isSingle))
    return; // they become elements of the list around
  Builder &builder = parser_.getBuilder();
  Attribute list;
  if (isSingle && !hasOperand) {
    list = elements.front().attribute;
  } else if (llvm::all_of(elements, isNumeric)) {
    SmallVector<int64_t> numbers;
    for (const Element &element : elements)
      numbers.push_back(element.number.value_or(ShapedType::kDynamic));
    if (!llvm::all_of(elements, isOperand) || (!closed.label.empty() && closed.close == ']'))
      list = builder.getDenseI64ArrayAttr(numbers);
  } else {
    SmallVector<Attribute> attributes;
    for (const Element &element : elements)
      if (element.attribute)
        attributes.push_back(element.attribute);
    list = builder.getArrayAttr(attributes);
  }
  elements_.truncate(closed.firstElement);
  if (list && isNested)
    elements_.push_back({list, std::nullopt});
  else if (list)
    addAttribute(closed.label.empty() ? StringRef("value") : closed.label, list);
}

void OpReader::addUnit(const char *begin, Attribute unit) {
  const char *end = here();
  if (end <= begin)
    return syntax_.giveUp();
  while (end > begin && isSpace(end[-1]))
    --end;
  // Large data is kept once, as data; whoever prints can leave it out.
  size_t size = end - begin;
  StringRef text(begin, size);
  bool isLarge = size > (isa<ElementsAttr>(unit) ? 256 : 4096) || text.contains(TextBlobs::kPlaceholder);
  if (isLarge || mentionsAlias(text))
    syntax_.placeholder(begin, end, 'u', syntax_.addUnit(unit));
}

//===-- Operands ----------------------------------------------------------===//

void OpReader::addOccurrence(const char *begin, const char *end, unsigned operand) {
  syntax_.placeholder(begin, end, 'o', operand);
  occurrences_.push_back(begin);
}

unsigned OpReader::addOperand(const UnresolvedOperand &use, bool isIndexLike) {
  Frame &current = frame();
  bool isNamed = !label_.empty();
  if (isNamed) {
    current.groupName = label_;
    current.groupSerial = ++serial_;
    label_ = {};
  }
  unsigned index = operands_.size();
  operands_.push_back({use, {}, isIndexLike});
  if (groups_.empty() || groups_.back().serial != current.groupSerial ||
      groups_.back().first + groups_.back().count != index)
    groups_.push_back({current.groupName, current.groupSerial, index, 0});
  ++groups_.back().count;
  if (depth() > 0 && !isNamed)
    elements_.push_back({});
  return index;
}

/// After the operand that was just read.
static const char *endOfUse(const char *begin) {
  const char *c = endOfName(begin);
  if (*c == '#')
    for (++c; isDigit(*c);)
      ++c;
  return c;
}

ParseResult OpReader::readOperand() {
  UnresolvedOperand use;
  if (parser_.parseOperand(use))
    return failure();
  unsigned operand = addOperand(use, frame().close == ']' || frame().close == '}');
  addOccurrence(textAt(use.location), endOfUse(textAt(use.location)), operand);
  last_ = Last::Operand;
  return success();
}

/// Among result types `%a` or `%a as type`: the result shares the storage of operand %a.
ParseResult OpReader::readTiedOperand() {
  UnresolvedOperand use;
  if (parser_.parseOperand(use))
    return failure();
  auto known = llvm::find_if(operands_, [&](const Operand &operand) {
    return operand.use.name == use.name && operand.use.number == use.number;
  });
  unsigned operand = known != operands_.end() ? known - operands_.begin() : addOperand(use, false);
  addOccurrence(textAt(use.location), endOfUse(textAt(use.location)), operand);
  last_ = Last::Operand;
  if (succeeded(parser_.parseOptionalKeyword("as")))
    return readType();
  resultTypes_.push_back({{}, operand});
  return success();
}

} // namespace fuselage
