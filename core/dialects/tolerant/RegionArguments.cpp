// Which names in parentheses are arguments of a region rather than operands:
//   (%a: type, ..) before a region that has no block label of its own, if '=' or the op's symbol
//     stands in front, if the colon follows without a blank (as MLIR prints arguments, not operands),
//     or if the region uses the name
//   [%a: type, ..] the same, tightly
//   (in %a : type, out b : type)          the ports of a module, inputs and what has a '%'
//   (%i, %j) = (..), (%i, %j) in (..), %i in ..     induction variables
//   [%i, %j] before `->` and such              the same
//   (%a = %b, ..), %i = %lower to ..      loop variables, with the type of what they start with
//   (%a = %b, %c, ..)                     the same; where some start with nothing, the op's types are theirs
//   %a as %b: type                        %b, before the next region
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace fuselage {

/// After the types after an arrow: `(types)`, or everything up to a '{' that is no dimension list,
/// the end of the line, or a comma.
static const char *skipResultTypes(const char *c) {
  if (*c == '(')
    return endOfBracket(c);
  while (*c && *c != '\n' && *c != '{') {
    if (*c == '<' || *c == '(') {
      c = endOfBracket(c);
      if (!c)
        return nullptr;
      continue;
    }
    ++c;
  }
  return c;
}

/// The region that follows the bracket at `c`, with nothing but result types, attributes, further
/// arguments and words in between; null if none does. `isLenient`: on the same line also types after a
/// colon, and any brackets; `: (types)` on a later one, too.
const char *OpReader::regionAfter(const char *c, bool isLenient) const {
  c = endOfBracket(c);
  for (unsigned steps = 0; c && steps < 12; ++steps) {
    const char *before = c;
    c = skipSpace(c);
    bool isSameLine = !StringRef(before, c - before).contains('\n');
    const char *inner = *c ? skipSpace(c + 1) : c;
    bool isMore = *c == '(' && *inner == '%' && *endOfName(inner) == ':'; // `(%a: t, ..) (%b: t, ..) {`
    if (isMore || (isLenient && isSameLine && (*c == '(' || *c == '['))) {
      c = endOfBracket(c);
      continue;
    }
    if (isLenient && *c == ':' && (isSameLine || *inner == '(')) {
      c = skipResultTypes(inner);
      continue;
    }
    if (c[0] == '-' && c[1] == '>') {
      c = skipResultTypes(skipSpace(c + 2));
      continue;
    }
    if (*c == '{') {
      Brace brace = classifyBrace(c);
      bool isEmpty = *skipSpace(c + 1) == '}';
      if (brace == Brace::Region || (isEmpty && steps == 0))
        return c;
      c = endOfBracket(c);
      continue;
    }
    StringRef word = wordAt(c);
    if (word == "attributes" || word == "kernel" || word == "attrs") {
      c = skipSpace(word.end());
      if (*c == '=')
        ++c;
      continue;
    }
    const char *next = word.empty() ? c : skipSpace(word.end());
    bool isOfOp = isSameLine || !word.contains('.'); // `execute(..)` on a line of its own
    if (!word.empty() && *next == '(' && (isLenient ? isOfOp : *skipSpace(next + 1) != '%')) {
      c = endOfBracket(next); // `as ("a", "b")`, `extra(#fn_attr)`
      continue;
    }
    if (*c == '"') { // "None" of a SPIR-V function
      c = endOfString(c);
      continue;
    }
    return nullptr;
  }
  return nullptr;
}

/// Whether a value of this name occurs in the text of the region.
static bool mentionsName(const char *region, StringRef name) {
  const char *end = endOfBracket(region);
  if (!end)
    return false;
  StringRef text(region, end - region);
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1))
    if (at + name.size() >= text.size() || !isNameChar(text[at + name.size()]))
      return true;
  return false;
}

bool OpReader::startsPort(const char *c) {
  StringRef word = wordAt(c);
  if (word != "in" && word != "out" && word != "inout")
    return false;
  const char *next = skipSpace(word.end());
  if (*next == '%')
    next = endOfName(next);
  else
    next = wordAt(next).empty() ? next : wordAt(next).end();
  return *skipSpace(next) == ':';
}

bool OpReader::startsArgumentList(const char *c) const {
  const char *inner = skipSpace(c + 1);
  bool isAfterEqual = last_ == Last::Equal;
  if (*inner == ')' && isAfterEqual)
    return regionAfter(c) != nullptr;
  if (*inner != '%')
    return false;
  const char *colon = endOfName(inner);
  StringRef name(inner, colon - inner);
  bool isTight = *colon == ':';
  colon = skipSpace(colon);
  if (*colon != ':' || isDigit(colon[1]))
    return false;
  const char *region = regionAfter(c, /*isLenient=*/isTight);
  if (!region)
    return false;
  if (isAfterEqual)
    return true;
  if (*skipSpace(region + 1) == '^')
    return false;
  return isTight || (*c == '(' && mentionsName(region, name));
}

