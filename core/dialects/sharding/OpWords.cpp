#include "core/dialects/sharding/OpWords.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

std::string writtenName(Operation *op) { return displayName(op); }

Attribute attributeOf(Operation *op, StringRef name) {
  if (Attribute found = op->getAttr(name))
    return found;
  if (op->isRegistered())
    return {};
  auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  return properties ? properties.get(name) : Attribute();
}

std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

std::string attributeText(Operation *op, StringRef name) {
  Attribute found = attributeOf(op, name);
  return found ? textOf(found) : std::string();
}

std::optional<int64_t> integerOf(Operation *op, StringRef name) {
  auto number = dyn_cast_or_null<IntegerAttr>(attributeOf(op, name));
  if (!number || number.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return number.getValue().getSExtValue();
}

StringRef ownForm(Operation *op) {
  SyntaxAttr syntax = SyntaxAttr::of(op);
  return syntax ? syntax.getSyntax().text : StringRef();
}

StringRef beforeOperands(Operation *op) { return ownForm(op).split('\x01').first.trim(); }

StringRef afterOperand(Operation *op) { return ownForm(op).split('\x02').second.trim(); }

bool isShardingCall(Operation *op) {
  Attribute target = attributeOf(op, "call_target_name");
  if (auto name = dyn_cast_or_null<StringAttr>(target))
    return name.getValue() == "Sharding";
  return beforeOperands(op).starts_with("@Sharding(") || ownForm(op).ltrim().starts_with("@Sharding(");
}

std::string wordsAfter(Operation *op, StringRef key) {
  StringRef text = ownForm(op);
  for (size_t at = text.find(key); at != StringRef::npos; at = text.find(key, at + 1)) {
    StringRef rest = text.drop_front(at + key.size()).ltrim();
    bool isWord = at == 0 || !(llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
    if (isWord && rest.consume_front("="))
      return rest.ltrim().str();
  }
  return attributeText(op, key);
}

} // namespace fuselage
