#include "app/gui/text/SnapshotTexts.h"
#include "app/bridge/TextBlocks.h"
#include "app/gui/shell/Sides.h"
#include "core/protocol/methods/TextMethods.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// What comes with the number of lines: enough for a window at any zoom.
static constexpr int firstLines = textBlock;
static_assert(textBlock % PagedTextSource::pageLines == 0);
/// Texts kept besides the ones in use (two in the diff, one in the text view).
static constexpr size_t textsKept = 12;

SnapshotTexts::SnapshotTexts(EngineSession &session, QObject *parent) : QObject(parent), session_(session) {}
SnapshotTexts::~SnapshotTexts() = default;

TextSource *SnapshotTexts::of(int snapshot) {
  auto it = texts_.find(snapshot);
  if (it == texts_.end()) {
    evict();
    it = texts_.emplace(snapshot, Text{.source = std::make_unique<PagedTextSource>()}).first;
    connect(it->second.source.get(), &PagedTextSource::linesRequested, this,
            [this, snapshot](int first, int count) { fetch(snapshot, first, count); });
    begin(snapshot);
  }
  it->second.used = ++clock_;
  return it->second.source.get();
}

bool SnapshotTexts::isLoaded(int snapshot) const {
  const auto it = texts_.find(snapshot);
  return it != texts_.end() && it->second.started;
}

/// Asks for the number of lines and the first of them in one go.
void SnapshotTexts::begin(int snapshot) {
  session_.client().call<method::TextLines>(
      {.snapshot = snapshot, .first = 0, .count = firstLines}, this,
      [this, snapshot, epoch = epoch_](const protocol::TextLines &lines) {
        const auto it = texts_.find(snapshot);
        if (epoch != epoch_ || it == texts_.end())
          return;
        it->second.starting = true;
        it->second.source->start(int(lines.total));
        it->second.starting = false;
        it->second.source->deliver(0, lines.lines);
        it->second.started = true;
        emit loaded(snapshot);
      },
      [this, snapshot](const protocol::Error &error) {
        if (error.code != protocol::Error::EngineGone)
          emit failed(snapshot, error.message);
      });
}

void SnapshotTexts::fetch(int snapshot, int first, int count) {
  const auto it = texts_.find(snapshot);
  if (it == texts_.end())
    return;
  // Asked for by the views while start() tells them: delivered right after it.
  if (it->second.starting && first + count <= firstLines)
    return;
  if (session_.place().isEmpty())
    return fetchLines(snapshot, first, count);
  // Of an engine far away, what may have been asked for ahead.
  for (int block = first / textBlock * textBlock; block < first + count; block += textBlock)
    fetchLines(snapshot, block, textBlock);
}

void SnapshotTexts::fetchLines(int snapshot, int first, int count) {
  session_.client().call<method::TextLines>(
      {.snapshot = snapshot, .first = first, .count = count}, this,
      [this, snapshot, epoch = epoch_](const protocol::TextLines &lines) {
        if (const auto text = texts_.find(snapshot); epoch == epoch_ && text != texts_.end())
          text->second.source->deliver(int(lines.first), lines.lines);
      },
      [this, snapshot, first, count](const protocol::Error &) {
        if (const auto text = texts_.find(snapshot); text != texts_.end())
          text->second.source->forget(first, count);
      });
}

void SnapshotTexts::evict() {
  while (texts_.size() > textsKept) {
    const auto oldest = std::min_element(texts_.begin(), texts_.end(),
                                         [](const auto &a, const auto &b) { return a.second.used < b.second.used; });
    texts_.erase(oldest);
  }
}

void SnapshotTexts::dropFrom(int snapshot) {
  ++epoch_;
  texts_.erase(texts_.lower_bound(snapshot), texts_.end());
}

void SnapshotTexts::retry() {
  dropFrom(firstPlace); // the new engine gives their numbers to others
  for (auto &[snapshot, text] : texts_)
    if (!text.started)
      begin(snapshot);
    else
      emit text.source->reset(); // the views ask again for what they show
}

} // namespace fuselage
