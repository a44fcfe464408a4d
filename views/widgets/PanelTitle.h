// The bar above a panel: its name, and what can be done with it. Nothing where a tab has the name already.
#pragma once
#include <QWidget>

class QLabel;
class QToolButton;

namespace fuselage {

class PanelTitle : public QWidget {
  Q_OBJECT
public:
  explicit PanelTitle(const QString &title, QWidget *parent = nullptr);
  /// A panel behind a tab has no second title.
  void setCollapsed(bool collapsed);
  void setMaximized(bool maximized);
  bool isCollapsed() const { return isCollapsed_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

signals:
  void maximizeRequested();
  void floatRequested();
  void closeRequested();

protected:
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  QToolButton *addButton(const QString &icon, const QString &name, void (PanelTitle::*signal)());

  QLabel *label_;
  QToolButton *maximize_;
  bool isCollapsed_ = false;
};

} // namespace fuselage
