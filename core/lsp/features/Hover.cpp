#include "core/graph/scene/SceneText.h"
#include "core/lsp/features/Features.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Object;
using llvm::json::Value;

const OpFact *factOf(const OpenDocument &document, const TextOp &op) {
  if (!document.facts)
    return nullptr;
  int line = document.text.lineOf(op.name.begin);
  int column = static_cast<int>(op.name.begin - document.text.bytesOfLine(line).begin);
  auto &ops = document.facts->ops;
  auto first = llvm::lower_bound(ops, line, [](const OpFact &fact, int line) { return fact.line < line; });
  for (auto at = first; at != ops.end() && at->line == line; ++at)
    // The quotes of an op in generic form are part of its place.
    if (at->column == column || at->column == column - 1)
      return &*at;
  return nullptr;
}

namespace {

/// Markdown in a code span or block must not end it.
std::string coded(StringRef text) { return "`" + llvm::join(llvm::split(text, '`'), "'") + "`"; }

class HoverText {
public:
  explicit HoverText(const OpenDocument &document) : document_(document) {}

  void addCode(ByteRange bytes);
  void addName(const NameToken &name, int token);
  void addFact(const OpFact &fact);
  std::string take() { return std::move(text_); }

private:
  void addPart(const OpFact &fact);
  void addCosts(const OpFact &fact);
  void addEdges(const OpFact &fact);
  void addLine(const llvm::Twine &line) { text_ += (line + "  \n").str(); }

  const OpenDocument &document_;
  std::string text_;
};

} // namespace

/// The first line of an op, not all of a constant's data.
void HoverText::addCode(ByteRange bytes) {
  constexpr size_t most = 300;
  StringRef code = StringRef(document_.text.text()).slice(bytes.begin, bytes.end).split('\n').first;
  text_ += "```mlir\n" + code.substr(0, most).str() + (code.size() > most ? " .." : "") + "\n```\n";
}

void HoverText::addName(const NameToken &name, int token) {
  size_t uses = document_.names().occurrencesOf(token).size() - 1;
  addLine(llvm::formatv("{0}; {1} use{2} in this file",
                        name.kind == NameKind::Argument ? "argument of a block" : "defined here", uses,
                        uses == 1 ? "" : "s"));
}

void HoverText::addPart(const OpFact &fact) {
  const DocumentFacts &facts = *document_.facts;
  if (fact.layer >= 0 && fact.layer < int(facts.layers.size()))
    addLine("in " + coded(facts.layers[fact.layer].path));
  if (!fact.parameter.empty())
    addLine("parameter " + coded(fact.parameter));
  if (fact.dispatch >= 0 && fact.dispatch < int(facts.dispatches.size())) {
    const DispatchFact &dispatch = facts.dispatches[fact.dispatch];
    addLine(llvm::formatv("dispatch {0}: {1}, {2} op{3}{4}", fact.dispatch, coded(dispatch.name), dispatch.ops,
                          dispatch.ops == 1 ? "" : "s",
                          dispatch.bytes < 0 ? ""
                                             : (dispatch.bytesAtMost ? ", at most " : ", ") +
                                                   formatBytes(dispatch.bytes) + " through memory"));
  }
}

void HoverText::addCosts(const OpFact &fact) {
  if (fact.bytesRead >= 0 && fact.bytesWritten >= 0 && fact.bytesRead + fact.bytesWritten > 0)
    addLine(llvm::formatv("reads {0}{1}, writes {2}", fact.bytesAtMost ? "at most " : "", formatBytes(fact.bytesRead),
                          formatBytes(fact.bytesWritten)));
  if (fact.flops > 0)
    addLine(llvm::formatv("{0} floating-point operations", fact.flops));
  if (!fact.iterators.empty())
    addLine("iterators: " + fact.iterators);
  for (auto [operand, map] : llvm::enumerate(fact.maps))
    addLine(llvm::formatv("operand {0}: {1}", operand, coded(map)));
}

void HoverText::addEdges(const OpFact &fact) {
  for (const EdgeFact &edge : document_.facts->edges) {
    if (edge.toLine != fact.line || edge.toColumn != fact.column)
      continue;
    std::string line = coded(edge.name) + " " + edge.verdict;
    if (!edge.state.empty() && edge.missed)
      line += ", " + edge.state;
    if (edge.missed && !edge.reason.empty())
      line += ": " + edge.reason + ", " + edge.sentence;
    if (edge.missed && !edge.unlocks.empty())
      line += " Fused by " + coded(llvm::join(edge.unlocks, ", ")) + ".";
    text_ += "- " + line + "\n";
  }
}

void HoverText::addFact(const OpFact &fact) {
  if (!fact.types.empty())
    addLine(coded(llvm::join(fact.types, ", ")));
  addPart(fact);
  addCosts(fact);
  if (document_.facts->isLowered)
    addLine("costs and verdicts are of what this is lowered to");
  addEdges(fact);
}

Value hoverAt(const OpenDocument &document, Position position) {
  if (std::optional<Value> run = hoverOfRunLine(document, position))
    return std::move(*run);
  const NameScopes &names = document.names();
  size_t offset = document.text.offsetOf(position);
  int token = names.tokenAt(offset);
  HoverText text(document);
  ByteRange shown;
  int op = -1;
  if (token >= 0) {
    shown = names.tokens[token].bytes;
    int definition = names.tokens[token].definition;
    if (definition < 0)
      return nullptr;
    const NameToken &name = names.tokens[definition];
    op = names.opAt(name.bytes.begin);
    int line = document.text.lineOf(name.bytes.begin);
    text.addCode(op >= 0 && name.kind == NameKind::Value ? names.ops[op].bytes : document.text.bytesOfLine(line));
    text.addName(name, definition);
    if (name.kind != NameKind::Value)
      op = -1; // an argument, a block or a symbol has no op's costs
  } else {
    op = names.opAt(offset);
    if (op < 0 || offset < names.ops[op].name.begin || offset > names.ops[op].name.end)
      return nullptr;
    shown = names.ops[op].name;
    text.addCode(names.ops[op].bytes);
  }
  if (const OpFact *fact = op >= 0 ? factOf(document, names.ops[op]) : nullptr)
    text.addFact(*fact);
  return Object{{"contents", Object{{"kind", "markdown"}, {"value", text.take()}}},
                {"range", document.text.rangeOf(shown)}};
}

} // namespace fuselage::lsp
