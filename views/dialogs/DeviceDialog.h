// What is known of each device, and where it is known from.
#pragma once
#include "views/messages/DeviceTypes.h"
#include <QDialog>

class QLabel;
class QListWidget;
class QTreeWidget;

namespace fuselage {

class DeviceDialog : public QDialog {
  Q_OBJECT
public:
  explicit DeviceDialog(QWidget *parent = nullptr);

  void setModels(const QList<protocol::DeviceModel> &models);
  /// Why there is nothing to show.
  void setProblem(const QString &problem);

  QListWidget *list() const { return list_; }
  QTreeWidget *facts() const { return facts_; }

private:
  void show(int row);

  QList<protocol::DeviceModel> models_;
  QListWidget *list_;
  QTreeWidget *facts_;
  QLabel *hint_;
};

} // namespace fuselage