/// After the names, with commas in between, that the bracket at `c` holds; null if it holds anything else.
static const char *endOfNames(const char *c) {
  if (*c != '(' && *c != '[')
    return nullptr;
  const char close = *c == '(' ? ')' : ']';
  const char *inner = skipSpace(c + 1);
  while (*inner == '%') {
    inner = skipSpace(endOfName(inner));
    if (*inner == close)
      return inner + 1;
    if (*inner != ',')
      return nullptr;
    inner = skipSpace(inner + 1);
  }
  return nullptr;
}

bool OpReader::startsInductionVariables(const char *c) const {
  const char *next = endOfNames(c);
  if (!next)
    return false;
  next = skipSpace(next);
  if (*c == '[') // xla.loop (%dims)[%i, %j] -> (%ra, %rb) in ..
    return next[0] == '-' && next[1] == '>' && *skipSpace(next + 2) == '(' &&
           startsInductionVariables(skipSpace(next + 2));
  return (*next == '=' && next[1] != '>' && next[1] != '=') || wordAt(next) == "in";
}

void OpReader::addArgument(const Argument &argument, bool isLoop, std::optional<unsigned> init) {
  const char *begin = textAt(argument.ssaName.location);
  syntax_.placeholder(begin, endOfName(begin), 'a', arguments_.size());
  arguments_.push_back({argument, isLoop, init});
}

/// `...` after the type of the last argument.
ParseResult OpReader::readVariadic() { return *here() == '.' ? parser_.parseEllipsis() : ParseResult(success()); }

/// `%a: type {dims} {attributes} loc(..)`
ParseResult OpReader::readArgument(bool isNamedInText, Argument &argument) {
  if (parser_.parseArgument(argument, /*allowType=*/false, /*allowAttrs=*/false))
    return failure();
  if (isNamedInText)
    addArgument(argument);
  const char *begin = nullptr;
  if (parser_.parseColon())
    return failure();
  begin = here();
  if (parser_.parseType(argument.type))
    return failure();
  addUnit(begin, TypeAttr::get(argument.type));
  if (readVariadic())
    return failure();
  while (*here() == '{') {
    if (classifyBrace(here()) == Brace::Dimensions) {
      if (readDimensions())
        return failure();
      continue;
    }
    NamedAttrList attributes;
    if (readDictionary(attributes))
      return failure();
    argument.attrs = attributes.getDictionary(parser_.getContext());
  }
  if (parser_.parseOptionalLocationSpecifier(argument.sourceLoc))
    return failure();
  if (isNamedInText)
    arguments_.back().argument = argument;
  return success();
}

ParseResult OpReader::readArgumentList(SmallVectorImpl<Type> *types, SmallVectorImpl<Attribute> *attributes) {
  const char *open = here();
  bool isParen = *open == '(';
  bool hasRegion = regionAfter(open, /*isLenient=*/true) != nullptr;
  hasArgumentList_ |= hasRegion;
  if (isParen ? parser_.parseLParen() : parser_.parseLSquare())
    return failure();
  if (isParen && succeeded(parser_.parseOptionalRParen()))
    return success();
  do {
    bool isPort = startsPort(here());
    StringRef direction;
    if (isPort && parser_.parseOptionalKeyword(&direction))
      return failure();
    const char *c = here();
    Argument argument;
    if (*c == '%') {
      if (readArgument(hasRegion, argument))
        return failure();
    } else if (*c == '.') {
      if (parser_.parseEllipsis())
        return failure();
      continue;
    } else {
      StringRef portName;
      if (isPort && (parser_.parseOptionalKeyword(&portName) || parser_.parseColon()))
        return failure();
      const char *begin = here();
      if (parser_.parseType(argument.type))
        return failure();
      addUnit(begin, TypeAttr::get(argument.type));
      if (readVariadic())
        return failure();
      NamedAttrList list;
      if (*here() == '{' && readDictionary(list))
        return failure();
      argument.attrs = list.getDictionary(parser_.getContext());
    }
    if (isPort && *c != '%')
      continue; // an output: no value of the body
    if (types)
      types->push_back(argument.type);
    if (attributes)
      attributes->push_back(argument.attrs ? argument.attrs : DictionaryAttr::get(parser_.getContext()));
  } while (succeeded(parser_.parseOptionalComma()));
  return isParen ? parser_.parseRParen() : parser_.parseRSquare();
}

/// `(%i, %j)` or `[%i, %j]`: of type index.
ParseResult OpReader::readInductionVariables() {
  SmallVector<Argument> arguments;
  auto brackets = *here() == '(' ? OpAsmParser::Delimiter::Paren : OpAsmParser::Delimiter::Square;
  if (parser_.parseArgumentList(arguments, brackets))
    return failure();
  for (Argument &argument : arguments) {
    argument.type = parser_.getBuilder().getIndexType();
    addArgument(argument, /*isLoop=*/true);
  }
  last_ = Last::Close;
  return success();
}

