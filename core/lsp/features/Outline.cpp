// Symbols of a document and of the workspace, folds and colors.
#include "core/lsp/features/Features.h"
#include "core/lsp/text/Folding.h"
#include "core/lsp/text/SemanticTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// As LSP numbers them.
enum class SymbolKind { Module = 2, Namespace = 3, Class = 5, Function = 12, Variable = 13, Operator = 25 };

namespace {

/// A node of the tree of symbols.
struct Symbol {
  std::string name{}, detail{};
  SymbolKind kind = SymbolKind::Function;
  Range range{}, selection{};
  std::vector<int> children{};
};

class SymbolTree {
public:
  explicit SymbolTree(const OpenDocument &document) : document_(document) {}
  Array build();

private:
  StringRef textOf(ByteRange bytes) const { return StringRef(document_.text.text()).slice(bytes.begin, bytes.end); }
  int add(Symbol symbol, int parent);
  void addOps();
  void addLayers();
  void addDispatches();
  int functionAt(int line) const;
  Range linesRange(int first, int last) const {
    return {document_.text.positionOf(document_.text.bytesOfLine(first).begin),
            document_.text.positionOf(document_.text.bytesOfLine(last).end)};
  }
  Object write(int symbol, int depth) const;

  const OpenDocument &document_;
  std::vector<Symbol> symbols_;
  std::vector<int> roots_;
  std::map<int, int> symbolOfOp_;                // TextOp -> symbol
  std::vector<std::pair<ByteRange, int>> funcs_; // symbols of functions, in order
  std::vector<int> symbolOfLayer_;
};

} // namespace

int SymbolTree::add(Symbol symbol, int parent) {
  int number = static_cast<int>(symbols_.size());
  symbols_.push_back(std::move(symbol));
  (parent < 0 ? roots_ : symbols_[parent].children).push_back(number);
  return number;
}

/// Ops that define a symbol; of those without a body, a function's declaration or a global.
void SymbolTree::addOps() {
  const NameScopes &names = document_.names();
  for (auto [index, op] : llvm::enumerate(names.ops)) {
    StringRef opName = textOf(op.name);
    bool isModule = opName == "module" || opName.ends_with(".module");
    if (op.symbol < 0 && !(isModule && op.hasRegion))
      continue;
    int parent = op.parent;
    while (parent >= 0 && !symbolOfOp_.count(parent))
      parent = names.ops[parent].parent;
    bool isFunction = opName.ends_with("func") || opName.ends_with("sequence") || opName.ends_with("export");
    Symbol symbol{.name = op.symbol < 0 ? opName.str() : textOf(names.tokens[op.symbol].bytes).str(),
                  .detail = opName.str(),
                  .kind = isFunction     ? SymbolKind::Function
                          : op.hasRegion ? SymbolKind::Module
                                         : SymbolKind::Variable,
                  .range = document_.text.rangeOf(op.bytes),
                  .selection = document_.text.rangeOf(op.symbol < 0 ? op.name : names.tokens[op.symbol].bytes)};
    int number = add(std::move(symbol), parent < 0 ? -1 : symbolOfOp_[parent]);
    symbolOfOp_[index] = number;
    if (isFunction && op.hasRegion)
      funcs_.push_back({op.bytes, number});
  }
}

/// The symbol of the function around a line.
int SymbolTree::functionAt(int line) const {
  size_t at = document_.text.bytesOfLine(line).begin;
  int found = -1;
  for (const auto &[bytes, symbol] : funcs_)
    if (bytes.begin <= at && at <= bytes.end)
      found = symbol;
  return found;
}

void SymbolTree::addLayers() {
  for (const LayerFact &layer : document_.facts->layers) {
    int number = -1;
    if (layer.first >= 0) {
      int parent = layer.parent >= 0 ? symbolOfLayer_[layer.parent] : functionAt(layer.first);
      Range range = linesRange(layer.first, layer.last);
      number = add({.name = layer.label,
                    .detail = layer.kind,
                    .kind = SymbolKind::Namespace,
                    .range = range,
                    .selection = linesRange(layer.first, layer.first)},
                   parent);
    }
    symbolOfLayer_.push_back(number);
  }
}

