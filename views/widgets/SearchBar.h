// A regular expression to search for, where, and next and previous.
#pragma once
#include <QWidget>

class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;

namespace fuselage {

class SearchBar : public QWidget {
  Q_OBJECT
public:
  explicit SearchBar(QWidget *parent = nullptr);

  void activate();
  /// What is searched in, "Diff", and what can be typed.
  void setScope(const QString &name, const QString &hint);
  /// Sends patternChanged now, not a moment later.
  void searchNow();
  /// "3 of 17"; a negative `current` shows the count alone. `hasMore`: these are the first of more.
  void setMatches(int current, int total, bool hasMore = false);
  void setError(const QString &message);
  QString pattern() const;
  QLineEdit *edit() const { return edit_; }

signals:
  /// A valid regular expression, or empty. Sent a moment after the last key.
  void patternChanged(const QString &pattern);
  void nextRequested();
  void previousRequested();
  void closed();

protected:
  void keyPressEvent(QKeyEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void close();
  void check();
  QLineEdit *edit_;
  QLabel *scope_, *count_;
  QTimer *pause_; ///< after the last letter
};

} // namespace fuselage
