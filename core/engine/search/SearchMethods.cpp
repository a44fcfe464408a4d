// search/*, snapshot/counts.
#include "core/engine/Engine.h"
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
  std::shared_ptr<SearchedSnapshots> &searched = document.searched();
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

llvm::Expected<llvm::json::Value> prepare(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  if (llvm::Error error = params.check())
    return error;
  if (auto index = indexOf(engine, **document, snapshot); !index)
    return index.takeError();
  return message::encode(message::Nothing<>());
}

/// None named: all.
std::vector<Kind> kindsParam(Params &params) {
  std::vector<Kind> kinds;
  for (const std::string &name : params.strings("kinds")) {
    auto at = llvm::find(message::searchKinds, llvm::StringRef(name));
    if (at == std::end(message::searchKinds))
      params.complain("kinds", "names '" + name + "', which is none of symbol, weight, op, value and location");
    else
      kinds.push_back(Kind(at - std::begin(message::searchKinds)));
  }
  if (kinds.empty())
    kinds = {Kind::Symbol, Kind::Weight, Kind::Op, Kind::Value, Kind::Location};
  return kinds;
}

llvm::Expected<llvm::json::Value> find(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  std::string text = params.string("text");
  std::vector<Kind> kinds = kindsParam(params);
  constexpr int mostHits = 1000;
  int64_t limit = params.integer("limit", 1, mostHits, 50);
  if (llvm::Error error = params.check())
    return error;
  auto index = indexOf(engine, **document, snapshot);
  if (!index)
    return index.takeError();
  message::SearchHits<> found = (*index)->find(text, kinds, size_t(limit), (*document)->lines(snapshot));
  found.snapshot = int(snapshot);
  return message::encode(found);
}

/// One of `text`, `name`, `dispatch` and `op` with its `snapshot`.
llvm::Expected<HistorySubject> subjectParam(Params &params, Document &document) {
  HistorySubject subject;
  if (params.has("op")) {
    subject.kind = HistorySubject::Kind::Op;
    subject.snapshot = snapshotParam(params, document);
    if (llvm::Error error = params.check())
      return error;
    auto index = document.index(subject.snapshot);
    if (!index)
      return index.takeError();
    subject.op = params.integer("op", 0, (*index)->count() - 1);
  } else if (params.has("dispatch")) {
    subject.kind = HistorySubject::Kind::Dispatch;
    subject.text = params.string("dispatch");
    subject.snapshot = params.has("snapshot") ? snapshotParam(params, document) : 0;
  } else if (params.has("name")) {
    subject.kind = HistorySubject::Kind::Name;
    subject.text = params.string("name");
  } else {
    subject.text = params.string("text");
  }
  if (llvm::Error error = params.check())
    return error;
  bool isLine = llvm::StringRef(subject.text).find_first_of("\r\n") == llvm::StringRef::npos;
  if (subject.kind != HistorySubject::Kind::Op && (subject.text.empty() || !isLine))
    return fail("give a name, or a piece of one line, to follow over the steps");
  return subject;
}

llvm::Expected<llvm::json::Value> history(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  auto subject = subjectParam(params, **document);
  if (!subject)
    return subject.takeError();
  using Clock = std::chrono::steady_clock;
  constexpr auto interval = std::chrono::milliseconds(100);
  auto told = Clock::now();
  auto history = historyOf(**document, *subject, engine.cancelled, [&](unsigned done, unsigned total) {
    if (auto now = Clock::now(); now - told >= interval) {
      told = now;
      engine.notify(message::SearchProgress<>{.done = int(done), .total = int(total)});
    }
  });
  if (!history)
    return history.takeError();
  return message::encode(*history);
}

/// Of a dump only where it is parsed already.
llvm::Expected<llvm::json::Value> counts(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned number = snapshotParam(params, **document);
  if (llvm::Error error = params.check())
    return error;
  message::SnapshotCounts<> counts{.lines = int64_t((*document)->lines(number).lineCount())};
  const Snapshot &snapshot = *(*document)->snapshot(number);
  if (snapshot.isDump() && !snapshot.holdModule())
    return message::encode(counts);
  if (auto module = (*document)->module(number))
    counts.ops = countOps(*module);
  else
    llvm::consumeError(module.takeError());
  return message::encode(counts);
}

} // namespace

void addSearchMethods(MethodTable &table) {
  table["snapshot/counts"] = counts;
  table["search/prepare"] = prepare;
  table["search/find"] = find;
  table["search/history"] = history;
}

} // namespace fuselage
