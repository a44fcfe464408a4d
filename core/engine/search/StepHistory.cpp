#include "core/engine/search/StepHistory.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/engine/Rpc.h"
#include "core/engine/search/Definitions.h"
#include "core/engine/search/LineHistory.h"
#include "core/engine/search/RewriteHistory.h"
#include "core/engine/search/ShownLine.h"
#include "core/stepping/diff/LineNormalizer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <set>

using llvm::StringRef;

namespace fuselage {
namespace {

using Change = message::HistoryChange;
using Kind = HistorySubject::Kind;

/// The lines of a snapshot that belong to the subject, by what counts when they are compared.
struct Seen {
  struct Line {
    uint64_t hash;
    int number;
  };
  std::vector<Line> lines;
  std::vector<uint64_t> sorted; ///< the hashes
  std::string names;            ///< of an op: what it has become
  std::vector<OpId> ops;        ///< that are followed

  bool empty() const { return lines.empty(); }
  bool operator==(const Seen &other) const { return sorted == other.sorted; }
};

/// Compares the sides of steps by what is seen in each.
class Follower {
public:
  /// `places`: of the ops that are followed; empty: the subject's text is.
  Follower(Document &document, const HistorySubject &subject, std::vector<mlir::Location> places)
      : document_(document), subject_(subject), places_(std::move(places)) {}

  llvm::Error start(message::History<> &history) {
    auto seen = look(0);
    if (!seen)
      return seen.takeError();
    if (!(*seen)->empty())
      add(history, -1, Change::Present, 0, **seen);
    return llvm::Error::success();
  }

  llvm::Error step(int number, message::History<> &history) {
    const Step &step = document_.recording().steps[number];
    if (step.after < 0 || step.before == step.after)
      return llvm::Error::success();
    auto after = look(step.after);
    if (!after)
      return after.takeError();
    if (step.before < 0) {
      if (!(*after)->empty() && step.after != 0)
        add(history, number, Change::Present, step.after, **after);
      return llvm::Error::success();
    }
    auto before = look(step.before);
    if (!before)
      return before.takeError();
    compare(history, number, **before, **after);
    return llvm::Error::success();
  }

private:
  void compare(message::History<> &history, int number, const Seen &before, const Seen &after) {
    const Step &step = document_.recording().steps[number];
    if (before == after)
      return;
    if (after.empty())
      add(history, number, Change::Removed, step.before, before);
    else if (before.empty())
      add(history, number, Change::Introduced, step.after, after);
    // The line to look at: the first that is new, or else the first that is gone.
    else if (std::optional<Seen> fresh = onlyIn(after, before))
      add(history, number, Change::Changed, step.after, *fresh);
    else if (std::optional<Seen> gone = onlyIn(before, after))
      add(history, number, Change::Changed, step.before, *gone);
    else
      return;
    addRewrites(history.events.back(), before, after);
  }

  /// Steps that another program ran have none.
  void addRewrites(message::HistoryEvent<> &event, const Seen &before, const Seen &after) {
    if (!subject_.logOf || places_.empty() || !document_.recording().steps[event.step].replay)
      return;
    if (auto log = subject_.logOf(unsigned(event.step)))
      event.rewrites = rewritesAbout(**log, {.before = before.ops, .after = after.ops, .places = places_});
    else
      llvm::consumeError(log.takeError()); // the step is told, and not what it did inside
  }

  /// The first line of `seen` that is more often there than in `other`.
  static std::optional<Seen> onlyIn(const Seen &seen, const Seen &other) {
    std::vector<uint64_t> extra;
    std::set_difference(seen.sorted.begin(), seen.sorted.end(), other.sorted.begin(), other.sorted.end(),
                        std::back_inserter(extra));
    for (const Seen::Line &line : seen.lines)
      if (std::binary_search(extra.begin(), extra.end(), line.hash))
        return Seen{.lines = {line}, .sorted = {}, .names = seen.names, .ops = {}};
    return std::nullopt;
  }

