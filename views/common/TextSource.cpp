#include "views/common/TextSource.h"
#include <algorithm>

namespace fuselage {

StringTextSource::StringTextSource(const QString &text, QObject *parent) : TextSource(parent) { setText(text); }

void StringTextSource::setText(const QString &text) {
  lines_ = text.split(u'\n');
  if (lines_.size() > 1 && lines_.last().isEmpty())
    lines_.removeLast();
  if (text.isEmpty())
    lines_.clear();
  emit reset();
}

std::optional<QString> StringTextSource::line(int index) const {
  if (index < 0 || index >= lines_.size())
    return std::nullopt;
  return lines_[index];
}

PagedTextSource::PagedTextSource(QObject *parent) : TextSource(parent) {}

void PagedTextSource::start(int lineCount) {
  ++generation_;
  pages_.clear();
  lineCount_ = std::max(0, lineCount);
  emit reset();
}

void PagedTextSource::setLineCount(int lineCount) {
  if (lineCount == lineCount_)
    return;
  lineCount_ = std::max(0, lineCount);
  emit reset();
}

void PagedTextSource::deliver(int first, const QStringList &lines) {
  if (first < 0 || first % pageLines != 0 || lines.isEmpty())
    return;
  for (int done = 0; done < lines.size(); done += pageLines) {
    Page &page = pages_[(first + done) / pageLines];
    page.lines = lines.mid(done, pageLines);
    page.loaded = true;
    page.used = ++clock_;
  }
  dropOldPages();
  emit linesArrived(first, int(lines.size()));
}

void PagedTextSource::forget(int first, int count) {
  for (int page = first / pageLines; page * pageLines < first + count; ++page)
    if (auto it = pages_.constFind(page); it != pages_.cend() && !it->loaded)
      pages_.erase(it);
}

void PagedTextSource::setMaxPages(int pages) {
  maxPages_ = std::max(8, pages);
  dropOldPages();
}

std::optional<QString> PagedTextSource::line(int index) const {
  auto page = pages_.constFind(index / pageLines);
  if (index < 0 || index >= lineCount_ || page == pages_.cend() || !page->loaded)
    return std::nullopt;
  page->used = ++clock_;
  int row = index % pageLines;
  return row < page->lines.size() ? page->lines[row] : QString();
}

void PagedTextSource::request(int first, int count) {
  int begin = std::clamp(first, 0, lineCount_) / pageLines;
  int end = (std::clamp<qint64>(qint64(first) + count, 0, lineCount_) + pageLines - 1) / pageLines;
  for (int page = begin; page < end;) {
    if (pages_.contains(page)) {
      ++page;
      continue;
    }
    int runBegin = page;
    while (page < end && !pages_.contains(page))
      pages_[page++].used = ++clock_;
    int from = runBegin * pageLines;
    emit linesRequested(from, std::min(page * pageLines, lineCount_) - from);
  }
}

/// Keeps the most recently used pages; pages on their way stay.
void PagedTextSource::dropOldPages() {
  if (pages_.size() <= maxPages_)
    return;
  QList<std::pair<quint64, int>> ages;
  for (auto it = pages_.cbegin(); it != pages_.cend(); ++it)
    if (it->loaded)
      ages.append({it->used, it.key()});
  std::sort(ages.begin(), ages.end());
  qsizetype excess = std::min<qsizetype>(pages_.size() - maxPages_ + maxPages_ / 8, ages.size());
  for (qsizetype i = 0; i < excess; ++i)
    pages_.remove(ages[i].second);
}

} // namespace fuselage
