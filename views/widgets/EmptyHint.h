// What an empty view says instead of nothing.
#pragma once
#include <QAbstractItemView>
#include <QPointer>
#include <QWidget>

namespace fuselage {

/// Lies over the viewport of an item view while its model has no rows.
class EmptyHint : public QWidget {
  Q_OBJECT
public:
  EmptyHint(QAbstractItemView *view, const QString &title, const QString &hint);
  void setText(const QString &title, const QString &hint);
  const QString &title() const { return title_; }

protected:
  void paintEvent(QPaintEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void refresh();
  QPointer<QAbstractItemView> view_;
  QString title_, hint_;
};

/// Paints a title and a paragraph in the middle of `rect`, in muted colours.
void paintHint(QPainter &painter, const QRect &rect, const QPalette &palette, const QString &title,
               const QString &hint);
/// Text between the palette's text and its ground, readable on both themes.
QColor mutedText(const QPalette &palette);

/// Colours that mean something, readable on the palette's ground.
struct SignalColours {
  QColor good, warning, error, info;
};
SignalColours signalColours(const QPalette &palette);

} // namespace fuselage