  void add(message::History<> &history, int step, Change change, int snapshot, const Seen &seen) {
    int line = seen.lines.front().number;
    std::string text = seen.names.empty() ? shownLine(document_.lines(snapshot), line) : seen.names;
    history.events.push_back(
        {.step = step, .change = change, .snapshot = snapshot, .line = line, .text = std::move(text), .rewrites = {}});
  }

  llvm::Expected<std::shared_ptr<const Seen>> look(unsigned snapshot) {
    const Snapshot *key = document_.snapshot(snapshot).get();
    if (auto known = known_.find(key))
      return known;
    auto seen = std::make_shared<Seen>();
    if (places_.empty()) {
      TextReading reading(document_, snapshot);
      lookAtText(reading.lines(), *seen);
    } else if (llvm::Error error = lookAtOps(snapshot, *seen)) {
      return error;
    }
    for (const Seen::Line &line : seen->lines)
      seen->sorted.push_back(line.hash);
    llvm::sort(seen->sorted);
    constexpr size_t linesAUnit = 16;
    known_.insert(key, seen, 1 + seen->lines.size() / linesAUnit);
    return std::shared_ptr<const Seen>(std::move(seen));
  }

  bool belongs(StringRef line, size_t at) const {
    if (subject_.kind == Kind::Text)
      return true;
    if (!isWholeName(line, at, at + subject_.text.size()))
      return false;
    if (!StringRef(subject_.text).starts_with("%"))
      return true;
    bool isDefined = false;
    forEachDefinition(line, [&](StringRef name) { isDefined |= name.begin() == line.begin() + at; });
    return isDefined;
  }

  void lookAtText(const PrintedModule &printed, Seen &seen) const {
    StringRef text = printed.text();
    std::optional<LineNormalizer> names;
    std::string normal;
    unsigned number = 0;
    size_t lineStart = 0;
    for (size_t at = text.find(subject_.text); at != StringRef::npos; at = text.find(subject_.text, at + 1)) {
      number += llvm::count(text.slice(lineStart, at), '\n');
      size_t newline = text.rfind('\n', at);
      lineStart = newline == StringRef::npos || newline >= at ? 0 : newline + 1;
      // Counted from the start of the line of the last match on.
      StringRef line = text.slice(lineStart, std::min(text.find('\n', at), text.size()));
      if (!belongs(line, at - lineStart))
        continue;
      if (!names)
        names.emplace(text);
      normal.clear();
      names->append(line, normal);
      seen.lines.push_back({llvm::xxh3_64bits(normal), int(number)});
      at = lineStart + line.size(); // a line counts once
      if (at >= text.size())
        break;
    }
  }

  /// Ops that come from where the subject does.
  llvm::Error lookAtOps(unsigned snapshot, Seen &seen) {
    auto index = document_.index(snapshot);
    if (!index) { // a dump that does not parse has none
      llvm::consumeError(index.takeError());
      return llvm::Error::success();
    }
    std::vector<OpId> ops;
    for (mlir::Location place : places_)
      llvm::append_range(ops, (*index)->opsAt(place));
    llvm::sort(ops);
    ops.erase(llvm::unique(ops), ops.end());
    if (ops.empty())
      return llvm::Error::success();
    seen.ops = ops;
    const PrintedModule &printed = document_.printed(snapshot);
    LineNormalizer names(printed.text());
    std::string normal;
    std::vector<std::pair<std::string, unsigned>> counts;
    for (OpId op : ops) {
      int number = int(printed.linesOf(op).first);
      normal.clear();
      names.append(printed.line(number), normal);
      std::string name = displayName((*index)->op(op));
      seen.lines.push_back({llvm::xxh3_64bits(name + ' ' + normal), number});
      auto known = llvm::find_if(counts, [&](const auto &count) { return count.first == name; });
      known == counts.end() ? counts.emplace_back(name, 1) : *known = {name, known->second + 1};
    }
    for (const auto &[name, count] : counts)
      seen.names += (seen.names.empty() ? "" : ", ") + name + (count > 1 ? " ×" + std::to_string(count) : "");
    return llvm::Error::success();
  }

