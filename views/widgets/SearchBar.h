// One search over graph and text: a regular expression, and next and previous.
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
  /// "3 of 17"; a negative `current` shows the count alone.
  void setMatches(int current, int total);
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
  QLabel *count_;
  QTimer *pause_; ///< after the last letter
};

} // namespace fuselage