void SymbolTree::addDispatches() {
  const DocumentFacts &facts = *document_.facts;
  std::map<int, int> layerOf; // dispatch -> layer of its first op
  for (const OpFact &op : facts.ops)
    if (op.dispatch >= 0)
      layerOf.try_emplace(op.dispatch, op.layer);
  for (auto [index, dispatch] : llvm::enumerate(facts.dispatches)) {
    if (dispatch.line < 0)
      continue;
    auto layer = layerOf.find(index);
    bool isInLayer = layer != layerOf.end() && layer->second >= 0 && symbolOfLayer_[layer->second] >= 0;
    Range line = linesRange(dispatch.line, dispatch.line);
    add({.name = dispatch.name,
         .detail = llvm::formatv("dispatch {0}, {1}", index, dispatch.kind),
         .kind = SymbolKind::Operator,
         .range = line,
         .selection = line},
        isInLayer ? symbolOfLayer_[layer->second] : functionAt(dispatch.line));
  }
}

Object SymbolTree::write(int number, int depth) const {
  constexpr int mostNested = 50;
  const Symbol &symbol = symbols_[number];
  Object json{{"name", symbol.name.empty() ? "-" : symbol.name},
              {"detail", symbol.detail},
              {"kind", static_cast<int>(symbol.kind)},
              {"range", symbol.range},
              {"selectionRange", symbol.selection}};
  Array children;
  if (depth < mostNested)
    for (int child : symbol.children)
      children.push_back(write(child, depth + 1));
  if (!children.empty())
    json["children"] = std::move(children);
  return json;
}

Array SymbolTree::build() {
  addOps();
  if (document_.facts) {
    addLayers();
    addDispatches();
  }
  Array all;
  for (int root : roots_)
    all.push_back(write(root, 0));
  return all;
}

Array symbolsOf(const OpenDocument &document) { return SymbolTree(document).build(); }

/// Whether all letters of the query are in the name, in their order.
static bool matches(StringRef name, StringRef query) {
  for (char c : name)
    if (!query.empty() && llvm::toLower(c) == llvm::toLower(query.front()))
      query = query.drop_front();
  return query.empty();
}

void appendWorkspaceSymbols(const OpenDocument &document, StringRef query, Array &symbols) {
  const NameScopes &names = document.names();
  for (const TextOp &op : names.ops) {
    if (op.symbol < 0)
      continue;
    ByteRange bytes = names.tokens[op.symbol].bytes;
    StringRef name = StringRef(document.text.text()).slice(bytes.begin, bytes.end);
    if (matches(name, query))
      symbols.push_back(Object{{"name", name.str()},
                               {"kind", static_cast<int>(op.hasRegion ? SymbolKind::Function : SymbolKind::Variable)},
                               {"location", Object{{"uri", document.uri}, {"range", document.text.rangeOf(bytes)}}}});
  }
}

Array foldsOf(const OpenDocument &document) {
  Array folds;
  for (const Fold &fold : findFolds(document.text, document.names())) {
    Object json{{"startLine", fold.first}, {"endLine", fold.last}};
    if (fold.kind != Fold::Kind::Other)
      json["kind"] = fold.kind == Fold::Kind::Comment ? "comment" : "region";
    folds.push_back(std::move(json));
  }
  return folds;
}

Value semanticTokensOf(const OpenDocument &document, std::optional<Range> range) {
  ByteRange bytes{0, document.text.text().size()};
  if (range) // whole lines, so that no token is cut
    bytes = {document.text.bytesOfLine(range->start.line).begin, document.text.bytesOfLine(range->end.line).end};
  std::vector<int> packed =
      packTokens(document.text, findSemanticTokens(document.text.text(), document.names(), bytes));
  return Object{{"data", Array(packed)}};
}

} // namespace fuselage::lsp