bool OpReader::startsBindings(const char *c) {
  bool binds = false;
  if (*c != '(')
    return false;
  for (c = skipSpace(c + 1); *c == '%'; c = skipSpace(c + 1)) {
    c = skipSpace(endOfName(c));
    if (*c == '=' && c[1] != '=' && c[1] != '>') {
      binds = true;
      c = skipSpace(c + 1);
      while (*c == '%' || *c == '#' || isNameChar(*c))
        ++c;
      c = skipSpace(c);
    }
    if (*c != ',')
      return *c == ')' && binds;
  }
  return false;
}

/// `%a = %b`, `%a = 0`, `%a in ...`, or `%a` between such.
ParseResult OpReader::readAssignment() {
  Argument argument;
  if (parser_.parseArgument(argument))
    return failure();
  argument.type = parser_.getBuilder().getIndexType();
  addArgument(argument, /*isLoop=*/true);
  if (frame().isBinding)
    arguments_.back().bound = frame().bound++;
  last_ = Last::Equal;
  if (failed(parser_.parseOptionalEqual()) || *here() != '%')
    return success();
  arguments_.back().init = operands_.size();
  return readOperand();
}

/// `as %b: type`, or `as %b` where %b is an operand.
ParseResult OpReader::readTiedArgument() {
  const char *name = here();
  const char *colon = skipSpace(endOfName(name));
  label_ = {};
  if (*colon != ':' || depth() == 0)
    return success();
  hasArgumentList_ = true;
  Argument argument;
  last_ = Last::Type;
  return readArgument(/*isNamedInText=*/true, argument);
}

SmallVector<OpReader::Argument> OpReader::takeArguments() {
  SmallVector<Argument> arguments;
  SmallVector<RegionArgument, 4> kept;
  size_t bound = llvm::count_if(arguments_, [](const RegionArgument &each) { return each.bound.has_value(); });
  bool hasUnbound = llvm::any_of(arguments_, [](const RegionArgument &each) { return each.bound && !each.init; });
  for (RegionArgument &each : arguments_) {
    if (each.bound && hasUnbound && bound == types_.size())
      each.argument.type = types_[*each.bound];
    else if (each.init && *each.init < state_.operands.size())
      each.argument.type = state_.operands[*each.init].getType();
    arguments.push_back(each.argument);
    if (each.isLoop)
      kept.push_back(each);
  }
  arguments_ = std::move(kept);
  return arguments;
}

/// Whether every value that the region's text names is one of its arguments or defined in it. A name
/// is taken for a definition before '=', in the arguments of a block label, after `as`, and in
/// parentheses tightly before a colon. False for a long text: regions nest, and each is read
/// for those around it.
bool OpReader::usesOnlyItsOwn(const char *region, ArrayRef<Argument> arguments) {
  constexpr ptrdiff_t maxLength = 1 << 20;
  llvm::DenseSet<StringRef> defined, used;
  for (const Argument &argument : arguments)
    defined.insert(argument.ssaName.name);
  const char *end = endOfBracket(region);
  if (!end || end - region > maxLength)
    return false;
  SmallVector<StringRef, 8> run; // names with commas in between
  unsigned parens = 0, labelParens = 0;
  bool isAfterAs = false;
  auto useRun = [&] {
    used.insert_range(run);
    run.clear();
  };
  for (const char *c = region; c < end;) {
    if (*c == '%') {
      const char *behind = endOfName(c);
      StringRef name(c, behind - c);
      bool isTight = *behind == ':' && !isDigit(behind[1]) && parens > 0;
      if (isAfterAs || labelParens > 0 || isTight)
        defined.insert(name);
      else
        run.push_back(name);
      isAfterAs = false;
      c = behind;
      while (*c == ':' || *c == '#' || isDigit(*c))
        ++c;
      continue;
    }
    if (*c == '"') {
      c = endOfString(c);
      useRun();
      continue;
    }
    if (c[0] == '/' && c[1] == '/') {
      c = skipSpace(c);
      continue;
    }
    if (isSpace(*c) || *c == ',') {
      ++c;
      continue;
    }
    if (*c == '=' && c[1] != '=' && c[1] != '>') {
      defined.insert_range(run);
      run.clear();
      ++c;
      continue;
    }
    if (*c == '^') {
      c = endOfName(c);
      if (*c == '(') {
        const char *close = endOfBracket(c);
        if (close && *skipSpace(close) == ':')
          labelParens = parens + 1;
      }
      useRun();
      continue;
    }
    if (*c == ')') {
      // `(%i, %j) = (..)` and `(%i, %j) in (..)` define.
      const char *next = skipSpace(c + 1);
      if ((*next == '=' && next[1] != '>') || wordAt(next) == "in")
        defined.insert_range(run), run.clear();
      parens -= parens > 0;
      if (labelParens > parens)
        labelParens = 0;
    } else if (*c == '(') {
      ++parens;
    }
    useRun();
    StringRef word = wordAt(c);
    isAfterAs = word == "as";
    c = word.empty() ? c + 1 : word.end();
  }
  useRun();
  return llvm::all_of(used, [&](StringRef name) { return defined.contains(name); });
}

} // namespace fuselage
