// What each part of a fusion was predicted to gain, and what it gained where it was measured.
#pragma once
#include "views/messages/FusionTypes.h"
#include <QDialog>

class QTreeWidget;

namespace fuselage {

class FusePartsDialog : public QDialog {
  Q_OBJECT
public:
  /// Of a result that was measured.
  explicit FusePartsDialog(const protocol::FuseResult &result, QWidget *parent = nullptr);
  QTreeWidget *table() const { return table_; }

private:
  QTreeWidget *table_;
};

} // namespace fuselage
