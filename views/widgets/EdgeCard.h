// A selected edge: rich text about it, and what can be done with it.
#pragma once
#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace fuselage {

class EdgeCard : public QWidget {
  Q_OBJECT
public:
  explicit EdgeCard(QWidget *parent = nullptr);

  /// Empty: no edge is selected, and the card is hidden.
  void setText(const QString &html);
  QString text() const;
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
  QPushButton *fuse_, *why_;
};

} // namespace fuselage
