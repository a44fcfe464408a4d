#include "core/engine/search/SearchIndex.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/engine/Rpc.h"
#include "core/engine/search/Definitions.h"
#include "core/engine/search/ShownLine.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace fuselage {

/// How many ops or lines are read between two looks at whether somebody wants it at all.
static constexpr unsigned askEvery = 1024;

uint32_t SearchIndex::intern(StringRef name) {
  auto [at, isNew] = ids_.try_emplace(name, starts_.size() - 1);
  if (isNew) {
    text_ += name;
    starts_.push_back(text_.size());
  }
  return at->second;
}

llvm::Expected<std::shared_ptr<const SearchIndex>> SearchIndex::build(Document &document, unsigned snapshot,
                                                                      const std::atomic<bool> &cancelled) {
  auto isCancelled = [&cancelled] { return cancelled.load(); };
  auto stopped = [] { return llvm::make_error<RpcError>(RpcCode::Cancelled, "the search was cancelled"); };
  auto index = std::make_shared<SearchIndex>();
  auto module = document.module(snapshot);
  bool isParsed = bool(module);
  if (!isParsed)
    llvm::consumeError(module.takeError());
  const PrintedModule &printed = document.printed(snapshot);
  if (isParsed && !index->addOps(*module, printed, isCancelled))
    return stopped();
  if (isParsed) {
    if (auto graph = document.graph(snapshot, &cancelled))
      index->addGraph(**graph);
    else
      llvm::consumeError(graph.takeError()); // there are names all the same
  }
  if (!index->addText(printed, isParsed, isCancelled))
    return stopped();
  index->lower_ = StringRef(index->text_).lower();
  index->ids_.clear();
  return index;
}

/// Names, symbols and places of the ops that have a line of their own: not those in the body of a linalg.fill. False:
/// cancelled.
bool SearchIndex::addOps(mlir::ModuleOp module, const PrintedModule &printed, Cancelled cancelled) {
  OpId id = 0;
  auto result = module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    OpId own = id++;
    if (own % askEvery == 0 && cancelled())
      return mlir::WalkResult::interrupt();
    int32_t line = own < printed.opCount() ? int32_t(printed.linesOf(own).first) : -1;
    if (line < 0 || printed.opAt(line) != own)
      return mlir::WalkResult::advance();
    entries(Kind::Op).push_back({.name = intern(displayName(op)), .line = line, .op = own, .hasOp = true});
    if (auto symbol = op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName()))
      entries(Kind::Symbol)
          .push_back({.name = intern(("@" + symbol.getValue()).str()), .line = line, .op = own, .hasOp = true});
    if (SourcePosition position = positionOf(op->getLoc()); position.line > 0)
      places_.push_back({.file = intern(llvm::sys::path::filename(position.file)),
                         .line = position.line,
                         .column = position.column,
                         .op = own,
                         .shown = line});
    return mlir::WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// What nodes are called in the picture, and the weights.
void SearchIndex::addGraph(const Graph &graph) {
  std::vector<Entry> &ops = entries(Kind::Op);
  auto find = [&ops](OpId id) -> Entry * {
    auto at = llvm::lower_bound(ops, id, [](const Entry &entry, OpId wanted) { return entry.op < wanted; });
    return at != ops.end() && at->op == id ? &*at : nullptr;
  };
  for (const FunctionGraph &function : graph.functions)
    for (const GraphNode &node : function.nodes) {
      Entry *own = find(node.id);
      if (own && !node.label.empty())
        own->label = intern(node.label);
      if (node.parameter.empty())
        continue;
      const Entry *shown = own ? own : find(function.id); // an argument stands in the function's line
      entries(Kind::Weight)
          .push_back({.name = intern(node.parameter), .line = shown ? shown->line : -1, .op = node.id, .hasOp = true});
    }
}

/// Names of values; of a text that does not parse its ops and symbols, too. False: cancelled.
bool SearchIndex::addText(const PrintedModule &printed, bool isParsed, Cancelled cancelled) {
  for (unsigned i = 0; i < printed.lineCount(); ++i) {
    if (i % askEvery == 0 && cancelled())
      return false;
    StringRef line = printed.line(i);
    Entry entry{.line = int32_t(i)};
    forEachDefinition(line, [&](StringRef name) {
      entry.name = intern(name);
      entry.op = isParsed ? printed.opAt(i) : -1;
      entry.hasOp = isParsed;
      entries(Kind::Value).push_back(entry);
    });
    if (isParsed)
      continue;
    StringRef op = opWordOf(line);
    if (op.empty())
      continue;
    entries(Kind::Op).push_back({.name = intern(op), .line = int32_t(i)});
    StringRef behind = line.substr(op.end() - line.begin()).ltrim();
    for (StringRef visibility : {"private ", "public ", "nested "})
      behind.consume_front(visibility);
    if (behind.starts_with("@"))
      entries(Kind::Symbol)
          .push_back({.name = intern(behind.take_while(
                          [](char c) { return llvm::isAlnum(c) || llvm::StringRef("@_$.-").contains(c); })),
                      .line = int32_t(i)});
  }
  return true;
}

