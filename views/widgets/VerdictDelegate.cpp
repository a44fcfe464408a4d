#include "views/widgets/VerdictDelegate.h"
#include "views/messages/RunTypes.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"

using namespace Qt::StringLiterals;

namespace fuselage {

void VerdictDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const SignalColours colours = signalColours(option->palette);
  const QColor muted = mutedText(option->palette);
  const int verdict = index.data(verdictRole_).toInt();
  const bool isStale = index.data(staleRole_).toBool();
  const bool isOk = verdict == int(protocol::RunVerdict::Ok), isWrong = verdict == int(protocol::RunVerdict::Wrong);
  const bool isCompared = verdict >= 0 && verdict != int(protocol::RunVerdict::Unchecked);
  if (index.column() == 0 && isCompared) {
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(16, 16);
    const QColor colour = isStale ? muted : isOk ? colours.good : isWrong ? colours.error : colours.warning;
    option->icon = lineIcon(isOk ? u"check"_s : isWrong ? u"error"_s : u"problems"_s, colour);
  }
  if (isStale)
    option->palette.setColor(QPalette::Text, muted);
  else if (isWrong)
    option->palette.setColor(QPalette::Text, colours.error);
}

} // namespace fuselage
