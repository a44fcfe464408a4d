#include "core/schedules/edit/Completion.h"
#include "core/schedules/edit/OpDocs.h"
#include "core/schedules/edit/ScriptPlace.h"
#include "core/schedules/script/ScriptSafety.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {
namespace {

using Kind = ScriptToken::Kind;
using Items = std::vector<CompletionItem>;

std::string detailOf(llvm::StringRef op) {
  const OpDoc *doc = docOf(op);
  return !doc ? "" : doc->syntax.empty() ? doc->summary : doc->summary + "\n" + doc->syntax;
}

template <class Interface> bool has(mlir::RegisteredOperationName op) { return op.hasInterface<Interface>(); }

/// By name: MLIR's order is another one.
std::vector<mlir::RegisteredOperationName> registeredOps(mlir::MLIRContext *context) {
  llvm::ArrayRef<mlir::RegisteredOperationName> all = context->getRegisteredOperations();
  std::vector<mlir::RegisteredOperationName> ops(all.begin(), all.end());
  llvm::sort(ops, [](auto a, auto b) { return a.getStringRef() < b.getStringRef(); });
  return ops;
}

/// Ops that may stand in a region of `around`.
void addOps(const CompletionQuery &query, llvm::StringRef around, Items &items) {
  bool takesPatterns = around.ends_with("apply_patterns"),
       takesConversions = around.ends_with("apply_conversion_patterns");
  for (mlir::RegisteredOperationName op : registeredOps(query.context)) {
    if (op.getDialectNamespace() != "transform")
      continue;
    bool isPattern = has<mlir::transform::PatternDescriptorOpInterface>(op);
    bool isConversion = has<mlir::transform::ConversionPatternDescriptorOpInterface>(op) ||
                        has<mlir::transform::TypeConverterBuilderOpInterface>(op);
    bool fits = takesPatterns ? isPattern : takesConversions ? isConversion : !isPattern && !isConversion;
    if (fits)
      items.push_back(
          {op.getStringRef().str(), isPattern || isConversion ? "pattern" : "op", detailOf(op.getStringRef())});
  }
}

void addHandles(const ScriptPlace &place, Items &items) {
  llvm::StringSet<> known;
  for (const ScriptValue &value : llvm::reverse(place.values))
    if (known.insert(value.name).second)
      items.push_back({value.name, "handle", value.type});
}

/// Named sequences of a text; the detail is what they take and give.
void addSequences(llvm::StringRef text, llvm::StringRef from, Items &items) {
  ScriptTokens scanned = tokenizeScript(text);
  for (size_t i = 0; i + 1 < scanned.tokens.size(); ++i) {
    const ScriptToken &name = scanned.tokens[i + 1];
    if (!scanned.tokens[i].text.ends_with("named_sequence") || name.kind != Kind::Symbol)
      continue;
    llvm::StringRef signature = text.drop_front(name.end()).split('\n').first.trim();
    signature.consume_back("{");
    items.push_back({name.text.str(), "symbol", from.str() + signature.trim().str()});
  }
}

void addTypes(const CompletionQuery &query, Items &items) {
  llvm::StringSet<> known;
  auto add = [&](llvm::StringRef type, llvm::StringRef detail) {
    if (known.insert(type).second)
      items.push_back({type.str(), "type", detail.str()});
  };
  add("!transform.any_op", "a handle of ops");
  add("!transform.op<\"func.func\">", "a handle of ops of one name");
  add("!transform.any_value", "a handle of values");
  add("!transform.any_param", "a parameter");
  add("!transform.param<i64>", "a parameter with integers");
  add("!transform.type", "a parameter with types");
  add("!transform.affine_map", "a parameter with maps");
  for (const ScriptToken &token : tokenizeScript(query.text).tokens)
    if (token.kind == Kind::Type && token.text.size() > 1 && token.begin != query.caret && token.end() != query.caret)
      add(token.text, "in this script");
}

void addPayloadOps(const CompletionQuery &query, Items &items) {
  llvm::MapVector<llvm::StringRef, unsigned> used;
  if (query.payload)
    query.payload->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { ++used[op->getName().getStringRef()]; });
  llvm::StringSet<> known;
  for (const auto &[name, count] : used) {
    known.insert(name);
    items.push_back({name.str(), "payload", std::to_string(count) + " in the module"});
  }
  for (mlir::RegisteredOperationName op : registeredOps(query.context))
    if (op.getDialectNamespace() != "transform" && !known.contains(op.getStringRef()))
      items.push_back({op.getStringRef().str(), "payload", ""});
}

void addPasses(const CompletionQuery &query, Items &items) {
  for (const CompletionItem &pass : query.passes)
    if (reachesOut(pass.text).empty())
      items.push_back(pass);
}

