// search/*, snapshot/counts.
#include "core/protocol/methods/SearchMethods.h"
#include "core/engine/MethodTable.h"
#include "core/engine/rewrites/KnownRewrites.h"
#include "core/engine/search/SearchIndex.h"
#include "core/engine/search/StepHistory.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/protocol/Document.h"
#include <chrono>

namespace fuselage {

/// The indices of the snapshots that were searched last.
class SearchedSnapshots {
public:
  std::shared_ptr<const SearchIndex> find(const std::shared_ptr<const Snapshot> &snapshot) const {
    for (const Known &known : known_)
      if (known.of.lock() == snapshot)
        return known.index;
    return nullptr;
  }
  void insert(const std::shared_ptr<const Snapshot> &snapshot, std::shared_ptr<const SearchIndex> index) {
    constexpr size_t most = 3;
    if (known_.size() >= most)
      known_.erase(known_.begin());
    known_.push_back({snapshot, std::move(index)});
  }

private:
  struct Known {
    std::weak_ptr<const Snapshot> of;
    std::shared_ptr<const SearchIndex> index;
  };
  std::vector<Known> known_;
};

namespace {

using Kind = message::SearchKind;

llvm::Expected<std::shared_ptr<const SearchIndex>> indexOf(Engine &engine, Document &document, unsigned snapshot) {
  std::shared_ptr<SearchedSnapshots> &searched = document.extension<SearchedSnapshots>();
  if (!searched)
    searched = std::make_shared<SearchedSnapshots>();
  const std::shared_ptr<const Snapshot> of = document.snapshot(snapshot);
  if (auto known = searched->find(of))
    return known;
  auto index = SearchIndex::build(document, snapshot, engine.cancelled);
  if (index)
    searched->insert(of, *index);
  return index;
}

llvm::Expected<message::Nothing<>> prepare(Engine &engine, Document &document,
                                           const method::PrepareSearch::Request<> &request) {
  unsigned snapshot = request.snapshot;
  if (auto index = indexOf(engine, document, snapshot); !index)
    return index.takeError();
  return message::Nothing<>();
}

/// None named: all.
llvm::Expected<std::vector<Kind>> kindsOf(const std::vector<std::string> &names) {
  std::vector<Kind> kinds;
  for (const std::string &name : names) {
    auto at = llvm::find(message::searchKinds, llvm::StringRef(name));
    if (at == std::end(message::searchKinds))
      return badParameter("kinds", "names '" + name + "', which is none of symbol, weight, op, value and location");
    kinds.push_back(Kind(at - std::begin(message::searchKinds)));
  }
  if (kinds.empty())
    kinds = {Kind::Symbol, Kind::Weight, Kind::Op, Kind::Value, Kind::Location};
  return kinds;
}

llvm::Expected<message::SearchHits<>> find(Engine &engine, Document &document,
                                           const method::FindNames::Request<> &request) {
  unsigned snapshot = request.snapshot;
  auto kinds = kindsOf(request.kinds);
  if (!kinds)
    return kinds.takeError();
  auto index = indexOf(engine, document, snapshot);
  if (!index)
    return index.takeError();
  message::SearchHits<> found = (*index)->find(request.text, *kinds, size_t(request.limit), document.lines(snapshot));
  found.snapshot = int(snapshot);
  return found;
}

/// One of `text`, `name`, `dispatch` and `op` with its `snapshot`.
llvm::Expected<HistorySubject> subjectOf(Document &document, const method::SearchHistory::Request<> &request) {
  HistorySubject subject;
  if (request.snapshot)
    subject.snapshot = *request.snapshot;
  if (request.op) {
    subject.kind = HistorySubject::Kind::Op;
    if (!request.snapshot)
      return badParameter("snapshot", "is missing; it must be an integer");
    auto index = document.index(subject.snapshot);
    if (!index)
      return index.takeError();
    subject.op = *request.op;
    if (llvm::Error error = checkRange("op", subject.op, 0, (*index)->count() - 1))
      return error;
  } else if (request.dispatch) {
    subject.kind = HistorySubject::Kind::Dispatch;
    subject.text = *request.dispatch;
  } else if (request.name) {
    subject.kind = HistorySubject::Kind::Name;
    subject.text = *request.name;
  } else if (request.text) {
    subject.text = *request.text;
  } else {
    return badParameter("text", "is missing; it must be a string");
  }
  bool isLine = llvm::StringRef(subject.text).find_first_of("\r\n") == llvm::StringRef::npos;
  if (subject.kind != HistorySubject::Kind::Op && (subject.text.empty() || !isLine))
    return fail("give a name, or a piece of one line, to follow over the steps");
  return subject;
}

llvm::Expected<message::History<>> history(Engine &engine, Document &document,
                                           const method::SearchHistory::Request<> &request) {
  auto subject = subjectOf(document, request);
  if (!subject)
    return subject.takeError();
  if (request.rewrites)
    subject->logOf = [&](unsigned step) { return knownRewrites(document, step); };
  using Clock = std::chrono::steady_clock;
  constexpr auto interval = std::chrono::milliseconds(100);
  auto told = Clock::now();
  auto history = historyOf(document, *subject, engine.cancelled, [&](unsigned done, unsigned total) {
    if (auto now = Clock::now(); now - told >= interval) {
      told = now;
      engine.notify(message::SearchProgress<>{.done = int(done), .total = int(total)});
    }
  });
  if (!history)
    return history.takeError();
  return std::move(*history);
}

/// Of a dump only where it is parsed already.
llvm::Expected<message::SnapshotCounts<>> counts(Engine &, Document &document,
                                                 const method::CountSnapshot::Request<> &request) {
  unsigned number = request.snapshot;
  message::SnapshotCounts<> counts{.lines = int64_t(document.lines(number).lineCount())};
  const Snapshot &snapshot = *document.snapshot(number);
  if (snapshot.isDump() && !snapshot.holdModule())
    return counts;
  if (auto module = document.module(number))
    counts.ops = countOps(*module);
  else
    llvm::consumeError(module.takeError());
  return counts;
}

} // namespace

void addSearchMethods(MethodTable &table) {
  addMethod<method::CountSnapshot, counts>(table);
  addMethod<method::PrepareSearch, prepare>(table);
  addMethod<method::FindNames, find>(table);
  addMethod<method::SearchHistory, history>(table);
}

} // namespace fuselage
