// The universal parser's main loop: one token after the other. What a token means is told by the
// keyword in front of it and by the bracket that it is in:
//   keyword = value, keyword(value)    the attribute "keyword"
//   keyword = [..], keyword([..])      the attribute "keyword", and a group of operands of that name
//   keyword %a, keyword: %a            a group of operands, outside of square brackets
//   keyword                            an enumerator: of the bracket's keyword, else "keyword"
// Values without a keyword are named after their kind: "value" (numbers, literals, lists), "string",
// "callee" (a symbol in front of '(' or '['), "symbol", "keyword"; a second one "value_1" and so on.
#include "core/dialects/tolerant/UniversalParser.h"
#include "core/dialects/tolerant/OpReader.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

/// Where the line of an op's name starts; the name itself if that is unknown.
static const char *lineOfName(Location location, const char *name) {
  auto position = dyn_cast<FileLineColLoc>(location);
  return position && position.getColumn() ? name - (position.getColumn() - 1) : name;
}

OpReader::OpReader(OpAsmParser &parser, OperationState &state, TypeMemory &memory)
    : parser_(parser), state_(state), memory_(memory), name_(state.name.getStringRef()),
      lastPart_(name_.rsplit('.').second), begin_(parser.getNameLoc().getPointer()),
      nameEnd_(wordAt(begin_).empty() ? begin_ : wordAt(begin_).end()),
      lineBegin_(lineOfName(state.location, begin_)), indent_(indentOf(lineBegin_, begin_)),
      resultCount_(parser.getNumResults()), syntax_(nameEnd_, indent_) {
  frames_.emplace_back();
}

ParseResult OpReader::fail(const Twine &message) {
  return parser_.emitError(parser_.getCurrentLocation()) << message;
}

ParseResult OpReader::run() { return failure(readTokens() || finish()); }

ParseResult OpReader::readTokens() {
  while (!atEnd()) {
    const char *before = here();
    if (readToken())
      return failure();
    // After an error inside of a token MLIR's parser may neither fail nor go on.
    if (here() == before)
      return fail("cannot read this part of an op of an unknown dialect");
    isFirstToken_ = false;
  }
  return success();
}

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
/// are one if they stand in square brackets behind a keyword.
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
  bool isLarge = size > (isa<ElementsAttr>(unit) ? 256 : 4096);
  if (isLarge || mentionsAlias(StringRef(begin, size)))
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

/// Behind the operand that was just read.
static const char *endOfUse(const OpAsmParser::UnresolvedOperand &use) {
  const char *c = endOfName(use.location.getPointer());
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
  addOccurrence(use.location.getPointer(), endOfUse(use), operand);
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
  addOccurrence(use.location.getPointer(), endOfUse(use), operand);
  last_ = Last::Operand;
  if (succeeded(parser_.parseOptionalKeyword("as")))
    return readType();
  resultTypes_.push_back({{}, operand});
  return success();
}

//===-- Tokens ------------------------------------------------------------===//

ParseResult OpReader::readType() {
  const char *begin = here();
  Type type;
  if (parser_.parseType(type))
    return failure();
  addUnit(begin, TypeAttr::get(type));
  if (last_ == Last::Equal && !label_.empty()) {
    addAttribute(label_, TypeAttr::get(type));
    label_ = {};
  } else if (inResultTypes_ && (depth() == 0 || (depth() == 1 && frame().isResultList))) {
    resultTypes_.push_back({type, 0});
  } else {
    types_.push_back(type);
  }
  last_ = Last::Type;
  return success();
}

ParseResult OpReader::readAttribute(const char *c) {
  Attribute attribute;
  if (parser_.parseAttribute(attribute))
    return failure();
  addUnit(c, attribute);
  // MLIR's attribute parser reads `: type` as the attribute's, where it may be the op's.
  Last last = Last::Literal;
  auto typed = dyn_cast<TypedAttr>(attribute);
  if (typed && !isa<NoneType>(typed.getType()) && label_.empty() && depth() == 0) {
    literalType_ = typed.getType();
    if (*c == '#' && !isa<IntegerAttr, FloatAttr, ElementsAttr>(attribute)) {
      types_.push_back(literalType_);
      last = Last::Type;
    }
  }
  addValue(attribute, "value");
  last_ = last;
  return success();
}

