// Round and square brackets, angles, and the signs between what stands in them. What a '{' opens is in Braces.cpp.
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fuselage {

ParseResult OpReader::readOpenBracket(const char *c) {
  if (*c == '(') {
    if (startsSignature(c))
      return readSignature();
    if (startsArgumentList(c)) {
      last_ = Last::Close;
      return readArgumentList(nullptr, nullptr);
    }
  }
  if (*c == '[' && startsArgumentList(c)) {
    last_ = Last::Close;
    return readArgumentList(nullptr, nullptr);
  }
  if (startsInductionVariables(c))
    return readInductionVariables();
  Frame opened;
  opened.close = *c == '(' ? ')' : *c == '[' ? ']' : *c == '<' ? '>' : '}';
  opened.label = label_;
  opened.isResultList = *c == '(' && depth() == 0 && inResultTypes_ && last_ == Last::Arrow;
  opened.isAfterSymbol = *c == '<' && last_ == Last::Symbol;
  opened.elided = *c == '<' ? elidedType(c) : Type();
  opened.firstType = types_.size();
  opened.isBinding = startsBindings(c);
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
  case '(':
    if (parser_.parseLParen())
      return failure();
    break;
  case '[':
    if (parser_.parseLSquare())
      return failure();
    break;
  case '<':
    if (parser_.parseLess())
      return failure();
    break;
  default:
    if (parser_.parseLBrace())
      return failure();
    break;
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
      elements_.push_back({parser_.getBuilder().getI64IntegerAttr(ShapedType::kDynamic), ShapedType::kDynamic});
    return parser_.parseQuestion();
  case '>':
    last_ = Last::Other;
    if (depth() > 0 && frame().close == '>') {
      Frame closed = frame();
      if (closed.elided)
        elements_.truncate(closed.firstElement);
      else
        addListAttribute(closed);
      frames_.pop_back();
      label_ = {};
      last_ = closed.isAfterSymbol ? Last::Symbol : Last::Close;
      if (closed.elided) {
        types_.truncate(closed.firstType);
        addType(closed.elided);
      }
    }
    return parser_.parseGreater();
  case '*':
    last_ = Last::Other;
    return parser_.parseStar();
  case '+':
    last_ = Last::Other;
    return parser_.parsePlus();
  case '/':
    last_ = Last::Other;
    return parser_.parseSlash();
  case '|':
    last_ = Last::Other;
    return parser_.parseVerticalBar();
  case '.':
    last_ = Last::Other;
    return parser_.parseEllipsis();
  default:
    return fail("cannot read this part of an op of an unknown dialect");
  }
}

} // namespace fuselage
