// What an empty view says instead of nothing.
#pragma once
#include <QAbstractItemView>
#include <QPointer>
#include <QWidget>

class QLineEdit;

namespace fuselage {

/// Lies over the viewport of an item view while its model has no rows.
class EmptyHint : public QWidget {
  Q_OBJECT
public:
  EmptyHint(QAbstractItemView *view, const QString &title, const QString &hint);
  void setText(const QString &title, const QString &hint);
  /// While words are in the edit, and rows are there that they leave out, that is what is said: nothing about the rows.
  void watchFilter(QLineEdit *filter);
  /// What is said now.
  QString title() const;
  QString hint() const;

protected:
  void paintEvent(QPaintEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void refresh();
  bool isFiltered() const;
  QPointer<QAbstractItemView> view_;
  QPointer<QLineEdit> filter_;
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
