// A strip above the views for news that must not stop the work.
#pragma once
#include <QWidget>
#include <functional>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace fuselage {

class Banner : public QWidget {
  Q_OBJECT
public:
  enum class Kind { Info, Warning, Error };

  explicit Banner(QWidget *parent = nullptr);
  /// Replaces what is shown; buttons of the last message go.
  void showMessage(Kind kind, const QString &text);
  /// A button behind the text.
  void addButton(const QString &text, QObject *context, std::function<void()> clicked);
  /// Another text for the same message, as of a time that passes; its buttons stay.
  void setText(const QString &text);
  QString text() const;
  /// Gives it the keyboard; without buttons, the one that dismisses the message gets it.
  bool focusFirstButton();

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  Kind kind_ = Kind::Info;
  QLabel *icon_;
  QLabel *text_;
  QHBoxLayout *buttons_;
  QToolButton *close_;
};

} // namespace fuselage
