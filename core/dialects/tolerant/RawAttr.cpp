// Raw attributes: reading, aliases inside of them, printing.
#include "core/dialects/tolerant/RawAttr.h"
#include "core/dialects/tolerant/RawText.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

namespace detail {

llvm::hash_code RawAttrStorage::hashKey(const KeyTy &key) { return llvm::hash_combine(key.first, key.second); }

RawAttrStorage *RawAttrStorage::construct(AttributeStorageAllocator &allocator, const KeyTy &key) {
  return new (allocator.allocate<RawAttrStorage>()) RawAttrStorage(allocator.copyInto(key.first), key.second);
}

} // namespace detail

bool RawAttr::classof(Attribute attribute) { return attribute.hasTrait<detail::IsRawAttr>(); }

StringRef RawAttr::getText() const { return getImpl()->text; }

Type RawAttr::getType() const { return getImpl()->type; }

int64_t RawAttr::getMappingId() const {
  StringRef body = getText();
  size_t open = body.find('<');
  if (open == StringRef::npos)
    return 0;
  body = body.drop_front(open + 1);
  int64_t id = body.starts_with("y") ? 1 : body.starts_with("z") ? 2 : 0;
  size_t colon = body.find(':');
  int64_t split = 0;
  if (colon == 1 && !body.drop_front(2).consumeInteger(10, split) && split > 0 && split < 64)
    id += split * 3;
  return id;
}

RawAttrKind::RawAttrKind(StringRef dialectNamespace) : name_((dialectNamespace + ".raw").str()) {}

AbstractAttribute RawAttrKind::introduce(Dialect &dialect) const {
  mlir::detail::AttributeUniquer::registerAttribute<RawAttr>(dialect.getContext(), id());
  return AbstractAttribute::get(dialect, RawAttr::getInterfaceMap(), RawAttr::getHasTraitFn(),
                                RawAttr::getWalkImmediateSubElementsFn(), RawAttr::getReplaceImmediateSubElementsFn(),
                                id(), name_);
}

/// Reads one token of an attribute's text that is no alias, symbol or type.
static ParseResult skipToken(DialectAsmParser &parser, const char *at) {
  std::string text;
  StringRef keyword;
  APInt number;
  double fraction;
  switch (*at) {
  case '"':
    return parser.parseString(&text);
  case '<':
    return parser.parseLess();
  case '>':
    return parser.parseGreater();
  case '(':
    return parser.parseLParen();
  case ')':
    return parser.parseRParen();
  case '[':
    return parser.parseLSquare();
  case ']':
    return parser.parseRSquare();
  case '{':
    return parser.parseLBrace();
  case '}':
    return parser.parseRBrace();
  case ',':
    return parser.parseComma();
  case ':':
    return parser.parseColon();
  case '=':
    return parser.parseEqual();
  case '?':
    return parser.parseQuestion();
  case '*':
    return parser.parseStar();
  case '+':
    return parser.parsePlus();
  case '|':
    return parser.parseVerticalBar();
  case '/':
    return parser.parseSlash();
  case '-':
    return at[1] == '>' ? parser.parseArrow() : parser.parseMinus();
  case '@': {
    StringAttr symbol;
    return parser.parseSymbolName(symbol);
  }
  default:
    break;
  }
  if (isDigit(*at)) {
    if (startsFloat(at))
      return parser.parseFloat(fraction);
    OptionalParseResult result = parser.parseOptionalInteger(number);
    return result.has_value() ? *result : failure();
  }
  return parser.parseOptionalKeyword(&keyword);
}

/// The text with the aliases in it spelled out: they are known to this parse only. Nullopt where the
/// text is beyond MLIR's tokens; it then stays as it is.
static std::optional<std::string> expandAliases(DialectAsmParser &parser, StringRef text) {
  std::string expanded;
  llvm::raw_string_ostream os(expanded);
  const char *done = text.begin();
  for (;;) {
    const char *at = parser.getCurrentLocation().getPointer();
    if (at < text.begin() || at >= text.end())
      break;
    if (*at != '#' && *at != '!') {
      if (failed(skipToken(parser, at)))
        return std::nullopt;
      continue;
    }
    Attribute attribute;
    Type type;
    if (*at == '#' ? parser.parseAttribute(attribute) : parser.parseType(type))
      return std::nullopt;
    const char *end = parser.getCurrentLocation().getPointer();
    if (end > text.end() || end < at)
      end = text.end();
    while (end > at && isSpace(end[-1]))
      --end;
    os << StringRef(done, at - done);
    if (attribute)
      os << attribute;
    else
      os << type;
    done = end;
  }
  os << StringRef(done, text.end() - done);
  return expanded;
}

std::optional<std::string> selfContained(DialectAsmParser &parser) {
  StringRef text = parser.getFullSymbolSpec();
  std::string expanded = text.str();
  if (mentionsAlias(text)) {
    std::optional<std::string> spelledOut = expandAliases(parser, text);
    if (!spelledOut)
      return std::nullopt;
    expanded = std::move(*spelledOut);
  }
  return text.contains('\n') ? joinLines(expanded) : expanded;
}

Type parseRawType(DialectAsmParser &parser, StringRef dialectNamespace) {
  StringRef text = parser.getFullSymbolSpec();
  std::optional<std::string> expanded;
  if (mentionsAlias(text) && !(expanded = selfContained(parser)))
    return {};
  return OpaqueType::get(StringAttr::get(parser.getContext(), dialectNamespace),
                         expanded ? StringRef(*expanded) : text);
}

Attribute RawAttrKind::parse(DialectAsmParser &parser, Type type) const {
  std::optional<std::string> text = selfContained(parser);
  if (!text)
    return {};
  MLIRContext *context = parser.getContext();
  return mlir::detail::AttributeUniquer::getWithTypeID<RawAttr>(context, id(), StringRef(*text),
                                                                type ? type : Type(NoneType::get(context)));
}

void RawAttrKind::print(Attribute attribute, DialectAsmPrinter &printer) {
  printer << cast<RawAttr>(attribute).getText();
}

} // namespace fuselage