/// Whether a symbol at the start of the op is its own name rather than a reference. Guessed from a
/// visibility in front, a body behind, or the op's name.
bool OpReader::definesSymbol() const {
  if (seenSymbol_ || depth() > 0 || resultCount_ > 0 || !label_.empty() || !operands_.empty())
    return false;
  if (state_.attributes.get("sym_visibility"))
    return true;
  if (*here() == '{' && classifyBrace(here()) == Brace::Region)
    return true;
  return name_.ends_with("executable.export") ||
         llvm::StringSwitch<bool>(lastPart_)
             .Cases({"func", "global", "module", "executable", "variant", "source", "binary"}, true)
             .Cases({"interface", "variable", "import", "rodata", "entry_point", "target"}, true)
             .Default(false);
}

ParseResult OpReader::readSymbol() {
  SymbolRefAttr symbol;
  if (parser_.parseAttribute(symbol))
    return failure();
  const char *next = here();
  if (isa<FlatSymbolRefAttr>(symbol) && definesSymbol()) {
    addAttribute("sym_name", symbol.getRootReference());
  } else {
    bool isCalled = *next == '(' || *next == '[';
    addValue(symbol, isCalled ? "callee" : "symbol");
  }
  seenSymbol_ = true;
  last_ = Last::Symbol;
  return success();
}

ParseResult OpReader::readSuccessor() {
  const char *begin = here();
  Block *successor = nullptr;
  if (parser_.parseSuccessor(successor))
    return failure();
  syntax_.placeholder(begin, endOfName(begin), 's', state_.successors.size());
  state_.addSuccessors(successor);
  frame().groupSerial = ++serial_;
  frame().groupName = {};
  last_ = Last::Successor;
  return success();
}

ParseResult OpReader::readNumber(const char *c) {
  Builder &builder = parser_.getBuilder();
  last_ = Last::Literal;
  if (startsFloat(c)) {
    double number = 0;
    if (parser_.parseFloat(number))
      return failure();
    addNumber(builder.getF64FloatAttr(number));
    return success();
  }
  APInt number;
  OptionalParseResult result = parser_.parseOptionalInteger(number);
  if (!result.has_value())
    return parser_.parseMinus();
  if (failed(*result))
    return failure();
  unsigned width = number.getSignificantBits() <= 64 ? 64 : number.getBitWidth();
  addNumber(builder.getIntegerAttr(builder.getIntegerType(width), number.sextOrTrunc(width)));
  return success();
}

/// Words that start an attribute.
static bool startsAttributeWord(StringRef word, char next) {
  if (word == "true" || word == "false")
    return true;
  bool takesBracket = llvm::StringSwitch<bool>(word)
                          .Cases({"dense", "dense_resource", "affine_map", "affine_set"}, true)
                          .Cases({"array", "strided", "sparse", "opaque"}, true)
                          .Default(false);
  return (takesBracket && next == '<') || (word == "distinct" && next == '[');
}

ParseResult OpReader::readWord(const char *c) {
  StringRef word = wordAt(c);
  const char *next = skipSpace(word.end());
  if (startsAttributeWord(word, *word.end()))
    return readAttribute(c);
  bool isAssigned = *next == '=' && next[1] != '>' && (word == "index" || word == "none");
  bool isEnumerator = word == "none" && !frame().label.empty();
  if (startsBuiltinType(c) && !isAssigned && !isEnumerator)
    return readType();
  StringRef keyword;
  if (parser_.parseOptionalKeyword(&keyword))
    return fail("cannot read this part of an op of an unknown dialect");
  return readKeyword(keyword);
}

/// Whether what stands at `c` names the value behind it: `keyword = `, `keyword(`, `keyword 3` ...
static bool labelsWhatFollows(const char *c) {
  switch (*c) {
  case '=': return c[1] != '>' && c[1] != '=';
  case ':': return *skipSpace(c + 1) == '%';
  case '(':
  case '[':
  case '<':
  case '"':
  case '@':
  case '#': return true;
  case '-': return isDigit(c[1]);
  default: return isDigit(*c);
  }
}

ParseResult OpReader::readKeyword(StringRef word) {
  const char *next = skipSpace(word.end());
  Last last = last_;
  last_ = Last::Keyword;
  if (depth() == 0)
    inResultTypes_ = false;
  if (*next == '@' && (word == "public" || word == "private" || word == "nested")) {
    addAttribute("sym_visibility", parser_.getBuilder().getStringAttr(word));
    return success();
  }
  if (labelsWhatFollows(next)) {
    label_ = word;
    return success();
  }
  if (*next == '%') {
    // `[%a to %b]` are one group, `from %a, to %b` are two.
    if (word == "as")
      return readTiedArgument();
    label_ = depth() == 0 ? word : StringRef();
    return success();
  }
  // `to type`, `into type`: the words between types say nothing.
  if (*next == '!' || startsBuiltinType(next) || *next == '{' || *next == '^') {
    if (last == Last::Equal)
      addValue(parser_.getBuilder().getStringAttr(word), "keyword");
    else if (*next == '{' && word != "attributes" && classifyBrace(next) == Brace::Dictionary)
      addValue(parser_.getBuilder().getStringAttr(word), "keyword");
    label_ = {};
    return success();
  }
  addValue(parser_.getBuilder().getStringAttr(word), "keyword");
  return success();
}

