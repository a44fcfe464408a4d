#include "core/stepping/record/DumpTimeline.h"
#include "core/stepping/dumps/DumpCut.h"
#include "core/stepping/dumps/DumpNotes.h"
#include "core/stepping/dumps/DumpScopes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
using Side = fuselage::DumpHeader::Side;

namespace fuselage {
namespace {

constexpr size_t none = SIZE_MAX;

/// Which entry closes what another one began; scopes of all entries.
struct Pairing {
  std::vector<unsigned> scopes; ///< by entry
  std::vector<size_t> partner;  ///< of a Before: its After, and the other way round; `none`
};

/// Pairs the two dumps of each pass. Passes that run inside of others nest.
Pairing pairUp(DumpLog &log, DumpScopes &scopes) {
  Pairing pairing;
  pairing.partner.assign(log.entries().size(), none);
  std::vector<std::vector<size_t>> open; // entries, by scope
  for (size_t i = 0; i < log.entries().size(); ++i) {
    const DumpEntry &entry = log.entries()[i];
    // Module-scope dumps all show the module: the pass ran on the op that the header names.
    unsigned scope = scopes.scopeOf(entry);
    pairing.scopes.push_back(scope);
    open.resize(std::max<size_t>(open.size(), scope + 1));
    std::vector<size_t> &waiting = open[scope];
    if (entry.side == Side::Before) {
      waiting.push_back(i);
      continue;
    }
    auto match = llvm::find_if(llvm::reverse(waiting), [&](size_t before) {
      const DumpEntry &other = log.entries()[before];
      return other.pass == entry.pass && other.argument == entry.argument && other.symbol == entry.symbol;
    });
    if (match == waiting.rend())
      continue;
    pairing.partner[*match] = i;
    pairing.partner[i] = *match;
    waiting.erase(std::prev(match.base()), waiting.end());
  }
  return pairing;
}

/// Builds the recording entry by entry.
class Timeline {
public:
  Timeline(Session &session, DumpLog &log)
      : session_(session), log_(log), scopes_(log.names()), pairing_(pairUp(log, scopes_)), cutter_(log) {}

  Recording build() {
    states_.resize(scopes_.count());
    dumpsOf_.resize(scopes_.count());
    for (const auto &[i, scope] : llvm::enumerate(pairing_.scopes))
      dumpsOf_[scope].push_back(i);
    for (size_t i = 0; i < log_.entries().size(); ++i)
      add(i);
    finishSteps();
    addNotes();
    recording_.log = log_.path();
    return std::move(recording_);
  }

private:
  /// What is known of an op while the log goes by.
  struct State {
    size_t entry = none; ///< its latest dump
    int snapshot = -1;   ///< the snapshot of that
    int waiting = -1;    ///< a step whose result the next dump shows
  };

  void add(size_t i) {
    const DumpEntry &entry = log_.entries()[i];
    log_.countRead(entry.ir.end - entry.ir.begin);
    State &state = states_[pairing_.scopes[i]];
    size_t partner = pairing_.partner[i];
    stepOf_.push_back(partner < i ? stepOf_[partner] : recording_.steps.size());
    if (partner == none || partner > i)
      beginStep(entry);
    Step &step = recording_.steps[stepOf_.back()];
    if (entry.omitted || entry.ir.empty()) {
      step.before = std::max(step.before, state.snapshot);
      step.after = entry.omitted ? step.before : -1;
      step.failed = entry.failed;
      return;
    }
    if (entry.side == Side::Before) {
      step.before = snapshotOf(i, {step.before, state.snapshot});
      resolveWaiting(i, step.before);
      if (partner == none)
        state.waiting = stepOf_.back();
    } else {
      if (partner == none)
        step.before = before(i);
      step.after = snapshotOf(i, {step.before, state.snapshot});
      step.failed = entry.failed;
      state.waiting = -1;
    }
    state.entry = i;
    state.snapshot = entry.side == Side::Before ? step.before : step.after;
    remember(i);
  }

  void beginStep(const DumpEntry &entry) {
    Step step;
    step.name = step.pass = entry.argument.empty() ? entry.pass : entry.argument;
    step.options = entry.options;
    if (entry.op != "builtin.module" || !entry.symbol.empty()) {
      step.scope = entry.op;
      if (!entry.symbol.empty())
        step.scope += (step.scope.empty() ? "@" : " @") + entry.symbol;
    }
    std::string pass = entry.options.empty() ? entry.argument : entry.argument + "{" + entry.options + "}";
    if (!entry.argument.empty() && !entry.op.empty())
      step.pipeline = entry.op == "builtin.module" ? "builtin.module(" + pass + ")"
                                                   : "builtin.module(" + entry.op + "(" + pass + "))";
    step.origin =
        llvm::sys::path::filename(log_.files()[entry.file]->path()).str() + ":" + std::to_string(entry.headerLine);
    recording_.steps.push_back(std::move(step));
  }

