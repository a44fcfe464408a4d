// Rows of a run: a sign for the verdict in the first column, red where it is wrong, grey where it is out of date.
#pragma once
#include <QStyledItemDelegate>

namespace fuselage {

class VerdictDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  /// The roles that carry a protocol::RunVerdict (or -1: there is none) and whether the row is out of date.
  VerdictDelegate(int verdictRole, int staleRole, QObject *parent)
      : QStyledItemDelegate(parent), verdictRole_(verdictRole), staleRole_(staleRole) {}

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
  int verdictRole_, staleRole_;
};

} // namespace fuselage