ParseResult OpReader::readArrow(const char *c) {
  bool isFat = *c == '=';
  if (isFat && (parser_.parseEqual() || parser_.parseGreater()))
    return failure();
  if (!isFat && parser_.parseArrow())
    return failure();
  last_ = isFat ? Last::FatArrow : Last::Arrow;
  if (depth() > 0)
    return success();
  label_ = {};
  const char *next = here();
  // `-> tensor<4xf32> = (...) { ... } count(%n: index) -> (index) { ... }`: a region's own results,
  // where the op's are all known.
  if (!isFat && !state_.regions.empty() && !resultTypes_.empty() &&
      resultTypes_.size() >= resultCount_)
    return success();
  if (!isFat) {
    resultTypes_.clear();
    inResultTypes_ = true;
  } else if (*next == '!' || startsBuiltinType(next)) {
    // `-> (types) { ... } => !stream.timepoint`: one result more.
    inResultTypes_ = true;
  }
  return success();
}

ParseResult OpReader::readOpenBracket(const char *c) {
  if (*c == '(') {
    if (startsSignature(c))
      return readSignature();
    if (startsArgumentList(c)) {
      last_ = Last::Close;
      return readArgumentList(nullptr, nullptr);
    }
    if (startsInductionVariables(c))
      return readInductionVariables();
  }
  Frame opened;
  opened.close = *c == '(' ? ')' : *c == '[' ? ']' : *c == '<' ? '>' : '}';
  opened.label = label_;
  opened.isResultList = *c == '(' && depth() == 0 && inResultTypes_ && last_ == Last::Arrow;
  opened.firstElement = elements_.size();
  // A list in a list belongs to the same group; without any keyword each bracket is its own.
  opened.groupName = label_.empty() && depth() > 0 ? frame().groupName : label_;
  bool isSameGroup = label_.empty() && depth() > 0 && !frame().groupName.empty();
  opened.groupSerial = isSameGroup ? frame().groupSerial : ++serial_;
  label_ = {};
  if (depth() == 0 && last_ != Last::Arrow && last_ != Last::FatArrow)
    inResultTypes_ = false;
  last_ = Last::Open;
  switch (*c) {
  case '(': if (parser_.parseLParen()) return failure(); break;
  case '[': if (parser_.parseLSquare()) return failure(); break;
  case '<': if (parser_.parseLess()) return failure(); break;
  default: if (parser_.parseLBrace()) return failure(); break;
  }
  frames_.push_back(opened);
  return success();
}

ParseResult OpReader::readCloseBracket(char c) {
  if (c == ')' ? parser_.parseRParen() : c == ']' ? parser_.parseRSquare() : parser_.parseRBrace())
    return failure();
  // A '<' that was no bracket closes with what is around it.
  while (depth() > 0 && frame().close == '>' && c != '>') {
    addListAttribute(frame());
    frames_.pop_back();
  }
  if (depth() == 0 || frame().close != c)
    return fail(Twine("'") + Twine(c) + "' closes nothing in an op of an unknown dialect");
  addListAttribute(frame());
  frames_.pop_back();
  label_ = {};
  last_ = Last::Close;
  return success();
}

ParseResult OpReader::readPunctuation(const char *c) {
  switch (*c) {
  case ',':
    last_ = Last::Comma;
    label_ = {};
    return parser_.parseComma();
  case '=':
    if (c[1] == '>')
      return readArrow(c);
    last_ = Last::Equal;
    return parser_.parseEqual();
  case '-':
    if (c[1] == '>')
      return readArrow(c);
    return readNumber(c);
  case ':':
    last_ = Last::Colon;
    if (*skipSpace(c + 1) != '%')
      label_ = {};
    if (depth() == 0)
      inResultTypes_ = false;
    return parser_.parseColon();
  case '?':
    last_ = Last::Literal;
    if (depth() > 0)
      elements_.push_back({parser_.getBuilder().getI64IntegerAttr(ShapedType::kDynamic),
                           ShapedType::kDynamic});
    return parser_.parseQuestion();
  case '>':
    last_ = Last::Other;
    if (depth() > 0 && frame().close == '>') {
      addListAttribute(frame());
      frames_.pop_back();
      label_ = {};
      last_ = Last::Close;
    }
    return parser_.parseGreater();
  case '*': last_ = Last::Other; return parser_.parseStar();
  case '+': last_ = Last::Other; return parser_.parsePlus();
  case '/': last_ = Last::Other; return parser_.parseSlash();
  case '|': last_ = Last::Other; return parser_.parseVerticalBar();
  case '.': last_ = Last::Other; return parser_.parseEllipsis();
  default: return fail("cannot read this part of an op of an unknown dialect");
  }
}

