// Functions and what is written like them: `[visibility] @name(arguments) -> results`, read where the
// op is named like a function, has a visibility, or a region follows. `attributes {..}` and the body
// are the main loop's.
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fuselage {

bool OpReader::startsSignature(const char *c) const {
  if (last_ != Last::Symbol || depth() > 0 || resultCount_ > 0 || !operands_.empty())
    return false;
  const char *inner = skipSpace(c + 1);
  if (startsPort(inner))
    return true;
  bool isTyped = *inner == ')' || *inner == '!' || *inner == '.' || startsBuiltinType(inner);
  if (*inner == '%') {
    const char *colon = skipSpace(endOfName(inner));
    isTyped = *colon == ':' && !isDigit(colon[1]);
  }
  if (!isTyped)
    return false;
  return lastPart_.ends_with("func") || lastPart_ == "import" || lastPart_ == "named_sequence" ||
         state_.attributes.get("sym_visibility") || regionAfter(c);
}

ParseResult OpReader::readSignatureResults(SmallVectorImpl<Type> &types, SmallVectorImpl<Attribute> &attributes) {
  bool isList = succeeded(parser_.parseOptionalLParen());
  if (isList && succeeded(parser_.parseOptionalRParen()))
    return success();
  do {
    Type type;
    if (*here() == '%' && *endOfName(here()) == ':') {
      // `%out: type`: a result that the body sees as a value.
      Argument port;
      if (readArgument(hasArgumentList_, port))
        return failure();
      types.push_back(port.type);
      attributes.push_back(port.attrs ? port.attrs : DictionaryAttr::get(parser_.getContext()));
      continue;
    }
    if (*here() == '%') {
      // `%argument as type`, or `%argument`: the result has its type.
      StringRef name(here(), endOfName(here()) - here());
      auto tied =
          llvm::find_if(arguments_, [&](const RegionArgument &each) { return each.argument.ssaName.name == name; });
      const char *begin = here();
      UnresolvedOperand use;
      if (parser_.parseOperand(use))
        return failure();
      if (tied != arguments_.end()) {
        syntax_.placeholder(begin, begin + name.size(), 'a', tied - arguments_.begin());
        type = tied->argument.type;
      }
      if (succeeded(parser_.parseOptionalKeyword("as"))) {
        begin = here();
        if (parser_.parseType(type))
          return failure();
        addUnit(begin, TypeAttr::get(type));
      }
      if (!type)
        type = parser_.getBuilder().getNoneType();
    } else {
      const char *begin = here();
      if (parser_.parseType(type))
        return failure();
      addUnit(begin, TypeAttr::get(type));
    }
    NamedAttrList list;
    while (*here() == '{' && (isList || classifyBrace(here()) == Brace::Dimensions)) {
      if (classifyBrace(here()) == Brace::Dimensions ? readDimensions() : readDictionary(list))
        return failure();
    }
    types.push_back(type);
    attributes.push_back(list.getDictionary(parser_.getContext()));
  } while (isList && succeeded(parser_.parseOptionalComma()));
  return isList ? parser_.parseRParen() : ParseResult(success());
}

/// Adds a list of dictionaries if one of them says something.
static void addDictionaries(OperationState &state, Builder &builder, StringRef name, ArrayRef<Attribute> attributes) {
  if (llvm::any_of(attributes, [](Attribute each) { return !cast<DictionaryAttr>(each).empty(); }))
    state.addAttribute(name, builder.getArrayAttr(attributes));
}

ParseResult OpReader::readSignature() {
  // The symbol in front was taken for a reference if nothing said otherwise.
  if (!state_.attributes.get("sym_name"))
    for (StringRef key : {"callee", "symbol"})
      if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(state_.attributes.get(key))) {
        state_.attributes.erase(key);
        state_.addAttribute("sym_name", symbol.getAttr());
        break;
      }
  SmallVector<Type> inputs, results;
  SmallVector<Attribute> inputAttributes, resultAttributes;
  if (readArgumentList(&inputs, &inputAttributes))
    return failure();
  if (succeeded(parser_.parseOptionalArrow()) && readSignatureResults(results, resultAttributes))
    return failure();
  Builder &builder = parser_.getBuilder();
  addAttribute("function_type", TypeAttr::get(builder.getFunctionType(inputs, results)));
  addDictionaries(state_, builder, "arg_attrs", inputAttributes);
  addDictionaries(state_, builder, "res_attrs", resultAttributes);
  last_ = Last::Close;
  return success();
}

} // namespace fuselage
