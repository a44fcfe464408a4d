// The universal parser's main loop: one token after the other. What a token means is told by the
// keyword before it and by the bracket that it is in; NamedValues.cpp says what it is called.
#include "core/dialects/tolerant/UniversalParser.h"
#include "core/blobs/TextBlobs.h"
#include "core/dialects/tolerant/OpReader.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;

namespace fuselage {

/// Where the line of an op's name starts; the name itself if that is unknown.
static const char *lineOfName(Location location, const char *name) {
  auto position = dyn_cast<FileLineColLoc>(location);
  return position && position.getColumn() ? name - (position.getColumn() - 1) : name;
}

OpReader::OpReader(OpAsmParser &parser, OperationState &state, TypeMemory &memory, ptrdiff_t distance)
    : parser_(parser), state_(state), memory_(memory), distance_(distance), name_(state.name.getStringRef()),
      lastPart_(name_.rsplit('.').second), begin_(textAt(parser.getNameLoc())),
      nameEnd_(wordAt(begin_).empty() ? begin_ : wordAt(begin_).end()), lineBegin_(lineOfName(state.location, begin_)),
      indent_(indentOf(lineBegin_, begin_)), resultCount_(parser.getNumResults()), syntax_(nameEnd_, indent_) {
  frames_.emplace_back();
}

ParseResult OpReader::fail(const Twine &message) { return parser_.emitError(parser_.getCurrentLocation()) << message; }

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
    last_ = Last::Type;
  } else {
    addType(type);
  }
  return success();
}

/// A type that stands for values.
void OpReader::addType(Type type) {
  if (inResultTypes_ && (depth() == 0 || (depth() == 1 && frame().isResultList)))
    resultTypes_.push_back({type, 0});
  else
    types_.push_back(type);
  last_ = Last::Type;
}

/// The type of the op's dialect that `<...>` at `c` stands for, where only one is possible and its name
/// is left out: the text has it in full further on, or it is a pointer to what the brackets hold. Null:
/// it stands for none.
Type OpReader::elidedType(const char *c) const {
  constexpr ptrdiff_t mostText = 1 << 16;
  bool isAfterTypes = last_ == Last::Comma && !types_.empty();
  bool mayBeType = depth() == 0 && (last_ == Last::Colon || last_ == Last::Arrow || isAfterTypes);
  const char *end = mayBeType ? endOfBracket(c) : nullptr;
  const char *first = skipSpace(c + 1);
  if (!end || mentionsAlias(StringRef(c, end - c)) || !(startsBuiltinType(first) || *first == '!'))
    return {};
  StringRef inner(c, end - c);
  std::string start = ("!" + name_.split('.').first + ".").str();
  StringRef name = "ptr";
  StringRef text(end, strnlen(end, mostText));
  for (size_t at = text.find(start); at != StringRef::npos; at = text.find(start, at + 1)) {
    StringRef word = wordAt(text.data() + at + start.size());
    if (!word.empty() && StringRef(word.end(), text.end() - word.end()).starts_with(inner)) {
      name = word;
      break;
    }
  }
  MLIRContext *context = parser_.getContext();
  return OpaqueType::get(StringAttr::get(context, name_.split('.').first), (name + inner).str());
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
/// visibility before it, a body after it, or the op's name.
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

/// Whether what stands at `c` names the value after it: `keyword = `, `keyword(`, `keyword 3` ...
static bool labelsWhatFollows(const char *c) {
  switch (*c) {
  case '=':
    return c[1] != '>' && c[1] != '=';
  case ':':
    return *skipSpace(c + 1) == '%';
  case '(':
  case '[':
  case '<':
  case '"':
  case '@':
  case '#':
    return true;
  case '-':
    return isDigit(c[1]);
  default:
    return isDigit(*c);
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
  if (!isFat && !state_.regions.empty() && !resultTypes_.empty() && resultTypes_.size() >= resultCount_)
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

ParseResult OpReader::readToken() {
  const char *c = here();
  switch (*c) {
  case '^':
    return readSuccessor();
  case '%': {
    const char *next = skipSpace(endOfName(c));
    bool isAssigned = *next == '=' && next[1] != '=' && next[1] != '>';
    bool isBound = frame().isBinding && (last_ == Last::Open || last_ == Last::Comma);
    if (isBound || (isAssigned && (depth() > 0 || isFirstToken_)) || (isFirstToken_ && wordAt(next) == "in"))
      return readAssignment();
    bool isTied = inResultTypes_ && (depth() == 0 || (depth() == 1 && frame().isResultList));
    return isTied ? readTiedOperand() : readOperand();
  }
  case '@':
    return readSymbol();
  case '#':
    return readAttribute(c);
  case '!':
    return readType();
  case '"': {
    std::string text;
    if (parser_.parseString(&text))
      return failure();
    addValue(parser_.getBuilder().getStringAttr(text), "string");
    last_ = Last::Literal;
    return success();
  }
  case '(':
  case '[':
    return readOpenBracket(c);
  case '<':
    if (endOfBracket(c))
      return readOpenBracket(c);
    last_ = Last::Other;
    return parser_.parseLess();
  case ')':
  case ']':
  case '}':
    return readCloseBracket(*c);
  case '{':
    return readBrace(c);
  default:
    break;
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
    return fail(Twine("expected '") + Twine(frame().close) + "' before the end of an op of an unknown dialect");
  if (resolveOperands() || addResults())
    return failure();
  syntax_.finish(here());
  if (!arguments_.empty() && llvm::any_of(arguments_, [](auto &a) { return !a.isLoop; }))
    syntax_.giveUp();
  if (syntax_.text().contains(TextBlobs::kPlaceholder)) // means nothing once the text is read
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
  OpRepeats *repeats = dialect->repeats();
  const char *name = parser.getNameLoc().getPointer();
  OpReader reader(parser, state, dialect->typeMemory(), repeats ? repeats->distance(name) : 0);
  const OpRepeats::Place *place = repeats ? repeats->find(name) : nullptr;
  if (!place)
    return reader.run();
  return place->isFirst ? reader.run(*repeats, *place) : reader.repeat(*repeats, *place);
}

} // namespace fuselage