  /// A new snapshot, whose ops are counted in `shape`.
  int addSnapshot(DumpText text, std::shared_ptr<const DumpShape> shape) {
    recording_.snapshots.push_back(std::make_shared<Snapshot>(session_, std::move(text)));
    shapes_.push_back(std::move(shape));
    return recording_.snapshots.size() - 1;
  }

  /// The snapshot of an entry's own text: one of `candidates` if that shows the same.
  int snapshotOf(size_t i, std::initializer_list<int> candidates) {
    const DumpEntry &entry = log_.entries()[i];
    for (int candidate : candidates)
      if (candidate >= 0 && (showSame(*shapes_[candidate], *entry.shape) || isAlike(candidate, i)))
        return candidate;
    return addSnapshot(cutter_.whole(i), entry.shape);
  }

  /// Whether two dumps hold the same text, whatever else was printed after them.
  static bool showSame(const DumpShape &a, const DumpShape &b) {
    return &a == &b || (a.hash == b.hash && a.ir.end - a.ir.begin == b.ir.end - b.ir.begin);
  }

  /// Whether a snapshot that was cut or joined shows what the entry shows. Whole dumps differ where
  /// their shapes do.
  bool isAlike(int snapshot, size_t i) {
    const DumpShape &made = *shapes_[snapshot], &dumped = *log_.entries()[i].shape;
    if (!derived_.count(snapshot) || made.opCounts != dumped.opCounts)
      return false;
    auto own = cutter_.whole(i).shown();
    auto other = derived_[snapshot].shown();
    if (own && other)
      return looselyEqual(*other, *own);
    if (!own)
      llvm::consumeError(own.takeError());
    if (!other)
      llvm::consumeError(other.takeError());
    return false;
  }

  /// A snapshot of a text that no dump shows as such.
  int addDerived(DumpText text) {
    auto shown = text.shown();
    if (!shown) {
      llvm::consumeError(shown.takeError());
      return -1;
    }
    auto shape = std::make_shared<const DumpShape>(scanDump(*shown, log_.names()));
    int snapshot = addSnapshot(text, std::move(shape));
    derived_[snapshot] = std::move(text);
    return snapshot;
  }

  /// The snapshot before an After dump whose pass has no Before dump; -1: it is not in the log.
  int before(size_t i) {
    const DumpShape &shape = *log_.entries()[i].shape;
    const State &state = states_[pairing_.scopes[i]];
    if (shape.symbol) {
      auto container = containers_.find(shape.symbol);
      if (container != containers_.end() && (state.entry == none || container->second > state.entry))
        if (std::optional<DumpText> text = cutter_.cut(container->second, shape.op, shape.symbol))
          return addBefore(std::move(*text), i);
    }
    if (state.entry == none)
      return -1;
    // Most passes have nothing inside of their op dumped since: that is told without reading.
    if (log_.entries()[state.entry].shape->symbols.empty() || latestNamed_ <= state.entry)
      return state.snapshot;
    std::optional<DumpText> joined = cutter_.join(state.entry, [&](uint32_t op, uint32_t symbol, size_t since) {
      std::optional<unsigned> scope = scopes_.find(op, symbol);
      std::optional<size_t> later;
      if (scope && states_[*scope].entry != none && states_[*scope].entry > since)
        later = states_[*scope].entry;
      return later;
    });
    return joined ? addBefore(std::move(*joined), i) : state.snapshot;
  }

  /// The snapshot of a text before entry `i`: that of the entry where the pass changed nothing.
  int addBefore(DumpText text, size_t i) {
    const DumpEntry &entry = log_.entries()[i];
    auto shown = text.shown();
    auto bytes = log_.files()[entry.file]->bytes();
    bool isAlike = shown && bytes && looselyEqual(*shown, (*bytes)->getBuffer().slice(entry.ir.begin, entry.ir.end));
    if (!shown)
      llvm::consumeError(shown.takeError());
    if (!bytes)
      llvm::consumeError(bytes.takeError());
    return isAlike ? addSnapshot(cutter_.whole(i), entry.shape) : addDerived(std::move(text));
  }

  /// What the pass before whose result only entry `i` tells led to: that dump, with the ops in it
  /// as they were dumped first since then, before passes ran on them.
  int resultOfWaiting(size_t i, size_t since, int snapshot) {
    std::optional<DumpText> joined = cutter_.join(i, [&](uint32_t op, uint32_t symbol, size_t) {
      std::optional<unsigned> scope = scopes_.find(op, symbol);
      std::optional<size_t> earlier;
      if (scope) {
        const std::vector<size_t> &dumps = dumpsOf_[*scope];
        auto first = llvm::upper_bound(dumps, since);
        if (first != dumps.end() && *first < i)
          earlier = *first;
      }
      return earlier;
    });
    int derived = joined ? addDerived(std::move(*joined)) : snapshot;
    return derived >= 0 ? derived : snapshot;
  }

