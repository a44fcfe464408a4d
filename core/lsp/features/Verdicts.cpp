// Lenses, hints and actions: what is fused, what is not, and what to do about it.
#include "core/graph/scene/SceneText.h"
#include "core/lsp/features/Features.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Object commandObject(std::string title, StringRef name, Array arguments) {
  return Object{{"title", std::move(title)}, {"command", name}, {"arguments", std::move(arguments)}};
}

Array lensesOf(const OpenDocument &document) {
  Array lenses;
  appendRunLenses(document, lenses);
  if (!document.facts)
    return lenses;
  const NameScopes &names = document.names();
  for (const TextOp &op : names.ops) {
    if (op.symbol < 0 || !op.hasRegion)
      continue;
    int first = document.text.lineOf(op.bytes.begin), last = document.text.lineOf(op.bytes.end);
    auto isInside = [&](int line) { return first <= line && line <= last; };
    StringRef opName = StringRef(document.text.text()).slice(op.name.begin, op.name.end);
    if (opName == "module" || opName.ends_with(".module"))
      continue;
    size_t dispatches =
        llvm::count_if(document.facts->dispatches, [&](const DispatchFact &d) { return isInside(d.line); });
    if (dispatches == 0)
      continue;
    size_t missed =
        llvm::count_if(document.facts->edges, [&](const EdgeFact &e) { return e.missed && isInside(e.toLine); });
    ByteRange symbol = names.tokens[op.symbol].bytes;
    StringRef name = StringRef(document.text.text()).slice(symbol.begin + 1, symbol.end);
    Range range = document.text.rangeOf({op.name.begin, symbol.end});
    std::string counts = llvm::formatv("{0} dispatch{1}{2}: open", dispatches, dispatches == 1 ? "" : "es",
                                       document.facts->isJudged ? ", " + std::to_string(missed) + " missed" : "");
    lenses.push_back(
        Object{{"range", range}, {"command", commandObject(counts, "fuselage.open", Array{document.uri, name.str()})}});
    lenses.push_back(
        Object{{"range", range}, {"command", commandObject("run", "fuselage.run", Array{document.uri, name.str()})}});
    if (missed > 0)
      lenses.push_back(
          Object{{"range", range}, {"command", commandObject("fuse all", "fuselage.fuseAll", Array{document.uri})}});
  }
  return lenses;
}

static std::string savingOf(const EdgeFact &edge) {
  return edge.bytes < 0 ? "" : " Fusing saves at most " + formatBytes(edge.bytes) + " of traffic.";
}

static std::string explanationOf(const EdgeFact &edge) {
  std::string text = edge.name + " " + edge.verdict;
  if (!edge.reason.empty())
    text += ": " + edge.reason + ". " + edge.sentence;
  text += edge.missed ? savingOf(edge) : "";
  if (!edge.unlocks.empty())
    text += " It is fused by: " + llvm::join(edge.unlocks, ", ") + ".";
  return text;
}

/// An op may be lowered to several, and several ops may stand on a line.
static std::map<int, std::set<int>> dispatchesByLine(const DocumentFacts &facts) {
  std::map<int, std::set<int>> found;
  for (const OpFact &op : facts.ops)
    if (op.line >= 0 && op.op != "argument" && op.dispatch >= 0 && op.dispatch < int(facts.dispatches.size()))
      found[op.line].insert(op.dispatch);
  return found;
}

Array hintsIn(const OpenDocument &document, Range range) {
  Array hints;
  if (!document.facts)
    return hints;
  auto add = [&](int line, const llvm::Twine &label, std::string tip) {
    if (line < range.start.line || line > range.end.line || line >= document.text.lineCount())
      return;
    hints.push_back(Object{{"position", document.text.positionOf(document.text.bytesOfLine(line).end)},
                           {"label", label.str()},
                           {"paddingLeft", true},
                           {"tooltip", std::move(tip)}});
  };
  for (const auto &[line, dispatches] : dispatchesByLine(*document.facts)) {
    std::string numbers, names;
    for (int dispatch : dispatches) {
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(dispatch);
      names += (names.empty() ? "" : ", ") + document.facts->dispatches[dispatch].name;
    }
    add(line, (dispatches.size() == 1 ? "dispatch " : "dispatches ") + numbers, names);
  }
  for (const EdgeFact &edge : document.facts->edges)
    if (edge.missed)
      add(edge.toLine, edge.name + (edge.state.empty() ? " not fused" : " " + edge.state), explanationOf(edge));
  for (const ScheduleFact &fact : document.facts->schedule)
    add(fact.line, fact.text, "what handles hold after this line, and the normal forms that hold before it");
  return hints;
}

Array actionsIn(const OpenDocument &document, Range range) {
  Array actions;
  if (!document.facts)
    return actions;
  auto isIn = [&](int line) { return range.start.line <= line && line <= range.end.line; };
  for (const EdgeFact &edge : document.facts->edges) {
    if (!edge.missed || !(isIn(edge.toLine) || isIn(edge.fromLine)))
      continue;
    if (!edge.unlocks.empty() && !document.facts->isLowered) {
      std::string title = "Fuse " + edge.name + " with what reads it (" + edge.unlocks.front() + ")";
      actions.push_back(Object{{"title", title},
                               {"kind", "refactor.rewrite"},
                               {"command", commandObject(title, "fuselage.fuse", Array{document.uri, edge.id})}});
    }
    std::string title = "Why is " + edge.name + " not fused?";
    actions.push_back(Object{
        {"title", title}, {"kind", ""}, {"command", commandObject(title, "fuselage.why", Array{explanationOf(edge)})}});
  }
  for (const std::string &form : document.facts->forms) {
    std::string title = "Normalize to " + form;
    actions.push_back(Object{{"title", title},
                             {"kind", "refactor.rewrite"},
                             {"command", commandObject(title, "fuselage.normalize", Array{document.uri, form})}});
  }
  if (document.facts->isLowered) {
    StringRef title = "Normalize to linalg on tensors";
    actions.push_back(Object{{"title", title},
                             {"kind", "refactor.rewrite"},
                             {"command", commandObject(title.str(), "fuselage.normalize", Array{document.uri})}});
  }
  return actions;
}

} // namespace fuselage::lsp
