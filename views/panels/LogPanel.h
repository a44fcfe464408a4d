// What the engine writes to stderr, and what the window did with it.
#pragma once
#include <QWidget>

class QPlainTextEdit;

namespace fuselage {

class LogPanel : public QWidget {
  Q_OBJECT
public:
  explicit LogPanel(QWidget *parent = nullptr);
  /// One line, with the time in front.
  void append(const QString &line);
  QString text() const;

private:
  QPlainTextEdit *text_;
};

} // namespace fuselage
