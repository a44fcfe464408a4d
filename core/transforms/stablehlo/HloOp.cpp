#include "core/transforms/stablehlo/HloOp.h"
#include "core/dialects/tolerant/RawAttr.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;

namespace fuselage {

bool HloOp::isHlo(Operation *op) { return !op->isRegistered() && isHloDialect(op->getName().getDialectNamespace()); }

StringRef HloOp::name() const { return op_->getName().stripDialect(); }

Attribute HloOp::attribute(Names names) const {
  auto properties = dyn_cast_or_null<DictionaryAttr>(op_->getPropertiesAsAttribute());
  for (StringRef name : names) {
    if (Attribute found = op_->getDiscardableAttr(name))
      return found;
    if (Attribute found = properties ? properties.get(name) : Attribute())
      return found;
  }
  return {};
}

std::optional<int64_t> HloOp::integer(Names names) const {
  Attribute found = attribute(names);
  if (auto number = dyn_cast_or_null<IntegerAttr>(found); number && number.getValue().getSignificantBits() <= 64)
    return number.getValue().getSExtValue();
  std::optional<SmallVector<int64_t>> list = integers(names);
  return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
}

std::optional<double> HloOp::number(Names names) const {
  Attribute found = attribute(names);
  if (auto number = dyn_cast_or_null<FloatAttr>(found))
    return number.getValueAsDouble();
  if (auto number = dyn_cast_or_null<IntegerAttr>(found))
    return number.getValue().roundToDouble();
  return std::nullopt;
}

bool HloOp::flag(Names names, bool otherwise) const {
  Attribute found = attribute(names);
  if (auto flag = dyn_cast_or_null<BoolAttr>(found))
    return flag.getValue();
  if (auto word = dyn_cast_or_null<StringAttr>(found))
    return word.getValue() == "true";
  return found && isa<UnitAttr>(found) ? true : otherwise;
}

/// Elements of an attribute as integers; bools are 0 and 1.
static std::optional<SmallVector<int64_t>> integersOf(Attribute attribute) {
  SmallVector<int64_t> list;
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute)) {
    llvm::append_range(list, array.asArrayRef());
    return list;
  }
  if (auto array = dyn_cast_or_null<DenseBoolArrayAttr>(attribute)) {
    llvm::append_range(list, array.asArrayRef());
    return list;
  }
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
      elements && isa<IntegerType>(elements.getElementType())) {
    bool isFlag = elements.getElementType().isInteger(1);
    for (const APInt &element : elements.getValues<APInt>())
      list.push_back(isFlag ? int64_t(element.getZExtValue()) : element.sextOrTrunc(64).getSExtValue());
    return list;
  }
  auto array = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!array)
    return std::nullopt;
  for (Attribute element : array) {
    auto number = dyn_cast<IntegerAttr>(element);
    if (!number)
      return std::nullopt;
    list.push_back(isa<BoolAttr>(element) ? int64_t(cast<BoolAttr>(element).getValue())
                                          : number.getValue().sextOrTrunc(64).getSExtValue());
  }
  return list;
}

std::optional<SmallVector<int64_t>> HloOp::integers(Names names) const {
  if (Attribute found = attribute(names))
    return integersOf(found);
  // The universal parser keeps no attribute for `dims = []`.
  HloText own(text());
  bool isEmpty = llvm::any_of(names, [&](StringRef name) { return own.isEmptyList(name); });
  return isEmpty ? std::optional(SmallVector<int64_t>()) : std::nullopt;
}

/// What an attribute of a dialect that is only read says; MLIR keeps `#stablehlo<transpose TRANSPOSE>` itself.
static StringRef textOf(Attribute attribute) {
  if (auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute))
    return opaque.getAttrData();
  auto raw = dyn_cast_or_null<RawAttr>(attribute);
  return raw ? raw.getText() : StringRef();
}

std::string HloOp::word(Names names) const {
  Attribute found = attribute(names);
  if (auto text = dyn_cast_or_null<StringAttr>(found))
    return text.getValue().str();
  // `comparison_direction LT`, `comparison_direction<LT>`, "LT"
  StringRef text = textOf(found).rtrim(">");
  return text.substr(text.find_last_of(" <\"") + 1).str();
}

std::string HloOp::callTarget() const {
  auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(attribute({"callee"}));
  return callee ? callee.getValue().str() : word({"call_target_name"});
}

SmallVector<std::string> HloOp::looseWords() const {
  SmallVector<std::string> words;
  StringRef text = this->text();
  int depth = 0;
  while (!text.empty()) {
    if (depth == 0 && text.starts_with(" : "))
      break;
    if (llvm::isAlpha(text.front()) && depth == 0) {
      StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
      text = text.drop_front(word.size());
      if (!text.ltrim().starts_with("="))
        words.push_back(word.str());
      else
        text = text.substr(text.find_first_of(",{"));
      continue;
    }
    if (text.front() == '\x01')
      text = text.drop_front(text.find('\x02'));
    depth += StringRef("([{<").contains(text.front());
    depth -= StringRef(")]}>").contains(text.front());
    text = text.drop_front();
  }
  return words;
}

StringRef HloOp::text() const {
  SyntaxAttr syntax = SyntaxAttr::of(op_);
  return syntax ? syntax.getSyntax().text : StringRef();
}

HloText HloText::of(Attribute attribute) {
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute)) {
    std::string text;
    llvm::raw_string_ostream out(text);
    for (NamedAttribute entry : dictionary) {
      auto number = dyn_cast<IntegerAttr>(entry.getValue());
      std::optional<SmallVector<int64_t>> list = integersOf(entry.getValue());
      out << entry.getName().getValue() << " = ";
      if (number)
        out << number.getInt();
      else
        out << '[' << llvm::interleaved(list.value_or(SmallVector<int64_t>())) << ']';
      out << ", ";
    }
    return HloText(text);
  }
  return HloText(textOf(attribute));
}

StringRef HloText::after(StringRef key) const {
  StringRef text(text_);
  for (size_t at = text.find(key); at != StringRef::npos; at = text.find(key, at + 1)) {
    bool isStart = at == 0 || !(llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
    StringRef rest = text.drop_front(at + key.size()).ltrim();
    if (isStart && rest.consume_front("="))
      return rest.ltrim();
  }
  return {};
}

std::optional<SmallVector<int64_t>> readIntegers(StringRef &text) {
  StringRef rest = text.ltrim();
  if (!rest.consume_front("["))
    return std::nullopt;
  auto [inner, after] = rest.split(']');
  SmallVector<int64_t> list;
  SmallVector<StringRef> parts;
  inner.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t number = 0;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, number))
      return std::nullopt;
    list.push_back(number);
  }
  text = after;
  return list;
}

bool HloText::isEmptyList(StringRef key) const {
  StringRef rest = after(key);
  return rest.consume_front("[") && rest.ltrim().starts_with("]");
}

SmallVector<int64_t> HloText::integers(StringRef key) const {
  StringRef rest = after(key);
  return readIntegers(rest).value_or(SmallVector<int64_t>());
}

std::optional<int64_t> HloText::integer(StringRef key) const {
  StringRef rest = after(key);
  int64_t number = 0;
  return rest.consumeInteger(10, number) ? std::nullopt : std::optional(number);
}

std::optional<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>> HloText::pair(StringRef key) const {
  StringRef rest = after(key);
  auto left = readIntegers(rest);
  rest = rest.ltrim();
  if (!left || !rest.consume_front("x"))
    return std::nullopt;
  auto right = readIntegers(rest);
  return right ? std::optional(std::pair(*left, *right)) : std::nullopt;
}

} // namespace fuselage