std::vector<NameRank> SearchIndex::rankNames(StringRef pattern) const {
  std::vector<NameRank> ranks(starts_.size() - 1);
  std::string_view lower = lower_, word(pattern.data(), pattern.size());
  for (size_t name = 0; name < ranks.size(); ++name)
    ranks[name] = rankOf(lower.substr(starts_[name], starts_[name + 1] - starts_[name]), word);
  return ranks;
}

message::SearchHits<> SearchIndex::find(StringRef pattern, llvm::ArrayRef<Kind> kinds, size_t limit,
                                        const PrintedModule &lines) const {
  message::SearchHits<> found;
  std::string lower = pattern.trim().lower();
  if (lower.empty())
    return found;
  std::vector<NameRank> ranks = rankNames(lower);
  for (Kind kind : kinds)
    if (kind == Kind::Location)
      addPlaces(lower, limit, lines, found);
    else
      addHits(kind, ranks, limit, lines, found);
  llvm::stable_sort(found.hits, [](const auto &a, const auto &b) { return a.rank < b.rank; });
  return found;
}

void SearchIndex::addHits(Kind kind, const std::vector<NameRank> &ranks, size_t limit, const PrintedModule &lines,
                          message::SearchHits<> &found) const {
  std::array<std::vector<const Entry *>, size_t(NameRank::NoMatch)> best;
  int64_t total = 0;
  auto rankOfEntry = [&ranks](const Entry &entry) {
    return std::min(ranks[entry.name], entry.label == none ? NameRank::NoMatch : ranks[entry.label]);
  };
  for (const Entry &entry : entriesOf_[size_t(kind)]) {
    NameRank rank = rankOfEntry(entry);
    if (rank == NameRank::NoMatch)
      continue;
    ++total;
    if (best[size_t(rank)].size() < limit)
      best[size_t(rank)].push_back(&entry);
  }
  if (total > 0)
    found.totals[message::searchKinds[size_t(kind)]] = total;
  size_t left = limit;
  for (size_t rank = 0; rank < best.size(); ++rank)
    for (const Entry *entry : llvm::ArrayRef(best[rank]).take_front(std::min(left, best[rank].size()))) {
      --left;
      bool byLabel = entry->label != none && ranks[entry->label] < ranks[entry->name];
      message::SearchHit<> hit;
      hit.kind = kind;
      hit.name = nameOf(byLabel ? entry->label : entry->name).str();
      hit.rank = int(rank);
      hit.line = entry->line;
      hit.detail = shownLine(lines, entry->line);
      if (entry->hasOp)
        hit.op = entry->op;
      found.hits.push_back(std::move(hit));
    }
}

/// "model.mlir:12", ":12" or "12": ops that come from line 12 of the user's file.
void SearchIndex::addPlaces(StringRef pattern, size_t limit, const PrintedModule &lines,
                            message::SearchHits<> &found) const {
  auto [file, number] = pattern.contains(':') ? pattern.split(':') : std::pair(StringRef(), pattern);
  auto [lineText, columnText] = number.split(':');
  unsigned line = 0, column = 0;
  if (lineText.getAsInteger(10, line) || line == 0)
    return;
  bool hasColumn = !columnText.getAsInteger(10, column);
  file = llvm::sys::path::filename(file);
  int64_t total = 0;
  for (const Place &place : places_) {
    StringRef own = StringRef(lower_).slice(starts_[place.file], starts_[place.file + 1]);
    if (place.line != line || (hasColumn && place.column != column) || !own.contains(file))
      continue;
    if (size_t(++total) > limit)
      continue;
    message::SearchHit<> hit;
    hit.kind = Kind::Location;
    hit.name = nameOf(place.file).str() + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    hit.op = place.op;
    hit.line = place.shown;
    hit.detail = shownLine(lines, place.shown);
    found.hits.push_back(std::move(hit));
  }
  if (total > 0)
    found.totals[message::searchKinds[size_t(Kind::Location)]] = total;
}

} // namespace fuselage
