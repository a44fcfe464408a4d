// A selected edge: rich text about it, and what can be done with it.
#pragma once
#include <QScrollArea>

class QAction;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace fuselage {

class EdgeCard : public QWidget {
  Q_OBJECT
public:
  explicit EdgeCard(QWidget *parent = nullptr);

  /// Empty: no edge is selected, and the card is hidden.
  void setText(const QString &html);
  QString text() const;
  /// More about it, below the text.
  void addSection(QWidget *section);
  /// Brings a part of a section into sight.
  void scrollTo(QWidget *part) { area_->ensureWidgetVisible(part, 0, 0); }
  /// The buttons do what these commands do, and are enabled as they are.
  void setCommands(QAction *fuse, QAction *why);
  QPushButton *fuseButton() const { return fuse_; }
  QPushButton *whyButton() const { return why_; }

signals:
  /// It has the text of an edge, or none any more.
  void filled();
  void emptied();
  void linkActivated(const QString &target);

private:
  QLabel *label_;
  QScrollArea *area_;
  QVBoxLayout *sections_;
  QPushButton *fuse_, *why_;
};

} // namespace fuselage