/// Of the statement's op: attributes, and words of its syntax, that are not there yet.
void addAttributes(const CompletionQuery &query, const ScriptPlace &place, Items &items) {
  llvm::StringSet<> there;
  for (const ScriptToken &token : place.statement)
    there.insert(token.text);
  if (const OpDoc *doc = docOf(place.op))
    for (const std::string &keyword : doc->keywords)
      if (there.insert(keyword).second)
        items.push_back({keyword, "keyword", doc->syntax});
  if (auto op = mlir::RegisteredOperationName::lookup(place.op, query.context))
    for (mlir::StringAttr name : op->getAttributeNames())
      if (there.insert(name.getValue()).second)
        items.push_back({name.str(), "attribute", place.op});
}

/// Values of the enumeration `Enum`, by their words.
template <class Enum>
void addEnum(std::optional<Enum> (*valueOf)(uint32_t), llvm::StringRef (*wordOf)(Enum), Items &items) {
  for (uint32_t i = 0; i < 64; ++i)
    if (std::optional<Enum> value = valueOf(i))
      items.push_back({wordOf(*value).str(), "keyword", ""});
}

/// The words before the caret, the nearest last, as "ops { [".
bool follows(const ScriptPlace &place, llvm::ArrayRef<llvm::StringRef> words) {
  llvm::ArrayRef<ScriptToken> tokens = place.statement;
  return tokens.size() >= words.size() &&
         llvm::equal(tokens.take_back(words.size()), words,
                     [](const ScriptToken &token, llvm::StringRef word) { return token.is(word); });
}

/// Whether the string at the caret names an op of the payload: in a list after ops{[, of match.operation_name, or
/// op_name.
bool namesPayload(const ScriptPlace &place) {
  if (follows(place, {"op_name", "="}))
    return true;
  llvm::ArrayRef<ScriptToken> tokens = place.statement;
  while (!tokens.empty() && (tokens.back().kind == Kind::String || tokens.back().is(",")))
    tokens = tokens.drop_back();
  if (tokens.empty() || !tokens.back().is("["))
    return false;
  return place.op == "transform.match.operation_name" ||
         (tokens.size() >= 3 && tokens[tokens.size() - 2].is("{") && tokens[tokens.size() - 3].is("ops"));
}

void addOfString(const CompletionQuery &query, const ScriptPlace &place, Items &items) {
  if (follows(place, {"transform.apply_registered_pass"}) || follows(place, {"pass_name", "="}))
    addPasses(query, items);
  else if (namesPayload(place))
    addPayloadOps(query, items);
}

void addOfWord(const CompletionQuery &query, const ScriptPlace &place, Items &items) {
  if (follows(place, {"failures", "("}))
    return addEnum<mlir::transform::FailurePropagationMode>(mlir::transform::symbolizeFailurePropagationMode,
                                                            mlir::transform::stringifyFailurePropagationMode, items);
  if (follows(place, {"interface", "{"}))
    return addEnum<mlir::transform::MatchInterfaceEnum>(mlir::transform::symbolizeMatchInterfaceEnum,
                                                        mlir::transform::stringifyMatchInterfaceEnum, items);
  if (place.beginsStatement)
    addOps(query, place.around, items);
  if (!place.op.empty())
    addAttributes(query, place, items);
}

/// 0: it begins with the word; 1: a part of it does; 2: the word is somewhere in it; 3: it is not.
int distance(llvm::StringRef text, llvm::StringRef word) {
  size_t at = text.find_insensitive(word);
  if (word.empty() || at == 0)
    return 0;
  for (; at != llvm::StringRef::npos; at = text.find_insensitive(word, at + 1))
    if (llvm::StringRef("._-").contains(text[at - 1]))
      return 1;
  return text.contains_insensitive(word) ? 2 : 3;
}

} // namespace

Completion completeScript(const CompletionQuery &query) {
  query.context->getOrLoadDialect("transform"); // it is there once a script was read
  ScriptPlace place = placeIn(query.text, query.caret);
  Completion completion{.begin = place.word.begin, .items = {}};
  if (place.isComment)
    return completion;
  llvm::StringRef word = place.word.text;
  Items items;
  if (place.word.kind == Kind::String && !word.empty()) {
    addOfString(query, place, items);
    word = word.drop_front(); // the quote stays
    ++completion.begin;
  } else if (word.starts_with("%")) {
    addHandles(place, items);
  } else if (word.starts_with("@")) {
    addSequences(query.text, "", items);
    for (const std::string &library : query.libraries)
      addSequences(library, "of a library: ", items);
  } else if (word.starts_with("!")) {
    addTypes(query, items);
  } else {
    addOfWord(query, place, items);
  }
  constexpr size_t most = 200;
  for (int wanted = 0; wanted < 3; ++wanted)
    for (CompletionItem &item : items)
      if (completion.items.size() < most && !item.text.empty() && distance(item.text, word) == wanted)
        completion.items.push_back(item);
  return completion;
}

} // namespace fuselage
