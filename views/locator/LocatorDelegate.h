// A row of the locator: icon, name with the letters that were typed, what it is about, what it is.
#pragma once
#include <QStyledItemDelegate>

namespace fuselage {

class LocatorDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  /// Words that are set off in names.
  void setWords(const QString &words) { words_ = words.toLower().split(u' ', Qt::SkipEmptyParts); }

  void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
  int paintName(QPainter &painter, const QRect &room, const QFont &font, const QString &name,
                const QColor &colour) const;
  QStringList words_;
};

} // namespace fuselage