ParseResult OpReader::readToken() {
  const char *c = here();
  switch (*c) {
  case '^': return readSuccessor();
  case '%': {
    const char *next = skipSpace(endOfName(c));
    bool isAssigned = *next == '=' && next[1] != '=' && next[1] != '>';
    if ((isAssigned && (depth() > 0 || isFirstToken_)) || (isFirstToken_ && wordAt(next) == "in"))
      return readAssignment();
    bool isTied = inResultTypes_ && (depth() == 0 || (depth() == 1 && frame().isResultList));
    return isTied ? readTiedOperand() : readOperand();
  }
  case '@': return readSymbol();
  case '#': return readAttribute(c);
  case '!': return readType();
  case '"': {
    std::string text;
    if (parser_.parseString(&text))
      return failure();
    addValue(parser_.getBuilder().getStringAttr(text), "string");
    last_ = Last::Literal;
    return success();
  }
  case '(':
  case '[': return readOpenBracket(c);
  case '<':
    if (endOfBracket(c))
      return readOpenBracket(c);
    last_ = Last::Other;
    return parser_.parseLess();
  case ')':
  case ']':
  case '}': return readCloseBracket(*c);
  case '{': return readBrace(c);
  default: break;
  }
  if (isDigit(*c))
    return readNumber(c);
  if (isLetter(*c))
    return readWord(c);
  return readPunctuation(c);
}

//===-- The op ------------------------------------------------------------===//

ParseResult OpReader::finish() {
  if (attributeCount_ > kMaxAttributes)
    return fail("more than " + Twine(kMaxAttributes) + " values outside of brackets in one op");
  if (depth() > 0)
    return fail(Twine("expected '") + Twine(frame().close) +
                "' before the end of an op of an unknown dialect");
  if (resolveOperands() || addResults())
    return failure();
  syntax_.finish(here());
  if (!arguments_.empty() && llvm::any_of(arguments_, [](auto &a) { return !a.isLoop; }))
    syntax_.giveUp();
  std::string groups;
  llvm::raw_string_ostream os(groups);
  for (const Group &group : groups_)
    os << group.name << ':' << group.first << ':' << group.count << ';';
  addSyntax(syntax_.text(), groups, syntax_.units());
  return success();
}

/// Of operands, results and the arguments of entry blocks, in this order.
void OpReader::appendValueTypes(SmallVectorImpl<Type> &types) const {
  llvm::append_range(types, ValueRange(state_.operands).getTypes());
  llvm::append_range(types, state_.types);
  for (const std::unique_ptr<Region> &region : state_.regions)
    if (!region->empty())
      llvm::append_range(types, region->front().getArgumentTypes());
}

void OpReader::addSyntax(StringRef text, StringRef groups, ArrayRef<Attribute> units) {
  SmallVector<Type, 16> types;
  appendValueTypes(types);
  SmallVector<NamedAttribute> attributes(state_.attributes.getAttrs());
  llvm::sort(attributes);
  Syntax syntax{.text = text, .groups = groups, .attributes = attributes, .types = types, .units = units};
  state_.addAttribute(SyntaxAttr::key, SyntaxAttr::get(parser_.getContext(), syntax));
}

ParseResult parseUniversally(OpAsmParser &parser, OperationState &state) {
  auto *dialect = parser.getContext()->getOrLoadDialect<FuselageDialect>();
  OpReader reader(parser, state, dialect->typeMemory());
  OpRepeats *repeats = dialect->repeats();
  const OpRepeats::Place *place = repeats ? repeats->find(parser.getNameLoc().getPointer()) : nullptr;
  if (!place)
    return reader.run();
  return place->isFirst ? reader.run(*repeats, *place) : reader.repeat(*repeats, *place);
}

} // namespace fuselage