  Document &document_;
  const HistorySubject &subject_;
  std::vector<mlir::Location> places_;
  LruCache<const Snapshot *, const Seen> known_{4096};
};

llvm::Error stopped() { return llvm::make_error<RpcError>(RpcCode::Cancelled, "the search was cancelled"); }

/// Where the op comes from; none: its snapshot tells no places.
llvm::Expected<std::optional<mlir::Location>> placeOf(Document &document, const HistorySubject &subject) {
  auto index = document.index(subject.snapshot);
  if (!index)
    return index.takeError();
  mlir::Location location = (*index)->op(subject.op)->getLoc();
  bool hasPlace = document.snapshot(subject.snapshot)->hasPlaces() && !(*index)->opsAt(location).empty();
  return hasPlace ? std::optional(location) : std::nullopt;
}

/// Where the ops of the dispatches come from. One of a later step holds what were several, so all three are looked at.
std::vector<mlir::Location> placesOfDispatches(Document &document, const HistorySubject &subject,
                                               const std::atomic<bool> &cancelled) {
  std::vector<mlir::Location> places;
  const std::vector<Step> &steps = document.recording().steps;
  int last = steps.empty() || steps.back().after < 0 ? 0 : steps.back().after;
  for (unsigned snapshot : std::set<unsigned>{0, subject.snapshot, unsigned(last)}) {
    auto graph = document.graph(snapshot, &cancelled);
    auto index = document.index(snapshot);
    if (!graph || !index) { // a dump that does not parse has no dispatches
      llvm::consumeError(graph.takeError());
      llvm::consumeError(index.takeError());
      continue;
    }
    for (const FunctionGraph &function : (*graph)->functions)
      for (const GraphDispatch &dispatch : function.dispatches)
        if (StringRef(dispatch.name).contains_insensitive(subject.text))
          for (OpId node : dispatch.nodes)
            if (node >= 0 && !(*index)->opsAt((*index)->op(node)->getLoc()).empty())
              places.push_back((*index)->op(node)->getLoc());
  }
  return places;
}

} // namespace

llvm::Expected<message::History<>> historyOf(Document &document, const HistorySubject &subject,
                                             const std::atomic<bool> &cancelled,
                                             llvm::function_ref<void(unsigned, unsigned)> progress) {
  message::History<> history;
  int steps = int(document.recording().steps.size());
  history.steps = steps;
  history.subject = subject.text;
  history.followed = subject.kind == Kind::Text ? "text" : "name";
  std::vector<mlir::Location> places;
  if (subject.kind == Kind::Op) {
    auto found = placeOf(document, subject);
    if (!found)
      return found.takeError();
    if (*found)
      places.push_back(**found);
    history.followed = places.empty() ? "line" : "location";
    history.subject = shownLine(document.printed(subject.snapshot),
                                int(document.printed(subject.snapshot).linesOf(subject.op).first));
  }
  if (subject.kind == Kind::Op && places.empty()) {
    if (!followLine(document, subject.snapshot, document.printed(subject.snapshot).linesOf(subject.op).first, cancelled,
                    progress, history))
      return stopped();
    return history;
  }
  if (subject.kind == Kind::Dispatch) {
    places = placesOfDispatches(document, subject, cancelled);
    if (cancelled)
      return stopped();
    history.followed = "location";
    if (places.empty()) // there is no such dispatch, or nobody knows where its ops are from
      return history;
  }
  Follower follower(document, subject, std::move(places));
  if (llvm::Error error = follower.start(history))
    return error;
  for (int step = 0; step < steps; ++step) {
    if (cancelled)
      return stopped();
    if (llvm::Error error = follower.step(step, history))
      return error;
    progress(step + 1, steps);
  }
  return history;
}

} // namespace fuselage
