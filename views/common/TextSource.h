// Lines of a text that may arrive later than they are asked for.
#pragma once
#include <QHash>
#include <QList>
#include <QObject>
#include <QStringList>
#include <optional>

namespace fuselage {

/// Read-only lines, numbered from 0. Views ask for what they show and repaint on linesArrived.
class TextSource : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  virtual int lineCount() const = 0;
  /// The line without its line break, or nothing while it is not loaded.
  virtual std::optional<QString> line(int index) const = 0;
  /// Asks for lines; cheap, and safe to repeat. linesArrived follows for those not loaded yet.
  virtual void request(int first, int count) = 0;

signals:
  void linesArrived(int first, int count);
  /// The text is another one now: count and content.
  void reset();
};

/// A text in memory.
class StringTextSource : public TextSource {
  Q_OBJECT
public:
  explicit StringTextSource(const QString &text = {}, QObject *parent = nullptr);
  void setText(const QString &text);
  int lineCount() const override { return int(lines_.size()); }
  std::optional<QString> line(int index) const override;
  void request(int, int) override {}

private:
  QStringList lines_;
};

/// A text that lives elsewhere and is fetched page by page. Connect linesRequested to whatever
/// fetches, and hand the answer to deliver(). Pages that nobody looked at for long are dropped.
class PagedTextSource : public TextSource {
  Q_OBJECT
public:
  static constexpr int pageLines = 256;
  explicit PagedTextSource(QObject *parent = nullptr);

  /// Begins a new text. Answers that belong to an older one must not be delivered any more
  /// (see generation()).
  void start(int lineCount);
  /// Corrects the number of lines once it is known better; keeps what is loaded.
  void setLineCount(int lineCount);
  /// Counts the calls of start(): remember it with a request, compare it with the answer.
  quint64 generation() const { return generation_; }
  /// Lines [first, first + lines.size()); `first` is that of a request. Fewer lines than were
  /// asked for fill up the end of the text only.
  void deliver(int first, const QStringList &lines);
  /// The request failed: asks again the next time the lines are shown.
  void forget(int first, int count);
  /// How many pages stay loaded; at least what fits a window.
  void setMaxPages(int pages);
  int loadedPages() const { return int(pages_.size()); }

  int lineCount() const override { return lineCount_; }
  std::optional<QString> line(int index) const override;
  void request(int first, int count) override;

signals:
  /// One signal a run of missing pages; `first` is a multiple of pageLines.
  void linesRequested(int first, int count);

private:
  struct Page {
    QStringList lines;
    bool loaded = false;
    mutable quint64 used = 0;
  };
  void dropOldPages();
  QHash<int, Page> pages_;
  int lineCount_ = 0;
  int maxPages_ = 1024;
  quint64 generation_ = 0;
  mutable quint64 clock_ = 0;
};

} // namespace fuselage
