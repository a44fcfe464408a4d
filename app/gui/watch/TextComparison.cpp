#include "app/gui/watch/TextComparison.h"
#include "views/common/TextSource.h"
#include "views/text/DiffView.h"
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Cells of the table of common lines.
static constexpr qint64 mostCells = 8'000'000;

namespace {

class LineDiff {
public:
  LineDiff(const QStringList &before, const QStringList &after) : before_(before), after_(after) {}

  DiffData compare() {
    int front = 0;
    while (front < std::min(before_.size(), after_.size()) && before_[front] == after_[front])
      ++front;
    int back = 0;
    while (back < std::min(before_.size(), after_.size()) - front &&
           before_[before_.size() - 1 - back] == after_[after_.size() - 1 - back])
      ++back;
    addSame(0, 0, front);
    addMiddle(front, int(before_.size()) - back, front, int(after_.size()) - back);
    addSame(int(before_.size()) - back, int(after_.size()) - back, back);
    return std::move(data_);
  }

private:
  void addSame(int left, int right, int count) {
    if (count == 0)
      return;
    DiffRowData *last = data_.rows.isEmpty() ? nullptr : &data_.rows.last();
    if (last && last->kind == DiffRowData::Kind::Same)
      last->count += count;
    else
      data_.rows.append({.left = left, .right = right, .count = count, .leftSpans = {}, .rightSpans = {}});
  }

  /// By the longest common subsequence of lines.
  void addMiddle(int left, int leftEnd, int right, int rightEnd) {
    const qint64 width = rightEnd - right + 1, cells = (leftEnd - left + 1) * width;
    if (cells > mostCells)
      return addReplaced(left, leftEnd, right, rightEnd);
    std::vector<int> common(size_t(cells), 0);
    const auto cell = [&](int l, int r) -> int & { return common[size_t((l - left) * width + (r - right))]; };
    for (int l = leftEnd - 1; l >= left; --l)
      for (int r = rightEnd - 1; r >= right; --r)
        cell(l, r) = before_[l] == after_[r] ? cell(l + 1, r + 1) + 1 : std::max(cell(l + 1, r), cell(l, r + 1));
    int l = left, r = right, from = left, to = right;
    while (l < leftEnd && r < rightEnd) {
      if (before_[l] == after_[r]) {
        addReplaced(from, l, to, r);
        addSame(l++, r++, 1);
        from = l;
        to = r;
      } else if (cell(l + 1, r) >= cell(l, r + 1)) {
        ++l;
      } else {
        ++r;
      }
    }
    addReplaced(from, leftEnd, to, rightEnd);
  }

  void addReplaced(int left, int leftEnd, int right, int rightEnd) {
    for (; left < leftEnd && right < rightEnd; ++left, ++right)
      addChanged(left, right);
    for (; left < leftEnd; ++left, ++data_.removed)
      data_.rows.append({.kind = DiffRowData::Kind::Removed, .left = left, .leftSpans = {}, .rightSpans = {}});
    for (; right < rightEnd; ++right, ++data_.added)
      data_.rows.append({.kind = DiffRowData::Kind::Added, .right = right, .leftSpans = {}, .rightSpans = {}});
  }

  /// What differs inside of a line is between what begins and what ends alike.
  void addChanged(int left, int right) {
    const QString &a = before_[left], &b = after_[right];
    qsizetype front = 0, back = 0;
    const qsizetype shorter = std::min(a.size(), b.size());
    while (front < shorter && a[front] == b[front])
      ++front;
    while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back])
      ++back;
    const auto span = [&](const QString &line) {
      return ByteSpan{.begin = int(line.left(front).toUtf8().size()),
                      .end = int(line.left(line.size() - back).toUtf8().size())};
    };
    data_.rows.append({.kind = DiffRowData::Kind::Changed,
                       .left = left,
                       .right = right,
                       .leftSpans = {span(a)},
                       .rightSpans = {span(b)}});
    ++data_.changed;
  }

  const QStringList &before_, &after_;
  DiffData data_;
};

} // namespace

static QStringList linesOf(const QString &text) {
  QStringList lines = text.split(u'\n');
  if (lines.last().isEmpty())
    lines.removeLast();
  return lines;
}

DiffData compareTexts(const QString &before, const QString &after) {
  const QStringList left = linesOf(before), right = linesOf(after);
  return LineDiff(left, right).compare();
}

void showComparison(QWidget &window, const QString &title, const QString &beforeTitle, const QString &before,
                    const QString &afterTitle, const QString &after) {
  auto *dialog = new QDialog(&window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto *view = new DiffView(dialog);
  view->setTitles(beforeTitle, afterTitle);
  view->setEmptyText(QCoreApplication::translate("TextComparison", "No difference"),
                     QCoreApplication::translate("TextComparison", "Both texts are the same."));
  auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto *layout = new QVBoxLayout(dialog);
  layout->addWidget(view, 1);
  layout->addWidget(buttons);
  dialog->resize(QSize(1000, 640).boundedTo(window.size() * 0.95));
  dialog->open();
  if (before != after) // in its place: the view scrolls to the first change
    view->setDiff(compareTexts(before, after), new StringTextSource(before, dialog),
                  new StringTextSource(after, dialog));
  view->setFocus();
}

} // namespace fuselage