  /// The text of entry `i` is what the last pass on its op, or on an op inside of it, led to.
  void resolveWaiting(size_t i, int snapshot) {
    State &state = states_[pairing_.scopes[i]];
    if (state.waiting >= 0) {
      Step &step = recording_.steps[std::exchange(state.waiting, -1)];
      int after = resultOfWaiting(i, state.entry, snapshot);
      step.after = after != step.before && isAlike(after, state.entry) ? step.before : after;
    }
    for (const DumpSymbol &symbol : log_.entries()[i].shape->symbols) {
      std::optional<unsigned> inner = scopes_.find(symbol.op, symbol.symbol);
      if (!inner || states_[*inner].waiting < 0)
        continue;
      State &innerState = states_[*inner];
      Step &step = recording_.steps[std::exchange(innerState.waiting, -1)];
      std::optional<DumpText> text = cutter_.cut(i, symbol.op, symbol.symbol);
      int after = text ? addDerived(std::move(*text)) : -1;
      if (after >= 0 && shapes_[after]->opCounts == shapes_[step.before]->opCounts && isAlike(after, innerState.entry))
        after = step.before;
      step.after = after;
    }
  }

  /// Remembers where ops inside of the entry were dumped last.
  void remember(size_t i) {
    const DumpShape &shape = *log_.entries()[i].shape;
    if (shape.symbol)
      latestNamed_ = i;
    for (const DumpSymbol &symbol : shape.symbols)
      containers_[symbol.symbol] = i;
  }

  void finishSteps() {
    for (Step &step : recording_.steps) {
      step.changed = step.before < 0 || step.before != step.after;
      if (step.after < 0 && step.before >= 0)
        step.changed = false; // nobody knows; there is nothing to compare
      if (step.before < 0 || step.after < 0 || step.before == step.after)
        continue;
      for (auto [op, count] : shapes_[step.after]->opCounts)
        step.opDelta[log_.names().nameOf(op).str()] += count;
      for (auto [op, count] : shapes_[step.before]->opCounts)
        step.opDelta[log_.names().nameOf(op).str()] -= count;
      std::erase_if(step.opDelta, [](const auto &item) { return item.second == 0; });
    }
    if (recording_.snapshots.empty()) // a log of headers alone
      addSnapshot({}, nullptr);
    putInputFirst();
  }

  /// Snapshot 0 is the input: the earliest that there is.
  void putInputFirst() {
    const Step *first = nullptr;
    for (const Step &step : recording_.steps)
      if (!first && (step.before >= 0 || step.after >= 0))
        first = &step;
    if (!first)
      return;
    int input = first->before >= 0 ? first->before : first->after;
    if (input == 0)
      return;
    std::swap(recording_.snapshots[0], recording_.snapshots[input]);
    auto renumber = [&](int &snapshot) { snapshot = snapshot == 0 ? input : snapshot == input ? 0 : snapshot; };
    for (Step &step : recording_.steps) {
      renumber(step.before);
      renumber(step.after);
    }
  }

  void addNotes() {
    const std::vector<DumpEntry> &entries = log_.entries();
    if (entries.empty()) // of a log that has only begun
      return;
    bool startsWithAfter = entries.front().side == Side::After;
    addNote(0, log_.preface(), startsWithAfter ? &recording_.steps.front().diagnostics : &recording_.notes);
    for (size_t i = 0; i < entries.size(); ++i) {
      std::vector<Diagnostic> *target = &recording_.steps[stepOf_[i]].diagnostics;
      // After an After dump the next pass ran already.
      if (entries[i].side == Side::After)
        target = i + 1 == entries.size()              ? &recording_.notes
                 : entries[i + 1].side == Side::After ? &recording_.steps[stepOf_[i + 1]].diagnostics
                                                      : target;
      addNote(entries[i].file, entries[i].notes, target);
    }
  }

  void addNote(unsigned file, const DumpRange &range, std::vector<Diagnostic> *target) {
    if (range.begin >= range.end)
      return;
    auto bytes = log_.files()[file]->bytes();
    if (!bytes)
      return llvm::consumeError(bytes.takeError());
    StringRef text = (*bytes)->getBuffer().slice(range.begin, range.end);
    if (!text.trim().empty())
      llvm::append_range(*target, readNotes(text, range.firstLine, log_.files()[file]->path()));
  }

  Session &session_;
  DumpLog &log_;
  DumpScopes scopes_;
  Pairing pairing_;
  DumpCutter cutter_;
  Recording recording_;
  std::vector<std::shared_ptr<const DumpShape>> shapes_; // by snapshot
  std::map<int, DumpText> derived_;                      // snapshots that were cut or joined
  std::vector<State> states_;                            // by scope
  std::vector<std::vector<size_t>> dumpsOf_;             // entries, by scope
  std::vector<size_t> stepOf_;                           // by entry
  llvm::DenseMap<uint32_t, size_t> containers_;          // symbol -> the latest dump of an op around it
  size_t latestNamed_ = 0;                               // the latest dump of an op with a symbol
};

} // namespace

Recording readTimeline(Session &session, DumpLog log) { return Timeline(session, log).build(); }

llvm::Expected<Recording> openTimeline(Session &session, StringRef path, const DumpLog::Cancelled &cancelled) {
  auto log = DumpLog::open(path, cancelled);
  if (!log)
    return log.takeError();
  return readTimeline(session, std::move(*log));
}

} // namespace fuselage
