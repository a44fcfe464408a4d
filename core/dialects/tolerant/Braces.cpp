// What a '{' opens, told by what comes next:
//   {^label, {%a = .., {"a.b"(.., {some.op ..   a region
//   {} with a line break inside, or before `else` and the like, or after region arguments: a region
//   {key = .., {key, .., {key}, {"key" = .., {}  attributes; but {some.return} and {return} are regions
//   {%a, %b}                                     the sizes of dynamic dimensions: operands
//   {@a, @b}, {ro %a, ..}, {1, 2}, {(..), ..}, {"a", ?}    a list
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

/// Words that come between the regions of an op.
static bool joinsRegions(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"else", "do", "cond", "default", "count", "case", "body"}, true)
      .Default(false);
}

/// Whether only keys follow from `c` up to the brace, or up to the first with a value.
static bool startsKeys(const char *c) {
  for (;;) {
    StringRef word = wordAt(c);
    if (*c != '"' && word.empty())
      return false;
    c = skipSpace(*c == '"' ? endOfString(c) : word.end());
    if (*c != ',')
      return *c == '}' || *c == '=';
    c = skipSpace(c + 1);
  }
}

OpReader::Brace OpReader::classifyBrace(const char *c) const {
  const char *inner = skipSpace(c + 1);
  switch (*inner) {
  case '^':
    return Brace::Region;
  case '%':
    return startsResultList(inner) ? Brace::Region : Brace::Dimensions;
  case '"': {
    const char *end = skipSpace(endOfString(inner));
    return *end == '(' ? Brace::Region : startsKeys(inner) ? Brace::Dictionary : Brace::List;
  }
  case '}': {
    bool isOnOwnLine = StringRef(c, inner - c).contains('\n');
    bool isBody = isOnOwnLine || hasArgumentList_ || !arguments_.empty() || joinsRegions(wordAt(skipSpace(inner + 1)));
    return isBody && last_ != Last::Equal ? Brace::Region : Brace::Dictionary;
  }
  default:
    break;
  }
  StringRef word = wordAt(inner);
  if (word.empty())
    return Brace::List;
  const char *next = skipSpace(word.end());
  if (*next == '=' && next[1] != '=')
    return Brace::Dictionary;
  if (*next == ',' || *next == '}')
    return isLoneTerminator(word) ? Brace::Region : Brace::Dictionary;
  if (word.contains('.') || word == "return" || word == "func" || word == "module" || word == "call")
    return Brace::Region;
  return Brace::List;
}

ParseResult OpReader::readDictionary(NamedAttrList &into) {
  const char *begin = here();
  NamedAttrList attributes;
  if (parser_.parseOptionalAttrDict(attributes))
    return failure();
  addUnit(begin, attributes.getDictionary(parser_.getContext()));
  for (NamedAttribute attribute : attributes)
    into.set(attribute.getName(), attribute.getValue());
  last_ = Last::Dictionary;
  return success();
}

ParseResult OpReader::readDimensions() {
  unsigned serial = ++serial_;
  Frame dimensions;
  dimensions.close = '}';
  dimensions.groupSerial = serial;
  dimensions.firstElement = elements_.size();
  if (parser_.parseLBrace())
    return failure();
  frames_.push_back(dimensions);
  StringRef label = label_;
  label_ = {};
  do {
    if (*here() != '%')
      return fail("expected a value");
    if (readOperand())
      return failure();
  } while (succeeded(parser_.parseOptionalComma()));
  elements_.truncate(dimensions.firstElement);
  frames_.pop_back();
  label_ = label;
  last_ = Last::Type;
  return parser_.parseRBrace();
}

ParseResult OpReader::readRegion() {
  const char *begin = here();
  bool hasLabel = *skipSpace(begin + 1) == '^';
  if (hasLabel && !arguments_.empty()) {
    // The names belong to another region, or are none of a region's.
    arguments_.clear();
    syntax_.giveUp();
  }
  if (llvm::any_of(arguments_, [](const RegionArgument &a) { return a.init.has_value(); }) && resolveOperands())
    return failure();
  SmallVector<Argument> arguments = takeArguments();
  // Names in a body may repeat those around it only if nothing of what is around is used in it, as in
  // functions and what else has a symbol.
  bool isIsolated = hasArgumentList_ && (state_.attributes.get("sym_name") || usesOnlyItsOwn(begin, arguments));
  hasArgumentList_ = false;
  unsigned number = state_.regions.size();
  if (parser_.parseRegion(*state_.addRegion(), arguments, isIsolated))
    return failure();
  syntax_.placeholderBefore(begin, here(), arguments.empty() ? 'r' : 'n', number);
  inResultTypes_ = false;
  label_ = {};
  last_ = Last::Region;
  return success();
}

ParseResult OpReader::readBrace(const char *c) {
  switch (classifyBrace(c)) {
  case Brace::Region:
    return readRegion();
  case Brace::Dimensions:
    return readDimensions();
  case Brace::List:
    return readOpenBracket(c);
  case Brace::Dictionary:
    break;
  }
  if (last_ == Last::Equal && !label_.empty()) {
    // `attrs = {...}` are the op's own, `key = {...}` is one attribute.
    StringRef key = label_;
    label_ = {};
    NamedAttrList attributes;
    if (readDictionary(key == "attrs" ? state_.attributes : attributes))
      return failure();
    if (key != "attrs")
      addAttribute(key, attributes.getDictionary(parser_.getContext()));
    return success();
  }
  if (depth() > 0) {
    NamedAttrList attributes;
    if (readDictionary(attributes))
      return failure();
    elements_.push_back({attributes.getDictionary(parser_.getContext()), std::nullopt});
    return success();
  }
  label_ = {};
  inResultTypes_ = false;
  return readDictionary(state_.attributes);
}

} // namespace fuselage
